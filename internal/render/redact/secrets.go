package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Keys whose values are taken for secrets, except those that name a thing beside them. A value that is no secret is
// redacted from messages for nothing: the safe side.
var (
	secretWord = regexp.MustCompile(`(?i)pass(word|wd|phrase)?|secret|token|api[_-]?key|private[_-]?key|credential`)
	namingWord = regexp.MustCompile(`(?i)(refs?|names?|namespaces?|enabled|create|generator|stores?|pullsecrets?)$`)
)

func secretKey(key string) bool { return secretWord.MatchString(key) && !namingWord.MatchString(key) }

// secretDocument matches the line that makes a document a Secret, in YAML, JSON or a template.
var secretDocument = regexp.MustCompile(`kind["']?\s*:\s*["']?Secret\b`)

// schemaDocument is in documents whose keys name fields, not values: their password is of "type: string".
const schemaDocument = "kind: CustomResourceDefinition"

// secrets collects the strings that no message may quote. It reads YAML as such, and line by line what is none: the file
// whose error is to be cleaned often is a template, or broken.
type secrets struct {
	found map[string]bool
}

// collect goes through a request and the files that were read for it.
func collect(req unit.Request, files map[string][]byte) *secrets {
	s := &secrets{found: map[string]bool{}}
	s.request(req)
	for name, data := range files {
		if !bytes.ContainsRune(data, 0) {
			s.file(name, string(data), files)
		}
	}
	return s
}

func (s *secrets) request(req unit.Request) {
	h := req.Source.Helm
	if h == nil {
		return
	}
	s.file("", h.Values, nil)
	s.document(h.ValuesObject)
	for _, p := range h.Parameters {
		if !secretKey(p.Name) {
			continue
		}
		s.add(p.Value)
		for _, part := range strings.FieldsFunc(p.Value, func(r rune) bool { return strings.ContainsRune(",={}\\", r) }) {
			s.add(part) // Helm's parser quotes the parts
		}
	}
}

// file goes through the documents of a file: a Secret both ways, since a key that stands twice is lost in the decoded
// form, anything else by lines only if it is no YAML.
func (s *secrets) file(name, text string, files map[string][]byte) {
	for _, doc := range documents(text) {
		v := decodeYAML(doc)
		s.document(v)
		s.generators(path.Dir(name), v, files)
		secret := secretDocument.MatchString(doc)
		if secret || v == nil && !strings.Contains(doc, schemaDocument) {
			s.lines(doc, secret || strings.Contains(doc, "secretGenerator"))
		}
	}
}

// document walks decoded YAML.
func (s *secrets) document(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["kind"] == "CustomResourceDefinition" {
			return
		}
		if v["kind"] == "Secret" {
			s.all(v["data"], true)
			s.all(v["stringData"], false)
		}
		if name, ok := v["name"].(string); ok && secretWord.MatchString(name) {
			s.all(v["value"], true) // an entry of a list of variables
		}
		for k, e := range v {
			if secretKey(k) {
				s.all(e, true)
			}
			s.document(e)
		}
	case []any:
		for _, e := range v {
			s.document(e)
		}
	}
}

// all adds every scalar below v; with decode, what its base64 stands for as well.
func (s *secrets) all(v any, decode bool) {
	switch v := v.(type) {
	case map[string]any:
		if isReference(v) {
			return
		}
		for _, e := range v {
			s.all(e, decode)
		}
	case []any:
		for _, e := range v {
			s.all(e, decode)
		}
	case string:
		s.add(v)
		if raw, err := base64.StdEncoding.DecodeString(v); decode && err == nil {
			s.add(string(raw))
		}
	case nil, bool:
	default:
		s.add(strings.TrimSpace(string(encoded(v))))
	}
}

// isReference tells whether a map only says where a secret lies, as a secretKeyRef does.
func isReference(m map[string]any) bool {
	if _, named := m["name"].(string); !named {
		return false
	}
	for k := range m {
		if !slices.Contains([]string{"name", "namespace", "key", "kind", "group", "apiVersion", "optional", "property", "version"}, k) {
			return false
		}
	}
	return true
}

