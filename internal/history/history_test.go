package history_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

func TestPairedAtCommit(t *testing.T) {
	api := func(image string) map[string]string { return workload("api", image, "pb") }
	two := func() map[string]string { return configMap(t, "pb", "One", "Two") }
	three := func() map[string]string { return configMap(t, "pb", "One", "Two", "Three") }
	comment := func(text string) map[string]string {
		return map[string]string{"app/api.yaml": text + api("r/api:v1")["app/api.yaml"]}
	}
	for name, c := range map[string]struct {
		steps []step
		image string // r/api:v2 if empty
		want  string // subject of the commit
		why   string // or the beginning of the reason
	}{
		"with the descriptor": {steps: []step{start(t), {"both", files(api("r/api:v2"), two())}, {"later", three()}}, want: "both"},
		"the first commit":    {steps: []step{start(t), {"later", three()}}, image: "r/api:v1", want: "start"},
		"alone":               {steps: []step{start(t), {"alone", api("r/api:v2")}, {"late", two()}}, why: "this image changed alone: nothing stands beside it"},
		"descriptor earlier":  {steps: []step{start(t), {"early", two()}, {"alone", api("r/api:v2")}}, why: "this image changed alone"},
		"reverted and brought again": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), two())}, {"revert", files(api("r/api:v1"), configMap(t, "pb", "One"))},
			{"again, with more", files(api("r/api:v2"), three())},
		}, want: "both"},
		"written in a comment first": {steps: []step{
			start(t), {"plan", comment("# next week: v2\n")}, {"talk", map[string]string{"README.md": "v2 is near\n"}},
			{"both", files(api("r/api:v2"), two())}, {"talk more", map[string]string{"README.md": "v2 is here\n"}},
		}, want: "both"},
		"the line that plans it becomes it": {steps: []step{
			start(t), {"plan", map[string]string{"app/api.yaml": strings.Replace(api("r/api:v1")["app/api.yaml"], "r/api:v1", "r/api:v1 # v2", 1)}},
			{"both", files(api("r/api:v2"), two())},
		}, want: "both"},
		"the file moved": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), two())}, {"move", map[string]string{"app/api.yaml": "-> app/moved.yaml"}},
		}, want: "both"},
		"and changed on the way": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), two())},
			{"move", map[string]string{"app/api.yaml": "", "app/moved.yaml": "# moved\n" + api("r/api:v2")["app/api.yaml"]}},
		}, want: "both"},
		"switched on later than written": {steps: []step{
			start(t), {"write", map[string]string{"parked/next.txt": "r/api:v2"}}, {"unrelated", map[string]string{"README.md": "x\n"}},
			{"switch on", files(map[string]string{"parked/next.txt": ""}, map[string]string{"app/api.yaml": api("r/api:v2")["app/api.yaml"]}, two())},
		}, want: "switch on"},
		"switched on without being written": {steps: []step{
			{"start", files(api("r/api:v1"), configMap(t, "pb", "One"), filter, listed("api.yaml", "pb.yaml", "filter.yaml"))},
			{"write", workload("next", "r/api:v2", "pb2")},
			{"1", map[string]string{"README.md": "1\n"}}, {"2", map[string]string{"README.md": "2\n"}},
			{"switch on", files(configMap(t, "pb2", "Two"), listed("api.yaml", "pb.yaml", "filter.yaml", "next.yaml", "pb2.yaml"))},
			{"3", map[string]string{"README.md": "3\n"}}, {"talk", map[string]string{"README.md": "v2\n"}}, {"4", map[string]string{"README.md": "4\n"}},
		}, want: "switch on"},
		"switched on, and nobody talks of it": {steps: []step{
			{"start", files(api("r/api:v1"), configMap(t, "pb", "One"), filter, listed("api.yaml", "pb.yaml", "filter.yaml"))},
			{"write", workload("next", "r/api:v2", "pb2")}, {"1", map[string]string{"README.md": "1\n"}},
			{"switch on", files(configMap(t, "pb2", "Two"), listed("api.yaml", "pb.yaml", "filter.yaml", "next.yaml", "pb2.yaml"))},
			{"2", map[string]string{"README.md": "2\n"}}, {"3", map[string]string{"README.md": "3\n"}},
		}, want: "switch on"},
		"another workload had it first": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), two())}, {"away", api("r/api:v3")},
			{"partner", workload("partner", "r/api:v2", "pb")},
		}, want: "both"},
		"of another image": {steps: []step{
			start(t), {"other", workload("other", "r/other:v2", "none")}, {"both", files(api("r/api:v2"), two())},
		}, want: "both"},
		"by digest": {steps: []step{
			start(t), {"both", files(api("r/api@sha256:0123abcd"), two())}, {"away", three()},
		}, image: "r/api@sha256:0123abcd", want: "both"},
		"a comment of the descriptor": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), map[string]string{"app/pb.yaml": "# new\n" + configMap(t, "pb", "One")["app/pb.yaml"]})},
		}, why: "this image changed alone"},
		"a filter that is new": {steps: []step{
			{"no filter", files(api("r/api:v1"), configMap(t, "pb", "One"))}, {"filter", files(api("r/api:v2"), filter)},
		}, want: "filter"},
		"no descriptor at all": {steps: []step{
			{"plain", api("r/api:v1")}, {"bump", api("r/api:v2")},
		}, why: "no workload with this image loads a descriptor in the commit that introduced it"},
		"a descriptor that cannot be read": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), map[string]string{"app/pb.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: pb, namespace: shop}\nbinaryData: {api.pb: AAAA}\n"})},
		}, why: "what stands beside this image cannot be read: "},
		"nothing known before": {steps: []step{
			{"no key", files(api("r/api:v1"), filter, map[string]string{"app/pb.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: pb, namespace: shop}\nbinaryData: {other.pb: AAAA}\n"})},
			{"both", files(api("r/api:v2"), two())},
		}, why: "what was there before this image cannot be read: "},
		"a descriptor that a proxy refuses": {steps: []step{
			start(t), {"both", files(api("r/api:v2"), rawConfigMap("pb", incomplete(t)))},
		}, why: "a proxy refuses what stands beside this image: "},
		"first in an init container": {steps: []step{
			start(t), {"migrate", map[string]string{"app/job.yaml": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, namespace: shop}\n" +
				"spec: {template: {spec: {initContainers: [{name: m, image: r/api:v2}], containers: [{name: w, image: busybox:1}]}}}\n"}},
			{"both", files(api("r/api:v2"), two())},
		}, why: "no workload with this image loads a descriptor in the commit that introduced it"},
		"not rendered before": {steps: []step{
			start(t), {"break", map[string]string{"app/api.yaml": api("r/api:v1")["app/api.yaml"] + "bad: [\n"}}, {"both", files(api("r/api:v2"), two())},
		}, why: "at "},
		"the filter not rendered before": {steps: []step{
			start(t), {"break", map[string]string{"app/filter.yaml": filter["app/filter.yaml"] + "bad: [\n"}},
			{"alone", files(api("r/api:v2"), filter)},
		}, why: "at the commit before the one that introduced this image app/filter.yaml could not be rendered"},
		"another file not rendered before": {steps: []step{
			start(t), {"break", map[string]string{"app/other.yaml": api("r/other:v1")["app/api.yaml"] + "bad: [\n"}}, {"both", files(api("r/api:v2"), two())},
		}, want: "both"},
		"a tag that moves": {steps: []step{start(t), {"both", files(api("r/api:latest"), two())}}, image: "r/api:latest", why: "image r/api has a tag that moves, latest"},
		"no tag":           {steps: []step{start(t), {"both", files(api("r/api"), two())}}, image: "r/api", why: "image r/api has no tag"},
		"never there":      {steps: []step{start(t)}, why: "no workload has this image at "},
	} {
		t.Run(name, func(t *testing.T) {
			w := built(t, c.steps...)
			if c.image == "" {
				c.image = "r/api:v2"
			}
			got := serves(t, w.history(), history.Query{Images: []string{c.image}, From: w.at("main")})
			switch {
			case c.want == "" && (got.Known() || !strings.HasPrefix(got.Why, c.why)):
				t.Errorf("got %q from %q, want %q", got.Why, got.Commit.Subject, c.why)
			case c.want != "" && (!got.Known() || got.Commit.Subject != c.want):
				t.Errorf("got %q from %q, want it from %q", got.Why, got.Commit.Subject, c.want)
			}
		})
	}
}

