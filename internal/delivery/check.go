package delivery

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxKey is the size of the largest key, in bytes: see [Case.KeySize].
const MaxKey = 256

var errCase = errors.New("bad case")

// Check refuses a Case that is beyond the bounds or contradicts itself. What it accepts can be searched.
func (c *Case) Check() error {
	switch {
	case c.Last < 1 || c.Last >= MaxRevisions:
		return fmt.Errorf("%w: %d revisions", errCase, c.Last+1)
	case len(c.Units) < 1 || len(c.Units) > MaxUnits:
		return fmt.Errorf("%w: %d units, at most %d", errCase, len(c.Units), MaxUnits)
	case len(c.Objects) < 1 || len(c.Objects) > MaxObjects:
		return fmt.Errorf("%w: %d objects, at most %d", errCase, len(c.Objects), MaxObjects)
	case len(c.Workloads) > MaxWorkloads:
		return fmt.Errorf("%w: %d workloads, at most %d", errCase, len(c.Workloads), MaxWorkloads)
	case c.Waits && c.Last < 2:
		return fmt.Errorf("%w: nothing is there to wait with", errCase)
	case c.Serial && !slices.ContainsFunc(c.Units, func(u Unit) bool { return u.Step > 0 }):
		return fmt.Errorf("%w: an orchestrator without steps", errCase)
	}
	for u, unit := range c.Units {
		if unit.Spec != None && (!c.is(unit.Spec) || c.Objects[unit.Spec].Kind != Application) {
			return fmt.Errorf("%w: unit %d: its Application is no Application", errCase, u)
		}
	}
	for i := range c.Objects {
		if err := c.checkObject(i); err != nil {
			return fmt.Errorf("%w: object %d: %w", errCase, i, err)
		}
	}
	for i := range c.Workloads {
		if err := c.checkWorkload(i); err != nil {
			return fmt.Errorf("%w: workload %d: %w", errCase, i, err)
		}
	}
	if err := c.checkPair(); err != nil {
		return fmt.Errorf("%w: the pair: %w", errCase, err)
	}
	if n := len(c.traces()); n > maxTraces {
		return fmt.Errorf("%w: %d earlier versions to remember, at most %d", errCase, n, maxTraces)
	}
	if size := c.KeySize(); size > MaxKey {
		return fmt.Errorf("%w: its states take %d bytes, at most %d", errCase, size, MaxKey)
	}
	return nil
}

// is tells whether there is an object of this number.
func (c *Case) is(o int) bool { return o >= 0 && o < len(c.Objects) }

// may tells whether a number is that of an object, or None.
func (c *Case) may(o int) bool { return o == None || c.is(o) }

func (c *Case) checkObject(i int) error {
	o := &c.Objects[i]
	switch {
	case o.Kind > Rest:
		return fmt.Errorf("kind %d", o.Kind)
	case !c.may(o.Watch) || !c.may(o.Needs):
		return errors.New("watches or needs what is not there")
	case o.Place.Phase < -1 || o.Place.Phase > 1:
		return fmt.Errorf("phase %d", o.Place.Phase)
	case o.Place.Wave == math.MaxInt16: // PruneLast goes behind it
		return fmt.Errorf("wave %d", o.Place.Wave)
	case o.Derived != (o.Render == nil):
		return errors.New("is rendered or derived, not both")
	case o.Kind == Barrier && o.Watch == None:
		return errors.New("waits for nothing")
	case o.Kind == Barrier && c.besides(i):
		return errors.New("a barrier would keep back objects of its own wave, and nothing does [A1.8]")
	case o.Kind == Work && c.workload(i) == None:
		return errors.New("has no pods")
	case o.Derived:
		return c.checkDerived(i)
	case len(o.Render) != len(c.Units):
		return fmt.Errorf("is rendered by %d of %d units", len(o.Render), len(c.Units))
	}
	for _, revisions := range o.Render {
		if revisions != nil && len(revisions) != c.Last+1 {
			return fmt.Errorf("has %d revisions", len(revisions))
		}
		for _, content := range revisions {
			if content > MaxContents {
				return fmt.Errorf("has more than %d versions", MaxContents)
			}
		}
	}
	return nil
}

