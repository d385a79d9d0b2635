package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
)

// application delivers what lies in the folder of its name.
func application(names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out["root/"+name+".yaml"] = fmt.Sprintf(`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %[1]s, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.com/shop.git, path: %[1]s, targetRevision: main}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
`, name)
	}
	return out
}

// reading is a Deployment that mounts a ConfigMap.
func reading(file, name, config string) map[string]string {
	return map[string]string{file: fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: shop}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers: [{name: web, image: "r/%[1]s:v1", env: [{name: C, valueFrom: {configMapKeyRef: {name: %[2]s, key: c}}}]}]
`, name, config)}
}

// renamed is the Deployment of another name with the same containers.
func renamed(file, from, to, config string) map[string]string {
	text := reading(file, from, config)[file]
	return map[string]string{file: strings.Replace(text, "metadata: {name: "+from, "metadata: {name: "+to, 1)}
}

func settings(file, name, value string) map[string]string {
	return map[string]string{file: fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: shop}\ndata: {c: %q}\n", name, value)}
}

func without(names ...string) map[string]string {
	out := map[string]string{}
	for _, n := range names {
		out[n] = ""
	}
	return out
}

func noise(n int) (out []step) {
	for i := range n {
		out = append(out, step{fmt.Sprintf("noise %d", i), map[string]string{"README.md": fmt.Sprint(i, "\n")}})
	}
	return out
}

func joinSteps(all ...[]step) (out []step) {
	for _, s := range all {
		out = append(out, s...)
	}
	return out
}

func one(s ...step) []step { return s }

func TestLife(t *testing.T) {
	apart := step{"apart", files(application("web", "config"), reading("web/web.yaml", "web", "c"), settings("config/c.yaml", "c", "1"))}
	together := step{"together", files(application("web", "other"), reading("web/web.yaml", "web", "c"), settings("web/c.yaml", "c", "1"), settings("other/x.yaml", "x", "1"))}
	move := step{"move", files(application("config"), map[string]string{"web/c.yaml": "-> config/c.yaml"})}
	broken := step{"break", map[string]string{"more/kustomization.yaml": "resources: [nowhere] # c\n"}}
	for name, c := range map[string]struct {
		steps              []step
		consumer, provider string // Deployment shop/web and ConfigMap shop/c if empty
		set                func(*history.LifeQuery)
		want               string
	}{
		"born apart": {steps: joinSteps(one(step{"first", application("config")}, apart), noise(3)),
			want: "since: apart\nborn\napart: Deployment shop/web\n"},
		"born apart with the first commit": {steps: joinSteps(one(apart), noise(3)),
			want: "since: apart\nborn\napart: Deployment shop/web\n"},
		"began to read": {steps: one(step{"start", files(apart.files, without("config/c.yaml"), settings("config/x.yaml", "x", "1"), reading("web/web.yaml", "web", "other"))}, apart),
			want: "since: apart\nborn\nbefore: Deployment shop/web read ConfigMap shop/other, which no unit delivered\nstart: Deployment shop/web\n"},
		"read nothing at first": {steps: one(step{"start", files(apart.files, map[string]string{
			"web/web.yaml": strings.NewReplacer("configMapKeyRef", "fieldRef", "name: c, key: c", "fieldPath: metadata.name").Replace(apart.files["web/web.yaml"]),
		})}, apart), want: "since: apart\nborn\napart: Deployment shop/web\n"},
		"read another one of its unit": {steps: one(step{"start", files(apart.files, reading("web/web.yaml", "web", "own"), settings("web/own.yaml", "own", "0"))}, apart),
			want: "since: apart\nbefore: unit web delivered Deployment shop/web and ConfigMap shop/own\napart: Deployment shop/web\n"},
		"moved to a unit": {steps: joinSteps(one(together), noise(3), one(move), noise(3)),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\n"},
		"never apart": {steps: joinSteps(one(together), noise(3)), want: "together: Deployment shop/web\n"},
		"moved in two commits": {steps: one(together, step{"out", without("web/c.yaml")}, step{"in", files(application("config"), settings("config/c.yaml", "c", "1"))}),
			want: "since: in\nbefore: unit web delivered both\ntogether: Deployment shop/web\n"},
		"moved, back, and again": {steps: one(together, move, step{"back", map[string]string{"config/c.yaml": "-> web/c.yaml", "root/config.yaml": ""}}, step{"again", move.files}),
			want: "since: again\nbefore: unit web delivered both\ntogether: Deployment shop/web\n"},
		"back for good": {steps: one(together, move, step{"back", map[string]string{"config/c.yaml": "-> web/c.yaml", "root/config.yaml": ""}}),
			want: "since: move\nbefore: unit web delivered both\njoined: back\ntogether: Deployment shop/web\n"},
		"a file moved inside its unit": {steps: one(apart, step{"file", map[string]string{"config/c.yaml": "-> config/d.yaml", "web/web.yaml": "-> web/z.yaml"}}),
			want: "since: apart\nborn\napart: Deployment shop/web\n"},
		"units renamed": {steps: one(together, move, step{"rename", files(application("settings"), map[string]string{"config/c.yaml": "-> settings/c.yaml", "root/config.yaml": ""})}),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\n"},
		"another name at the move": {provider: "ConfigMap shop/settings", steps: one(together, step{"move",
			files(application("config"), reading("web/web.yaml", "web", "settings"), without("web/c.yaml"), settings("config/s.yaml", "settings", "2"))}),
			want: "since: move\nbefore: unit web delivered Deployment shop/web and ConfigMap shop/c\ntogether: Deployment shop/web\n"},
		"the consumer was renamed": {consumer: "Deployment shop/site", steps: one(together, move, step{"rename", renamed("web/web.yaml", "web", "site", "c")}),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\nrename: Deployment shop/site\n"},
		"a third reader comes and goes": {steps: joinSteps(one(together, move, step{"second", files(application("more"), settings("more/x.yaml", "x", "1"), reading("more/a.yaml", "a", "c"))}), noise(2),
			one(step{"third", reading("more/b.yaml", "b", "c")}), noise(2), one(step{"third gone", without("more/b.yaml")}), noise(2), one(step{"second gone", without("more/a.yaml")})),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\nsecond: Deployment shop/a, Deployment shop/web\n" +
				"third: Deployment shop/a, Deployment shop/b, Deployment shop/web\nthird gone: Deployment shop/a, Deployment shop/web\nsecond gone: Deployment shop/web\n" +
				"lapsed: second gone\n"},
		"a reader whose unit is broken for a while": {steps: joinSteps(one(together, move, step{"second", files(application("more"), reading("more/a.yaml", "a", "c"))}, broken), noise(1),
			one(step{"mend", without("more/kustomization.yaml")})),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\nsecond: Deployment shop/a, Deployment shop/web\n" +
				"limit: at 2 commits from BREAK to NOISE unit more could not be rendered: what it delivered then is not known\n"},
		"a reader whose unit broke": {steps: one(together, move, step{"second", files(application("more"), reading("more/a.yaml", "a", "c"))}, broken),
			want: "since: move\nbefore: unit web delivered both\ntogether: Deployment shop/web\nsecond: Deployment shop/a, Deployment shop/web\n" +
				"limit: at BREAK unit more could not be rendered: what it delivered then is not known\n"},
		"the consumer's unit broken at the move": {steps: one(together, step{"break", files(move.files, map[string]string{"web/kustomization.yaml": "resources: [nowhere]\n"})},
			step{"mend", without("web/kustomization.yaml")}),
			want: "together: Deployment shop/web\nlimit: since when two units deliver the pair is not known: before MEND unit web could not be rendered\n" +
				"limit: at BREAK unit web could not be rendered: what it delivered then is not known\n"},
		"bounded": {steps: joinSteps(one(together, move), noise(4)), set: func(q *history.LifeQuery) { q.Most = 3 },
			want: "noise 1: Deployment shop/web\nlimit: two units deliver the pair already at EDGE; older commits are not within the 3 commits that are looked at\n" +
				"limit: history was followed back to EDGE: the 3 commits that are looked at\n"},
		"delivered by none at first": {steps: one(step{"start", files(application("web"), reading("web/web.yaml", "web", "c"))},
			step{"in", files(application("config"), settings("config/c.yaml", "c", "1"))}),
			want: "since: in\nborn\nbefore: Deployment shop/web read ConfigMap shop/c, which no unit delivered\nstart: Deployment shop/web\n"},
		"removed": {steps: one(apart, step{"second", files(application("more"), reading("more/a.yaml", "a", "c"))}), set: func(q *history.LifeQuery) {
			q.Removed = []object.ID{{Kind: "Deployment", Namespace: "shop", Name: "web"}}
		}, want: "since: apart\nborn\napart: Deployment shop/web\nsecond: Deployment shop/a, Deployment shop/web\n" +
			"assumed: without Deployment shop/web one workload reads ConfigMap shop/c: Deployment shop/a\n"},
		"not there": {consumer: "ConfigMap shop/c", steps: one(apart), want: "limit: at APART ConfigMap shop/c does not read ConfigMap shop/c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := built(t, c.steps...)
			if c.consumer == "" {
				c.consumer = "Deployment shop/web"
			}
			if c.provider == "" {
				c.provider = "ConfigMap shop/c"
			}
			cause, limits, _ := asked(t, w, "main", c.consumer, c.provider, c.set)
			for word, subject := range map[string]string{"BREAK": "break", "EDGE": "noise 1", "NOISE": "noise 0", "MEND": "mend", "APART": "apart"} {
				if strings.Contains(c.want, word) {
					c.want = strings.ReplaceAll(c.want, word, w.titled(subject).Hash[:7])
				}
			}
			if got := lines(cause, limits); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestLifeThroughGeneratedNames: the name of what Kustomize generates has a hash of its content, and every release changes
// it. The unit of the provider changes once.
func TestLifeThroughGeneratedNames(t *testing.T) {
	generated := func(value string) map[string]string {
		return map[string]string{
			"web/kustomization.yaml": "namespace: shop\nresources: [web.yaml]\nconfigMapGenerator: [{name: c, literals: [c=" + value + "]}]\n",
		}
	}
	w := built(t, joinSteps(
		one(step{"start", files(application("web"), reading("web/web.yaml", "web", "c"), generated("1"))}),
		one(step{"two", generated("2")}, step{"three", generated("3")}),
		one(step{"out", files(application("config"), map[string]string{"web/kustomization.yaml": "namespace: shop\nresources: [web.yaml]\n"},
			reading("web/web.yaml", "web", "c-v4"), settings("config/c.yaml", "c-v4", "4"))}),
		one(step{"five", files(reading("web/web.yaml", "web", "c-v5"), settings("config/c.yaml", "c-v5", "5"))}),
		noise(2),
	)...)
	cause, limits, _ := asked(t, w, "main", "Deployment shop/web", "ConfigMap shop/c-v5", nil)
	hashed := func(rev string) string {
		for _, r := range w.references(rev) {
			return r
		}
		return ""
	}
	if three := hashed("main~4"); !strings.HasPrefix(three, "ConfigMap shop/c-") || three == hashed("main~5") {
		t.Fatalf("Kustomize named it %s", three)
	}
	want := "since: out\nbefore: unit web delivered Deployment shop/web and " + hashed("main~4") + "\nstart: Deployment shop/web\n"
	if got := lines(cause, limits); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// references are the providers that are read at a revision.
func (w *world) references(rev string) (out []string) {
	w.t.Helper()
	s, err := w.snapshot(w.t.Context(), w.at(rev))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range s.Graph.References {
		out = append(out, r.Provider.String())
	}
	return out
}

// TestCopies: three workloads kept a copy each, under names of their own. Two gave theirs up at once, one a year later. A
// fourth never held the same.
func TestCopies(t *testing.T) {
	own := func(name, value string) map[string]string {
		return files(reading(name+"/"+name+".yaml", name, name+"-c"), settings(name+"/c.yaml", name+"-c", value))
	}
	set := func(name, value string) map[string]string { return settings(name+"/c.yaml", name+"-c", value) }
	shared := func(name string) map[string]string {
		return files(reading(name+"/"+name+".yaml", name, "shared"), without(name+"/c.yaml"))
	}
	w := built(t,
		step{"start", files(application("a", "b", "d", "e"), own("a", "1"), own("b", "1"), own("d", "1"), own("e", "x"))},
		step{"a and b", files(set("a", "2"), set("b", "2"))}, // the copy of d is behind
		step{"a", set("a", "3")}, // all are different
		step{"equal", files(set("b", "3"), set("d", "3"))},
		step{"share", files(application("config"), settings("config/c.yaml", "shared", "3"), shared("a"), shared("b"))},
		step{"shared", settings("config/c.yaml", "shared", "4")}, // d is behind again
		step{"forgotten", map[string]string{"README.md": "1\n"}},
		step{"d too", shared("d")},
		step{"e too", shared("e")},
	)
	const copies = "copy ConfigMap shop/a-c of a in a/c.yaml drifted 1 until share\n" +
		"copy ConfigMap shop/b-c of b in b/c.yaml drifted 1 until share\n" +
		"copy ConfigMap shop/d-c of d in d/c.yaml drifted 4 until d too\n"
	readers := "share: Deployment shop/a, Deployment shop/b\nd too: Deployment shop/a, Deployment shop/b, Deployment shop/d\n" +
		"e too: Deployment shop/a, Deployment shop/b, Deployment shop/d, Deployment shop/e\n"
	cause, limits, _ := asked(t, w, "main", "Deployment shop/a", "ConfigMap shop/shared", nil)
	want := "since: share\nbefore: unit a delivered Deployment shop/a and ConfigMap shop/a-c; Deployment shop/b read a copy of its own, ConfigMap shop/b-c of unit b\n" +
		"start: Deployment shop/a\n" + readers + copies
	if got := lines(cause, limits); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The one that came later is apart since then.
	cause, limits, _ = asked(t, w, "main", "Deployment shop/d", "ConfigMap shop/shared", nil)
	if cause.Since.Subject != "d too" || len(limits) > 0 || !strings.HasPrefix(cause.Before, "unit d delivered Deployment shop/d and ConfigMap shop/d-c") {
		t.Errorf("d: %s", lines(cause, limits))
	}
}

// TestLifeOfACommonName: a name that is a word of its own is in many commits, and most of them are about something else.
func TestLifeOfACommonName(t *testing.T) {
	steps := movedApart(0)
	for i := range 120 {
		steps = append(steps, step{"talk", map[string]string{"README.md": strings.Repeat("c\n", i%2+1)}})
	}
	w := built(t, steps...)
	cause, limits, seen := asked(t, w, "main", web, c, nil)
	// Of 121 commits with the move 32, then 32 of 64, then every fourth of the 25 that are left.
	want := moved + "limit: 51 commits that touch the name c were not rendered: who read it for a short time only may be missing\n"
	if got := lines(cause, limits); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(seen) > 110 {
		t.Errorf("%d of %d commits were rendered", len(seen), len(steps))
	}
}
