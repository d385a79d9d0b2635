package proof_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	objects "github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// tiny is a small repository at two or three revisions.
type tiny struct {
	units     []tinyUnit
	objects   []tinyObject
	revisions int
	filter    string       // name of the EnvoyFilter that tells the proxy of the workload what to load; "": none does
	parent    *unit.Policy // of the unit that delivers the Applications; nil: none does
	pinned    []bool       // by unit: its Application names another revision each time

	// What makes no difference.
	prefix, root, commits string
	order                 func([]objects.Object)
	beside                []string // further units
}

type tinyUnit struct {
	name   string
	policy unit.Policy
}

// tinyObject is one object over the revisions.
type tinyObject struct {
	group, kind, name string
	in                [][]bool // by revision and unit
	version           []int    // by revision
	waves             []int    // by revision
	hook, options     string   // annotations
	pods              *tinyPods
}

// tinyPods are the pods of a workload.
type tinyPods struct {
	strategy map[string]any
	replicas string
	reads    []string // by revision: the ConfigMap
	how      string   // env, volume, both
	pinned   bool     // the template does not change with the version
}

// random makes a repository: the workload, what it reads, perhaps a filter, and up to three others.
func random(r *rand.Rand) *tiny {
	t := &tiny{revisions: 2, root: "root"}
	if r.IntN(8) == 0 {
		t.revisions = 3
	}
	for i := range 2 + r.IntN(4)/3 {
		t.units = append(t.units, tinyUnit{string(rune('a' + i)), randomPolicy(r)})
	}
	pods := randomPods(r)
	t.add(r, "", "ConfigMap", "m-config", 0)
	for range t.revisions {
		pods.reads = append(pods.reads, "m-config")
	}
	if r.IntN(6) == 0 { // named by its content
		t.add(r, "", "ConfigMap", "n-config", 0)
		old, next := &t.objects[0], &t.objects[1]
		for i := range t.revisions {
			now := i%2 == 1
			pods.reads[i] = []string{"m-config", "n-config"}[i%2]
			for u := range t.units {
				old.in[i][u], next.in[i][u] = old.in[0][u] && !now, old.in[0][u] && now
			}
		}
	}
	if r.IntN(5) == 0 && pods.how == "both" {
		t.filter = []string{"l-filter", "x-filter"}[r.IntN(2)]
		t.add(r, "networking.istio.io", "EnvoyFilter", t.filter, 0)
	}
	kind := []string{"Deployment", "Rollout", "Rollout", "Rollout", "DaemonSet"}[r.IntN(5)]
	group := "apps"
	if kind == "Rollout" {
		group = "argoproj.io"
		pods.strategy = []map[string]any{
			{"canary": map[string]any{}}, {"canary": map[string]any{"trafficRouting": map[string]any{"istio": map[string]any{}}}},
			{"blueGreen": map[string]any{}},
		}[r.IntN(3)]
	}
	t.add(r, group, kind, "o-work", 1)
	t.objects[len(t.objects)-1].pods = pods
	for i := range r.IntN(4) {
		t.addOther(r, i)
	}
	if r.IntN(8) == 0 {
		p := randomPolicy(r)
		t.parent = &p
		for range t.units {
			t.pinned = append(t.pinned, r.IntN(3) > 0)
		}
	}
	return t
}

func randomPolicy(r *rand.Rand) unit.Policy {
	p := unit.Policy{
		Automated: r.IntN(8) > 0, Prune: r.IntN(3) > 0, SelfHeal: r.IntN(3) > 0, AllowEmpty: r.IntN(8) == 0,
		Retries: []int{0, 1, 5}[r.IntN(3)],
	}
	for _, option := range []string{"PruneLast=true", "FailOnSharedResource=true", "ApplyOutOfSyncOnly=true"} {
		if r.IntN(8) == 0 {
			p.SyncOptions = append(p.SyncOptions, option)
		}
	}
	return p
}

func randomPods(r *rand.Rand) *tinyPods {
	return &tinyPods{
		replicas: []string{"1", "2"}[r.IntN(2)], how: []string{"env", "volume", "both"}[r.IntN(3)], pinned: r.IntN(4) == 0,
	}
}