// TestTagsThatAreAssembled: a chart may add what a commit does not write.
func TestTagsThatAreAssembled(t *testing.T) {
	chart := func(image, version string) map[string]string {
		deployment := strings.Replace(workload("api", "X", "pb")["app/api.yaml"], "image: X", "image: "+image, 1)
		return files(filter, map[string]string{
			"app/api.yaml": "", "app/pb.yaml": "", "app/filter.yaml": "",
			"chart/Chart.yaml":               "apiVersion: v2\nname: api\nversion: 0.1.0\n",
			"chart/values.yaml":              version,
			"chart/templates/api.yaml":       deployment,
			"chart/templates/filter.yaml":    filter["app/filter.yaml"],
			"chart/templates/configmap.yaml": "",
		})
	}
	release := func(c map[string]string, methods ...string) map[string]string {
		c["chart/templates/configmap.yaml"] = configMap(t, "pb", methods...)["app/pb.yaml"]
		for name := range c {
			if strings.HasPrefix(name, "app/") {
				delete(c, name)
			}
		}
		return c
	}
	const withV, inParts = `"r/api:v{{ .Values.version }}"`, `"r/api:{{ .Values.major }}.{{ .Values.minor }}"`
	w := built(t,
		step{"one", release(chart(withV, "version: 1.0.0\n"), "One")},
		step{"two", release(chart(withV, "version: 2.0.0\n"), "One", "Two")},
		step{"in parts", release(chart(inParts, "major: 3\nminor: 1\n"), "One", "Two", "Three")},
		step{"written out", release(chart(`"r/api:3.1"`, ""), "One", "Two", "Three")},
	)
	got := serves(t, w.history(), history.Query{Images: []string{"r/api:v2.0.0"}, From: w.at("main~2")})
	if got.Commit.Subject != "two" {
		t.Errorf("v2.0.0: %q from %q", got.Why, got.Commit.Subject)
	}
	got = serves(t, w.history(), history.Query{Images: []string{"r/api:3.1"}, From: w.at("main~1")})
	if want := "no commit writes the tag of this image: something puts it together"; got.Why != want {
		t.Errorf("3.1: %q from %q", got.Why, got.Commit.Subject)
	}
	got = serves(t, w.history(), history.Query{Images: []string{"r/api:3.1"}, From: w.at("main")})
	if want := "the commit that introduced this image does not write its tag"; got.Why != want {
		t.Errorf("3.1, written later: %q from %q", got.Why, got.Commit.Subject)
	}
}

