package diag

import "github.com/syncproof/syncproof/internal/object"

// Owned is who reviews a change of some files of a side.
type Owned struct {
	By    string   `json:"by,omitempty"` // "@org/team and 2 people"; "" if nobody is named
	Paths []string `json:"paths"`
}

// Writing is what writes a file of a side besides people: a pipeline, a program that keeps versions up to date, a controller.
type Writing struct {
	By   string          `json:"by"` // "the pipeline of ../api", "Renovate"
	At   object.Location `json:"at"` // where that is set up
	Path string          `json:"path,omitempty"`
	// Sure: it names the very file, and commits. Otherwise it may write it.
	Sure bool `json:"sure"`
}
