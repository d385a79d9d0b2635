// Package flat compares JSON that one version of an API wrote with what a reader of another version expects.
//
// In go JSON values or serialized messages with their types; out come trees of leaves by path, in the names of the reader's
// API ([View]), and the gravest difference of two trees ([Tree.Against]). The package refuses to judge whether a difference
// matters to anybody.
package flat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// leaf is one scalar of a message as a client sees it.
type leaf struct {
	text  string // compared without regard to quotes
	shape wirejson.Kind
	any   bool // a value that the client's API cannot express: only its shape counts
	zero  bool // the default: in JSON as in proto3 an absent scalar and a zero are the same to most readers
}

// Tree is a message flattened to leaves by path, in the names of one API.
type Tree map[string]leaf

// Kind is what became of a value that was expected.
type Kind int

// The kinds, each graver than those before it.
const (
	Same    Kind = iota
	Shape        // it is there in another JSON type or structure
	Missing      // it is not there
	Value        // another value is there, or one that was not expected
)

// Difference is the gravest one of two trees.
type Difference struct {
	Kind   Kind
	Path   string // in the reader's names, "total.units", "items[0].id"
	Detail string // in words, "a string instead of a number"; "" where the kind says it all
}

// Against says what became of the data that was expected. Shapes count only where a reader of JSON is meant.
func (t Tree) Against(got Tree, shapes bool) Difference {
	worst := Difference{}
	note := func(k Kind, at, text string) {
		if k > worst.Kind {
			worst = Difference{k, strings.TrimPrefix(at, "+"), text}
		}
	}
	for _, at := range sortedKeys(t) {
		want := t[at]
		have, ok := got[at]
		switch {
		case !ok && want.zero:
		case !ok && shapes && got.near(at):
			note(Shape, at, got.structure(at))
		case !ok && at[0] != '+':
			note(Missing, at, "")
		case !ok, want.zero && have.zero:
		case shapes && want.shape != have.shape && at[0] != '+' && !have.zero:
			note(Shape, at, shapeWord(have.shape)+" instead of "+shapeWord(want.shape))
		case !want.any && !have.any && want.text != have.text:
			note(Value, at, strconv.Quote(clip(have.text))+" instead of "+strconv.Quote(clip(want.text)))
		case (want.any || have.any) && !shapes && want.text != have.text:
			note(Value, at, "in another form")
		}
	}
	for _, at := range sortedKeys(got) {
		switch _, ok := t[at]; {
		case ok, got[at].zero, shapes && t.near(at):
		case shapes && got[at].text == "": // zero values are left out, so this one is no value of its field
			note(Shape, at, shapeWord(got[at].shape)+" instead of none")
		default:
			note(Value, at, strconv.Quote(clip(got[at].text))+", which was not sent")
		}
	}
	return worst
}

// near says that the tree has the path with or without an index, or as another structure.
func (t Tree) near(at string) bool { return t.structure(at) != "" }

// structure says how the tree has what stands at a path elsewhere; "" if it has nothing there.
func (t Tree) structure(at string) string {
	for _, other := range sortedKeys(t) {
		switch rest, ok := strings.CutPrefix(other, at); {
		case !ok || rest == "":
		case rest[0] == '[':
			return "an array instead of one value"
		case rest[0] == '.', rest[0] == '{':
			return "an object instead of one value"
		}
		switch rest, ok := strings.CutPrefix(at, other); {
		case !ok || rest == "":
		case rest[0] == '[':
			return "one value instead of an array"
		case rest[0] == '.', rest[0] == '{':
			return "one value instead of an object"
		}
	}
	return ""
}

func shapeWord(k wirejson.Kind) string {
	switch k {
	case wirejson.Bool:
		return "true or false"
	case wirejson.String:
		return "a string"
	case wirejson.Uint, wirejson.Int, wirejson.Double:
		return "a number"
	case wirejson.List:
		return "an array"
	case wirejson.Object:
		return "an object"
	}
	return "null"
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

func sortedKeys(t Tree) []string {
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
