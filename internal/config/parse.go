package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/syncproof/syncproof/internal/unit"
)

// Error is a mistake in the configuration file.
type Error struct {
	File    string
	Line    int // 0 if the file as a whole is meant
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// document is the file as written. Parts whose shape belongs to someone else stay nodes.
type document struct {
	Version      int          `yaml:"version"`
	Roots        []yaml.Node  `yaml:"roots"`
	Repositories []yaml.Node  `yaml:"repositories"`
	Clusters     []Cluster    `yaml:"clusters"`
	Controller   *Controller  `yaml:"controller"`
	Kubernetes   *Kubernetes  `yaml:"kubernetes"`
	Pairs        []yaml.Node  `yaml:"pairs"`
	Suppress     []suppressed `yaml:"suppress"`
	Limits       limits       `yaml:"limits"`
}

type suppressed struct {
	ID     string `yaml:"id"`
	Reason string `yaml:"reason"`
	Until  string `yaml:"until"`
}

type limits struct {
	UnitTimeout  string `yaml:"unitTimeout"`
	UnitMemory   string `yaml:"unitMemory"`
	FileSize     string `yaml:"fileSize"`
	UnusualSteps *int   `yaml:"unusualSteps"`
	States       *int   `yaml:"states"`
}

// Parse reads the text of a configuration file. The name is only for messages. The error, if any, is an [*Error].
func Parse(name string, text []byte) (Config, error) {
	var doc document
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, explain(name, text, err)
	}
	if err := dec.Decode(new(document)); !errors.Is(err, io.EOF) {
		return Config{}, &Error{File: name, Message: "holds more than one document"}
	}
	p := parser{file: name, lines: keyLines(text), out: Default()}
	p.out.File = name
	p.version(doc.Version, len(bytes.TrimSpace(text)) == 0)
	p.roots(doc.Roots)
	p.repositories(doc.Repositories)
	p.clusters(doc.Clusters)
	p.controller(text, doc.Controller)
	p.kubernetes(doc.Kubernetes)
	p.pairs(doc.Pairs)
	p.limits(doc.Limits)
	p.inert(doc)
	if p.err != nil {
		return Config{}, p.err
	}
	return p.out, nil
}

// parser fills a Config and keeps the first mistake.
type parser struct {
	file  string
	lines map[string]int // line of each top-level key, and of those one level below as "limits.states"
	out   Config
	err   error
}

func (p *parser) fail(line int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{File: p.file, Line: line, Message: fmt.Sprintf(format, args...)}
	}
}

func (p *parser) version(v int, empty bool) {
	switch {
	case empty || v == 1:
	case v == 0 && p.lines["version"] == 0:
		p.fail(1, "version is missing; write `version: 1`")
	default:
		p.fail(p.lines["version"], "version %d is not known; this version reads 1", v)
	}
}

func (p *parser) roots(nodes []yaml.Node) {
	names := map[string]bool{}
	for _, n := range nodes {
		root := p.root(&n)
		if names[root.Name] {
			p.fail(n.Line, "root %q is named twice; give each root a name of its own", root.Name)
		}
		names[root.Name] = true
		p.out.Roots = append(p.out.Roots, root)
	}
}

// rootKeys are the keys of a root; all but name and namespace are what an Application source takes.
var rootKeys = []string{"path", "name", "namespace", "helm", "kustomize", "directory"}

func (p *parser) root(n *yaml.Node) Root {
	fields := p.mapping(n, "a root", rootKeys)
	name, _ := fields["name"].(string)
	namespace, _ := fields["namespace"].(string)
	delete(fields, "name")
	delete(fields, "namespace")
	source, err := unit.DecodeSource(fields)
	if err != nil {
		p.fail(n.Line, "%v", err)
	}
	p.unknownSourceKeys(n)
	switch {
	case source.Path == "":
		p.fail(n.Line, "a root needs a path")
	case strings.HasPrefix(source.Path, "/") || slices.Contains(strings.Split(source.Path, "/"), ".."):
		p.fail(n.Line, "path %q leaves the repository", source.Path)
	}
	if name == "" {
		name = source.Path
	}
	return Root{Name: name, Namespace: namespace, Source: source, Line: n.Line}
}

// sourceKeys are the keys that the blocks of a root take.
var sourceKeys = map[string][]string{
	"helm": {
		"releaseName", "valueFiles", "ignoreMissingValueFiles", "values", "valuesObject", "parameters", "fileParameters",
		"skipCrds", "skipSchemaValidation", "skipTests", "namespace", "kubeVersion", "apiVersions",
	},
	"kustomize": {
		"namePrefix", "nameSuffix", "namespace", "images", "replicas", "commonLabels", "commonAnnotations", "components",
		"patches", "kubeVersion", "apiVersions",
	},
	"directory": {"recurse", "include", "exclude"},
}

// unknownSourceKeys is stricter than reading an Application: there the API server drops unknown keys, here the user
// wrote them for us.
func (p *parser) unknownSourceKeys(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		block := n.Content[i].Value
		known, ok := sourceKeys[block]
		if !ok || n.Content[i+1].Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(n.Content[i+1].Content); j += 2 {
			key := n.Content[i+1].Content[j]
			if !slices.Contains(known, key.Value) {
				p.fail(key.Line, "unknown key %q in %s", key.Value, block)
			}
		}
	}
}

