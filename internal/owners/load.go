package owners

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Rules is a CODEOWNERS file as its dialect reads it. The zero value stands for a tree without one: nothing has owners.
type Rules struct {
	File    string // slash path; "" if there is none
	Dialect Dialect
	Why     string // one line: what the dialect was told by
	// Branches are patterns of the branches that the file is about, as [BitbucketApp] has them; none means all.
	Branches []string

	sections []*section
}

// section is a part of the file in which one rule decides.
type section struct {
	name  string
	rules []rule
	at    map[string]int // GitLab: position of a rule by what its pattern means
}

type rule struct {
	Match
	patterns []pattern // one, or the alternatives of one
	excludes bool      // GitLab: the section is not about what matches
}

// Of gives the owners of a file, by its slash path from the top of the repository. In GitLab's dialect each section has
// its say; elsewhere the last rule that matches decides. (Bitbucket does not say which one does; as for its app, we take
// the last.)
func (r *Rules) Of(name string) Owners {
	o := Owners{File: r.File}
	path := strings.Split(name, "/")
	for _, s := range r.sections {
		if m, ok := s.match(path); ok {
			o.Matches = append(o.Matches, m)
		}
	}
	slices.SortStableFunc(o.Matches, func(a, b Match) int { return a.Line - b.Line })
	return o
}

func (s *section) match(path []string) (Match, bool) {
	found := -1
	for i, r := range slices.Backward(s.rules) {
		// Once found, only what excludes is of interest. It wins wherever it stands.
		if found >= 0 && !r.excludes || !slices.ContainsFunc(r.patterns, func(p pattern) bool { return p.matches(path) }) {
			continue
		}
		if r.excludes {
			return Match{}, false
		}
		found = i
		if s.at == nil {
			break
		}
	}
	if found < 0 {
		return Match{}, false
	}
	m := s.rules[found].Match
	// A section is optional only if all headings of its name say so.
	m.Optional = !slices.ContainsFunc(s.rules, func(r rule) bool { return !r.Optional })
	return m, true
}

// places are where a forge looks for the file, in its order.
var places = map[Dialect][]string{
	GitHub:       {".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"},
	GitLab:       {"CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"},
	Bitbucket:    {".bitbucket/CODEOWNERS"},
	BitbucketApp: {"CODEOWNERS", ".bitbucket/CODEOWNERS"},
}

// anywhere are all places, those first that only one forge knows.
var anywhere = []string{".github/CODEOWNERS", ".gitlab/CODEOWNERS", ".bitbucket/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// maxSize bounds the file: GitHub loads none of 3 MB or more.
const maxSize = 3 << 20

// Load finds and reads the CODEOWNERS file of a tree. remotes are URLs of the clone's remotes, if they are known: their
// host may tell the forge. What cannot be read is a problem, never a failure: without a file the rules are empty.
func Load(tree source.Tree, remotes []string) (*Rules, []Problem) {
	forge := forgeOf(remotes)
	file, also := find(tree, forge)
	if file == "" {
		return &Rules{}, nil
	}
	text, why := read(tree, file)
	if why != "" {
		return &Rules{}, []Problem{{object.Location{File: file}, why + ", so nothing is known of owners"}}
	}
	dialect, reason := dialectOf(tree, file, text, forge)
	rules, problems := parse(file, text, dialect)
	rules.Why = reason
	for _, other := range also {
		problems = append(problems, Problem{object.Location{File: other}, file + " is used instead of this file"})
	}
	return rules, problems
}

// find gives the file that counts, and those that do not because of it.
func find(tree source.Tree, forge Dialect) (file string, also []string) {
	order := slices.Clone(places[forge])
	for _, p := range anywhere {
		if !slices.Contains(order, p) {
			order = append(order, p)
		}
	}
	for _, p := range order {
		if info, err := tree.Stat(p); err != nil || info.IsDir() {
			continue
		}
		if file == "" {
			file = p
		} else {
			also = append(also, p)
		}
	}
	return file, also
}

// read gives the text of a file, or why there is none.
func read(tree source.Tree, file string) (text, why string) {
	if info, err := tree.Stat(file); err == nil && info.Size() >= maxSize {
		return "", fmt.Sprintf("the file has %d MiB, and 3 MiB are too many", info.Size()>>20)
	}
	data, err := tree.ReadFile(file)
	var cause *fs.PathError
	switch {
	case errors.As(err, &cause):
		return "", "the file cannot be read: " + cause.Err.Error()
	case err != nil:
		return "", "the file cannot be read: " + err.Error()
	case len(data) >= maxSize:
		return "", "the file has 3 MiB or more"
	case bytes.IndexByte(data, 0) >= 0:
		return "", "the file is no text"
	}
	return strings.TrimPrefix(string(data), "\ufeff"), ""
}

// forgeOf tells the forge by the hosts of remotes; "" if they do not agree or say nothing.
func forgeOf(remotes []string) Dialect {
	var forge Dialect
	for _, url := range remotes {
		host, _, _ := strings.Cut(source.NormalizeURL(url), "/")
		for _, d := range []Dialect{GitHub, GitLab, Bitbucket} {
			if !strings.Contains(host, strings.ToLower(string(d))) {
				continue
			}
			if forge != "" && forge != d {
				return ""
			}
			forge = d
		}
	}
	return forge
}

// dialectOf says how a file is to be read, and by what that was told: where the repository lives, where the file lies,
// what only one dialect has, what else the tree holds for one forge, in this order.
func dialectOf(tree source.Tree, file, text string, forge Dialect) (Dialect, string) {
	app := looksLikeApp(text)
	switch {
	case app && (forge == Bitbucket || forge == ""):
		return BitbucketApp, "it has settings or groups that only this app knows"
	case forge != "" && slices.Contains(places[forge], file):
		return forge, "a remote of the clone is there"
	}
	switch file {
	case ".github/CODEOWNERS":
		return GitHub, "it lies in .github"
	case ".gitlab/CODEOWNERS":
		return GitLab, "it lies in .gitlab"
	case ".bitbucket/CODEOWNERS":
		return Bitbucket, "it lies in .bitbucket"
	}
	if hasSection(text) {
		return GitLab, "it has sections, which only GitLab knows"
	}
	var marks []Dialect
	for _, m := range []struct {
		name string
		of   Dialect
	}{{".github", GitHub}, {".gitlab-ci.yml", GitLab}, {".gitlab", GitLab}, {"bitbucket-pipelines.yml", BitbucketApp}} {
		if _, err := tree.Stat(m.name); err == nil && !slices.Contains(marks, m.of) {
			marks = append(marks, m.of)
		}
	}
	if len(marks) == 1 {
		return marks[0], "the repository has other files for it"
	}
	return GitHub, "nothing tells, and this is the most common one"
}

// looksLikeApp tells whether a line can only be meant for the app.
func looksLikeApp(text string) bool {
	return anyLine(text, func(line string) bool {
		return strings.HasPrefix(line, "@@@") || strings.HasPrefix(line, settingPrefix) || isCheck(line)
	})
}

func hasSection(text string) bool {
	return anyLine(text, func(line string) bool {
		return heading.MatchString(line)
	})
}

func anyLine(text string, is func(line string) bool) bool {
	for line := range strings.Lines(text) {
		if is(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}