// TestWhatWasNotExpandedBefore: the unit that has the image is new, and what stood in its place is not known.
func TestWhatWasNotExpandedBefore(t *testing.T) {
	const destination = "  destination: {server: \"https://kubernetes.default.svc\", namespace: shop}\n"
	application := map[string]string{"root/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\n" +
		"metadata: {name: shop, namespace: argocd}\nspec:\n  project: default\n" +
		"  source: {repoURL: https://git.example.com/shop.git, path: app, targetRevision: main}\n" + destination}
	// A generator that asks a plugin in the cluster.
	generated := map[string]string{"root/app.yaml": "", "root/set.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n" +
		"metadata: {name: shops, namespace: argocd}\nspec:\n  generators: [{plugin: {configMapRef: {name: p}}}]\n" +
		"  template:\n    metadata: {name: \"{{name}}\"}\n    spec:\n      project: default\n" +
		"      source: {repoURL: https://git.example.com/shop.git, path: \"{{path}}\", targetRevision: main}\n    " + destination}
	w := built(t,
		step{"written", files(generated, map[string]string{"root/app.yaml": "# soon: v2\n"}, workload("api", "r/api:v2", "pb"), configMap(t, "pb", "One"), filter)},
		step{"adopted", files(application, map[string]string{"root/set.yaml": ""})},
	)
	got := serves(t, w.history(), history.Query{Images: []string{"r/api:v2"}, From: w.at("main")})
	if want := "at " + w.at("main~1").Hash[:7] + " unit shops could not be rendered"; got.Why != want {
		t.Errorf("got %q from %q, want %q", got.Why, got.Commit.Subject, want)
	}
}

