package remedy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// thing is an object of the cluster "c", namespace "n", from JSON fields.
func thing(t *testing.T, group, kind, name, fields string) object.Object {
	t.Helper()
	m, err := object.Decode([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	m["metadata"] = map[string]any{"name": name, "namespace": "n"}
	return object.Object{ID: object.ID{Cluster: "c", Group: group, Kind: kind, Namespace: "n", Name: name}, Fields: m, Origin: object.Location{File: name + ".yaml"}}
}

// reads is a Deployment whose environment comes from a ConfigMap.
func reads(t *testing.T, name, image, config string) object.Object {
	return thing(t, "apps", "Deployment", name, `{"spec": {"replicas": 2, "template": {"spec": {"containers": [
		{"name": "main", "image": "`+image+`", "envFrom": [{"configMapRef": {"name": "`+config+`"}}]}]}}}}`)
}

func deliveredBy(name string, objects ...object.Object) discover.Delivered {
	return discover.Delivered{Rendered: true, Objects: objects, Unit: unit.Unit{
		ID: unit.ID{Root: "root", Namespace: "argocd", Name: name}, Kind: unit.Application,
		Policy: unit.Policy{Automated: true, Prune: true, SelfHeal: true, Retries: 5},
	}}
}

// at is a revision of a repository: a workload in unit a, what it reads in unit b, and maybe another reader in unit c.
func at(t *testing.T, image, content string, more ...discover.Delivered) *snapshot.Snapshot {
	config := thing(t, "", "ConfigMap", "config", `{"data": {"key": "`+content+`"}}`)
	units := append([]discover.Delivered{deliveredBy("a", reads(t, "work", image, "config")), deliveredBy("b", config)}, more...)
	s := (&snapshot.Snapshot{}).With(units)
	s.Names = map[unit.ID]string{}
	for _, u := range units {
		s.Names[u.ID] = u.ID.Name
	}
	return s
}

func ends(consumer, provider string) cone.Ends {
	return cone.Ends{
		Consumer: object.ID{Cluster: "c", Group: "apps", Kind: "Deployment", Namespace: "n", Name: consumer},
		Provider: object.ID{Cluster: "c", Kind: "ConfigMap", Namespace: "n", Name: provider},
	}
}

// input is one real release of the pair, in which both ends change.
func input(t *testing.T, more ...discover.Delivered) Input {
	before, after := at(t, "work:1", "one", more...), at(t, "work:2", "two", more...)
	set := cone.Setting{Matcher: &match.Matcher{}}
	return Input{
		Newest: after, Ends: ends("work", "config"), Bounds: proof.Bounds{Unusual: 2, States: 2_000_000},
		Releases: []Release{{
			Ends: ends("work", "config"), Revisions: []cone.Revision{{Hash: "r0"}, {Hash: "r1"}},
			Snapshots: []*snapshot.Snapshot{before, after}, Setting: func(cone.Ends) cone.Setting { return set },
		}},
	}
}

func judgeAll(t *testing.T, in Input) map[string]diag.Remedy {
	t.Helper()
	list, err := Judge(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]diag.Remedy{}
	for _, r := range list {
		out[r.Name] = r
	}
	return out
}

// single are the sets of at most one unusual step.
func single(list []diag.Opening) []string {
	var out []string
	for _, o := range list {
		if len(o.Needs) < 2 {
			out = append(out, strings.Join([]string{"{" + strings.Join(o.Needs, ",") + "}", o.Harm, o.Persistence, o.Visibility}, " "))
		}
	}
	slices.Sort(out)
	return out
}

// The structural worst case of a Deployment that reads its environment, typed by hand from the smallest cases 12 to 15: no proxy
// reads again, nothing is aborted.
func TestIntentsInTheWorstCase(t *testing.T) {
	got := judgeAll(t, input(t))
	one := []string{
		"{churn or scale} skew transient visible", "{manual} skew sticky silent", "{refused} skew sticky silent",
		"{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
	}
	waved := slices.DeleteFunc(slices.Clone(one), func(s string) bool { return strings.HasPrefix(s, "{refused}") })
	named := []string{
		"{manual} absent transient visible", "{manual} blocked transient visible", "{refused} blocked sticky visible",
		"{stale-health} absent transient visible", "{undo} absent transient visible", "{undo} blocked transient visible",
	}
	for name, want := range map[string][]string{
		"multi-source": one, "co-locate": one, "merge-units": one, "own-wave": waved, "content-named": named, "in-image": nil,
	} {
		r := got[name]
		verdict := "fragile"
		if want == nil {
			verdict = "safe"
		}
		if r.WorstCase != verdict || !slices.Equal(single(r.LeftWorst), want) {
			t.Errorf("%s: %s, left %v, want %s, %v", name, r.WorstCase, single(r.LeftWorst), verdict, want)
		}
	}
	if r := got["checksum"]; r.Refused == "" || r.Rank != 0 {
		t.Errorf("a checksum over two units: %+v", r)
	}
	if r := got["expand-contract"]; r.Refused == "" {
		t.Error("what it takes to only add is said to be known of a ConfigMap")
	}
}

// A second reader in a unit of its own: copies for one reader, and the other one is as before with each remedy of the structure.
func TestIntentsWithTwoReaders(t *testing.T) {
	in := input(t, deliveredBy("c", reads(t, "other", "other:1", "config")))
	in.Cause = &diag.Cause{Copies: []diag.Copy{{Drifted: 3}}}
	got := judgeAll(t, in)
	for _, name := range []string{"multi-source", "co-locate", "content-named", "own-wave"} {
		r := got[name]
		if len(r.Others) != 1 || r.Others[0].Consumer != "Deployment n/other" || r.Others[0].Verdict != r.Others[0].Today {
			t.Errorf("%s: %+v", name, r.Others)
		}
	}
	if r := got["in-image"]; len(r.Others) != 1 || r.Others[0].Verdict != "safe" {
		t.Errorf("in-image: %+v", r.Others)
	}
	if text := costsText(got["co-locate"]); !strings.Contains(text, "second copy") || !strings.Contains(text, "differed after 3 commits") {
		t.Errorf("co-locate does not say what copies mean: %s", text)
	}
	if a, b := got["co-locate"].Rank, got["merge-units"].Rank; a < b {
		t.Errorf("a copy that each release writes is number %d, one unit for all number %d", a, b)
	}
	in.Removed = []object.ID{{Kind: "Deployment", Namespace: "n", Name: "other"}}
	got = judgeAll(t, in)
	if r := got["co-locate"]; len(r.Others) > 0 || strings.Contains(costsText(r), "second copy") {
		t.Errorf("a reader that is taken to be gone still counts: %+v", r)
	}
	if got["own-wave"].Rank != 1 || got["co-locate"].Rank > got["presync-barrier"].Rank {
		t.Errorf("own-wave is number %d of those with one reader, co-locate number %d", got["own-wave"].Rank, got["co-locate"].Rank)
	}
}

func costsText(r diag.Remedy) string {
	var out []string
	for _, c := range r.Costs {
		out = append(out, c.Text)
	}
	return strings.Join(out, "; ")
}

// One unit already: what orders two has nothing to do, what changes reading has.
func TestOneUnit(t *testing.T) {
	in := input(t)
	for i, s := range in.Releases[0].Snapshots {
		d := newDraft(s)
		d.move(in.Ends.Provider, d.unit(in.Newest.Units[0].ID))
		in.Releases[0].Snapshots[i] = d.snapshot()
	}
	in.Newest = in.Releases[0].Snapshots[1]
	got := judgeAll(t, in)
	for name, r := range got {
		refused := slices.Contains([]string{
			"multi-source", "co-locate", "merge-units", "presync-barrier", "orchestrator", "rolling-sync", "app-waves", "app-waves-health", "expand-contract",
		}, name)
		if (r.Refused != "") != refused {
			t.Errorf("%s: refused %q", name, r.Refused)
		}
	}
	// It rolls with the other end already: a checksum changes nothing.
	if r := got["checksum"]; r.WorstCase != "fragile" || len(single(r.LeftWorst)) != 5 {
		t.Errorf("checksum: %s %v", r.WorstCase, single(r.LeftWorst))
	}
}

// Releases that bring an end, or move it, are none that a remedy of the structure is for.
func TestOnlySteadyReleasesCount(t *testing.T) {
	in := input(t)
	moved := newDraft(in.Newest)
	moved.move(in.Ends.Provider, 0)
	in.Releases = append(in.Releases, Release{
		Ends: in.Ends, Revisions: []cone.Revision{{Hash: "r1"}, {Hash: "r2"}}, Setting: in.Releases[0].Setting,
		Snapshots: []*snapshot.Snapshot{in.Newest, moved.snapshot()},
	})
	if r := judgeAll(t, in)["multi-source"]; r.Releases != 1 {
		t.Errorf("judged over %d releases", r.Releases)
	}
	in.Removed = []object.ID{{Kind: "Deployment", Namespace: "n", Name: "work"}}
	if list, _ := Judge(t.Context(), in); list != nil {
		t.Error("a consumer that is taken to be gone has remedies")
	}
}

// An intent leaves the snapshot that it was given as it is.
func TestIntentsCopy(t *testing.T) {
	in := input(t)
	s, _ := newSituation(in)
	raw := func() string {
		text, err := json.Marshal(in.Newest.Units)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := raw()
	for _, r := range remedies() {
		if r.intent != nil {
			x := site{draft: newDraft(in.Newest), ends: in.Ends, to: 0}
			r.intent(s, x)
			x.snapshot()
		}
	}
	s.changed()
	if raw() != before {
		t.Error("a snapshot was changed")
	}
}

func TestRenamed(t *testing.T) {
	o := thing(t, "apps", "Deployment", "work", `{"spec": {"template": {
		"metadata": {"annotations": {
			"sidecar.istio.io/userVolume": "[{\"name\":\"v\",\"configmap\":{\"name\":\"config\"}},{\"name\":\"w\",\"configMap\":{\"name\":\"config2\"}}]",
			"note": "config"}},
		"spec": {
			"containers": [{"name": "config", "envFrom": [{"configMapRef": {"name": "config"}}, {"secretRef": {"name": "config"}}],
				"env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "config", "key": "config"}}}]}],
			"volumes": [{"name": "config", "configMap": {"name": "config"}},
				{"name": "p", "projected": {"sources": [{"configMap": {"name": "config"}}, {"secret": {"name": "config"}}]}},
				{"name": "s", "secret": {"secretName": "config"}}]}}}}`)
	text := func(o object.Object) string {
		raw, err := json.Marshal(o.Fields["spec"])
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	before := text(o)
	maps := text(renamed(o, object.ID{Kind: "ConfigMap", Name: "config"}, "new"))
	if n := strings.Count(maps, `"new"`) + strings.Count(maps, `\"new\"`); n != 5 {
		t.Errorf("%d names of the ConfigMap were changed, want 5: %s", n, maps)
	}
	secrets := text(renamed(o, object.ID{Kind: "Secret", Name: "config"}, "new"))
	if n := strings.Count(secrets, `"new"`); n != 3 {
		t.Errorf("%d names of the Secret were changed, want 3: %s", n, secrets)
	}
	if text(o) != before {
		t.Error("the object was changed")
	}
}
