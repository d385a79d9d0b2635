package syncproof_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/syncproof/syncproof/"

// layers is the table of allowed imports: package below internal/ -> packages of ours that it may import. Every package may
// also import diag and object, with the exceptions below. Test files may import any package of ours. Whoever needs a new
// arrow changes the table in the same commit and says why.
var layers = map[string][]string{
	"diag":           {},
	"object":         {},
	"explore":        {}, // the search knows nothing of what it explores
	"source":         {"source/address", "source/git"},
	"source/address": {},                 // what a repository is called
	"source/git":     {"source/address"}, // how git is run and its answers are read; nobody but source sees it
	"memo":           {"source"},
	"config":         {"unit"}, // a root takes what an Application source takes
	"unit":           {},

	"render":                  {"unit", "source", "memo", "render/worker", "render/helm", "render/kustomize", "render/plain"},
	"render/worker":           {"unit", "source", "render/redact"},
	"render/redact":           {"unit", "source"}, // what is secret, and how it is sealed: inside the worker
	"render/buildenv":         {"unit"},           // the one reader of a request's revision, so that its use is known
	"render/helm":             {"unit", "source", "render/buildenv", "render/standin"},
	"render/standin":          {},
	"render/kustomize":        {"unit", "source", "render/buildenv", "render/kustomize/former", "render/plain"}, // both split documents and know their lines
	"render/kustomize/former": {},                                                                               // what older versions of kustomize took
	"render/plain":            {"unit", "source"},

	"discover":        {"render", "unit", "source", "memo", "config", "discover/appset", "discover/locate"},
	"discover/appset": {},
	"discover/locate": {"unit", "source", "config"}, // which tree a source names

	"match":            {"match/descriptor", "match/pair", "match/transcode"},
	"match/descriptor": {},
	"match/oracle":     {"match/descriptor"}, // builds its servers from sets; never from the model that it checks
	"match/wirejson":   {},
	"match/transcode":  {"match/descriptor", "match/wirejson"},
	"match/delta":      {"match/descriptor", "match/wirejson"},
	"match/flat":       {"match/delta", "match/wirejson"},
	"match/sample":     {"match/delta", "match/flat", "match/transcode", "match/wirejson"},
	"match/pair":       {"match/delta", "match/descriptor", "match/flat", "match/sample", "match/transcode", "match/wirejson"},
	"refgraph":         {"unit", "match/descriptor"},
	"snapshot":         {"discover", "refgraph", "source", "unit"},
	"history":          {"snapshot", "source", "unit", "match/descriptor", "refgraph"},

	"delivery": {"explore"},
	// a release as numbers needs to know what discovery calls a unit, and what an image's descriptor set is.
	"cone":    {"delivery", "discover", "match", "match/descriptor", "match/transcode", "refgraph", "snapshot", "unit"},
	"proof":   {"cone", "delivery", "explore"},
	"explain": {"cone", "proof", "delivery", "match"},
	// a remedy is the proof on a changed snapshot or Case.
	"remedy":   {"cone", "delivery", "discover", "match", "match/descriptor", "match/pair", "match/transcode", "proof", "refgraph", "schedule", "snapshot", "unit"},
	"schedule": {"cone", "delivery"}, // when things are done: a Case in, Cases out
	// an edit is text of a tree and a claim about its snapshot; what is rendered of it is built by the caller.
	"remedy/edit": {
		"discover", "remedy/edit/declared", "remedy/edit/fields", "remedy/edit/kustomization", "remedy/edit/law", "remedy/edit/listing",
		"remedy/edit/template", "snapshot", "source", "unit", "yamledit",
	},
	"remedy/edit/declared": {
		"discover", "remedy/edit/fields", "remedy/edit/kustomization", "remedy/edit/listing", "remedy/edit/template", "snapshot", "source", "unit", "yamledit",
	},
	"remedy/edit/fields":        {"yamledit"}, // the difference of two documents, as edits of the first
	"remedy/edit/kustomization": {"source"},
	"remedy/edit/law":           {"discover", "refgraph", "remedy/edit/fields", "snapshot", "unit"},
	"remedy/edit/listing":       {"remedy/edit/kustomization", "source"},
	"remedy/edit/template":      {},

	// a way to what a remedy makes of a repository: edits, what each comes to when it is rendered, and the proof on each as a release.
	"remedy/stage": {
		"cone", "discover", "patch", "proof", "refgraph", "remedy", "remedy/edit", "remedy/edit/declared", "remedy/edit/fields", "remedy/edit/law",
		"remedy/stage/again", "remedy/stage/trial", "snapshot", "source", "unit", "yamledit",
	},
	"remedy/stage/again": {"cone", "remedy", "snapshot", "source", "unit"},                                              // a real release on another tree
	"remedy/stage/trial": {"cone", "delivery", "discover", "explain", "match", "proof", "refgraph", "snapshot", "unit"}, // a stage as a release
	"fix":                {"demo", "patch", "pipeline", "remedy", "remedy/stage", "report/plan", "source"},              // what the command does with an opened repository
	"patch":              {"source"},                                                                                    // changed files as mails for git am, and on disk

	"owners":   {"source"}, // who owns a path: a CODEOWNERS file, and the authors of its commits
	"writers":  {"source"}, // what writes a path besides people
	"yamledit": {},         // single places of YAML and JSON text, the rest byte for byte
	// whose files a pair is written in, from both; and persons taken out of what commits say.
	"boundary":   {"owners", "snapshot", "source", "unit", "writers"},
	"discretion": {"owners", "source"},
	// what looks as if it protected a pair, read from the objects and units of a snapshot.
	"protection": {"discover", "snapshot", "source", "unit"},

	"changes": {"history", "match/descriptor", "refgraph", "snapshot"}, // what a release changes, in words

	"hazard":            {"snapshot", "refgraph", "unit"},
	"hazards":           {"hazard", "hazards/splitpair"},
	"hazards/splitpair": {"hazard", "snapshot", "refgraph", "unit"},

	"lookback":  {"source"}, // which commits a look back is about
	"aftermath": {"source"}, // what a release brings, and what later ones say of it

	"pipeline": {
		"aftermath", "boundary", "changes", "config", "cone", "delivery", "discover", "discretion", "explain", "hazard", "history", "match", "match/descriptor", "owners", "proof", "protection", "refgraph", "remedy",
		"render", "snapshot", "source", "unit",
	},
	"dictionary":      {"match/descriptor", "render/plain", "source"}, // what a proxy loads, as somebody names it
	"report":          {"report/lines", "report/remedies", "report/routes", "report/words"},
	"report/words":    {},
	"report/routes":   {"report/lines"},                 // how the ways of a release are drawn
	"report/remedies": {"report/lines", "report/words"}, // what is said of remedies
	"report/lines":    {},
	"report/html":     {"report", "report/lines", "report/words"}, // a page of what report says
	"report/plan":     {"report", "report/lines", "report/words"}, // prints what fix says
	"report/compared": {"report", "report/lines"},                 // prints what pair says, in report's formats
	"demo":            {"source", "match/descriptor"},
	// pair needs no pipeline: it reads two descriptor sets, also from manifests as Argo CD reads them, and calls the model.
	"cli": {
		"pipeline", "config", "hazards", "report", "demo", "source", "memo", "render", "render/worker", "dictionary", "discover", "history", "lookback",
		"match/descriptor", "match/pair", "match/transcode", "fix", "report/compared", "report/html", "report/plan",
	},

	"hazardtest": {"pipeline", "hazard", "discover", "source", "render", "render/worker", "config", "report"},
}

