package explain_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/unit"
)

// The shop: the smallest cases with names. Units: 0 is api, 1 is config. Objects: 0 is the workload, 1 the ConfigMap that it
// reads at its start.
const (
	api    = 0
	config = 1

	rollout   = 0
	configMap = 1
)

type contents = []delivery.Content

type outcomes = func(image int, provider, filter delivery.Content) delivery.Outcome

var automated = delivery.Unit{Automated: true, Prune: true, SelfHeal: true, Retries: 5, Spec: delivery.None, Keeps: true}

func thing(kind delivery.Kind, place delivery.Place, render ...contents) delivery.Object {
	return delivery.Object{Kind: kind, Place: place, Render: render, Watch: delivery.None, Needs: delivery.None}
}

func id(kind, name string) object.ID {
	return object.ID{Cluster: "in-cluster", Kind: kind, Namespace: "api", Name: name}
}

// split is two units, the workload in the first and the ConfigMap in the second; the release changes both.
func split(change outcomes) cone.Problem {
	reads := []delivery.Read{{Object: configMap}}
	c := &delivery.Case{
		Last:  1,
		Units: []delivery.Unit{automated, automated},
		Objects: []delivery.Object{
			thing(delivery.Work, delivery.Place{Rank: 40, Name: 2, Kind: 2}, contents{1, 2}, nil),
			thing(delivery.Config, delivery.Place{Rank: 9, Kind: 1}, nil, contents{1, 2}),
		},
		Workloads: []delivery.Workload{{
			Object:    rollout,
			Templates: []delivery.Template{{Image: 0, Provider: configMap, Reads: reads}, {Image: 1, Provider: configMap, Reads: reads}},
			Template:  map[delivery.Content]int{1: 0, 2: 1},
			Strategy:  delivery.BasicCanary,
			Many:      true,
		}},
		Pair: delivery.Pair{
			Workload: 0, Consumer: rollout, Provider: configMap, Mounted: true, Proxy: true, Filter: delivery.None, Match: change,
		},
	}
	return cone.Problem{Case: c, Names: cone.Names{
		Units: []cone.UnitName{{ID: unit.ID{Root: "gcp", Name: "api"}, Short: "api"}, {ID: unit.ID{Root: "gcp", Name: "config"}, Short: "config"}},
		Objects: []cone.ObjectName{
			{ID: id("Rollout", "api"), Contents: []string{"v1.8.0", "v1.9.0"}},
			{ID: id("ConfigMap", "api-descriptor"), Contents: []string{"v1.8.0", "v1.9.0"}},
		},
		Images: []string{"registry.example.com/shop/api:v1.8.0", "registry.example.com/shop/api:v1.9.0"},
		Revisions: []cone.Revision{
			{Hash: strings.Repeat("1d", 20), Short: "1d1d1d1", Subject: "release api v1.8.0", Date: "2026-01-06T10:00:00Z"},
			{Hash: "9e2f1c4" + strings.Repeat("0", 33), Short: "9e2f1c4", Subject: "release api v1.9.0", Date: "2026-01-20T09:30:00Z"},
		},
	}, Match: &match.Table{Known: true}, Means: means(change)}
}

// together is one unit that delivers both.
func together(change outcomes) cone.Problem {
	p := split(change)
	p.Case.Units = p.Case.Units[:1]
	p.Names.Units = p.Names.Units[:1]
	p.Case.Objects[rollout].Render = []contents{{1, 2}}
	p.Case.Objects[configMap].Render = []contents{{1, 2}}
	return p
}

// addsMethod: the image of r1 serves a method that the dictionary of r0 lacks.
func addsMethod(image int, provider, _ delivery.Content) delivery.Outcome {
	if image == 1 && provider == 1 {
		return delivery.Outcome{New: delivery.Fails}
	}
	return delivery.Outcome{}
}

