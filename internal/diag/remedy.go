package diag

// Levels of a remedy: what it changes.
const (
	LevelSchedule = "schedule" // when what is done
	LevelIntent   = "intent"   // which unit delivers what
)

// Remedy is something that could be done about a pair, judged by the same proof on the changed state.
type Remedy struct {
	Name  string `json:"name"`
	What  string `json:"what"` // one sentence
	Level string `json:"level"`
	// Refused says why it does not apply; "" if it does. Nothing below but costs is said then.
	Refused string `json:"refused,omitempty"`

	// Rank counts from 1, the one to be looked at first; 0 if it does not apply. Reason is what set it apart from the next one.
	Rank   int    `json:"rank,omitempty"`
	Reason string `json:"reason,omitempty"`

	// Verdict is the gravest over the pair's real releases, By counts them; WorstCase is the verdict for a release that changes
	// both ends so that no mixed state works.
	Releases  int            `json:"releases"`
	Verdict   string         `json:"verdict,omitempty"`
	By        map[string]int `json:"by,omitempty"`
	WorstCase string         `json:"worst_case,omitempty"`
	// Unavoidable counts the releases in which no order of ordinary steps escapes the harm; Breaking those in which old calls break
	// when all has arrived, which no order helps.
	Unavoidable int `json:"unavoidable,omitempty"`
	Breaking    int `json:"breaking,omitempty"`
	// Left is what still opens a harm in the real releases, the gravest each set opens; LeftWorst the same in the worst case.
	Left      []Opening `json:"left"`
	LeftWorst []Opening `json:"left_worst"`

	// Migration is an example of what goes into which release; nil where a remedy does not say that.
	Migration *Migration `json:"migration,omitempty"`

	Costs  []Cost        `json:"costs"`
	Others []OtherReader `json:"others,omitempty"`
}

// Kinds of costs.
const (
	CostFiles      = "files"      // files that change once, by owner
	CostFlow       = "flow"       // what a release writes, or how it is made
	CostKept       = "kept"       // what a release goes on writing: nothing changes for it
	CostParts      = "parts"      // what is new and has to be kept
	CostAutomation = "automation" // what no longer happens by itself
	CostFailure    = "failure"    // what a release now hangs on
	CostPremise    = "premise"    // what has to hold, and is not looked at
	CostOthers     = "others"     // what it means for the other readers
)

// Cost is one thing that a remedy costs, or spares.
type Cost struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// OtherReader is what becomes of another workload that reads the same provider.
type OtherReader struct {
	Consumer string `json:"consumer"`
	Unit     string `json:"unit"`
	Today    string `json:"today"`   // gravest verdict over the real releases as they were
	Verdict  string `json:"verdict"` // the same under the remedy
}

// Migration is what of a real release would have gone into which release, had it been made in steps that are safe.
type Migration struct {
	Of    Commit          `json:"of"`
	Steps []MigrationStep `json:"steps"`
}

// MigrationStep is one release of a migration.
type MigrationStep struct {
	Name string   `json:"name"` // expand, migrate, contract
	What []string `json:"what"`
	When string   `json:"when,omitempty"` // what must be true before it
}