// leaves import nothing of ours, not even diag and object; object is what diag may import, never the reverse.
var leaves = map[string][]string{
	"object":           {},
	"diag":             {"object"},
	"explore":          {},
	"yamledit":         {},          // text: it knows no object
	"delivery":         {"explore"}, // integers and ranks: it knows no object
	"match/descriptor": {},
	"match/wirejson":   {}, // these three know neither Kubernetes nor findings
	"match/transcode":  {"match/descriptor", "match/wirejson"},
	"match/delta":      {"match/descriptor", "match/wirejson"},
	"match/flat":       {"match/delta", "match/wirejson"},
	"match/sample":     {"match/delta", "match/flat", "match/transcode", "match/wirejson"},
	"match/pair":       {"match/delta", "match/descriptor", "match/flat", "match/sample", "match/transcode", "match/wirejson"},
	"report":           {"diag", "object", "report/lines", "report/remedies", "report/routes", "report/words"},
	"report/words":     {"diag"},
	"report/lines":     {"object"}, // what stands for a secret
	"report/routes":    {"diag", "report/lines"},
	"report/remedies":  {"diag", "report/lines", "report/words"},
	"report/compared":  {"diag", "report", "report/lines"},
	"report/plan":      {"diag", "report", "report/lines", "report/words"},
	"report/html":      {"diag", "report", "report/lines", "report/words"},
}

