package diag

import "github.com/syncproof/syncproof/internal/object"

// Protection is something of the repository that looks as if it kept the two ends of a pair in step, and does not.
type Protection struct {
	Kind string          `json:"kind"` // a heading of docs/protections.md: "application-waves"
	What string          `json:"what"` // "sync-wave 0 on Application config and 1 on Application api"
	Why  string          `json:"why"`  // why it does not, one sentence
	At   object.Location `json:"at,omitzero"`
}