// TestTwoDescriptorsBesideOneImage: one commit gives one image to two workloads with a descriptor each.
func TestTwoDescriptorsBesideOneImage(t *testing.T) {
	both := func(image string) map[string]string {
		return files(workload("api", image, "pb"), workload("partner", image, "pb2"))
	}
	id := func(name string) object.ID {
		return object.ID{Cluster: "in-cluster:app", Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name}
	}
	differ := built(t,
		step{"start", files(both("r/api:v1"), configMap(t, "pb", "One"), configMap(t, "pb2", "Uno"), filter)},
		step{"both", files(both("r/api:v2"), configMap(t, "pb", "One", "Two"), configMap(t, "pb2", "Uno", "Due"))},
	)
	forgotten := built(t,
		step{"start", files(both("r/api:v1"), configMap(t, "pb", "One"), configMap(t, "pb2", "Uno"), filter)},
		step{"one", files(both("r/api:v2"), configMap(t, "pb", "One", "Two"))},
	)
	s, err := differ.snapshot(t.Context(), differ.at("main"))
	if err != nil {
		t.Fatal(err)
	}
	cluster := s.Graph.References[0].Consumer.Cluster
	for _, c := range []struct {
		what     string
		w        *world
		consumer string
		like     string // the workload whose descriptor it is
	}{
		{"nobody is asked for", differ, "", ""},
		{"api is asked for", differ, "api", "api"},
		{"partner is asked for", differ, "partner", "partner"},
		{"another one is asked for", differ, "other", ""},
		{"only that of api changed", forgotten, "", "api"},
		{"only that of api changed, partner is asked for", forgotten, "partner", "api"},
	} {
		consumer := id(c.consumer)
		consumer.Cluster = cluster
		got := serves(t, c.w.history(), history.Query{Images: []string{"r/api:v2"}, From: c.w.at("main"), Consumer: consumer})
		switch {
		case c.like == "" && !strings.HasPrefix(got.Why, "workloads with this image load different descriptors"):
			t.Errorf("%s: %q", c.what, got.Why)
		case c.like != "" && (!got.Known() || got.Set.Digest() != c.w.loaded(c.w.at("main"), "Deployment shop/"+c.like)):
			t.Errorf("%s: %q", c.what, got.Why)
		}
	}
}

// TestSeveralImages asks for what stands together.
func TestSeveralImages(t *testing.T) {
	api := func(images ...string) map[string]string {
		text := workload("api", images[0], "pb")["app/api.yaml"]
		return map[string]string{"app/api.yaml": text + "        - {name: side, image: " + images[1] + "}\n"}
	}
	w := built(t,
		step{"start", files(api("r/api:v1", "r/side:v7"), configMap(t, "pb", "One"), filter)},
		step{"api", files(api("r/api:v2", "r/side:v7"), configMap(t, "pb", "One", "Two"))},
		step{"side", files(api("r/api:v2", "r/side:v8"), configMap(t, "pb", "One", "Two", "Three"))},
	)
	for _, c := range []struct{ images, want, why string }{
		{"r/api:v2", "api", "image v2 serves the descriptor committed with it ("},
		{"r/api:v2 r/side:v7", "api", "image v2 with v7 serves the descriptor committed with it ("},
		{"r/api:v2 r/side:v8", "side", "image v2 with v8 serves the descriptor committed with it ("},
		{"r/api:v1 r/side:v8", "", "no workload has this image at "},
	} {
		from := w.at("main")
		if c.want == "api" {
			from = w.at("main~1")
		}
		got := serves(t, w.history(), history.Query{Images: strings.Fields(c.images), From: from})
		if got.Commit.Subject != c.want || !strings.HasPrefix(got.Why, c.why) {
			t.Errorf("%s: %q from %q", c.images, got.Why, got.Commit.Subject)
		}
	}
	none := serves(t, w.history(), history.Query{From: w.at("main")})
	if none.Known() {
		t.Errorf("without an image: %+v", none)
	}
}

