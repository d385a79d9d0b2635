package plain

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Documents reads the objects of one file as Argo CD does. A file whose name ends in .json holds one object; any other
// holds YAML documents or a stream of JSON values. Empty documents are dropped, lists are replaced by their items. A YAML
// file that fails before its first object and does not look like manifests (apiVersion:, kind: and metadata: somewhere)
// gives nothing and no error.
//
// The error is an [*Error]; the objects that stand before it in the file are returned with it. Origin.File is name, and
// Origin.Line is the first line of the object's content; for an item of a list, that of the item. Values are those of
// sigs.k8s.io/yaml: of a key given twice the last one counts.
func Documents(name string, content []byte) ([]object.Object, error) {
	objects, failed := documents(name, content)
	switch {
	case failed == nil:
		return objects, nil
	case failed.first && !strings.HasSuffix(name, ".json") && !looksLikeManifest(content):
		return nil, nil
	}
	failed.File = name
	return objects, failed
}

func looksLikeManifest(content []byte) bool {
	return bytes.Contains(content, []byte("apiVersion:")) && bytes.Contains(content, []byte("kind:")) &&
		bytes.Contains(content, []byte("metadata:"))
}

func documents(name string, content []byte) ([]object.Object, *Error) {
	content = bytes.TrimPrefix(content, byteOrderMark)
	if !utf8.Valid(content) {
		return nil, &Error{Line: invalidLine(content), Reason: "the file is not UTF-8 text", first: true}
	}
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	var chunks []chunk
	var failed *Error
	if strings.HasSuffix(name, ".json") {
		chunks, failed = single(content)
	} else {
		chunks, failed = split(content)
	}
	var all []object.Object
	first := true // no document with content yet
	for _, c := range chunks {
		objects, content, err := c.objects(name)
		all = append(all, objects...)
		if err != nil {
			err.first = first && !content
			return all, err
		}
		first = first && !content
	}
	if failed != nil {
		failed.first = first
	}
	return all, failed
}

func invalidLine(content []byte) int {
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 {
			return lineAt(content, i)
		}
		i += size
	}
	return 0
}

// objects reads one document: nothing if it is empty, the items if it is a list. The second result tells whether the
// document itself is one of Kubernetes, whatever its items are.
func (c chunk) objects(name string) ([]object.Object, bool, *Error) {
	fields, failed := c.decode()
	if failed != nil || fields == nil && !strings.HasSuffix(name, ".json") {
		return nil, false, failed
	}
	at := object.Location{File: name, Line: c.firstLine()}
	if object.String(fields, "kind") == "" {
		return nil, false, &Error{Line: at.Line, Reason: "the document has no kind"}
	}
	value, isList := fields["items"]
	if items, ok := value.([]any); ok {
		objects, failed := c.expand(items, at)
		return objects, true, failed
	}
	_, hasSpec := fields["spec"]
	_, hasStatus := fields["status"]
	if isList && value == nil && !hasSpec && !hasStatus {
		return nil, true, nil
	}
	return []object.Object{newObject(fields, at)}, true, nil
}

// expand gives the items of a list: of any kind, one level deep, as Argo CD does.
func (c chunk) expand(items []any, at object.Location) ([]object.Object, *Error) {
	lines := c.itemLines(len(items))
	objects := make([]object.Object, 0, len(items))
	for i, item := range items {
		if lines != nil {
			at.Line = lines[i]
		}
		fields, ok := item.(map[string]any)
		if !ok || object.String(fields, "kind") == "" {
			return objects, &Error{Line: at.Line, Reason: fmt.Sprintf("item %d of the list has no kind", i)}
		}
		objects = append(objects, newObject(fields, at))
	}
	return objects, nil
}

func newObject(fields map[string]any, at object.Location) object.Object {
	group, version := object.SplitAPIVersion(object.String(fields, "apiVersion"))
	kind := object.String(fields, "kind")
	return object.Object{
		ID: object.ID{
			Group:     object.CanonicalGroup(group, kind),
			Kind:      kind,
			Namespace: object.String(fields, "metadata", "namespace"),
			Name:      object.String(fields, "metadata", "name"),
		},
		Version: version,
		Fields:  fields,
		Origin:  at,
	}
}

// decode gives the values of a document; nil if it is empty.
func (c chunk) decode() (map[string]any, *Error) {
	raw := c.text
	if !c.json {
		if err := Bounded(c.text); err != nil {
			return nil, c.failure(err)
		}
		var err error
		if raw, err = yaml.YAMLToJSON(c.text); err != nil {
			return nil, c.failure(err)
		}
	}
	fields, err := object.Decode(raw)
	if err != nil {
		return nil, c.failure(err)
	}
	return fields, nil
}

// failure places an error that counts lines from the start of the document.
func (c chunk) failure(err error) *Error {
	line, reason := Explain(err)
	if line == 0 {
		return &Error{Line: c.firstLine(), Reason: reason}
	}
	return &Error{Line: c.line + max(1, min(line, LastLine(c.text))) - 1, Reason: reason}
}

// LastLine is the number of the last line that holds anything: where a text that ends too early is to blame.
func LastLine(text []byte) int { return bytes.Count(bytes.TrimSpace(text), []byte("\n")) + 1 }

// itemLines finds the lines of a list's items; nil if the positions cannot be told.
func (c chunk) itemLines(want int) []int {
	var doc yamlv3.Node
	if err := yamlv3.Unmarshal(c.text, &doc); err != nil || len(doc.Content) == 0 {
		return nil
	}
	top := doc.Content[0]
	var lines []int
	for i := 0; i+1 < len(top.Content); i += 2 {
		items := top.Content[i+1]
		if items.Kind == yamlv3.AliasNode {
			items = items.Alias
		}
		if top.Content[i].Value != "items" || items.Kind != yamlv3.SequenceNode {
			continue
		}
		lines = nil // of a key given twice the last one counts
		for _, item := range items.Content {
			lines = append(lines, c.line+item.Line-1)
		}
	}
	if len(lines) != want {
		return nil
	}
	return lines
}