// heavy are modules that only render/* may reach: they cost most of the compile time and of the binary.
var heavy = []string{"helm.sh/", "sigs.k8s.io/kustomize/", "k8s.io/"}

// testsOnly are packages that no product code may import.
var testsOnly = []string{"hazardtest", "match/oracle"}

func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	forEachFile(t, "internal", func(name string, imports []string) {
		pkg := strings.TrimPrefix(path.Dir(name), "internal/")
		seen[pkg] = true
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("%s: package %s is not in the table", name, pkg)
			return
		}
		for _, imp := range imports {
			ours, isOurs := strings.CutPrefix(imp, module+"internal/")
			switch {
			case isOurs && slices.Contains(testsOnly, ours):
				t.Errorf("%s: %s is for tests only", name, ours)
			case isOurs && !allows(pkg, allowed, ours):
				t.Errorf("%s: %s may not import %s", name, pkg, ours)
			case !isOurs && isHeavy(imp) && !strings.HasPrefix(pkg, "render/"):
				t.Errorf("%s: %s stays behind render/*", name, imp)
			}
		}
	})
	for pkg := range layers {
		if !seen[pkg] {
			t.Errorf("the table names %s, which does not exist", pkg)
		}
	}
}

func allows(pkg string, allowed []string, ours string) bool {
	if only, leaf := leaves[pkg]; leaf {
		return slices.Contains(only, ours)
	}
	return ours == "diag" || ours == "object" || slices.Contains(allowed, ours)
}

func isHeavy(imp string) bool {
	return slices.ContainsFunc(heavy, func(prefix string) bool { return strings.HasPrefix(imp, prefix) })
}

func TestPackagesAreOneLevelDeep(t *testing.T) {
	for pkg := range layers {
		parent, _, nested := strings.Cut(pkg, "/")
		if nested && !slices.Contains([]string{"source", "render", "discover", "match", "hazards", "remedy", "report"}, parent) {
			t.Errorf("%s: only source, render, discover, match, hazards, remedy and report have a second level", pkg)
		}
	}
}

func TestMainIsAShell(t *testing.T) {
	text, err := os.ReadFile("cmd/syncproof/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 15 {
		t.Errorf("main.go has %d lines, at most 15", n)
	}
}

func TestEveryPackageHasADocComment(t *testing.T) {
	documented := map[string]bool{}
	err := fs.WalkDir(os.DirFS("."), "internal", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !product(name) {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		documented[path.Dir(name)] = documented[path.Dir(name)] || strings.HasPrefix(f.Doc.Text(), "Package ")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

func product(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// forEachFile parses the imports of every product file in process: a test that asked the go command would stay green from
// the test cache after a forbidden import appears.
func forEachFile(t *testing.T, root string, visit func(name string, imports []string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !product(name) || strings.Contains(name, "/testdata/") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, imp)
		}
		visit(name, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
