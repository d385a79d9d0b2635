package owners_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/owners"
)

func TestPlaceAndDialect(t *testing.T) {
	const plain, sections, app = "* @a\n", "[S]\n* @a\n", "@@@G @a\n* @@G\n"
	for _, c := range []struct {
		name    string
		files   []string
		remotes string
		file    string
		dialect owners.Dialect
		also    string
	}{
		{name: "nothing", files: []string{"a", ""}},
		{name: "a directory of that name", files: []string{"CODEOWNERS/a", "", "docs/CODEOWNERS", plain}, file: "docs/CODEOWNERS", dialect: owners.GitHub},
		{name: "nothing tells", files: []string{"CODEOWNERS", plain}, file: "CODEOWNERS", dialect: owners.GitHub},
		{name: "sections tell", files: []string{"docs/CODEOWNERS", sections}, file: "docs/CODEOWNERS", dialect: owners.GitLab},
		{name: "groups tell", files: []string{"CODEOWNERS", app}, file: "CODEOWNERS", dialect: owners.BitbucketApp},
		{name: "groups tell in its folder", files: []string{".bitbucket/CODEOWNERS", app}, file: ".bitbucket/CODEOWNERS", dialect: owners.BitbucketApp},
		{name: "CI tells", files: []string{"CODEOWNERS", plain, ".gitlab-ci.yml", ""}, file: "CODEOWNERS", dialect: owners.GitLab},
		{name: "pipelines tell", files: []string{"CODEOWNERS", plain, "bitbucket-pipelines.yml", ""}, file: "CODEOWNERS", dialect: owners.BitbucketApp},
		{
			name: "CI of two tells nothing", files: []string{"CODEOWNERS", plain, ".gitlab-ci.yml", "", ".github/x", ""},
			file: "CODEOWNERS", dialect: owners.GitHub,
		},
		{
			name: "the folder comes before the top", files: []string{"CODEOWNERS", sections, ".github/CODEOWNERS", plain},
			file: ".github/CODEOWNERS", dialect: owners.GitHub, also: "CODEOWNERS",
		},
		{
			name: "GitLab looks at the top first", files: []string{"CODEOWNERS", plain, ".gitlab/CODEOWNERS", plain, ".github/CODEOWNERS", plain},
			remotes: "git@gitlab.example.com:acme/gitops.git", file: "CODEOWNERS", dialect: owners.GitLab,
			also: ".gitlab/CODEOWNERS .github/CODEOWNERS",
		},
		{
			name: "GitHub does not look where GitLab does", files: []string{".gitlab/CODEOWNERS", plain},
			remotes: "https://github.com/acme/gitops", file: ".gitlab/CODEOWNERS", dialect: owners.GitLab,
		},
		{
			name: "two remotes", files: []string{"CODEOWNERS", sections}, remotes: "https://github.com/a/b https://gitlab.com/a/b",
			file: "CODEOWNERS", dialect: owners.GitLab,
		},
		{
			name: "sections mean nothing at GitHub", files: []string{"CODEOWNERS", sections}, remotes: "https://github.com/a/b",
			file: "CODEOWNERS", dialect: owners.GitHub,
		},
	} {
		r, problems := owners.Load(tree(c.files...), strings.Fields(c.remotes))
		var also []string
		for _, p := range problems {
			if strings.Contains(p.Message, "is used instead") {
				also = append(also, p.At.File)
			}
		}
		if r.File != c.file || r.Dialect != c.dialect || strings.Join(also, " ") != c.also {
			t.Errorf("%s: got %s as %s (%s), not %q", c.name, r.File, r.Dialect, r.Why, also)
		}
	}
}

func TestUnreadableFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"too large", strings.Repeat("# 1234567890123\n", 200_000), "too many"},
		{"no text", "* @a\x00", "no text"},
	} {
		r, problems := owners.Load(tree("CODEOWNERS", c.text), nil)
		if r.File != "" || len(r.Of("a").Matches) > 0 || len(problems) != 1 || !strings.Contains(problems[0].Message, c.want) {
			t.Errorf("%s: got %+v %+v", c.name, r, problems)
		}
	}
}

func TestOddLines(t *testing.T) {
	r, problems := owners.Load(tree("CODEOWNERS", "\ufeff/a @x\n/b\x1b[31m @y\n/c \xff\n"+"/"+strings.Repeat("d", 5000)+" @z\n/e @y"), nil)
	if got := said(r, "a") + said(r, "e"); got != "1 user:@x5 user:@y" {
		t.Errorf("got %s", got)
	}
	if len(problems) != 3 || problems[0].At.Line != 2 || problems[1].At.Line != 3 || problems[2].At.Line != 4 {
		t.Errorf("got %+v", problems)
	}
}