// changesType: a field of a response is int32 at r0 and string at r1.
func changesType(image int, provider, _ delivery.Content) delivery.Outcome {
	switch {
	case image == 1 && provider == 1:
		return delivery.Outcome{Common: delivery.Fails, New: delivery.Fails}
	case image == 0 && provider == 2:
		return delivery.Outcome{Common: delivery.Fails}
	}
	return delivery.Outcome{}
}

func fits(int, delivery.Content, delivery.Content) delivery.Outcome { return delivery.Outcome{} }

// mixedUnknown: nothing is known of the image of r1 with the dictionary of r0.
func mixedUnknown(image int, provider, _ delivery.Content) delivery.Outcome {
	if image == 1 && provider == 1 {
		return delivery.Outcome{Common: delivery.Unknown, New: delivery.Unknown}
	}
	return delivery.Outcome{}
}

// newUnknown: nothing is known of the image of r1.
func newUnknown(image int, _, _ delivery.Content) delivery.Outcome {
	if image == 1 {
		return delivery.Outcome{Common: delivery.Unknown, New: delivery.Unknown}
	}
	return delivery.Outcome{}
}

// The calls of the shop.
var (
	newRoute = match.Call{What: "GET /v1/orders/{id}", Meets: "415, the dictionary has no such route: the request passes the proxy as it is"}
	oldField = match.Call{
		What: "field total of the response of POST /v1/orders", Common: true,
		Meets: "502, the proxy cannot read the answer, and the handler has run",
	}
	retyped = match.Call{
		What: "field total of the response of POST /v1/orders", Common: true,
		Meets: `200, another JSON shape arrives: "12" and no longer 12`,
	}
)

// means puts calls to the outcomes of a case.
func means(change outcomes) func(int, delivery.Content, delivery.Content) match.Outcome {
	return func(consumer int, provider, filter delivery.Content) match.Outcome {
		o := change(consumer, provider, filter)
		out := match.Outcome{Common: match.Truth(o.Common), New: match.Truth(o.New)}
		if o.Common == delivery.Fails {
			out.Calls = append(out.Calls, oldField)
		}
		if o.New == delivery.Fails {
			out.Calls = append(out.Calls, newRoute)
		}
		return out
	}
}

// unchanged makes an object stay as it is.
func unchanged(p cone.Problem, o int) cone.Problem {
	for u, r := range p.Case.Objects[o].Render {
		if r != nil {
			p.Case.Objects[o].Render[u] = contents{1, 1}
		}
	}
	return p
}

func with(p cone.Problem, changes ...func(*cone.Problem)) cone.Problem {
	for _, change := range changes {
		change(&p)
	}
	return p
}

func breaks(p *cone.Problem) { p.Match.Breaking = []match.Call{retyped} }

// unknownOwn: what the image of r0 serves is not known.
func unknownOwn(p *cone.Problem) {
	p.Match.Known = false
	p.Assumes = []string{"nothing says what image v1.9.0 serves"}
}

// partner is a second workload of the same service, whose tag the release leaves alone.
func partner() cone.Problem {
	p := unchanged(split(changesType), rollout)
	p.Case.Units = append(p.Case.Units, automated)
	for o := range p.Case.Objects {
		p.Case.Objects[o].Render = append(p.Case.Objects[o].Render, nil)
	}
	p.Case.Objects[rollout].Render = []contents{nil, nil, {1, 1}}
	p.Case.Units[0], p.Names.Units[0] = p.Case.Units[2], cone.UnitName{Short: "partner"}
	p.Case.Objects[rollout].Render = []contents{{1, 1}, nil}
	p.Case.Objects[configMap].Render = []contents{nil, {1, 2}}
	p.Case.Units = p.Case.Units[:2]
	p.Names.Objects[rollout].ID = id("Deployment", "partner-gateway")
	p.Case.Workloads[0].Strategy = delivery.Rolling
	return p
}

