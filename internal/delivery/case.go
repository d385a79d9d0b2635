package delivery

// Bounds of a Case. They keep a state small; a release beyond them is not decided.
const (
	MaxRevisions = 3
	MaxUnits     = 8
	MaxObjects   = 63 // one bit of a set stands for objects that the model does not have
	MaxWorkloads = 4
	MaxContents  = 14 // versions of one object
)

// None stands for "no such object", "no such unit".
const None = -1

// Content is a version of one object: 0 means that there is none, equal numbers mean equal bytes. The numbers of different
// objects have nothing to do with each other.
type Content uint8

// Deleted is what an object is once somebody deleted it: told apart from one that has never been there.
const Deleted Content = 15

// exists tells whether there is an object.
func (c Content) exists() bool { return c != 0 && c != Deleted }

// Case is one pair in one release, as numbers. Revisions are numbered: 0 is r0, at which everything is fresh when the case
// begins, Last is rk. A release has Last = 1; two commits in flight, or a release and its revert, have Last = 2.
type Case struct {
	Last       int
	Units      []Unit
	Objects    []Object
	Workloads  []Workload
	Pair       Pair
	Controller Controller
	// Waits: the next revision is pushed only once all units are Synced and Healthy at the one before [B11.4].
	Waits bool
	// Serial: what starts the operations of units with a Step compares revisions: an orchestrator [B11.2], no RollingSync.
	Serial bool

	off facts // see Without
}

// Controller is what differs between versions and set-ups of Argo CD.
type Controller struct {
	// ApplicationHealth: argocd-cm gives Applications a health of their own [B9.1].
	ApplicationHealth bool
	// FullStaysFull: a full operation is full in all its passes (the repair of [A6.1]).
	FullStaysFull bool
	// WaitsForVanished: an operation waits for what was deleted meanwhile, as before 3.4 [A2.2].
	WaitsForVanished bool
	// PruneInOrder: prunes run in the order of the waves, as before 2.11 [A4.1].
	PruneInOrder bool
}

// Unit is one delivery unit.
type Unit struct {
	Automated     bool // else somebody syncs it by hand, sooner or later
	Prune         bool
	SelfHeal      bool
	AllowEmpty    bool
	FailOnShared  bool // FailOnSharedResource=true
	OutOfSyncOnly bool // ApplyOutOfSyncOnly=true
	Retries       int  // of one automatic operation
	Step          int  // of what starts its operations in steps, from 1, see Case.Serial; 0: nothing does
	// Spec is the object that is this unit's Application, if the release changes it: then the unit's revision is what that
	// object says, and no longer what Git says. None: the unit follows Git.
	Spec int
	// Keeps: the unit delivers something else at every revision, so that it never would prune everything.
	Keeps bool
}

// Kind is what an object means to the model.
type Kind uint8

// The kinds of objects.
const (
	Plain       Kind = iota // is applied and pruned, nothing more
	Config                  // ConfigMap or Secret
	Work                    // the workload whose pods are watched
	Filter                  // EnvoyFilter: reaches proxies by a push
	Application             // a child Application: see Unit.Spec
	Barrier                 // hook that waits for another object
	Rest                    // stands for all other objects of one unit, phase and wave: see Object.Ails
)

// Place is where an operation has an object: [A1.1], [A1.2], [A1.3], [A1.6].
type Place struct {
	Phase int8 // -1 PreSync, 0 Sync, 1 PostSync
	Wave  int16
	Rank  uint8  // of its kind
	Name  uint16 // rank of its name; it counts where the rank of the kind is the same
	Kind  uint8  // which kind it is: neighbours of one kind are applied in parallel
}

// Object is one object.
type Object struct {
	Kind Kind
	// Render says what a unit renders: by unit and revision. A Barrier renders the content that it waits for.
	Render [][]Content
	Place  Place
	// Hook: partial operations leave it out [A3.4]. A Barrier is always one.
	Hook bool
	// PruneLast: it is pruned after everything else is healthy [A4.3]; NoPrune: Prune=false on the object [A4.6].
	PruneLast, NoPrune bool
	// Watch is what a Barrier waits for, and what an object is made from by its controller (see Derived); else None.
	Watch int
	// Derived: no unit renders it; a controller makes it from Watch, version by version.
	Derived bool
	// Needs must exist for an apply of this one to be accepted: a CustomResourceDefinition, a namespace. Else None.
	Needs int
	// Needed: its absence is harm by itself, whoever reads it.
	Needed bool
	// Immutable: a change in place is refused.
	Immutable bool
	// Ails: it has a health of its own that the model does not follow, and may never become healthy.
	Ails bool
}