func TestManyRulesAndManyProblems(t *testing.T) {
	var text strings.Builder
	for range 90_000 {
		text.WriteString("/a*a*a*a*a/**/*.yaml @team/x\n")
	}
	text.WriteString(strings.Repeat("/ @x\n", 300))
	r, problems := owners.Load(tree("CODEOWNERS", text.String()), nil)
	if got := said(r, "aaaaaaaaaaaaaaaaaaaaaaaaaaaa/b/c/d.yaml"); got != "90000 team:@team/x" {
		t.Errorf("got %q", got)
	}
	if got := said(r, "aaaaaaaaaaaaaaaaaaaaaaaaaaab/b/c/d.yaml"); got != "" {
		t.Errorf("got %q", got)
	}
	if len(problems) != 101 || problems[100].Message != "200 more lines could not be taken as they stand" {
		t.Errorf("got %d problems, the last %q", len(problems), problems[len(problems)-1].Message)
	}
}

func TestTextAndSides(t *testing.T) {
	r, _ := owners.Load(tree(".gitlab/CODEOWNERS", "a/ @acme/apps @jane j@example.com\nb/ @acme/platform\nc/ @acme/platform @acme/apps\nd/ @@owner k@example.com l@example.com\n"), nil)
	for _, c := range []struct{ path, quiet, loud string }{
		{"a/x", "@acme/apps, 1 person and 1 user or group", "@acme/apps, @jane and j@example.com"},
		{"b/x", "@acme/platform", "@acme/platform"},
		{"d/x", "@@owner and 2 people", "@@owner, k@example.com and l@example.com"},
		{"z", "", ""},
	} {
		o := r.Of(c.path)
		if o.Text(false) != c.quiet || o.Text(true) != c.loud {
			t.Errorf("%s: got %q, %q", c.path, o.Text(false), o.Text(true))
		}
	}
	if at := r.Of("b/x").At(); at.File != ".gitlab/CODEOWNERS" || at.Line != 2 {
		t.Errorf("got %+v", at)
	}
	var got []string
	for _, s := range r.Sides([]string{"z", "b/2", "a/1", "b/1", "c/1", "b/1"}) {
		line := strings.Join(s.Paths, " ") + " of"
		for _, o := range s.Owners {
			line += " " + o.Text
		}
		got = append(got, line)
	}
	want := "a/1 of @acme/apps @jane j@example.com; b/1 b/2 of @acme/platform; c/1 of @acme/apps @acme/platform; z of"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %q", got)
	}
}

func TestZeroRules(t *testing.T) {
	if o := new(owners.Rules).Of("a"); o.Text(true) != "" || o.At().File != "" {
		t.Errorf("got %+v", o)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("* @a\n", ".github/CODEOWNERS", "a/b")
	f.Add("^[x][2] @a\n!**/*[a-]\\ b @@owner\n", ".gitlab/CODEOWNERS", "a b")
	f.Add("@@@g @\"a b\"\n\"x y/*{a,{b}}\" @@g\nCODEOWNERS.x\n", "CODEOWNERS", "x y/b")
	f.Add("*:random(2) @w/g:all\n\\", ".bitbucket/CODEOWNERS", "x")
	f.Fuzz(func(t *testing.T, text, file, path string) {
		r, problems := owners.Load(tree(file, text), nil)
		for _, p := range problems {
			if p.Message == "" || strings.ContainsRune(p.Message, '\n') || p.At.File == "" {
				t.Errorf("problem %+v", p)
			}
		}
		o := r.Of(path)
		for _, m := range o.Matches {
			if m.Line < 1 || m.Line > strings.Count(text, "\n")+1 || m.Pattern == "" {
				t.Errorf("match %+v", m)
			}
			if m.Optional && m.Section == "" && r.Dialect != owners.GitLab {
				t.Errorf("match %+v", m)
			}
		}
		for _, owner := range o.All() {
			if !strings.Contains(owner.Text, "@") {
				t.Errorf("owner %+v", owner)
			}
			if quiet := o.Text(false); owner.Kind == owners.Mail && strings.Contains(quiet, owner.Text) {
				t.Errorf("%q gives away %q", quiet, owner.Text)
			}
		}
	})
}
