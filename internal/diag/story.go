package diag

import "github.com/syncproof/syncproof/internal/object"

// Story is why a pair is as it is: how often it happened, since when and why the two are delivered apart, whether that reason
// still holds, and whose files are involved. What is not known is empty.
type Story struct {
	Evidence *Evidence `json:"evidence,omitempty"`
	Cause    *Cause    `json:"cause,omitempty"`
	Sides    []Side    `json:"sides,omitempty"`
	Limits   []string  `json:"limits,omitempty"` // what could not be looked at, one sentence each
}

// Evidence is how often releases touched the pair, over the releases that were judged.
type Evidence struct {
	Judged  int            `json:"judged"`            // releases that were looked at, whether they touch the pair or not
	Commits int            `json:"commits,omitempty"` // that they are among: not every commit changes what is rendered
	Touched int            `json:"touched"`           // that change what the pair can see
	Both    int            `json:"both"`              // that change both ends
	Literal int            `json:"literal,omitempty"` // of these, those that bring one new value into both ends
	By      map[string]int `json:"by"`                // those that touch it, by verdict
	First   *Commit        `json:"first,omitempty"`
	Last    *Commit        `json:"last,omitempty"`
	Fixes   []Fix          `json:"fixes,omitempty"`   // newest first
	Windows []Window       `json:"windows,omitempty"` // newest first
	// Releases are those that touch the pair, oldest first: only on request.
	Releases []Shown `json:"releases,omitempty"`
}

// Kinds of a fix.
const (
	FixRevert = "revert"    // it takes the release back, and says so
	FixSaid   = "fix"       // its subject says that it repairs something
	FollowUp  = "follow-up" // it touches the same pair soon after, and does not say why
)

// Fix is a release after which the pair was touched again within a day, or that was reverted however much later.
type Fix struct {
	Release Commit `json:"release"`
	By      Commit `json:"by"`
	Kind    string `json:"kind"`            // "revert", "fix" or "follow-up"
	After   string `json:"after,omitempty"` // "2 h 20 min"; "" if the dates do not tell
}

// Window is two releases that touch the pair so soon after each other that a unit may see both at once, and the verdict
// where both are on their way together. Each has a verdict of its own as well.
type Window struct {
	Commits []Commit `json:"commits"` // oldest first
	Apart   string   `json:"apart"`   // "12 min"
	Verdict string   `json:"verdict"`
}

// Cause is the structure's history: a trade-off with its premises, no blame.
type Cause struct {
	// Since is the commit from which on two units deliver the pair; Born means that it never was otherwise.
	Since   *Commit `json:"since,omitempty"`
	Born    bool    `json:"born,omitempty"`
	Before  string  `json:"before,omitempty"` // how it was delivered before, one sentence
	Message string  `json:"message,omitempty"`
	// Joined is the commit from which on one unit delivers the pair again. Since is then about the time before.
	Joined *Commit `json:"joined,omitempty"`
	// Readers are the workloads that read the provider, at each commit that changes them, oldest first.
	Readers []Readers `json:"readers,omitempty"`
	// Copies are objects that held the same before, equal or drifting: the reason to share.
	Copies []Copy `json:"copies,omitempty"`
	// Lapsed is the commit since which the reason does not hold any more: one reader is left.
	Lapsed *Commit `json:"lapsed,omitempty"`
	// Assumed is the consumer that the question took away, and what then holds.
	Assumed string `json:"assumed,omitempty"`
}

// Readers are the workloads that read a provider from a commit on.
type Readers struct {
	From  Commit   `json:"from"`
	Names []string `json:"names"`
}

// Copy is an object that held what the provider holds today.
type Copy struct {
	Object string          `json:"object"`
	Unit   string          `json:"unit"`
	At     object.Location `json:"at"`
	// Drifted counts the commits at which its content was not that of the others.
	Drifted int     `json:"drifted"`
	Until   *Commit `json:"until,omitempty"`
}

// Side is whose files one end of the pair is written in, and by whom.
type Side struct {
	End        string    `json:"end"` // "consumer", "provider" or "filter"
	Unit       string    `json:"unit"`
	Paths      []string  `json:"paths"`
	Owner      string    `json:"owner,omitempty"`      // from CODEOWNERS, all of them in words
	Owners     []Owned   `json:"owners,omitempty"`     // by set of owners, over all paths that releases change
	Writers    []string  `json:"writers,omitempty"`    // who committed to the paths in the last year, in words
	Automation []Writing `json:"automation,omitempty"` // what writes them besides people
	Whose      string    `json:"whose,omitempty"`      // whose a change of this side would be, one sentence
}
