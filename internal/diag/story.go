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
	Judged  int            `json:"judged"`  // releases that were looked at, whether they touch the pair or not
	Touched int            `json:"touched"` // that change what the pair can see
	Both    int            `json:"both"`    // that change both ends
	By      map[string]int `json:"by"`      // those that touch it, by verdict
	First   *Commit        `json:"first,omitempty"`
	Last    *Commit        `json:"last,omitempty"`
	Fixes   []Fix          `json:"fixes,omitempty"` // newest first
}

// Fix is a release after which the pair was touched again within a day, or that was reverted.
type Fix struct {
	Release Commit `json:"release"`
	By      Commit `json:"by"`
	Kind    string `json:"kind"`  // "revert" or "follow-up"
	After   string `json:"after"` // "2 h 20 min"
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
	End     string   `json:"end"` // "consumer", "provider" or "filter"
	Unit    string   `json:"unit"`
	Paths   []string `json:"paths"`
	Owner   string   `json:"owner,omitempty"`   // from CODEOWNERS, else from commits, in words
	Writers []string `json:"writers,omitempty"` // who writes the paths in releases, in words
}
