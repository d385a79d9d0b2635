package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
)

const (
	readsSecret = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: c, image: "r/web:v1"}], volumes: [{name: s, secret: {secretName: NAME}}]}}}}`
	secret = `{apiVersion: v1, kind: Secret, metadata: {name: NAME}, stringData: {n: NAME}}`
)

// A Secret whose name tells its content is one pair with its reader, in every release and under all of its names.
func TestProviderUnderAnotherName(t *testing.T) {
	named := func(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }
	files := func(name string) map[string]string {
		return map[string]string{"web/d.yaml": named(readsSecret, name), "other/s.yaml": named(secret, name)}
	}
	var pairs []string
	for _, names := range [][2]string{{"key-5dc8822tc8", "key-k7cgm4c4h5"}, {"key-k7cgm4c4h5", "key-b2fh9686t4"}} {
		r, err := released(t, t.Context(), shopFiles(files(names[0])), shopFiles(files(names[1])), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 {
			t.Fatalf("findings %+v", r.Findings)
		}
		f := r.Findings[0]
		if f.Verdict != "race" || f.Harm != "absent" || f.Title != "Deployment shop/web <-> Secret shop/"+names[1] {
			t.Errorf("%s %s %s", f.Verdict, f.Harm, f.Title)
		}
		pairs = append(pairs, f.Pair, f.ID)
	}
	if pairs[0] != pairs[2] || pairs[1] != pairs[3] {
		t.Errorf("ids differ by name: %v", pairs)
	}
}

// The first release that delivers what was made by hand before, under a new name: only the reader may come too early.
func TestOrdersOfAProviderUnderAnotherName(t *testing.T) {
	named := func(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }
	r, err := released(t, t.Context(),
		shopFiles(map[string]string{"web/d.yaml": named(readsSecret, "key"), "other/c.yaml": settings}),
		shopFiles(map[string]string{"web/d.yaml": named(readsSecret, "key-5dc8822tc8"), "other/c.yaml": settings, "other/s.yaml": named(secret, "key-5dc8822tc8")}),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	f := finding(t, r, "race", "Deployment shop/web <-> Secret shop/key-5dc8822tc8", "release")
	ordinary := func(list []diag.Opening) bool {
		return slices.ContainsFunc(list, func(o diag.Opening) bool { return len(o.Needs) == 0 })
	}
	if f.Orders == nil || ordinary(f.Orders.ProviderFirst.Openings) || !ordinary(f.Orders.ConsumerFirst.Openings) {
		t.Errorf("orders %+v", f.Orders)
	}
}

// What a reader needed before anybody is seen to deliver it was made by somebody else, or never there.
func TestProviderThatWasMadeElsewhere(t *testing.T) {
	named := func(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }
	reader := named(readsSecret, "key")
	r, err := released(t, t.Context(),
		shopFiles(map[string]string{"web/d.yaml": reader, "other/c.yaml": settings}),
		shopFiles(map[string]string{"web/d.yaml": strings.Replace(reader, "web:v1", "web:v2", 1), "other/c.yaml": settings, "other/s.yaml": named(secret, "key")}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Verdict == "undecided" && strings.Contains(f.Reason, "no unit delivers it") {
			return
		}
	}
	t.Errorf("findings %+v", r.Findings)
}
