package syncproof_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// How docs/semantics.md, and what cites it, write things.
var (
	factID     = regexp.MustCompile(`^[A-Z][1-9][0-9]?[a-z]?(\.[1-9][0-9]?)?$`)
	factWord   = regexp.MustCompile(`\b[A-Z][1-9][0-9]?[a-z]?(\.[0-9]+)?\b`)
	factTitle  = regexp.MustCompile(`^##+ ([A-Z](?:[1-9][0-9]?[a-z]?)?)\. `)
	citation   = regexp.MustCompile(`\[([A-Z][0-9]+[a-z]?(?:\.[0-9]+)?(?:, [A-Z][0-9]+[a-z]?(?:\.[0-9]+)?)*)\]`)
	plainFact  = regexp.MustCompile(`\b([A-Z][0-9]{1,2}\.[0-9]{1,2}|F[0-9]{1,2}[a-z]?)\b`)
	testName   = regexp.MustCompile(`\bTest[A-Z]\w*`)
	codeSpan   = regexp.MustCompile("`[^`]*`")
	howIsKnown = []string{"run", "source", "docs", "thread", "deduced", "unverified"}
)

// fact is a row of docs/semantics.md.
type fact struct {
	id, section string
	line        int
	cells       map[string]string // by the heading of the column
}

// semantics is docs/semantics.md: its facts, and what can be cited.
type semantics struct {
	facts    []fact
	known    map[string]bool // ids of facts and of sections
	problems []string
}

func (s *semantics) problem(line int, format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

// cells splits a row of a table; nil if the line is none.
func cells(line string) []string {
	inner, ok := strings.CutPrefix(line, "| ")
	if !ok || !strings.HasSuffix(inner, " |") {
		return nil
	}
	return strings.Split(strings.TrimSuffix(inner, " |"), " | ")
}

// readSemantics reads the tables whose first column is the id.
func readSemantics(text string) *semantics {
	s := &semantics{known: map[string]bool{}}
	var section string
	var head []string
	for i, line := range strings.Split(text, "\n") {
		if m := factTitle.FindStringSubmatch(line); m != nil {
			section = m[1]
			s.known[section] = true
		}
		row := cells(line)
		switch {
		case strings.HasPrefix(line, "|---"):
		case !strings.HasPrefix(line, "|"):
			head = nil
		case head == nil:
			head = row
		case head[0] != "id":
		case len(row) != len(head):
			s.problem(i+1, "%d cells, the table has %d columns", len(row), len(head))
		default:
			f := fact{id: row[0], section: section, line: i + 1, cells: map[string]string{}}
			for n, column := range head {
				f.cells[column] = strings.TrimSpace(row[n])
			}
			s.add(f)
		}
	}
	return s
}

func (s *semantics) add(f fact) {
	at := slices.IndexFunc(s.facts, func(g fact) bool { return g.id == f.id })
	switch {
	case !factID.MatchString(f.id):
		s.problem(f.line, "%q is no id", f.id)
	case at >= 0:
		s.problem(f.line, "%s is also on line %d", f.id, s.facts[at].line)
	case f.id != f.section && !strings.HasPrefix(f.id, f.section+".") && (len(f.section) != 1 || f.id[:1] != f.section || strings.Contains(f.id, ".")):
		s.problem(f.line, "%s stands in section %s", f.id, f.section)
	}
	s.facts = append(s.facts, f)
	s.known[f.id] = true
}

// check says what is wrong with a fact by itself.
func (s *semantics) check(f fact) {
	for column, text := range f.cells {
		if text == "" {
			s.problem(f.line, "%s: %q is empty", f.id, column)
		}
	}
	how := strings.Split(f.cells["how"], ", ")
	for _, word := range how {
		if !slices.Contains(howIsKnown, word) {
			s.problem(f.line, "%s: %q is no way to know a fact", f.id, word)
		}
	}
	if !slices.Contains(how, "deduced") && !slices.Contains(how, "unverified") {
		return
	}
	for column, text := range f.cells {
		if column != "id" && slices.ContainsFunc(factWord.FindAllString(text, -1), func(id string) bool { return s.known[id] && id != f.id }) {
			return
		}
	}
	s.problem(f.line, "%s is deduced, and does not say from what", f.id)
}

func loadSemantics(t *testing.T) (*semantics, string) {
	t.Helper()
	text, err := os.ReadFile("docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	return readSemantics(string(text)), string(text)
}

// TestSemantics holds docs/semantics.md to its form: ids are unique and stand in their section, each row says how it is known,
// what is deduced says from what, and every id and every test that the page names exists.
func TestSemantics(t *testing.T) {
	s, text := loadSemantics(t)
	if len(s.facts) < 300 {
		t.Errorf("%d facts were found", len(s.facts))
	}
	for _, f := range s.facts {
		s.check(f)
	}
	_, body, found := strings.Cut(text, "\n## A. ")
	if !found {
		t.Fatal("no section A")
	}
	for _, id := range factWord.FindAllString(codeSpan.ReplaceAllString(body, ""), -1) {
		if !s.known[id] {
			t.Errorf("%s is named and does not exist", id)
		}
	}
	tests := map[string]bool{}
	eachGoFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasSuffix(name, "_test.go") {
				tests[fn.Name.Name] = true
			}
		}
	})
	for _, name := range testName.FindAllString(text, -1) {
		if !tests[name] {
			t.Errorf("there is no test %s", name)
		}
	}
	for _, p := range s.problems {
		t.Error("docs/semantics.md: " + p)
	}
}