func (p *parser) repositories(nodes []yaml.Node) {
	for _, n := range nodes {
		fields := p.mapping(&n, "a repository", []string{"urls", "dir"})
		r := Repository{Line: n.Line}
		r.Dir, _ = fields["dir"].(string)
		urls, _ := fields["urls"].([]any)
		for _, u := range urls {
			s, ok := u.(string)
			if !ok || s == "" {
				p.fail(n.Line, "urls takes a list of strings")
				return
			}
			r.URLs = append(r.URLs, s)
		}
		if r.Dir == "" || len(r.URLs) == 0 {
			p.fail(n.Line, "a repository needs urls and a dir")
		}
		p.out.Repositories = append(p.out.Repositories, r)
	}
}

// mapping decodes a node and refuses keys that are not known.
func (p *parser) mapping(n *yaml.Node, what string, known []string) map[string]any {
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, "%s is a mapping with %s", what, strings.Join(known, ", "))
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(known, key.Value) {
			p.fail(key.Line, "unknown key %q in %s", key.Value, what)
		}
	}
	var fields map[string]any
	if err := n.Decode(&fields); err != nil {
		p.fail(n.Line, "%s", reason(err))
	}
	return fields
}

func (p *parser) clusters(list []Cluster) {
	line := p.lines["clusters"]
	seen := map[string]bool{}
	for _, c := range list {
		if c.Name == "" || c.Server == "" {
			p.fail(line, "a cluster needs a name and a server")
		}
		if seen[c.Name] || seen[c.Server] {
			p.fail(line, "cluster %q is listed twice", c.Name)
		}
		seen[c.Name], seen[c.Server] = true, true
	}
	p.out.Clusters = list
}

var versionPattern = regexp.MustCompile(`^v?\d+\.\d+(\.\d+)?$`)

func (p *parser) controller(text []byte, c *Controller) {
	if c == nil {
		return
	}
	line := p.lines["controller"]
	// Decoding into the defaults keeps what the file does not set.
	wrapped := struct {
		Controller *Controller `yaml:"controller"`
	}{&p.out.Controller}
	if err := yaml.Unmarshal(text, &wrapped); err != nil {
		p.fail(line, "%s", reason(err))
	}
	got := p.out.Controller
	if !versionPattern.MatchString(got.ArgoCD) {
		p.fail(line, "argocd: %q is no version such as 3.5", got.ArgoCD)
	}
	p.oneOf(line, "trigger", got.Trigger, "polling", "webhook")
	p.oneOf(line, "trackingMethod", got.TrackingMethod, "annotation", "label", "annotation+label")
}

func (p *parser) oneOf(line int, key, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		p.fail(line, "%s: %q is not one of %s", key, value, strings.Join(allowed, ", "))
	}
}

func (p *parser) kubernetes(k *Kubernetes) {
	if k == nil {
		return
	}
	if k.Version != "" {
		if !versionPattern.MatchString(k.Version) {
			p.fail(p.lines["kubernetes"], "kubernetes version %q is no version such as 1.35", k.Version)
		}
		p.out.Kubernetes.Version = k.Version
	}
	p.out.Kubernetes.APIVersions = k.APIVersions
}

func (p *parser) inert(doc document) {
	for _, pair := range p.out.Pairs {
		if pair.Serves == nil {
			p.out.Inert = append(p.out.Inert, Key{"a pair without serves", pair.Line})
		}
	}
	if len(doc.Suppress) > 0 {
		p.out.Inert = append(p.out.Inert, Key{"suppress", p.lines["suppress"]})
	}
}

// keyLines finds the line of each top-level key, and of the keys one level below.
func keyLines(text []byte) map[string]int {
	var root yaml.Node
	lines := map[string]int{}
	if yaml.Unmarshal(text, &root) != nil || len(root.Content) == 0 {
		return lines
	}
	for i := 0; i+1 < len(root.Content[0].Content); i += 2 {
		key, value := root.Content[0].Content[i], root.Content[0].Content[i+1]
		lines[key.Value] = key.Line
		if value.Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(value.Content); j += 2 {
			lines[key.Value+"."+value.Content[j].Value] = value.Content[j].Line
		}
	}
	return lines
}

var (
	unknownField = regexp.MustCompile(`^line (\d+): field (\S+) not found in type .*$`)
	wrongType    = regexp.MustCompile("^line (\\d+): cannot unmarshal !!(\\w+)(?: `.*`)? into .*$")
	onLine       = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)
)

// yamlTypes are YAML's short tags in words.
var yamlTypes = map[string]string{
	"seq": "list", "map": "mapping", "str": "string", "int": "number", "float": "number", "bool": "boolean",
}

// explain turns the decoder's error into one that speaks of the file and not of our types.
func explain(file string, content []byte, err error) error {
	text := reason(err)
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return &Error{File: file, Line: number(m[1]), Message: fmt.Sprintf("unknown key %q", m[2])}
	}
	if m := wrongType.FindStringSubmatch(text); m != nil {
		return &Error{File: file, Line: number(m[1]), Message: fmt.Sprintf("a %s cannot stand here", cmp.Or(yamlTypes[m[2]], m[2]))}
	}
	if m := onLine.FindStringSubmatch(text); m != nil {
		line := number(m[1])
		if strings.HasPrefix(m[2], "did not find expected") {
			// The grammar's own complaints count lines from 0, those of the scanner from 1.
			line = min(line+1, bytes.Count(bytes.TrimSpace(content), []byte("\n"))+1)
		}
		return &Error{File: file, Line: line, Message: m[2]}
	}
	return &Error{File: file, Message: text}
}

// reason is the first complaint of a YAML error.
func reason(err error) string {
	var typed *yaml.TypeError
	if errors.As(err, &typed) && len(typed.Errors) > 0 {
		return typed.Errors[0]
	}
	return err.Error()
}
