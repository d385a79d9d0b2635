package owners

import (
	"strings"
	"testing"
)

func TestGitignorePatterns(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"*", "a a/b a/b/c.yaml .hidden", ""},
		{"**", "a a/b a/b/c.yaml", ""},
		{"*.js", "a.js lib/a.js lib/x.js/readme", "a.jsx js"},
		{"/*.js", "a.js", "lib/a.js"},
		{"/build/logs/", "build/logs/a build/logs/a/b", "build/logs x/build/logs/a build/logsx"},
		{"docs/*", "docs/start.md", "docs/build/trouble.md docs x/docs/start.md"},
		{"apps/", "apps/a x/apps/a x/y/apps/a/b", "apps x/apps"},
		{"/docs/", "docs/a docs/a/b", "docs x/docs/a"},
		{"/apps/github", "apps/github apps/github/a apps/github/a/b", "apps/githubx x/apps/github"},
		{"**/logs", "logs logs/a build/logs deep/er/logs/x", "logsx build/log"},
		{"docs/**/a.md", "docs/a.md docs/x/a.md docs/x/y/a.md", "a.md x/docs/a.md"},
		{"/charts/**", "charts/a charts/a/b", "charts x/charts/a"},
		{"/a/*/c", "a/b/c a/b/c/d", "a/c a/b/x/c"},
		{"Makefile*", "Makefile Makefile.core.mk x/Makefile", "makefile xMakefile"},
		{"/values/pr?.yaml", "values/prd.yaml values/prö.yaml", "values/pr.yaml values/prod.yaml values/pr/.yaml"},
		{`with\ space/`, "with space/a x/with space/b", `with\ space/a`},
		{`\*.md`, "*.md", "a.md"},
		{"a/**/b/**/c", "a/b/c a/x/b/y/z/c", "a/b a/c b/c"},
		{"[ab].md", "[ab].md", "a.md"},
	} {
		p, ok := gitignored(c.pattern)
		if !ok {
			t.Errorf("%s: matches nothing", c.pattern)
		}
		try(t, c.pattern, p, c.yes, c.no)
	}
	for _, empty := range []string{"/", "//"} {
		if p, ok := gitignored(empty); ok && p.matches([]string{"a"}) {
			t.Errorf("%q matches", empty)
		}
	}
}

func TestGitLabPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"*", "a a/b .gitlab-ci.yml", ""},
		{"README.md", "README.md internal/README.md app/lib/README.md", "README.mdx xREADME.md"},
		{"internal/README.md", "internal/README.md docs/internal/README.md docs/api/internal/README.md", "README.md"},
		{"/README.md", "README.md", "docs/README.md"},
		{"/docs/", "docs/a docs/a/b docs/.a", "docs x/docs/a"},
		{"docs/", "docs/a x/docs/a/b", "docs"},
		{"/docs", "docs", "docs/a"}, // no slash at the end: a file, never what is below a directory
		{"/docs/*.md", "docs/a.md", "docs/x/a.md"},
		{"/docs/index.*", "docs/index.md docs/index.html", "docs/index"},
		{"/docs/*spec*", "docs/qa_specs.rb docs/spec_helpers.rb docs/runtime.spec", "docs/x/spec"},
		{"/docs/*/README.md", "docs/api/README.md", "docs/README.md docs/a/b/README.md"},
		{"/docs/**/index.md", "docs/index.md docs/api/index.md docs/api/graphql/index.md", "index.md"},
		{"/docs/**", "docs/a", "docs/a/b docs"}, // "**" at the end is no more than "*"
		{"**/*.rb", "a.rb config/database.rb app/users/stars.rb", "a.rbx"},
		{"!x", "!x", "x"}, // by now the "!" of an exclusion is gone
		{"[a-c]?.md", "ax.md bz.md x/cc.md", "dx.md a.md"},
		{"[^a-c].md", "d.md", "a.md"},
		{"[!a].md", "b.md", "a.md"},
		{`[\]].md`, "].md", "a.md"},
		{"[a-].md", "a.md -.md", "b.md"},
		{"[a.md", "", "a.md [a.md"},
	} {
		try(t, c.pattern, globbed(c.pattern), c.yes, c.no)
	}
}

func try(t *testing.T, text string, p pattern, yes, no string) {
	t.Helper()
	for want, list := range map[bool]string{true: yes, false: no} {
		for _, name := range split(list) {
			if got := p.matches(strings.Split(name, "/")); got != want {
				t.Errorf("%s: %q: got %v", text, name, got)
			}
		}
	}
}

// split takes names with a space inside as they are written in the tables: "with space/a" counts as one.
func split(list string) []string {
	list = strings.ReplaceAll(strings.ReplaceAll(list, `\ `, "\x01"), "with space", "with\x00space")
	names := strings.Fields(list)
	for i := range names {
		names[i] = strings.NewReplacer("\x00", " ", "\x01", `\ `).Replace(names[i])
	}
	return names
}

func TestAlternatives(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{"main.js", "main.js", true},
		{"main.{java,js}", "main.java main.js", true},
		{"docs/{public/*,api/*}", "docs/public/* docs/api/*", true},
		{"{a,b}/{c,d}", "a/c a/d b/c b/d", true},
		{"{a,{b,c}}", "a b a c", true},
		{"a}b", "", false},
		{"a{b", "", false},
		{strings.Repeat("{a,b}", 40), "", false},
		{"{" + strings.Repeat("a,", 4000) + "}", "", false},
	} {
		got, ok := alternatives(c.text)
		if ok != c.ok || strings.Join(got, " ") != c.want {
			t.Errorf("%.40s: got %v %v", c.text, got, ok)
		}
	}
}

// Patterns for which a matcher with full backtracking would try for longer than any test may run.
func TestHostilePatternsAreBounded(t *testing.T) {
	name := strings.Split(strings.Repeat("a/", 500)+strings.Repeat("a", 1000), "/")
	for _, text := range []string{
		strings.Repeat("**/a/", 500) + "b",
		strings.Repeat("a*", 1500) + "b",
		"**/" + strings.Repeat("*a", 1500) + "b",
		strings.Repeat("**/*a*a*a/", 200) + "b",
	} {
		if p, _ := gitignored(text); p.matches(name) {
			t.Errorf("%.20s... matches", text)
		}
		if p := globbed(strings.ReplaceAll(text, "a*", "[a-z]*")); p.matches(name) {
			t.Errorf("%.20s... matches", text)
		}
	}
}