// withFilter has an EnvoyFilter in the workload's unit, whose name has this rank; the workload's has 2.
func withFilter(name uint16) cone.Problem {
	p := split(func(image int, provider, filter delivery.Content) delivery.Outcome {
		if image == 1 && (provider == 1 || filter == 1) {
			return delivery.Outcome{New: delivery.Fails}
		}
		return delivery.Outcome{}
	})
	p.Case.Objects = append(p.Case.Objects, thing(delivery.Filter, delivery.Place{Rank: 40, Name: name, Kind: 3}, contents{1, 2}, nil))
	p.Case.Pair.Filter = 2
	p.Case.Pair.Accepts = func(_ int, provider, filter delivery.Content) bool { return filter == 1 || provider == 2 }
	p.Names.Objects = append(p.Names.Objects, cone.ObjectName{ID: id("EnvoyFilter", "transcoder"), Contents: []string{"v1.8.0", "v1.9.0"}})
	return p
}

// contentNamed is one unit whose template names a ConfigMap of its own: objects 1 (of r0) and 2 (of r1).
func contentNamed() cone.Problem {
	p := together(fits)
	c := p.Case
	c.Objects[configMap].Render = []contents{{1, 0}}
	c.Objects[configMap].PruneLast = true
	c.Objects = append(c.Objects, thing(delivery.Config, delivery.Place{Rank: 9, Kind: 1}, contents{0, 1}))
	c.Objects[2].PruneLast = true
	c.Workloads[0].Templates[1] = delivery.Template{Image: 1, Provider: 2, Reads: []delivery.Read{{Object: 2}}}
	c.Pair.Provider = delivery.None
	p.Names.Objects[configMap] = cone.ObjectName{ID: id("ConfigMap", "api-descriptor-5f9c"), Contents: []string{"v1.8.0"}}
	p.Names.Objects = append(p.Names.Objects, cone.ObjectName{ID: id("ConfigMap", "api-descriptor-7d2a"), Contents: []string{"v1.9.0"}})
	return p
}

// moved is the ConfigMap moved from config to api, its bytes equal.
func moved() cone.Problem {
	p := split(fits)
	p.Case.Objects[configMap].Render = []contents{{0, 1}, {1, 0}}
	p.Case.Objects[rollout].Render = []contents{{1, 1}, nil}
	p.Names.Objects[configMap].Contents = []string{"v1.8.0"}
	return p
}

// inFlight is two commits: the descriptor alone, then the image that serves it.
func inFlight() cone.Problem {
	p := split(addsMethod)
	p.Case.Last = 2
	p.Case.Objects[rollout].Render = []contents{{1, 1, 2}, nil}
	p.Case.Objects[configMap].Render = []contents{nil, {1, 2, 2}}
	p.Names.Revisions = append(p.Names.Revisions, cone.Revision{Hash: strings.Repeat("2e", 20), Short: "2e2e2e2", Subject: "use it", Date: "2026-01-20T09:31:00Z"})
	return p
}