// TestCitations wants every fact that the code cites to exist: in square brackets everywhere, and as it stands in
// internal/match, whose citations are older than that rule.
func TestCitations(t *testing.T) {
	s, _ := loadSemantics(t)
	n := 0
	eachGoFile(t, func(name string, fset *token.FileSet, f *ast.File) {
		cite := func(pos token.Pos, ids []string) {
			for _, id := range ids {
				n++
				if !s.known[id] {
					t.Errorf("%s: docs/semantics.md has no %s", fset.Position(pos), id)
				}
			}
		}
		look := func(pos token.Pos, text string) {
			for _, m := range citation.FindAllStringSubmatch(text, -1) {
				cite(pos, strings.Split(m[1], ", "))
			}
			if strings.HasPrefix(name, "internal/match/") {
				cite(pos, plainFact.FindAllString(citation.ReplaceAllString(text, ""), -1))
			}
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				look(c.Pos(), c.Text)
			}
		}
		ast.Inspect(f, func(node ast.Node) bool {
			if lit, ok := node.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				look(lit.Pos(), lit.Value)
			}
			return true
		})
	})
	if n < 100 {
		t.Errorf("%d citations were found", n)
	}
}

// TestSemanticsReader shows the reader of docs/semantics.md pages that are wrong.
func TestSemanticsReader(t *testing.T) {
	const head = "## A. Things\n\n### A1. A thing\n\n| id | fact | how | source |\n|---|---|---|---|\n"
	for _, c := range []struct{ rows, want string }{
		{"| A1.1 | it is | run | TestX |", ""},
		{"| A1.1 | it is | run | TestX |\n| A1.1 | it is not | run | TestX |", "line 8: A1.1 is also on line 7"},
		{"| A2.1 | it is | run | TestX |", "line 7: A2.1 stands in section A1"},
		{"| A1 | it is | run | TestX |", ""},
		{"| A1.x | it is | run | TestX |", `line 7: "A1.x" is no id`},
		{"| A1.1 | it is | known | x |", `line 7: A1.1: "known" is no way to know a fact`},
		{"| A1.1 | it is | run |", "line 7: 3 cells, the table has 4 columns"},
		{"| A1.1 | it is | run |  |", `line 7: A1.1: "source" is empty`},
		{"| A1.1 | it is | deduced | thinking |", "line 7: A1.1 is deduced, and does not say from what"},
		{"| A1.1 | it is | deduced | A1.1 |", "line 7: A1.1 is deduced, and does not say from what"},
		{"| A1.1 | it is | run | x |\n| A1.2 | so it is | deduced | A1.1 |", ""},
	} {
		s := readSemantics(head + c.rows + "\n")
		for _, f := range s.facts {
			s.check(f)
		}
		if got := strings.Join(s.problems, "\n"); got != c.want {
			t.Errorf("%s\ngives %q, want %q", c.rows, got, c.want)
		}
	}
}

// eachGoFile parses the Go files of internal and cmd, tests included.
func eachGoFile(t *testing.T, do func(name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, root := range []string{"internal", "cmd"} {
		err := fs.WalkDir(os.DirFS("."), root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") {
				return err
			}
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			do(name, fset, f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
