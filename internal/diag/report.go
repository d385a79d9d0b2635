package diag

import "github.com/syncproof/syncproof/internal/object"

// SchemaVersion is the version of the JSON document that [Report] becomes. It changes when a field changes its meaning
// or goes; new fields do not change it.
const SchemaVersion = 1

// Report is everything that one run of scan says. Slices are sorted by their producers.
type Report struct {
	Schema   int       `json:"schema"`
	Head     Head      `json:"head"`
	Units    []Unit    `json:"units"`
	Findings []Finding `json:"findings"`
	Gaps     []Gap     `json:"gaps"`
	Counts   Counts    `json:"counts"`

	// Only on request, and then never nil; Counts always counts them.
	Latent     []Latent    `json:"latent,omitzero"`
	References []Reference `json:"references,omitzero"`
}

// Head says what was analysed and what was assumed.
type Head struct {
	Revision    string   `json:"revision"`          // full commit id; "" when the disk was read and there is no commit
	Subject     string   `json:"subject,omitempty"` // first line of the commit's message
	Date        string   `json:"date,omitempty"`    // committer date, RFC 3339
	Worktree    bool     `json:"worktree"`          // the disk was read instead of the commit
	Dirty       bool     `json:"dirty"`             // the work tree differs from the commit that was read
	Shallow     bool     `json:"shallow"`
	Roots       []Root   `json:"roots"`
	Branches    []string `json:"branches,omitempty"`    // targetRevisions that were taken as the analysed revision
	ThisURLs    []string `json:"repositories"`          // repoURLs that were taken as this repository
	Assumptions []string `json:"assumptions,omitempty"` // one sentence each
}

// Root is a place where reading started.
type Root struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Kind string `json:"kind"` // kustomize, helm or directory
	From string `json:"from"` // "configuration", or "guess"
}

// Unit is one delivery unit as a report shows it.
type Unit struct {
	Name      string          `json:"name"` // as short as is unique
	Kind      string          `json:"kind"` // Application, bootstrap, or the generator's kind of a symbolic unit
	Root      string          `json:"root"`
	Namespace string          `json:"namespace,omitempty"`
	Cluster   string          `json:"cluster,omitempty"`
	Source    string          `json:"source,omitempty"` // "path@revision", for people
	Parent    string          `json:"parent,omitempty"` // the unit that delivers this one's Application
	Automated bool            `json:"automated"`
	Prune     bool            `json:"prune"`
	SelfHeal  bool            `json:"selfHeal"`
	Objects   int             `json:"objects"`
	Rendered  bool            `json:"rendered"` // false: a gap says why
	At        object.Location `json:"at"`
}

// Latent is a pair whose two ends must match and that two units deliver, each on its own clock. It is no finding: nothing
// says yet that any release changed both. Equal shapes over clusters and environments are one Latent with a list.
type Latent struct {
	ID        string     `json:"id"`
	Rule      string     `json:"rule"`
	Kinds     string     `json:"kinds"` // "Rollout -> ConfigMap": what the counts go by
	Summary   string     `json:"summary"`
	Instances []Instance `json:"instances"`
}

// Instance is one occurrence of a shape.
type Instance struct {
	Consumer End      `json:"consumer"`
	Provider End      `json:"provider"`
	Links    []string `json:"links"` // how the one reads the other, strongest first
}

// End is one end of a pair.
type End struct {
	Object string          `json:"object"` // short form, "Rollout api/api"
	Unit   string          `json:"unit,omitempty"`
	At     object.Location `json:"at"`
}

// Reference says that one object reads another one.
type Reference struct {
	Consumer   End         `json:"consumer"`
	Provider   End         `json:"provider"` // without a unit if no unit renders it
	How        string      `json:"how"`      // start, live, apply or exist
	Key        string      `json:"key,omitempty"`
	Optional   bool        `json:"optional,omitempty"`
	Via        string      `json:"via"`
	Words      string      `json:"words"` // all of it in one line
	Descriptor *Descriptor `json:"descriptor,omitempty"`
}

// Descriptor is what a gRPC-JSON transcoder loads.
type Descriptor struct {
	Filter   string   `json:"filter"`         // the object that configures it
	Path     string   `json:"path,omitempty"` // of the file that the proxy opens; "" when the set is inline
	Services []string `json:"services"`       // as listed in the filter
	Methods  int      `json:"methods"`        // of those services in the descriptor set
	Problem  string   `json:"problem,omitempty"`
}

// Counts are the figures of the head.
type Counts struct {
	Roots      int            `json:"roots"`
	Units      int            `json:"units"`
	Objects    int            `json:"objects"`
	References int            `json:"references"`
	Latent     map[string]int `json:"latent"`   // by kinds, equal shapes counted once
	Findings   int            `json:"findings"` // those that the report has
	// Releases were judged: commits that change what is rendered, of the Commits that were looked at. Partial are those of
	// which some unit could not be rendered in full, PartialBy counts them by reason.
	Releases  int            `json:"releases,omitempty"`
	Commits   int            `json:"commits,omitempty"`
	Partial   int            `json:"partial,omitempty"`
	PartialBy map[string]int `json:"partial_by,omitempty"`
	// Verdicts count the pairs of all releases that were judged, by verdict: findings join those of one shape, and what is
	// safe or undecided is only listed on request.
	Verdicts map[string]int `json:"verdicts,omitempty"`
	Gaps     map[string]int `json:"gaps"` // by reason
}
