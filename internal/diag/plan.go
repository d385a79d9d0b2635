package diag

// PlanSchemaVersion is the version of the document that fix prints.
const PlanSchemaVersion = 1

// Plan is the way from a repository as it is to what a remedy makes of it: one commit a stage, each judged as a release.
type Plan struct {
	Schema  int    `json:"schema"`
	Finding string `json:"finding"` // its id
	Title   string `json:"title"`   // "Rollout api/api <-> ConfigMap api/api-descriptor"
	At      Commit `json:"at"`      // the commit that the stages are made for
	Remedy  string `json:"remedy"`
	What    string `json:"what,omitempty"` // what the remedy is, one sentence
	Reason  string `json:"reason,omitempty"`
	// Refused says why there is no patch; ByHand then says what to do instead.
	Refused string `json:"refused,omitempty"`
	// Done: the repository is what the remedy makes of it.
	Done   bool        `json:"done"`
	Stages []PlanStage `json:"stages"`
	// Passed are remedies that come before this one and sequences of stages that are shorter than this one, and why they are not it.
	Passed []PlanPassed `json:"passed,omitempty"`
	// End is the newest release of the pair again, on what the last stage leaves. Nil if there is none that could be made again.
	End *PlanRelease `json:"end,omitempty"`
	// Variations are what the stages were judged under besides the repository's own settings.
	Variations []string `json:"variations,omitempty"`
	Judged     int      `json:"judged"` // Cases that were judged for the stages
	ByHand     []string `json:"by_hand,omitempty"`
	Notes      []string `json:"notes,omitempty"`
}

// PlanStage is one commit.
type PlanStage struct {
	Number  int        `json:"number"` // from 1
	Title   string     `json:"title"`
	Why     string     `json:"why"`
	Wait    []string   `json:"wait"` // what has to be so before the next stage
	Files   []PlanFile `json:"files"`
	Review  []string   `json:"review,omitempty"` // who reviews the files, one entry for each
	Renders string     `json:"renders"`          // what becomes of what is rendered
	// Verdict is that of the stage as a release, the gravest over the pairs that see it; Pairs counts these. Left is what opens a
	// harm in it.
	Verdict string    `json:"verdict"`
	Pairs   int       `json:"pairs"`
	Left    []Opening `json:"left,omitempty"`
	// Proved says in words what was proved; Held names settings under which the stage stops half-way, without harm.
	Proved string   `json:"proved"`
	Held   []string `json:"held,omitempty"`
	// Release is the newest release of the pair again, while this stage is the newest. Nil if it is not known, or as it was before.
	Release *PlanRelease `json:"release,omitempty"`
	// Rush says what comes of the stage and the one before it delivered as one; "" if that is not known, or nothing.
	Rush string `json:"rush,omitempty"`
}

// PlanFile is one file of a stage.
type PlanFile struct {
	Path    string `json:"path"`
	From    string `json:"from,omitempty"` // the file that it is a copy of, or was before it moved
	Kind    string `json:"kind"`           // added, changed, deleted, moved, copied
	Added   int    `json:"added"`          // lines
	Deleted int    `json:"deleted"`
	Binary  bool   `json:"binary,omitempty"`
	Owner   string `json:"owner,omitempty"`
}

// PlanPassed is a way that was not taken.
type PlanPassed struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Steps []Step `json:"steps,omitempty"` // a run that shows it
}

// PlanRelease is a release that was made once, made again on another state of the repository.
type PlanRelease struct {
	Of      Commit    `json:"of"`
	Verdict string    `json:"verdict"`
	Left    []Opening `json:"left,omitempty"`
	// Hold: no release until something is done, which is said here.
	Hold string `json:"hold,omitempty"`
}
