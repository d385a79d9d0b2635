package refgraph_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/rogpeppe/go-internal/txtar"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

// A scenario is a txtar archive:
//
//   - UNIT/FILE.yaml: what the unit renders, "---" between documents. UNIT may be name@cluster; the cluster is "one" if
//     none is named. ${pb a.proto b.proto} stands for the compiled set with all imports in base64, ${pb- a.proto} for the
//     set without them.
//   - NAME.proto: sources.
//   - references, gaps: what is wanted, one a line, in the forms of formatReference and formatGap.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			objects, want := parse(t, a)
			g := refgraph.Build(objects)
			var references, gaps []string
			for _, r := range g.References {
				references = append(references, formatReference(r))
			}
			for _, gap := range g.Gaps {
				gaps = append(gaps, fmt.Sprintf("%s %s: %s", gap.Reason, gap.At.File, gap.Message))
				if gap.Close == "" {
					t.Errorf("the gap %q says nothing about closing it", gap.Message)
				}
			}
			compareLines(t, "references", references, want["references"])
			compareLines(t, "gaps", gaps, want["gaps"])
			again := fmt.Sprintf("%+v", refgraph.Pairs(g))
			order := rand.New(rand.NewPCG(1, 2))
			for range 5 {
				order.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
				if got := refgraph.Build(objects); fmt.Sprintf("%+v", printable(got)) != fmt.Sprintf("%+v", printable(g)) {
					t.Fatalf("another order of objects gives another graph:\n%+v\n%+v", printable(got), printable(g))
				}
			}
			if fmt.Sprintf("%+v", refgraph.Pairs(g)) != again {
				t.Error("the graph was changed")
			}
		})
	}
}

// printable replaces what holds pointers.
func printable(g refgraph.Graph) []string {
	var out []string
	for _, r := range g.References {
		out = append(out, formatReference(r))
	}
	for _, gap := range g.Gaps {
		out = append(out, fmt.Sprint(gap))
	}
	return out
}

func compareLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("not wanted in %s: %s", what, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("missing in %s: %s", what, line)
		}
	}
	if !t.Failed() && !slices.Equal(got, want) {
		t.Errorf("%s in another order:\n%s", what, strings.Join(got, "\n"))
	}
}

// formatReference writes
//
//	HOW CONSUMER {UNITS} -> PROVIDER {UNITS} [KEY] optional via VIA | PATH [SERVICES] decoded | PROBLEM
//
// leaving out what is not there. Clusters other than "one" stand before objects.
func formatReference(r refgraph.Reference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s -> %s", r.How, formatEnd(r.Consumer, r.ConsumerUnits), formatEnd(r.Provider, r.ProviderUnits))
	if r.Key != "" {
		fmt.Fprintf(&b, " [%s]", r.Key)
	}
	if r.Optional {
		b.WriteString(" optional")
	}
	fmt.Fprintf(&b, " via %s", r.Via)
	if d := r.Descriptor; d != nil {
		fmt.Fprintf(&b, " | %s", cmp.Or(d.Path, "inline"))
		if len(d.Services) > 0 {
			fmt.Fprintf(&b, " %v", d.Services)
		}
		if d.Set != nil {
			b.WriteString(" decoded")
		}
		if d.Problem != "" {
			fmt.Fprintf(&b, " | %s", d.Problem)
		}
	}
	return b.String()
}

func formatEnd(id object.ID, units []unit.ID) string {
	var names []string
	for _, u := range units {
		names = append(names, u.Name)
	}
	s := fmt.Sprintf("%s {%s}", id, strings.Join(names, " "))
	if id.Cluster != "one" {
		s = id.Cluster + ":" + s
	}
	return s
}

func parse(t *testing.T, a *txtar.Archive) ([]refgraph.Rendered, map[string][]string) {
	t.Helper()
	protos := make(map[string]string)
	for _, f := range a.Files {
		if path.Ext(f.Name) == ".proto" {
			protos[f.Name] = string(f.Data)
		}
	}
	var objects []refgraph.Rendered
	want := make(map[string][]string)
	for _, f := range a.Files {
		switch {
		case path.Ext(f.Name) == ".yaml":
			objects = append(objects, documents(t, f, protos)...)
		case path.Ext(f.Name) == ".proto":
		case f.Name == "references" || f.Name == "gaps":
			for line := range strings.Lines(string(f.Data)) {
				want[f.Name] = append(want[f.Name], strings.TrimSuffix(line, "\n"))
			}
		default:
			t.Fatalf("what is %q?", f.Name)
		}
	}
	return objects, want
}

var setPattern = regexp.MustCompile(`\$\{(pb-?) ([^}]*)\}`)

func documents(t *testing.T, f txtar.File, protos map[string]string) []refgraph.Rendered {
	t.Helper()
	name, cluster, ok := strings.Cut(path.Dir(f.Name), "@")
	if !ok {
		cluster = "one"
	}
	data := setPattern.ReplaceAllFunc(f.Data, func(match []byte) []byte {
		m := setPattern.FindSubmatch(match)
		return []byte(base64.StdEncoding.EncodeToString(compile(t, protos, string(m[1]) == "pb", strings.Fields(string(m[2]))...)))
	})
	var out []refgraph.Rendered
	for _, doc := range bytes.Split(data, []byte("\n---\n")) {
		raw, err := yaml.YAMLToJSON(doc)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		fields, err := object.Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		group, version := object.SplitAPIVersion(object.String(fields, "apiVersion"))
		kind := object.String(fields, "kind")
		out = append(out, refgraph.Rendered{
			Unit: unit.ID{Root: "root", Namespace: "argocd", Name: name},
			Object: object.Object{
				ID: object.ID{Cluster: cluster, Group: object.CanonicalGroup(group, kind), Kind: kind,
					Namespace: object.String(fields, "metadata", "namespace"), Name: object.String(fields, "metadata", "name")},
				Version: version, Fields: fields, Origin: object.Location{File: f.Name},
			},
		})
	}
	return out
}

// compile gives a serialized set of the files, with all their imports before them or without.
func compile(t testing.TB, sources map[string]string, imports bool, names ...string) []byte {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
		&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(sources)},
		protocompile.ResolverFunc(func(path string) (protocompile.SearchResult, error) {
			fd, err := protoregistry.GlobalFiles.FindFileByPath(path)
			return protocompile.SearchResult{Desc: fd}, err
		}),
	})}
	files, err := c.Compile(context.Background(), names...)
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	seen := make(map[string]bool)
	var visit func(fd protoreflect.FileDescriptor)
	visit = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			if imports {
				visit(fd.Imports().Get(i).FileDescriptor)
			}
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
	}
	for _, fd := range files {
		visit(fd)
	}
	raw, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