func solve(t *testing.T, p cone.Problem) proof.Solved {
	t.Helper()
	j, err := proof.Judge(context.Background(), p.Case, proof.Bounds{Unusual: 2, States: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return proof.Solved{Problem: p, Judgement: j}
}

type solvedCase struct {
	name string
	s    proof.Solved
}

var once sync.Once
var solvedCases []solvedCase

// solved are all cases, judged once.
func solved(t *testing.T) []solvedCase {
	t.Helper()
	once.Do(func() {
		for _, tc := range slices.Concat(cases(), odd()) {
			solvedCases = append(solvedCases, solvedCase{tc.name, solve(t, tc.p)})
		}
	})
	return solvedCases
}

// shop is what a pipeline says of every case of the shop.
func shop(rule string) explain.Context {
	return explain.Context{
		ID: "4f1c9a02", Rule: rule, At: object.Location{File: "app/helm/api/values/prd.yaml", Line: 4},
		Changes: []diag.Change{
			{Unit: "api", At: object.Location{File: "app/helm/api/values/prd.yaml", Line: 4}, What: "image registry.example.com/shop/api v1.8.0 -> v1.9.0"},
			{Unit: "config", At: object.Location{File: "app/config/files/api.pb"}, What: "key api.pb changes: + GET /v1/orders/{id}"},
		},
		Assumes: []string{"Argo CD 3.5, polling"},
	}
}

// follows is a consumer that follows its mounted file.
func follows(p *cone.Problem) { p.Case.Pair.How, p.Case.Pair.Proxy = delivery.Follows, false }

// fromEnvironment is a consumer that has its provider as environment variables.
func fromEnvironment(p *cone.Problem) { p.Case.Pair.Mounted, p.Case.Pair.Proxy = false, false }

func strategy(s delivery.Strategy) func(*cone.Problem) {
	return func(p *cone.Problem) { p.Case.Workloads[0].Strategy = s }
}

func daemonSet(p *cone.Problem) {
	p.Case.Workloads[0].Strategy, p.Case.Workloads[0].ReplacesFromNew = delivery.Rolling, true
}

func dynamicStable(p *cone.Problem) {
	p.Case.Workloads[0].Strategy, p.Case.Workloads[0].DynamicStable = delivery.RoutedCanary, true
}

// inline has the dictionary in the filter itself.
func inline(p *cone.Problem) {
	p.Case.Objects[configMap].Kind = delivery.Filter
	p.Case.Pair.Filter, p.Case.Pair.Inline = configMap, true
	p.Names.Objects[configMap].ID = id("EnvoyFilter", "transcoder")
	for t := range p.Case.Workloads[0].Templates {
		p.Case.Workloads[0].Templates[t].Reads = nil
	}
}

// waved has the ConfigMap in an earlier wave, and other objects in both.
func waved(p *cone.Problem) {
	p.Case.Objects[configMap].Place.Wave = -1
	rest := thing(delivery.Rest, delivery.Place{Wave: -1, Rank: 50, Kind: 9}, contents{1, 1})
	p.Case.Objects = append(p.Case.Objects, rest)
	p.Names.Objects = append(p.Names.Objects, cone.ObjectName{})
}

// rollingSync syncs config in its first step and api in its second one.
func rollingSync(p *cone.Problem) {
	for u := range p.Case.Units {
		p.Case.Units[u].Automated, p.Case.Units[u].SelfHeal = false, false
	}
	p.Case.Units[config].Step, p.Case.Units[api].Step = 1, 2
}

// barrier has a hook in api that waits for the ConfigMap.
func barrier(p *cone.Problem) {
	hook := thing(delivery.Barrier, delivery.Place{Phase: -1, Rank: 30, Kind: 5}, contents{1, 2}, nil)
	hook.Watch = configMap
	p.Case.Objects = append(p.Case.Objects, hook)
	p.Names.Objects = append(p.Names.Objects, cone.ObjectName{ID: id("Job", "wait")})
}

// immutable has a ConfigMap that may not change in place.
func immutable(p *cone.Problem) { p.Case.Objects[configMap].Immutable = true }

// lacksKey has pods of r1 name a key that the ConfigMap of r0 lacks.
func lacksKey(p *cone.Problem) {
	fromEnvironment(p)
	p.Case.Pair.Blocks = func(image int, provider delivery.Content) bool { return image == 1 && provider == 1 }
}

// external has the ConfigMap made by another controller, from an object that config delivers.
func external(p *cone.Problem) {
	p.Case.Objects = append(p.Case.Objects, thing(delivery.Plain, delivery.Place{Rank: 40, Name: 1, Kind: 6}, nil, contents{1, 2}))
	p.Case.Objects[configMap] = delivery.Object{Kind: delivery.Config, Watch: 2, Derived: true, Needs: delivery.None}
	p.Names.Objects[configMap].ID = id("Secret", "api-descriptor")
	p.Names.Objects = append(p.Names.Objects, cone.ObjectName{ID: id("ExternalSecret", "api-descriptor"), Contents: []string{"v1.8.0", "v1.9.0"}})
}

// movedAndChanged is the ConfigMap moved from config to api and changed, together with the image.
func movedAndChanged() cone.Problem {
	p := split(addsMethod)
	p.Case.Objects[configMap].Render = []contents{{0, 2}, {1, 0}}
	return p
}
