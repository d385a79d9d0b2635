package proof_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	settings "github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// document is one YAML document of a repository, in the directory that its unit is made from.
type document struct{ dir, text string }

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %[1]s, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://git.example.com/shop.git", path: apps/%[1]s, targetRevision: main}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
  syncPolicy: {automated: {prune: true, selfHeal: true}}
`

// shop is a repository at revision i: a workload and two more objects in one unit, what it reads in another one.
func shop(i int) []document {
	return []document{
		{"argocd", fmt.Sprintf(application, "shop")},
		{"argocd", fmt.Sprintf(application, "settings")},
		{"apps/shop", "apiVersion: v1\nkind: Service\nmetadata: {name: shop}\nspec: {ports: [{port: 80}]}\n"},
		{"apps/shop", fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: shop, image: "shop:%d", envFrom: [{configMapRef: {name: settings}}]}]}
`, i)},
		{"apps/shop", fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata: {name: other, annotations: {argocd.argoproj.io/sync-wave: "-1"}}
data: {other: "%d"}
`, i)},
		{"apps/settings", fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {currency: \"%d\"}\n", i)},
		{"apps/settings", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\ndata: {z: z}\n"},
	}
}

// layouts put documents into files. They say the same.
var layouts = []struct {
	name  string
	files func([]document) map[string][]byte
}{
	{"a file a document", func(docs []document) map[string][]byte {
		out := map[string][]byte{}
		for i, d := range docs {
			out[fmt.Sprintf("%s/%02d.yaml", d.dir, i)] = []byte(d.text)
		}
		return out
	}},
	{"a file a directory", joined},
	{"a file a directory, backwards", func(docs []document) map[string][]byte {
		docs = slices.Clone(docs)
		slices.Reverse(docs)
		return joined(docs)
	}},
	{"a further unit", func(docs []document) map[string][]byte {
		return joined(append(slices.Clone(docs), document{"argocd", fmt.Sprintf(application, "another")},
			document{"apps/another", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: another}\n"}))
	}},
}

func joined(docs []document) map[string][]byte {
	texts := map[string][]string{}
	for _, d := range docs {
		texts[d.dir+"/all.yaml"] = append(texts[d.dir+"/all.yaml"], d.text)
	}
	out := map[string][]byte{}
	for name, t := range texts {
		out[name] = []byte(strings.Join(t, "---\n"))
	}
	return out
}

// How a repository is laid out makes no difference to its Case.
func TestLayoutMakesNoDifference(t *testing.T) {
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 1})
	defer pool.Close()
	var first [32]byte
	for i, l := range layouts {
		var snapshots []*snapshot.Snapshot
		for rev := range 2 {
			s, err := snapshot.Build(context.Background(), discover.Input{
				Tree: source.Memory(l.files(shop(rev))), Config: settings.Default(), Renderer: pool, Jobs: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			snapshots = append(snapshots, s)
		}
		r := cone.NewRelease([]cone.Revision{{Short: "0"}, {Short: "1"}}, snapshots)
		pairs := r.Pairs(func(p refgraph.Pair) bool { return p.Consumer.Kind == "Deployment" })
		if len(pairs) != 1 {
			t.Fatalf("%s: %d pairs", l.name, len(pairs))
		}
		p, ok := cone.Build(r, pairs[0], cone.Setting{Matcher: &match.Matcher{}})
		if !ok || len(p.Case.Units) != 2 || len(p.Case.Objects) != 5 {
			t.Fatalf("%s: %v, %+v", l.name, ok, p.Case)
		}
		print := p.Case.Fingerprint()
		if i == 0 {
			first = print
			if j := judge(t, p.Case); j.Verdict != proof.Exposed {
				t.Errorf("verdict %s", j.Verdict)
			}
		}
		if print != first {
			t.Errorf("%s: another Case", l.name)
		}
	}
}