func TestHistoryThatIsCutOff(t *testing.T) {
	api := func(image string) map[string]string { return workload("api", image, "pb") }
	w := built(t,
		step{"nothing", map[string]string{"README.md": "0\n"}},
		start(t),
		step{"both", files(api("r/api:v2"), configMap(t, "pb", "One", "Two"))},
		step{"more", map[string]string{"README.md": "1\n"}},
		step{"third", files(api("r/api:v3"), configMap(t, "pb", "One", "Two", "Three"), workload("old", "r/api:v2", "pb"))},
		step{"last", map[string]string{"README.md": "2\n"}},
	)
	clone := func(depth string) *world {
		dir := filepath.Join(t.TempDir(), "shallow")
		cmd := exec.Command("git", "clone", "-q", "--depth", depth, "file://"+w.repo.Top(), dir)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return openWorld(t, dir)
	}
	shallow, deeper := clone("3"), clone("4")
	bounded := func(n int) *history.History {
		return history.New(history.Input{Repository: w.repo, Snapshots: w.snapshot, Commits: n})
	}
	const beyond = "the commit that introduced this image is older than what this shallow clone has"
	for _, c := range []struct {
		what  string
		w     *world
		h     *history.History
		image string
		want  string
		why   string
	}{
		{"all of it", w, w.history(), "r/api:v2", "both", "image v2 serves the descriptor committed with it ("},
		{"shallow, before the edge", shallow, shallow.history(), "r/api:v2", "", beyond},
		{"shallow, at the edge", deeper, deeper.history(), "r/api:v2", "", beyond},
		{"shallow, inside", shallow, shallow.history(), "r/api:v3", "third", "image v3 serves the descriptor committed with it ("},
		{"bounded, before the edge", w, bounded(3), "r/api:v2", "", "the commit that introduced this image is older than the 3 commits that are looked at"},
		{"bounded, at the edge", w, bounded(4), "r/api:v2", "", "the commit that introduced this image is older than the 4 commits that are looked at"},
		{"bounded, inside", w, bounded(3), "r/api:v3", "third", "image v3 serves the descriptor committed with it ("},
		{"bounded by all there is", w, bounded(6), "r/api:v2", "both", "image v2 serves the descriptor committed with it ("},
	} {
		got := serves(t, c.h, history.Query{Images: []string{c.image}, From: c.w.at("main")})
		if got.Commit.Subject != c.want || !strings.HasPrefix(got.Why, c.why) {
			t.Errorf("%s: %q from %q", c.what, got.Why, got.Commit.Subject)
		}
		edge := strings.Contains(got.Why, ", within ")
		if cut := c.w == shallow || c.h != nil && strings.HasPrefix(c.what, "bounded, inside"); got.Known() && edge != cut {
			t.Errorf("%s: that history is cut off is said: %t; %q", c.what, edge, got.Why)
		}
		if c.w != w && !got.Known() && !strings.Contains(got.Close, "fetch-depth: 0") {
			t.Errorf("%s: to be closed by %q", c.what, got.Close)
		}
	}
	// A walk that began at an older commit is gone on with.
	h := bounded(2)
	for _, from := range []string{"main~3", "main~2", "main~1", "main"} {
		got, err := h.Introduced(t.Context(), []string{"r/api:v2"}, w.at(from))
		if err != nil || got.Commit.Subject != "both" || got.Parent.Subject != "start" {
			t.Errorf("from %s: %q, %q, %v", from, got.Commit.Subject, got.Why, err)
		}
	}
}

// TestATagThatManyWrite is about a tag that is in so many files that looking at all of them is no way.
func TestATagThatManyWrite(t *testing.T) {
	steps := []step{start(t)}
	for i := range 40 {
		steps = append(steps, step{"talk", map[string]string{"README.md": fmt.Sprintf("%d: v2\n", i)}})
	}
	steps = append(steps, step{"both", files(workload("api", "r/api:v2", "pb"), configMap(t, "pb", "One", "Two"))})
	w := built(t, steps...)
	got := serves(t, w.history(), history.Query{Images: []string{"r/api:v2"}, From: w.at("main")})
	if want := "41 commits write the tag of this image, and the first 32 do not deliver it"; got.Why != want {
		t.Errorf("got %q, want %q", got.Why, want)
	}
}

func TestSeveralAskAtOnce(t *testing.T) {
	w := built(t,
		start(t),
		step{"both", files(workload("api", "r/api:v2", "pb"), configMap(t, "pb", "One", "Two"))},
		step{"third", files(workload("api", "r/api:v3", "pb"), configMap(t, "pb", "One", "Two", "Three"))},
	)
	h := w.history()
	declared := &history.Declaration{Repository: ".", Revision: "main", Descriptor: "app/none.pb"} // is not there
	var all sync.WaitGroup
	for range 4 {
		for rev, image := range map[string]string{"main": "r/api:v3", "main~1": "r/api:v2", "main~2": "r/api:v1"} {
			q := history.Query{Images: []string{image}, From: w.at(rev)}
			all.Go(func() {
				if got, err := h.Serves(t.Context(), q); err != nil || got.Commit.Hash != q.From.Hash {
					t.Errorf("%s: %q, %v", image, got.Why, err)
				}
				q.Declared = declared
				if got, err := h.Serves(t.Context(), q); err != nil || got.Known() {
					t.Errorf("%s, declared: %q, %v", image, got.Why, err)
				}
			})
		}
	}
	all.Wait()
}

