package pipeline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/hazards"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

func run(t *testing.T, in pipeline.Input, files map[string]string) diag.Report {
	t.Helper()
	pool := render.NewPool(worker.InProcess{Engines: render.Engines()}, render.Options{Size: 2})
	t.Cleanup(pool.Close)
	tree := map[string][]byte{}
	for name, text := range files {
		tree[name] = []byte(text)
	}
	in.Discover.Tree, in.Discover.Renderer, in.Discover.Jobs = source.Memory(tree), pool, 2
	in.Rules = hazards.Rules()
	r, err := pipeline.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func app(name, path, server string) string {
	return fmt.Sprintf(`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  source: {repoURL: "https://git.example.com/m", path: %s}
  destination: {server: %q, namespace: shop}
---
`, name, path, server)
}

const inCluster = "https://kubernetes.default.svc"

// two environments, each with its own Argo CD, deliver the same pair.
func environments() map[string]string {
	return map[string]string{
		"dev/apps.yaml":  app("shop", "shop", inCluster) + app("settings", "settings", inCluster),
		"prod/apps.yaml": app("shop", "shop", inCluster) + app("settings", "settings", inCluster),
		"shop/deploy.yaml": `{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, spec: {template: {metadata: {labels: {a: b}},
  spec: {containers: [{name: c, image: i, envFrom: [{configMapRef: {name: env}}]}]}}}}`,
		"settings/cm.yaml": `{apiVersion: v1, kind: ConfigMap, metadata: {name: env}}`,
	}
}

func TestOneShapeOverEnvironmentsIsOnePair(t *testing.T) {
	r := run(t, pipeline.Input{Discover: discover.Input{Config: config.Default()}, All: true}, environments())
	if len(r.Latent) != 1 || len(r.Latent[0].Instances) != 2 {
		t.Fatalf("latent = %+v", r.Latent)
	}
	l := r.Latent[0]
	if l.Kinds != "Deployment -> ConfigMap" || r.Counts.Latent[l.Kinds] != 1 {
		t.Errorf("kinds %q, counts %v", l.Kinds, r.Counts.Latent)
	}
	if l.Instances[0].Consumer.Unit != "dev:shop" || l.Instances[1].Provider.Unit != "prod:settings" {
		t.Errorf("instances = %+v", l.Instances)
	}
	one := environments()
	delete(one, "dev/apps.yaml")
	if again := run(t, pipeline.Input{Discover: discover.Input{Config: config.Default()}, All: true}, one); again.Latent[0].ID != l.ID {
		t.Errorf("the ID changes with the number of environments: %s, then %s", l.ID, again.Latent[0].ID)
	}
}

func TestPairsNeverCrossClusters(t *testing.T) {
	files := environments()
	delete(files, "dev/apps.yaml")
	files["prod/apps.yaml"] = app("shop", "shop", inCluster) + app("settings", "settings", "https://10.0.0.9")
	if r := run(t, pipeline.Input{Discover: discover.Input{Config: config.Default()}, All: true}, files); len(r.Latent) != 0 {
		t.Errorf("latent = %+v", r.Latent)
	}
}

func TestWhatIsListedOnRequest(t *testing.T) {
	in := pipeline.Input{Discover: discover.Input{Config: config.Default()}}
	r := run(t, in, environments())
	if r.Latent != nil || r.References != nil {
		t.Errorf("unasked: %v %v", r.Latent, r.References)
	}
	in.Verbose = true
	if r := run(t, in, environments()); len(r.References) != 2 {
		t.Errorf("references = %v", r.References)
	}
	// Without Applications there are no pairs: what reads what is shown unasked.
	plain := environments()
	delete(plain, "dev/apps.yaml")
	delete(plain, "prod/apps.yaml")
	plain["shop/cm.yaml"] = plain["settings/cm.yaml"]
	in.Verbose = false
	if r := run(t, in, plain); len(r.References) != 1 || r.References[0].Provider.Unit != "shop" {
		t.Errorf("references = %+v", r.References)
	}
}

func TestInertConfigurationIsAGap(t *testing.T) {
	conf, err := config.Parse("my.yaml", []byte("version: 1\nsuppress:\n- {id: a, reason: b}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, pipeline.Input{Discover: discover.Input{Config: conf}}, environments())
	if len(r.Gaps) != 1 || r.Gaps[0].Reason != diag.ConfigurationInert || r.Gaps[0].At.File != "my.yaml" || r.Gaps[0].At.Line != 2 ||
		!strings.HasPrefix(r.Gaps[0].Message, "suppress: ") {
		t.Errorf("gaps = %+v", r.Gaps)
	}
}
