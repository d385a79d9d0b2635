package syncproof_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// forbidden are calls that product code does not make, and the packages that may. What a package needs of the outside is
// passed to it.
var forbidden = []struct {
	call string // package.Function, a trailing * stands for anything
	in   []string
	why  string
}{
	{"fmt.Print*", nil, "writers are passed in"},
	{"os.Exit", []string{"cmd/syncproof"}, "only main ends the process"},
	{"time.Now", []string{"internal/render", "internal/render/worker"}, "results must not depend on the clock; only time limits read it"},
	{"os.Getenv", nil, "the environment is not an input"},
	{"os.Environ", nil, "the environment is not an input"},
	{"exec.Command*", []string{"internal/source", "internal/source/git", "internal/render/worker", "internal/match/oracle"}, "only git and render workers are started, and Envoy by tests"},
	{"net.Dial*", nil, "nothing talks to a network"},
	{"http.*", []string{"internal/match/oracle"}, "nothing talks to a network, tests to loopback"},
	{"log.*", []string{"internal/render/worker"}, "reports and errors are values; the worker silences what libraries log"},
	{"rand.*", nil, "results must not depend on chance"},
	{"filepath.*", []string{"internal/cli", "internal/dictionary", "internal/source", "internal/source/git", "internal/demo", "internal/hazardtest", "internal/match/oracle", "internal/render/kustomize"}, "paths inside trees are slash paths"},
	{"panic", nil, "a mistake of the user or of a repository is no reason to crash"},
}

func TestForbiddenCalls(t *testing.T) {
	fset := token.NewFileSet()
	for _, root := range []string{"internal", "cmd"} {
		err := fs.WalkDir(os.DirFS("."), root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !product(name) || strings.Contains(name, "/testdata/") {
				return err
			}
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, rule := range forbidden {
					if matches(rule.call, called(call)) && !slices.Contains(rule.in, path.Dir(name)) {
						t.Errorf("%s: %s: %s", fset.Position(call.Pos()), called(call), rule.why)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// called is "package.Function" or "function" of a call; "" for a call through a value.
func called(c *ast.CallExpr) string {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if pkg, ok := fun.X.(*ast.Ident); ok {
			return pkg.Name + "." + fun.Sel.Name
		}
	}
	return ""
}

func matches(pattern, call string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(call, prefix)
	}
	return call == pattern
}

// larger are packages that may cross the limit of 2,000 lines, each for a reason.
var larger = map[string]int{
	"internal/delivery":         3100, // one machine: its steps read and write one state
	"internal/history":          2600, // what an image serves, and how a pair came about
	"internal/render/kustomize": 2300, // what a build would read is told from text first, so that no build reaches the network
}

func TestFilesStaySmall(t *testing.T) {
	sizes := map[string]int{}
	err := fs.WalkDir(os.DirFS("."), "internal", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !product(name) || strings.Contains(name, "/testdata/") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		n := strings.Count(string(text), "\n")
		if n > 400 {
			t.Errorf("%s has %d lines, the limit is 400", name, n)
		}
		sizes[path.Dir(name)] += n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, n := range sizes {
		if limit := max(2000, larger[dir]); n > limit {
			t.Errorf("%s has %d lines, the limit is %d", dir, n, limit)
		}
		if strings.HasPrefix(dir, "internal/hazards/") && n > 200 {
			t.Errorf("%s has %d lines, the limit of a rule is 200", dir, n)
		}
	}
}