// TestWhatACloneLacks: a snapshot that cannot be read is no failure of ours.
func TestWhatACloneLacks(t *testing.T) {
	w := built(t, start(t), step{"alone", workload("api", "r/api:v2", "pb")})
	h := history.New(history.Input{
		Repository: w.repo,
		Snapshots: func(ctx context.Context, c source.Commit) (*snapshot.Snapshot, error) {
			if c.Subject == "start" {
				return nil, fmt.Errorf("tree of start: %w", source.ErrAbsent)
			}
			return w.snapshot(ctx, c)
		},
	})
	got := serves(t, h, history.Query{Images: []string{"r/api:v2"}, From: w.at("main")})
	if want := "commit " + w.at("main~1").Hash[:7] + " cannot be read: "; !strings.HasPrefix(got.Why, want) {
		t.Errorf("got %q, want %q", got.Why, want)
	}
}

// TestATagThatIsANumber: what looks like the beginning of a hash is a tag if there is one.
func TestATagThatIsANumber(t *testing.T) {
	proto := func(service string) map[string]string {
		return map[string]string{"a.proto": `syntax = "proto3"; package a; service ` + service + ` {}`}
	}
	w := built(t, step{"one", proto("One")}, step{"tag 1234", nil}, step{"two", proto("Two")})
	for image, want := range map[string]string{"r/api:1234": "image 1234 serves the protos of . at 1234 (", "r/api:1235": ". has no revision 1235"} {
		got := serves(t, w.history(), history.Query{
			Images: []string{image}, Declared: &history.Declaration{Repository: ".", Protos: "a.proto", Revision: "{{tag}}"},
		})
		if !strings.HasPrefix(got.Why, want) || got.Known() && got.Set.Services[0].Name != "a.One" {
			t.Errorf("%s: %q, want %q", image, got.Why, want)
		}
	}
}

func TestADeclaredDescriptorThatAProxyRefuses(t *testing.T) {
	got := serves(t, history.New(history.Input{}), history.Query{
		Images: []string{"r/api:v1"}, Declared: &history.Declaration{Descriptor: "a.pb"},
		Tree: source.Memory(map[string][]byte{"a.pb": incomplete(t)}),
	})
	if want := "descriptor a.pb of this revision: a proxy refuses it: "; !strings.HasPrefix(got.Why, want) {
		t.Errorf("got %q, want %q", got.Why, want)
	}
}

// A configuration's words are taken as they are.
var _ = history.Declaration(config.Serves{})

func TestFailuresAreErrors(t *testing.T) {
	w := built(t, start(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := history.Query{Images: []string{"r/api:v1"}, From: w.at("main")}
	if got, err := w.history().Serves(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %+v, %v", got, err)
	}
	q.Declared = &history.Declaration{Protos: "p"}
	if got, err := w.history().Serves(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("declared, after the end of the context: %+v, %v", got, err)
	}
	q.Declared, q.From.Hash = nil, strings.Repeat("0", 40)
	if got, err := w.history().Serves(t.Context(), q); !errors.Is(err, source.ErrUnknownRevision) && !errors.Is(err, source.ErrAbsent) {
		t.Errorf("from a commit that is not there: %+v, %v", got, err)
	}
	none := history.New(history.Input{})
	if got := serves(t, none, history.Query{Images: []string{"r/api:v1"}}); got.Known() {
		t.Errorf("without a repository: %+v", got)
	}
	for _, d := range []history.Declaration{{Protos: "p"}, {Repository: ".", Revision: "v", Protos: "p"}, {Repository: "../x", Revision: "v", Protos: "p"}} {
		if got := serves(t, none, history.Query{Images: []string{"r/api:v1"}, Declared: &d}); got.Known() {
			t.Errorf("without a repository: %+v", got)
		}
	}
}