// Strategy is how a workload replaces its pods.
type Strategy uint8

// The strategies.
const (
	Rolling      Strategy = iota // Deployment, StatefulSet, DaemonSet
	BasicCanary                  // Rollout without traffic routing: the stable pods make room [D2.2]
	RoutedCanary                 // Rollout with traffic routing: the stable pods stay [D2.3]
	BlueGreen                    // Rollout: the new pods get no traffic before the switch [D2.4]
)

// Workload is the pods of one object of kind Work.
type Workload struct {
	Object    int
	Templates []Template
	// Template is the template of each content of the object: an index of Templates.
	Template map[Content]int
	Strategy Strategy
	Many     bool // two pods or more
	// DynamicStable: dynamicStableScale, for RoutedCanary.
	DynamicStable bool
	// ReplacesFromNew: a lost pod comes back from the new template, as DaemonSets have it.
	ReplacesFromNew bool
	// Reloader: one makes its pods anew after what they read has changed [D5.6].
	Reloader bool
}

// Template is one pod template.
type Template struct {
	Image    int    // version of the consumer, for Pair.Match
	Provider int    // object that the pair's pods of this template read, or None
	Reads    []Read // what its pods need to start
}

// Read is one ConfigMap or Secret that pods need to start.
type Read struct {
	Object   int
	Optional bool
}

// How is when a pod takes over what its provider holds.
type How uint8

// The ways of reading.
const (
	AtStart How = iota // and keeps it
	Follows            // the process follows the mounted file
)

// Truth is what is known of a match.
type Truth uint8

// The truths.
const (
	Works Truth = iota
	Fails
	Unknown
)

// Outcome is what becomes of the calls that an image serves, under one dictionary. Common calls are those that work with the
// images of r0 and rk alike, New ones those that only the image of rk serves.
type Outcome struct{ Common, New Truth }

// Pair is what must match. Its consumer is a workload's pods, or an object that reads another one where both live.
type Pair struct {
	Workload int // None: the consumer is an object
	Consumer int // object; that of the workload, if there is one
	// Provider is the object that the consumer reads. None: none at all, as when an image brings along what it needs, or
	// another one by template, as when its name tells its content.
	Provider int
	How      How
	// Mounted: running pods see changes of the provider as files (a volume); else only a restart of the pod or container
	// brings them (env, subPath).
	Mounted bool
	// Proxy: a proxy reads the provider, and may read it again without its pod being made anew.
	Proxy bool
	// Filter is the object that tells the proxy what to load, or None. Inline: it carries the dictionary itself, and is the
	// provider.
	Filter int
	Inline bool
	// Match is by version of the consumer (Image of the template, or content of the consumer), content of its provider
	// (0: none) and content of the filter (0: none).
	Match func(consumer int, provider, filter Content) Outcome
	// Blocks tells whether a pod cannot start with this content of its provider, for something in it that is missing; nil:
	// it never cannot.
	Blocks func(consumer int, provider Content) bool
	// Accepts tells whether the proxy of a consumer takes a filter when its file has this content; nil: always.
	Accepts func(consumer int, provider, filter Content) bool
}

// renders is what a unit renders of an object at a revision.
func (c *Case) renders(o, u int, rev uint8) Content {
	if c.Objects[o].Render == nil || c.Objects[o].Render[u] == nil {
		return 0
	}
	return c.Objects[o].Render[u][rev]
}

// at is the content that an object has when fresh at a revision: what the last of its units renders, or what is derived.
func (c *Case) at(o int, rev uint8) (Content, int) {
	if c.Objects[o].Derived {
		content, _ := c.at(c.Objects[o].Watch, rev)
		return content, None
	}
	content, owner := Content(0), None
	for u := range c.Units {
		if r := c.renders(o, u, rev); r != 0 {
			content, owner = r, u
		}
	}
	return content, owner
}

// foreign tells whether a unit renders an object and never the consumer.
func (c *Case) foreign(o int) bool {
	for u := range c.Units {
		own, other := false, false
		for rev := range uint8(c.Last + 1) {
			own = own || c.renders(c.Pair.Consumer, u, rev) != 0
			other = other || c.renders(o, u, rev) != 0
		}
		if other && !own {
			return true
		}
	}
	return false
}

// Varies tells whether an object, or who renders it, is not the same at all revisions.
func (c *Case) Varies(o int) bool {
	for u := range c.Units {
		for rev := 1; rev <= c.Last; rev++ {
			if c.renders(o, u, uint8(rev)) != c.renders(o, u, 0) {
				return true
			}
		}
	}
	return false
}
