package owners_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
)

// tree makes a tree of files given as name and text in turn.
func tree(files ...string) source.Tree {
	m := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = []byte(files[i+1])
	}
	return source.Memory(m)
}

// said writes what rules say of a path: for each match the line, the section in brackets and the owners.
func said(r *owners.Rules, path string) string {
	var parts []string
	for _, m := range r.Of(path).Matches {
		part := fmt.Sprint(m.Line)
		if m.Section != "" {
			part += "[" + m.Section + "]"
		}
		if m.Optional {
			part += "^"
		}
		if m.Approvals > 0 {
			part += fmt.Sprintf("x%d", m.Approvals)
		}
		for _, o := range m.Owners {
			part += fmt.Sprintf(" %s:%s", [...]string{"team", "role", "name", "user", "mail"}[o.Kind], o.Text)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " | ")
}

func check(t *testing.T, file, text string, dialect owners.Dialect, want map[string]string, problems ...string) *owners.Rules {
	t.Helper()
	r, found := owners.Load(tree(file, text), nil)
	if r.Dialect != dialect || r.File != file || r.Why == "" {
		t.Errorf("got %s %s %q", r.Dialect, r.File, r.Why)
	}
	for path, w := range want {
		if got := said(r, path); got != w {
			t.Errorf("%s: got %q, want %q", path, got, w)
		}
	}
	var got []string
	for _, p := range found {
		got = append(got, fmt.Sprintf("%d %s", p.At.Line, p.Message))
	}
	for i := range max(len(got), len(problems)) {
		if i >= len(got) || i >= len(problems) || !strings.Contains(got[i], problems[i]) {
			t.Fatalf("problems: got %q, want %q", got, problems)
		}
	}
	return r
}

func TestGitHub(t *testing.T) {
	check(t, ".github/CODEOWNERS", `# everything first, exceptions later
*       @boss @acme/platform
*.js    @scripter #only scripts
*.go docs@example.com

/build/logs/ @doc_tor
docs/*  docs@example.com
apps/ @octo
/apps/special
!secret @nobody
\#hash @nobody
[a-z].md @nobody
/ @nobody
/bad @acme/platform not-an-owner
with\ space/ @octo
`, owners.GitHub, map[string]string{
		"README":           "2 user:@boss team:@acme/platform",
		"lib/a.js":         "3 user:@scripter",
		"main.go":          "4 mail:docs@example.com",
		"build/logs/x/y":   "6 user:@doc_tor",
		"docs/a.md":        "7 mail:docs@example.com",
		"docs/b/a.md":      "2 user:@boss team:@acme/platform",
		"x/apps/y":         "8 user:@octo",
		"apps/special/a/b": "9",
		"secret":           "2 user:@boss team:@acme/platform",
		"bad":              "2 user:@boss team:@acme/platform",
		"with space/a":     "15 user:@octo",
	}, `10 GitHub knows no patterns that begin with "!"`, `11 GitHub knows no patterns that begin with "\#"`,
		"12 GitHub knows no sets", "13 the pattern matches nothing", "14 one of the owners is neither")
}

func TestGitHubWithoutARule(t *testing.T) {
	r := check(t, "docs/CODEOWNERS", "/a @x\r\n/b\t@y\r\n", owners.GitHub, map[string]string{"a": "1 user:@x", "b": "2 user:@y", "c": ""})
	if got := r.Of("c"); got.Text(true) != "" || len(got.Matches) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestGitLabSections(t *testing.T) {
	check(t, "CODEOWNERS", `* @admin

[README Owners]
README.md @user1 @user2
internal/README.md @user4

[README other owners]
README.md @user3
`, owners.GitLab, map[string]string{
		"README.md":          "1 name:@admin | 4[README Owners] name:@user1 name:@user2 | 8[README other owners] name:@user3",
		"internal/README.md": "1 name:@admin | 5[README Owners] name:@user4 | 8[README other owners] name:@user3",
		"main.go":            "1 name:@admin",
	})
}

func TestGitLabDefaults(t *testing.T) {
	check(t, "CODEOWNERS", `* @general/approvers
[Documentation][2] @docs-team
docs/
README.md
*.txt

^[Database] @db/team @agarcia
model/db/
config/db/setup.md @docs-team

[DOCUMENTATION] @writers
guide.md
`, owners.GitLab, map[string]string{
		"docs/a":              "1 team:@general/approvers | 3[Documentation]x2 name:@docs-team",
		"model/db/CHANGE.txt": "1 team:@general/approvers | 5[Documentation]x2 name:@docs-team | 8[Database]^ team:@db/team name:@agarcia",
		"config/db/setup.md":  "1 team:@general/approvers | 9[Database]^ name:@docs-team",
		"guide.md":            "1 team:@general/approvers | 12[Documentation] name:@writers",
	})
}

// A section of which one heading is not optional is required.
func TestGitLabOptionalOnlyIfAllHeadingsSaySo(t *testing.T) {
	check(t, "CODEOWNERS", "[Go]\n*.go @a\n^[go]\n*.mod @b\n^[Docs][3]\n*.md @c\n", owners.GitLab, map[string]string{
		"x.mod": "4[Go] name:@b", "x.md": "6[Docs]^x3 name:@c",
	}, "5 an optional section asks for a number")
}

func TestGitLabExclusions(t *testing.T) {
	check(t, ".gitlab/CODEOWNERS", `* @default
!*.rb
/special/*.rb @late
!pom.xml

[Ruby]
*.rb @ruby
!/config/**/*.rb
/config/routes.rb @ops

[Config]
/config/**/* @ops/team
`, owners.GitLab, map[string]string{
		"a.go":                "1 name:@default",
		"pom.xml":             "",
		"special/a.rb":        "7[Ruby] name:@ruby",
		"config/routes.rb":    "12[Config] team:@ops/team",
		"config/deep/er/x.rb": "12[Config] team:@ops/team",
	})
}

func TestGitLabOddities(t *testing.T) {
	check(t, ".gitlab/CODEOWNERS", `\#pound.rb @owner
path\ with\ spaces/ @space
LICENSE @legal janedoe@example.com
/config/ @@maintainer @@Developers @@guest
/path/* @group no_at_sign @user_with_at  # @in-a-comment
[Section name
docs/ @docs_group
nobody
*.x what is this
[]
*.y @y
^[Empty] ???
*.z
`, owners.GitLab, map[string]string{
		"a/#pound.rb":        "1 name:@owner",
		"path with spaces/a": "2 name:@space",
		"LICENSE":            "3 name:@legal mail:janedoe@example.com",
		"config/a/b":         "4 role:@@maintainer role:@@Developers",
		// What looks like a comment behind a rule is none.
		"path/a":      "5 name:@group name:@user_with_at name:@in-a-comment",
		"docs/a":      "7 name:@docs_group",
		"nobody":      "8",
		"deep/file.x": "9",
		"file.y":      "11 name:@y",
		"file.z":      "13[Empty]^",
	}, "4 the line has a word that names no owner", "5 the line has a word that names no owner", "6 the heading does not end",
		"6 the line names no owner", "8 the line has no owner", "9 the line names no owner", "10 a section needs a name",
		"13 the line has no owner")
}

// The same pattern again takes the place of the earlier rule, so what stands between still comes after it.
func TestGitLabSamePatternTwice(t *testing.T) {
	check(t, ".gitlab/CODEOWNERS", "docs/ @first\n*.md @md\n/**/docs/**/* @again\n", owners.GitLab, map[string]string{
		"docs/a.md": "2 name:@md", "docs/a.txt": "3 name:@again",
	})
}

func TestBitbucket(t *testing.T) {
	check(t, ".bitbucket/CODEOWNERS", `# who
* alice@example.com bob@example.com # everything
*.js   @space/frontend:all
*.py   @space/backend:least_busy(2)
*.tf   @teams/sre-leads:random(2) @carol
!x @d
[ab] @d
*.md ???
*.go @jane@example.com
`, owners.Bitbucket, map[string]string{
		"a":      "2 mail:alice@example.com mail:bob@example.com",
		"x/a.js": "3 team:@space/frontend",
		"a.py":   "4 team:@space/backend",
		"a.tf":   "5 team:@teams/sre-leads user:@carol",
		"x":      "2 mail:alice@example.com mail:bob@example.com",
		"a.md":   "8",
		"a.go":   "9 mail:jane@example.com",
	}, "6 Bitbucket knows no", "7 Bitbucket knows no", "8 one of the owners")
}

func TestBitbucketApp(t *testing.T) {
	r := check(t, "CODEOWNERS", `CODEOWNERS.destination_branch_pattern main
CODEOWNERS.destination_branch_pattern release/*
CODEOWNERS.toplevel.subdirectory_overrides enable
CODEOWNERS.toplevel.assignment_routing random 2

@@@MyDevs  @Peter @"Jane Doe" ann@example.com @@JSDevs

*                        @Peter
*.java                   @"Jane Doe"
*.js                     @paul @@JSExperts
*.ts                     @@"Dev Ops Team"
"a/path with spaces/*"   docs@example.com @docs@example.com
!ci/play.yml
src/components/**/*.js   @@MyDevs
main.{c,h}               @@MyDevs
\!odd.rb                 @@MyDevs
\#odd.rb                 @@MyDevs
broken.{c                @Peter
x.md                     nobody

Check(@@MyDevs >= 2)
OverallCheck(2)
`, owners.BitbucketApp, map[string]string{
		"README":                "8 user:@Peter",
		"A.java":                "9 user:@Jane Doe",
		"a.js":                  "10 user:@paul team:@@JSExperts",
		"a.ts":                  "11 team:@@Dev Ops Team",
		"a/path with spaces/x":  "12 mail:docs@example.com mail:docs@example.com",
		"ci/play.yml":           "13",
		"src/components/x/a.js": "14 team:@@MyDevs",
		"main.h":                "15 team:@@MyDevs",
		"!odd.rb":               "16 team:@@MyDevs",
		"#odd.rb":               "17 team:@@MyDevs",
		"x.md":                  "19",
	}, "3 files of the same name further down", "18 the pattern has braces", "19 one of the owners")
	if strings.Join(r.Branches, " ") != "main release/*" {
		t.Errorf("branches: %q", r.Branches)
	}
}
