package delivery

import "github.com/syncproof/syncproof/internal/explore"

// Deed is what a step does.
type Deed uint8

// Ordinary deeds. The comments say what the fields of an Event mean for them.
const (
	Pushed       Deed = iota // Number: the revision that Git has now
	Observed                 // Unit compares with revision Number from now on
	Started                  // Unit starts a full operation at revision Number
	Healing                  // Unit starts an operation on what is out of sync
	Retried                  // Unit starts its operation again
	Applied                  // Unit applies Object: it is at content Number
	Turned                   // Unit's apply of Object is refused by the API server, for a reason that the release brings
	Pruned                   // Unit deletes Object
	Waited                   // Unit goes on to its next wave
	Made                     // a controller makes Object from another one: it is at content Number
	Told                     // proxies are told of the filter's content Number
	PodStarted               // Object: a pod of template Number starts, and reads what the provider holds
	Mounted                  // Object: the kubelet brings the provider's content to a running pod of template Number
	Promoted                 // Object: the rollout is complete
	Regrown                  // Object: pods of template Number made room for others and are made again; Unit 1: the pod stays
	Restarted                // Object: a reloader makes its pods anew
	lastOrdinary = Restarted
)

// Unusual deeds: each costs 1.
const (
	Churned       = lastOrdinary + 1 + iota // Object: a pod of template Number is made again, or one is added
	Reloaded                                // Object: the proxy of a pod of template Number reads its file again
	Aborted                                 // Object: the canary is aborted; Unit 1: and the pod of the stable template stays
	Undone                                  // Object goes back to content Number, by hand
	RefusedOnce                             // Unit's apply of Object is refused, this time
	RefusedAlways                           // Unit's apply of Object is refused, at every try of this revision
	NeverHealthy                            // Unit applies Object, which never becomes healthy
	Stuck                                   // Unit starts no operation any more
	ByHand                                  // Unit is synced by hand, Number says what of it: see Selection
	ByHandBefore                            // the same, just before the release: only what it leaves behind counts
	StaleStart                              // Object: as PodStarted, but the kubelet still has older content
	StaleHealth                             // Unit goes on to its next wave on the word of an old health
	lastUnusual   = StaleHealth
)

var deeds = [...]string{
	Pushed: "Pushed", Observed: "Observed", Started: "Started", Healing: "Healing", Retried: "Retried", Applied: "Applied",
	Turned: "Turned", Pruned: "Pruned", Waited: "Waited", Made: "Made", Told: "Told", PodStarted: "PodStarted", Mounted: "Mounted",
	Promoted: "Promoted", Regrown: "Regrown", Restarted: "Restarted", Churned: "Churned", Reloaded: "Reloaded", Aborted: "Aborted", Undone: "Undone", RefusedOnce: "RefusedOnce",
	RefusedAlways: "RefusedAlways", NeverHealthy: "NeverHealthy", Stuck: "Stuck", ByHand: "ByHand", ByHandBefore: "ByHandBefore",
	StaleStart: "StaleStart", StaleHealth: "StaleHealth",
}

// String is the name of a deed.
func (d Deed) String() string { return deeds[d] }

// Unusual is a kind of unusual step, as it is counted and printed.
type Unusual uint8

// The kinds of unusual steps. Making a pod again and adding one open the same: they are one kind.
const (
	Ordinary Unusual = iota
	Churn
	Reload
	Abort
	Undo
	Refused
	StuckUnit
	Manual
	StaleKubelet
	StaleHealthRead
)

var unusuals = [...]string{
	Ordinary: "ordinary", Churn: "churn", Reload: "reload", Abort: "abort", Undo: "undo", Refused: "refused", StuckUnit: "stuck",
	Manual: "manual", StaleKubelet: "stale-kubelet", StaleHealthRead: "stale-health",
}

// String is the name of a kind.
func (k Unusual) String() string { return unusuals[k] }

// Kinds are all kinds of unusual steps.
func Kinds() []Unusual {
	return []Unusual{Churn, Reload, Abort, Undo, Refused, StuckUnit, Manual, StaleKubelet, StaleHealthRead}
}

// Kind is the kind of unusual step that a deed is.
func (d Deed) Kind() Unusual {
	switch d {
	case Churned:
		return Churn
	case Reloaded:
		return Reload
	case Aborted:
		return Abort
	case Undone:
		return Undo
	case RefusedOnce, RefusedAlways, NeverHealthy:
		return Refused
	case Stuck:
		return StuckUnit
	case ByHand, ByHandBefore:
		return Manual
	case StaleStart:
		return StaleKubelet
	case StaleHealth:
		return StaleHealthRead
	}
	return Ordinary
}

// Event is a label of the search, spelled out.
type Event struct {
	Deed   Deed
	Unit   int
	Object int
	Number int
}

// EventOf reads a label.
func EventOf(label uint32) Event {
	return Event{Deed: Deed(label >> 24), Unit: int(label >> 16 & 0xff), Object: int(label >> 8 & 0xff), Number: int(label & 0xff)}
}

// Label is the label of an event.
func (e Event) Label() uint32 {
	return uint32(e.Deed)<<24 | uint32(e.Unit&0xff)<<16 | uint32(e.Object&0xff)<<8 | uint32(e.Number&0xff)
}

// ordinary is a step that somebody owes.
func ordinary(actor uint8, d Deed, unit, object, number int) explore.Step {
	return explore.Step{Label: Event{d, unit, object, number}.Label(), Actor: actor}
}

// unusual is a step that nobody owes.
func unusual(d Deed, unit, object, number int) explore.Step {
	return explore.Step{Label: Event{d, unit, object, number}.Label(), Cost: 1}
}
