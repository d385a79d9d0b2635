package diag

// Routes are the ways that one release takes to what runs: one for each end of a pair, and one for the filter between them
// if there is one. What is not known, or does not apply, is empty.
type Routes struct {
	Commits []string `json:"commits"`        // short ids, oldest first: those that are on their way, the release last
	Units   int      `json:"units"`          // that deliver what the release changes
	Ways    []Route  `json:"ways"`           // the consumer's first
	Meet    string   `json:"meet,omitempty"` // where they meet: "when a pod starts: its proxy loads api-descriptor, and keeps it"
}

// Route is the way of one end: files in Git -> unit -> object -> what runs.
type Route struct {
	End string `json:"end"` // consumer, provider or filter
	// Changed: the release changes what is delivered of this end, or who delivers it.
	Changed bool       `json:"changed"`
	Paths   []string   `json:"paths,omitempty"`  // files of the unit's source that the release changes, if it changes this end
	More    int        `json:"more,omitempty"`   // paths that are not listed
	Unit    *RouteUnit `json:"unit,omitempty"`   // that delivers it at the end
	Before  string     `json:"before,omitempty"` // the unit that delivered it before, if another one
	Object  string     `json:"object"`           // "ConfigMap api/api-descriptor"
	Stops   []string   `json:"stops,omitempty"`  // from the object to what runs, a few words each
}

// RouteUnit is the delivery unit of a route.
type RouteUnit struct {
	Name      string `json:"name"`           // as short as is unique
	Kind      string `json:"kind,omitempty"` // Application, bootstrap, or the generator's kind
	Automated bool   `json:"automated"`
	Prune     bool   `json:"prune"`
	SelfHeal  bool   `json:"selfHeal"`
	Trigger   string `json:"trigger,omitempty"`  // polling or webhook, of what is automated
	Revision  string `json:"revision,omitempty"` // targetRevision: "main", "v1.4.0"; "" is HEAD
	Source    string `json:"source,omitempty"`   // "app/config@main", for people
	// Spec is the Application object if the release changes it: the unit then follows what that says, not Git.
	Spec string `json:"spec,omitempty"`
}