// besides tells whether a barrier has objects of the pair beside it in its wave. They would not wait for it: an operation
// waits for hooks at the end of a wave.
func (c *Case) besides(barrier int) bool {
	at := c.Objects[barrier].Place
	for _, o := range c.Objects {
		if o.Kind != Barrier && o.Kind != Rest && !o.Derived && o.Place.Phase == at.Phase && o.Place.Wave == at.Wave && c.shares(o, barrier) {
			return true
		}
	}
	return false
}

// shares tells whether a unit renders both, at any revision.
func (c *Case) shares(o Object, barrier int) bool {
	for u := range c.Units {
		if u < len(o.Render) && o.Render[u] != nil && u < len(c.Objects[barrier].Render) && c.Objects[barrier].Render[u] != nil {
			return true
		}
	}
	return false
}

// checkDerived wants an object that is derived to come from one that is rendered, at last.
func (c *Case) checkDerived(i int) error {
	if k := c.Objects[i].Kind; k != Plain && k != Config && k != Filter {
		return errors.New("cannot be derived")
	}
	for n, o := 0, i; c.Objects[o].Derived; n++ {
		if o = c.Objects[o].Watch; o == None || n == len(c.Objects) {
			return errors.New("is derived from nothing")
		}
	}
	return nil
}

// workload is the workload of an object, or None.
func (c *Case) workload(o int) int {
	for i := range c.Workloads {
		if c.Workloads[i].Object == o {
			return i
		}
	}
	return None
}

func (c *Case) checkWorkload(i int) error {
	w := &c.Workloads[i]
	switch {
	case !c.is(w.Object) || c.Objects[w.Object].Kind != Work:
		return errors.New("is no workload")
	case c.workload(w.Object) != i:
		return errors.New("is there twice")
	case len(w.Templates) < 1 || len(w.Templates) > MaxRevisions:
		return fmt.Errorf("has %d templates", len(w.Templates))
	case w.Strategy > BlueGreen:
		return fmt.Errorf("strategy %d", w.Strategy)
	}
	for _, row := range c.Objects[w.Object].Render {
		for _, content := range row {
			if t, ok := w.Template[content]; content != 0 && (!ok || t < 0 || t >= len(w.Templates)) {
				return fmt.Errorf("version %d has no template", content)
			}
		}
	}
	for t, template := range w.Templates {
		if template.Provider != None && !c.held(template.Provider) {
			return fmt.Errorf("template %d reads what no pod can read", t)
		}
		for _, r := range template.Reads {
			if !c.held(r.Object) {
				return fmt.Errorf("template %d needs what no pod can read", t)
			}
		}
	}
	return nil
}

// held tells whether there is an object of this number whose content a pod can hold.
func (c *Case) held(o int) bool {
	if !c.is(o) {
		return false
	}
	k := c.Objects[o].Kind
	return k == Plain || k == Config || k == Filter
}

func (c *Case) checkPair() error {
	p := &c.Pair
	switch {
	case p.Match == nil:
		return errors.New("no match")
	case !c.is(p.Consumer) || !c.may(p.Provider) || !c.may(p.Filter):
		return errors.New("its ends are not there")
	case p.Workload != None && (p.Workload < 0 || p.Workload >= len(c.Workloads) || c.Workloads[p.Workload].Object != p.Consumer):
		return errors.New("its consumer is not its workload")
	case p.How > Follows:
		return fmt.Errorf("way of reading %d", p.How)
	case p.How == Follows && !p.Mounted:
		return errors.New("nothing is mounted to be followed")
	case p.Filter != None && c.Objects[p.Filter].Kind != Filter:
		return errors.New("its filter is none")
	case p.Inline && (p.Filter == None || p.Provider != p.Filter):
		return errors.New("no filter carries the dictionary")
	}
	return nil
}