// addOther adds something that the pair does not need.
func (t *tiny) addOther(r *rand.Rand, i int) {
	name := fmt.Sprintf("%c-other", "dpz"[i])
	switch r.IntN(4) {
	case 0:
		t.add(r, "", "ConfigMap", name, -1)
	case 1:
		t.add(r, "", "Service", name, -1)
	case 2:
		t.add(r, "apps", "Deployment", name, -1)
		pods := randomPods(r)
		pods.reads = make([]string, t.revisions)
		t.objects[len(t.objects)-1].pods = pods
	case 3:
		t.add(r, "batch", "Job", name, -1)
		t.objects[len(t.objects)-1].hook = []string{"PreSync", "Sync", "PostSync"}[r.IntN(3)]
	}
}

// add adds an object with a random life in one of the units.
func (t *tiny) add(r *rand.Rand, group, kind, name string, side int) {
	o := tinyObject{group: group, kind: kind, name: name}
	home := r.IntN(len(t.units))
	if side >= 0 && r.IntN(4) > 0 {
		home = side
	}
	next, wave := home, 0
	if r.IntN(3) == 0 {
		wave = []int{-1, 1, 2}[r.IntN(3)]
	}
	if r.IntN(5) == 0 {
		next = r.IntN(len(t.units)) // it moves
	}
	if r.IntN(6) == 0 {
		o.options = []string{"PruneLast=true", "Prune=false"}[r.IntN(2)]
	}
	changes, gone := r.IntN(3) > 0, r.IntN(10)
	also := r.IntN(12) == 0 // a second unit renders it, too
	for i := range t.revisions {
		in := make([]bool, len(t.units))
		in[home] = true
		if i > 0 {
			in[home], in[next] = false, true
		}
		if also {
			in[(home+1)%len(in)] = true
		}
		if side != 1 && (gone == 0 && i == t.revisions-1 || gone == 1 && i == 0) {
			in = make([]bool, len(t.units))
		}
		o.in = append(o.in, in)
		version := 1
		if changes && i > 0 && (i < 2 || r.IntN(3) > 0) {
			version = 1 + i
		}
		if i > 0 && r.IntN(10) == 0 {
			wave = r.IntN(3) - 1
		}
		o.version, o.waves = append(o.version, version), append(o.waves, wave)
	}
	t.objects = append(t.objects, o)
}

const cluster = "in-cluster@root"

func (t *tiny) unitID(name string) unit.ID {
	return unit.ID{Root: t.root, Namespace: "argocd", Name: t.prefix + name}
}

// rendered is an object of the repository at a revision.
func (t *tiny) rendered(o tinyObject, i int) objects.Object {
	o.name = t.prefix + o.name
	if o.pods != nil {
		pods := *o.pods
		pods.reads = slices.Clone(pods.reads)
		for n, name := range pods.reads {
			if name != "" {
				pods.reads[n] = t.prefix + name
			}
		}
		o.pods = &pods
	}
	return o.object(i)
}

func (o *tinyObject) id() objects.ID {
	return objects.ID{Cluster: cluster, Group: o.group, Kind: o.kind, Namespace: "shop", Name: o.name}
}

// object is the object at a revision.
func (o *tinyObject) object(i int) objects.Object {
	notes := map[string]any{}
	if o.waves[i] != 0 {
		notes["argocd.argoproj.io/sync-wave"] = fmt.Sprint(o.waves[i])
	}
	if o.hook != "" {
		notes["argocd.argoproj.io/hook"] = o.hook
	}
	if o.options != "" {
		notes["argocd.argoproj.io/sync-options"] = o.options
	}
	fields := map[string]any{"kind": o.kind, "metadata": map[string]any{"name": o.name, "annotations": notes}}
	switch {
	case o.pods != nil:
		fields["spec"] = o.spec(i)
	default:
		fields["data"] = map[string]any{"key": fmt.Sprint(o.version[i])}
	}
	return objects.Object{ID: o.id(), Fields: fields, Origin: objects.Location{File: o.name + ".yaml", Line: 1}}
}

func (o *tinyObject) spec(i int) map[string]any {
	image := fmt.Sprintf("app:v%d", o.version[i])
	if o.pods.pinned {
		image = "app:v0"
	}
	app := map[string]any{"name": "app", "image": image}
	pod := map[string]any{"containers": []any{app}}
	name := o.pods.reads[i]
	if name != "" && o.pods.how == "env" {
		ref := map[string]any{"configMapKeyRef": map[string]any{"name": name, "key": "key"}}
		app["env"] = []any{map[string]any{"name": "KEY", "valueFrom": ref}}
	}
	if name != "" && o.pods.how != "env" {
		pod["volumes"] = []any{map[string]any{"name": "config", "configMap": map[string]any{"name": name}}}
		app["volumeMounts"] = []any{map[string]any{"name": "config", "mountPath": "/config"}}
	}
	spec := map[string]any{
		"replicas": json.Number(o.pods.replicas), "template": map[string]any{"spec": pod}, "paused": fmt.Sprint(o.version[i]),
	}
	if o.pods.strategy != nil {
		spec["strategy"] = o.pods.strategy
	}
	return spec
}

