// Package yamledit changes single places of YAML and JSON files and keeps every other byte: comments, quotes, indentation,
// line ends, markers, anchors.
//
// In goes the text of a file (a stream of documents) and a list of edits; out comes the new text. Existing lines are never
// written anew from decoded values: an edit is a few splices of the text, at offsets that this package found by walking the
// text along the tree of the parser. Every edit is verified before its result is returned: the result is parsed, its nodes
// have to be the old ones with exactly the asked change (kinds, tags, styles, anchors, aliases, order of keys), no comment may be
// lost, JSON has to stay JSON. A mistake in the surgery is therefore a Refusal, never a wrong file.
//
// Refused, with a line and what to do by hand, is whatever would change more than one place or cannot be read with
// certainty: templates, edits inside a node that an alias repeats elsewhere, mappings with duplicate keys, explicit keys
// ("? "), explicit tags, keys that only a merge ("<<") brings, UTF-16, line breaks other than LF and CRLF.
package yamledit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// File is one parsed text. It is immutable: Apply returns new bytes.
type File struct {
	text    []byte
	docs    []*document
	remarks []span  // comments, in order, "#" to the end of the line
	aliases []*node // alias nodes of all documents, in order
}

type document struct {
	marker int // offset of "---", -1 without
	prolog bool
	end    int // where its text ends, "..." included
	root   *node
}

// span is a range of bytes, the end excluded.
type span struct{ start, end int }

// Document tells what a document holds: its first line (from 1) and, of a Kubernetes object, how it is named.
type Document struct {
	Line                  int
	Kind, Namespace, Name string
	JSON                  bool
}

// Path leads from the root of a document to a node: a string is the key of a mapping, an int (from 0) an item of a sequence.
type Path []any

// String writes the path the way people quote it: metadata.annotations["a.b/c"], spec.sources[0].
func (p Path) String() string {
	text := ""
	for _, step := range p {
		switch key, named := step.(string); {
		case !named:
			text += fmt.Sprintf("[%v]", step)
		case key == "" || strings.ContainsAny(key, " .[]\"/"):
			text += fmt.Sprintf("[%q]", key)
		default:
			text += "." + key
		}
	}
	return cmp.Or(strings.TrimPrefix(text, "."), "the document")
}

// Refusal says why a place cannot be edited safely, and what to do by hand. Line is the line in the file, from 1; 0 when the
// reason has none.
type Refusal struct {
	Line   int
	Why    string
	ByHand string
}

// Error is "line N: why; what to do".
func (r *Refusal) Error() string {
	where := ""
	if r.Line > 0 {
		where = fmt.Sprintf("line %d: ", r.Line)
	}
	return where + r.Why + "; " + r.ByHand
}

// Edit is one change of one document: Set, Insert, Add, Delete, Rename, Wrap or DeleteDocument.
type Edit interface {
	plan(f *File, doc int) (*change, error)
}

// Documents lists what the file holds, in its order. The position in the list is the index that Apply takes.
func (f *File) Documents() []Document {
	var list []Document
	for i, d := range f.docs {
		doc := Document{Line: f.line(d.root.start), JSON: f.isJSON(d)}
		_, doc.Kind, _ = f.Lookup(i, Path{"kind"})
		_, doc.Name, _ = f.Lookup(i, Path{"metadata", "name"})
		_, doc.Namespace, _ = f.Lookup(i, Path{"metadata", "namespace"})
		list = append(list, doc)
	}
	return list
}

// Find returns the index of the one document that the predicate accepts, and an error if none or more than one does.
func (f *File) Find(accept func(kind, namespace, name string) bool) (int, error) {
	found := -1
	docs := f.Documents()
	for i, d := range docs {
		if !accept(d.Kind, d.Namespace, d.Name) {
			continue
		}
		if found >= 0 {
			return 0, &Refusal{d.Line, fmt.Sprintf("the object is defined here and in line %d", docs[found].Line), "remove one of the two first"}
		}
		found = i
	}
	if found < 0 {
		return 0, &Refusal{0, "the file has no such object", "edit the file that defines it"}
	}
	return found, nil
}

// Lookup tells whether a path leads to a node that is written in the document itself (not through an alias or a merge), the line
// where its value starts, and its text if it is a scalar.
func (f *File) Lookup(doc int, path Path) (line int, scalar string, ok bool) {
	if doc < 0 || doc >= len(f.docs) {
		return 0, "", false
	}
	n := f.docs[doc].root
	for _, step := range path {
		i := n.index(step)
		if i < 0 {
			return 0, "", false
		}
		n = n.entries[i].value
	}
	return f.line(n.start), n.Value, true
}

// Apply makes the edits one after another, each on the result of the one before, and returns the new text. Nothing is
// returned unless all of them can be made; the error is a *Refusal, its line counts in the text that the edit met.
func (f *File) Apply(doc int, edits ...Edit) ([]byte, error) {
	for _, edit := range edits {
		if doc < 0 || doc >= len(f.docs) {
			return nil, &Refusal{0, fmt.Sprintf("the file has no document %d", doc), "edit the file that has it"}
		}
		c, err := edit.plan(f, doc)
		if err != nil {
			return nil, err
		}
		if f, err = f.verified(c); err != nil {
			return nil, err
		}
	}
	return f.text, nil
}

func (f *File) isJSON(d *document) bool {
	return d.root.Style&yaml.FlowStyle != 0 && json.Valid(f.text[d.root.start:d.root.end])
}
