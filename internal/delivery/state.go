package delivery

// State is where a run stands, for people: a copy that stays as it is when the run goes on. Slices go by the Case's numbers.
type State struct {
	Head      int // newest revision in Git
	Units     []UnitAt
	Objects   []ObjectAt
	Workloads []WorkloadAt
	Filter    Content // of the pair's filter, as proxies were told; 0: none
}

// UnitAt is where a unit stands.
type UnitAt struct {
	Seen   int  // revision that it compares with
	Idle   bool // no operation runs, or waits to be tried again
	Failed bool // something was refused in the operation that runs
	Turned bool // something was refused in its last operation, for what the release holds
}

// ObjectAt is one object: its content, 0 or Deleted if there is none, and the unit whose tracking id it carries, or None.
type ObjectAt struct {
	Content Content
	Owner   int
}

// WorkloadAt is the pods of a workload, by template.
type WorkloadAt struct {
	Stable  Content // content of its object whose template is the stable one; 0: none
	Aborted bool
	Pods    []PodAt
}

// PodAt is the pod of a template that shows the harm, if there is one. Contents are 0 where the pod has nothing.
type PodAt struct {
	Phase  Phase
	Serves bool    // it is ready and gets traffic
	Loaded Content // of the provider, as the process or proxy took it
	File   Content // of the provider, as it would be read again
	List   Content // of the filter, as accepted
}

// Phase is how far a pod is.
type Phase uint8

// The phases.
const (
	Gone     = Phase(gone)
	Starting = Phase(starting) // wanted, not started yet
	Refusing = Phase(refusing) // started, its proxy accepted no configuration: not ready
	Ready    = Phase(ready)
)

// State is where the run stands now.
func (r *Run) State() State {
	m, w := r.m, &r.w
	s := State{
		Head: int(w.head), Filter: w.pushed,
		Units:     make([]UnitAt, len(m.c.Units)),
		Objects:   make([]ObjectAt, len(m.c.Objects)),
		Workloads: make([]WorkloadAt, len(m.c.Workloads)),
	}
	for u := range s.Units {
		unit := &w.units[u]
		s.Units[u] = UnitAt{Seen: int(unit.seen), Idle: unit.op.kind == idle, Failed: unit.op.failed, Turned: unit.turned}
	}
	for o := range s.Objects {
		s.Objects[o] = ObjectAt{Content: w.live[o], Owner: int(w.stamp[o])}
	}
	for i := range s.Workloads {
		s.Workloads[i] = WorkloadAt{Stable: Content(w.works[i].stable), Aborted: w.works[i].aborted}
		for t := range m.c.Workloads[i].Templates {
			p := &w.works[i].pods[t]
			at := PodAt{Phase: Phase(p.phase), Serves: p.phase == ready && m.routed(w, i, t), Loaded: p.loaded, List: p.list}
			if p.phase == ready || p.phase == refusing {
				at.File = m.file(w, i, t)
			}
			s.Workloads[i].Pods = append(s.Workloads[i].Pods, at)
		}
	}
	return s
}

// Missing says why a wanted pod of a template cannot start now: for want of objects, or of something inside its provider. It
// can start if neither is so.
func (r *Run) Missing(workload, template int) (objects []int, inside bool) {
	if !r.m.missing(&r.w, workload, template) {
		return nil, false
	}
	for _, read := range r.m.c.Workloads[workload].Templates[template].Reads {
		if !read.Optional && !r.w.live[read.Object].exists() {
			objects = append(objects, read.Object)
		}
	}
	return objects, r.m.blocks(workload, template, r.m.held(&r.w, workload, template))
}

// OutOfSync are the objects that a unit sees differ from a revision now.
func (r *Run) OutOfSync(unit, revision int) []int {
	var out []int
	r.m.outOfSync(&r.w, unit, uint8(revision)).each(func(o int) { out = append(out, o) })
	return out
}
