package delivery

import "math/bits"

// set is a set of objects.
type set uint64

func one(o int) set             { return 1 << o }
func (s set) has(o int) bool    { return s&one(o) != 0 }
func (s set) first() int        { return bits.TrailingZeros64(uint64(s)) }
func (s set) without(t set) set { return s &^ t }

// each calls f for every object of a set, in order.
func (s set) each(f func(o int)) {
	for ; s != 0; s &= s - 1 {
		f(s.first())
	}
}

// world is a state of the model, spelled out. The search keeps keys, see codec.go.
type world struct {
	head   uint8 // newest revision in Git
	units  [MaxUnits]unitState
	live   [MaxObjects]Content
	stamp  [MaxObjects]int8 // unit whose tracking id an object carries, or None
	pushed Content          // content of the pair's filter that proxies are told
	works  [MaxWorkloads]workState
	been   uint8 // what was live, see memory.go
}

// unitState is one unit.
type unitState struct {
	seen    uint8     // revision that it compares with
	last    uint8     // revision of its last operation
	result  result    // of its last operation
	stuck   bool      // starts no operation any more
	turned  bool      // something was refused in its last operation for what the release holds
	rolled  bool      // its RollingSync has synced it for the revision that it has seen
	partial set       // resource list of its last partial operation, which outlives it [A6.1]
	refused set       // refused at every try of revision rev
	sick    set       // applied, never healthy
	op      operation // what it does now
}

// see compares with a revision from now on.
func (s *unitState) see(rev uint8) {
	if s.seen != rev {
		s.seen, s.rolled = rev, false
	}
}

// operation is a sync that runs. Its zero value is none.
type operation struct {
	kind   opKind
	rev    uint8
	wave   uint8 // index of the unit's plan
	tries  uint8 // retries so far
	failed bool
	scope  set // objects that it is about; hooks apart
	hooks  bool
	done   set // of the wave
	prunes set // of the wave, chosen when the wave was entered
}

type opKind uint8

const (
	idle opKind = iota
	full
	heal    // self-heal: only what is out of sync
	manual  // by hand
	waiting // failed, will be retried: full
	waitingHeal
)

type result uint8

const (
	succeeded result = iota
	failed
)

// workState is the pods of one workload: one witness a template.
type workState struct {
	stable  uint8 // content whose template is the stable one
	aborted bool
	room    bool // pods of the stable template made room for others, and are wanted again
	due     bool // what its pods read has changed, and a reloader has not acted yet
	pods    [MaxRevisions]pod
}

// pod is the witness of a template: the pod that shows the harm, if there is one.
type pod struct {
	phase  phase
	loaded Content // of the provider, as the process or proxy took it; 0: nothing
	mount  Content // of the provider, as the file shows it
	list   Content // of the filter, as accepted
}

type phase uint8

const (
	gone     phase = iota
	starting       // wanted, not started yet
	refusing       // started, its proxy accepted no configuration: not ready
	ready
)

// fresh is the state in which everything is at r0 and the next revision has just been pushed.
func (m *machine) fresh() world {
	w := m.freshAt(0)
	w.head = 1
	return w
}

// freshAt is the state in which everything is at a revision: units Synced and idle, kubelets and proxies current, every pod
// started from the template of that revision with its content.
func (m *machine) freshAt(rev uint8) world {
	c := m.c
	var w world
	w.head = rev
	for u := range c.Units {
		w.units[u].seen, w.units[u].last = rev, rev
	}
	for o := range c.Objects {
		content, owner := c.at(o, rev)
		w.live[o], w.stamp[o] = content, int8(owner)
	}
	if f := c.Pair.Filter; f != None {
		w.pushed = w.live[f]
	}
	for i := range c.Workloads {
		work := &c.Workloads[i]
		content := w.live[work.Object]
		if !content.exists() {
			continue
		}
		t := work.Template[content]
		w.works[i].stable = uint8(content)
		w.works[i].pods[t] = pod{phase: starting}
		if !m.missing(&w, i, t) {
			w.works[i].pods[t] = m.started(&w, i, t, m.held(&w, i, t))
		}
	}
	return w
}