// snapshot is the repository at a revision.
func (t *tiny) snapshot(i int) *snapshot.Snapshot {
	s := &snapshot.Snapshot{Names: map[unit.ID]string{}}
	var all []refgraph.Rendered
	for u := range t.units {
		id := t.unitID(t.units[u].name)
		d := discover.Delivered{Unit: unit.Unit{ID: id, Kind: unit.Application, Policy: t.units[u].policy}, Rendered: true}
		if t.parent != nil {
			d.Parent = t.unitID(parent)
			if t.pinned[u] {
				d.Sources = []unit.Source{{TargetRevision: fmt.Sprint(i)}}
			}
		}
		for n := range t.objects {
			if t.objects[n].in[i][u] {
				d.Objects = append(d.Objects, t.rendered(t.objects[n], i))
			}
		}
		s.Units = append(s.Units, d)
	}
	if t.parent != nil {
		s.Units = append(s.Units, t.parentAt(i))
	}
	for _, name := range t.beside {
		s.Units = append(s.Units, besideUnit(t.root, name, i))
	}
	for _, d := range s.Units {
		s.Names[d.ID] = d.ID.Name
		if t.order != nil {
			t.order(d.Objects)
		}
		for _, o := range d.Objects {
			all = append(all, refgraph.Rendered{Object: o, Unit: d.ID})
		}
	}
	slices.SortFunc(s.Units, func(a, b discover.Delivered) int { return a.ID.Compare(b.ID) })
	s.Graph = refgraph.Build(all)
	t.proxied(s)
	return s
}

const parent = "parent"

// parentAt is the unit that delivers the Applications, those of later units in earlier waves.
func (t *tiny) parentAt(i int) discover.Delivered {
	d := discover.Delivered{
		Unit: unit.Unit{ID: t.unitID(parent), Kind: unit.Application, Policy: *t.parent}, Rendered: true,
	}
	for u := range t.units {
		app := tinyObject{
			group: "argoproj.io", kind: "Application", name: t.units[u].name, version: []int{0, 0, 0}, waves: []int{-u, -u, -u},
		}
		if t.pinned[u] {
			app.version[i] = i
		}
		o := t.rendered(app, i)
		o.ID.Namespace = "argocd"
		d.Objects = append(d.Objects, o)
	}
	return d
}

// proxied lets the proxy of the workload read what its pods mount, as the filter tells it.
func (t *tiny) proxied(s *snapshot.Snapshot) {
	var out []refgraph.Reference
	for _, ref := range s.Graph.References {
		if ref.Consumer.Name == t.prefix+"o-work" && ref.How == refgraph.Live && t.filter != "" {
			filter := objects.ID{Cluster: cluster, Group: "networking.istio.io", Kind: "EnvoyFilter", Namespace: "shop", Name: t.prefix + t.filter}
			start := ref
			start.How, start.Key = refgraph.Start, "key"
			start.Descriptor = &refgraph.Descriptor{Filter: filter, Path: "/config/key", Config: &descriptor.Transcoder{}}
			out = append(out, start)
		}
		out = append(out, ref)
	}
	s.Graph.References = out
}

func (t *tiny) release() *cone.Release {
	var revisions []cone.Revision
	var snapshots []*snapshot.Snapshot
	for i := range t.revisions {
		revisions = append(revisions, cone.Revision{Hash: fmt.Sprint(t.commits, i), Short: fmt.Sprint(t.commits, i)})
		snapshots = append(snapshots, t.snapshot(i))
	}
	return cone.NewRelease(revisions, snapshots)
}

// String tells of a repository, a line a unit and object.
func (t *tiny) String() string {
	var out strings.Builder
	for _, u := range t.units {
		fmt.Fprintf(&out, "unit %s %+v\n", u.name, u.policy)
	}
	for _, o := range t.objects {
		fmt.Fprintf(&out, "%s %s in %v version %v waves %v %s %s", o.kind, o.name, o.in, o.version, o.waves, o.hook, o.options)
		if o.pods != nil {
			fmt.Fprintf(&out, " %+v", *o.pods)
		}
		out.WriteString("\n")
	}
	return out.String()
}