// generators adds what the secretGenerator entries of a kustomization hold.
func (s *secrets) generators(dir string, kustomization any, files map[string][]byte) {
	for _, g := range object.List(kustomization, "secretGenerator") {
		s.all(object.Get(g, "literals"), false)
		for _, l := range object.List(g, "literals") {
			s.assignment(l)
		}
		envs := append(object.List(g, "envs"), object.Get(g, "env"))
		for _, e := range envs {
			name, _ := e.(string)
			for _, line := range strings.Split(string(files[path.Join(dir, name)]), "\n") {
				s.assignment(line)
			}
		}
		for _, f := range object.List(g, "files") {
			name, _ := f.(string)
			if _, after, ok := strings.Cut(name, "="); ok {
				name = after
			}
			s.add(string(files[path.Join(dir, name)]))
		}
	}
}

// assignment adds the value of a "key=value".
func (s *secrets) assignment(v any) {
	text, _ := v.(string)
	if _, value, ok := strings.Cut(text, "="); ok {
		s.add(value)
		s.add(strings.Trim(value, `"'`))
	}
}

// lines adds the values of lines whose key looks secret, and, when all is set, of the lines below data, stringData and
// secretGenerator. Lines that are indented deeper than such a key belong to it.
func (s *secrets) lines(text string, all bool) {
	inside := -1 // indentation of the key that made the lines below it secret
	variable := false
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		indent := strings.Index(line, trimmed)
		bare := strings.TrimLeft(trimmed, "- ")
		item := strings.HasPrefix(trimmed, "- ")
		template := strings.HasPrefix(trimmed, "{{") // its indentation says nothing
		if inside >= 0 && !template && (indent < inside || indent == inside && !item) {
			inside = -1
		}
		key, value := keyValue(bare)
		opens := all && (key == "data" || key == "stringData" || key == "secretGenerator")
		switch {
		case inside >= 0:
			s.scalar(bare)
			s.value(value)
		case opens, secretKey(key), variable && key == "value":
			inside = indent + len(trimmed) - len(bare)
			s.value(value)
		}
		variable = key == "name" && secretWord.MatchString(value)
	}
}

// assigned matches "key: value" and "key=value".
var assigned = regexp.MustCompile(`^["']?([\w.\-/]+)["']?\s*[:=]\s*(.*)$`)

// keyValue splits a line; both are empty when it is none of the above.
func keyValue(line string) (key, value string) {
	m := assigned.FindStringSubmatch(line)
	if m == nil {
		return "", ""
	}
	return m[1], m[2]
}

// scalar adds a scalar as written in a line: with and without quotes, comments and base64.
func (s *secrets) scalar(text string) {
	text = strings.TrimSpace(text)
	if i := strings.Index(text, " #"); i >= 0 {
		s.add(strings.TrimSpace(text[:i]))
	}
	s.add(text)
	bare := strings.Trim(text, `"'`)
	s.add(bare)
	if raw, err := base64.StdEncoding.DecodeString(bare); err == nil {
		s.add(string(raw))
	}
	s.assignment(bare)
}

// value adds what stands behind a key: a scalar, which may hold a colon if it is no YAML.
func (s *secrets) value(text string) {
	s.scalar(text)
	if before, after, ok := strings.Cut(text, ": "); ok {
		s.scalar(before)
		s.scalar(after)
	}
}

// shortest is the length below which a string is not redacted: it would hit by chance.
const shortest = 4

// add notes one secret, and each of its lines: errors quote lines.
func (s *secrets) add(text string) {
	for _, part := range append([]string{text}, strings.Split(text, "\n")...) {
		part = strings.TrimSpace(part)
		word := part == "true" || part == "false" || part == "null"
		if len(part) >= shortest && !word && !strings.HasSuffix(part, ":") {
			s.found[part] = true
		}
	}
}

var separator = regexp.MustCompile(`(?m)^---(?:[ \t].*)?$`)

// documents splits a YAML stream at its separators, without parsing it.
func documents(text string) []string { return separator.Split(text, -1) }

// decodeYAML decodes one document; nil when it is none.
func decodeYAML(text string) any {
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil
	}
	if _, isText := v.(string); isText {
		return nil // any text is a YAML string
	}
	return v
}
