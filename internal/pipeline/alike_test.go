package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/pipeline"
)

const readsCM = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1", envFrom: [{configMapRef: {name: NAME}}]}]}}}}`

// Base64 that is broken into lines is the same bytes: a tool wraps it, another one does not.
func TestWrappedBase64IsNoChange(t *testing.T) {
	binary := func(text string) string {
		return `{apiVersion: v1, kind: ConfigMap, metadata: {name: cc}, binaryData: {a.pb: "` + text + `"}}`
	}
	files := func(text string) map[string]string {
		return map[string]string{"web/d.yaml": strings.ReplaceAll(readsCM, "NAME", "cc"), "other/c.yaml": binary(text)}
	}
	r, err := released(t, t.Context(), shopFiles(files("AAECAwQFBgcICQ==")), shopFiles(files("AAECAwQF\\nBgcICQ==\\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) > 0 {
		t.Errorf("findings %+v", r.Findings)
	}
}

// The consumer gives up a ConfigMap of its own unit for one of another: that its own sync prunes the old one is its side's doing, and
// does not wait for the other side.
func TestConsumerFirstPrunesItsOwn(t *testing.T) {
	r, err := released(t, t.Context(),
		shopFiles(map[string]string{"web/d.yaml": strings.ReplaceAll(readsCM, "NAME", "own"), "web/c.yaml": ownConfig("own"), "other/c.yaml": settings}),
		shopFiles(map[string]string{"web/d.yaml": strings.ReplaceAll(readsCM, "NAME", "cc"), "other/c.yaml": strings.Replace(settings, `"2"`, `"3"`, 1)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := finding(t, r, "race", "Deployment shop/web <-> ConfigMap shop/cc", "release")
	if f.Orders == nil || !slices.ContainsFunc(f.Orders.ConsumerFirst.Openings, func(o diag.Opening) bool { return len(o.Needs) == 0 }) {
		t.Errorf("consumer first: %+v", f.Orders)
	}
}

// A hash in hexadecimal behind a name, as templates write it, is no part of the pair's name either.
func TestHexadecimalNames(t *testing.T) {
	var ids []string
	for _, names := range [][2]string{{"cc-1a2b3c4d", "cc-5e6f7a8b"}, {"cc-5e6f7a8b", "cc-90ab12cd"}} {
		files := func(name string) map[string]string {
			return map[string]string{"web/d.yaml": strings.ReplaceAll(readsCM, "NAME", name), "other/c.yaml": ownConfig(name)}
		}
		r, err := released(t, t.Context(), shopFiles(files(names[0])), shopFiles(files(names[1])), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			ids = append(ids, f.Pair)
		}
	}
	if len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("pairs %v", ids)
	}
}

// Who is taken to be gone and is not there is said.
func TestRemovedThatIsNotThere(t *testing.T) {
	files := shopFiles(map[string]string{"web/d.yaml": readsKey, "other/c.yaml": settings})
	r, err := released(t, t.Context(), files, files, func(in *pipeline.Input) {
		in.Releases.Removed = []object.ID{{Kind: "Deployment", Namespace: "shop", Name: "nope"}, {Kind: "Deployment", Namespace: "shop", Name: "web"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(r.Head.Assumptions, "\n")
	if !strings.Contains(text, "Deployment shop/nope, which is taken to be gone, is not there") || strings.Contains(text, "shop/web,") {
		t.Errorf("assumptions %s", text)
	}
}
