// Package edit makes the changes of a GitOps repository that a remedy consists of: an annotation, an object that another
// unit delivers, an Application with one more source or none at all, a name that changes with the content.
//
// In goes the tree of one revision with its snapshot; out comes an [Edit]: the files that change, and what then becomes of
// the rendered objects. Files are changed where they say something, by package yamledit, and keep every other byte; what
// moves keeps its bytes, so that Git sees it move. It refuses rather than guesses: a [Refusal] names the place, why it
// cannot be edited safely and what to do by hand. What an edit claims is tested by [law.Check] on the snapshot that is built
// of the edited tree, since only rendering knows.
//
// It does not render, does not choose a remedy and does not order the stages of one.
package edit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Editor makes edits of the tree of one revision. It changes nothing itself and may be used by several goroutines.
type Editor struct{ finder *declared.Finder }

// New makes an editor of a tree and the snapshot that was built of it. A unit that has one name under several roots is taken
// as one Application in several environments: an edit of one is an edit of all that share the file, and is claimed for all.
// The same holds for what alike lists: the environments of one root, units of each in the same order, such as the consumer's
// and the provider's. Everything else that shares a file is in the way of an edit.
func New(tree source.Tree, snap *snapshot.Snapshot, alike ...[]unit.ID) *Editor {
	f := declared.New(tree, snap)
	f.Alike = alike
	return &Editor{f}
}

// Refusal says why an edit cannot be made safely, and what to do by hand. It is an error.
type Refusal = declared.Refusal

// Edit is a set of changed files, as [source.Overlay] takes them, and what it comes to. The zero Edit changes nothing:
// what was asked for is so already.
type Edit struct {
	Files map[string][]byte // content by slash path, nil deletes
	From  map[string]string // of files that are new: which file they are a copy of
	Want  []law.Change      // what becomes of the rendered objects; nothing else does
	Gone  []unit.ID         // units that are no more, with all that they render
	Notes []string          // what whoever merges this has to know, one sentence each
	// Secrets are the files that have values of a Secret near what changes: a patch of them is not for the terminal or a log.
	Secrets []string
}

func newEdit() Edit { return Edit{Files: map[string][]byte{}, From: map[string]string{}} }

func (e *Edit) note(format string, args ...any) {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
}

// copyTo makes a file a copy of another one, with some content.
func (e *Edit) copyTo(to, from string, data []byte) { e.Files[to], e.From[to] = data, from }

// over is the edited tree.
func (e *Edit) over(t source.Tree) source.Tree { return source.Overlay(t, e.Files) }

// done is the edit of an object, or nothing of it if it could not be made.
func (e Edit) done(id object.ID, err error) (Edit, error) {
	if err != nil {
		return Edit{}, err
	}
	if id.Kind == "Secret" {
		e.Secrets = slices.Sorted(maps.Keys(e.Files))
	}
	return e, nil
}
