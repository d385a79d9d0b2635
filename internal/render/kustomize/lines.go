package kustomize

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/syncproof/syncproof/internal/render/plain"
)

// lines finds places in the text of one kustomization file. Values are never taken from here: they come from the reader
// that kustomize itself uses. A place that cannot be found is line 0.
type lines struct {
	top *yaml.Node // the mapping; nil if the text has none
}

// formerly are names of fields that kustomize still reads and moves.
var formerly = map[string]string{
	"bases": "resources", "imageTags": "images", "helmChartInflationGenerator": "helmCharts",
}

func newLines(content []byte) lines {
	var doc yaml.Node
	if err := yaml.Unmarshal(content, &doc); err != nil || len(doc.Content) == 0 {
		return lines{}
	}
	top := resolved(doc.Content[0])
	if top.Kind != yaml.MappingNode {
		return lines{}
	}
	return lines{top: top}
}

func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// each calls f for the values of a field under all names that it had, until f returns true.
func (l lines) each(field string, f func(key, value *yaml.Node) bool) {
	if l.top == nil {
		return
	}
	for i := 0; i+1 < len(l.top.Content); i += 2 {
		key := l.top.Content[i]
		now := key.Value
		for old, moved := range formerly {
			if strings.EqualFold(key.Value, old) {
				now = moved
			}
		}
		if strings.EqualFold(now, field) && f(key, resolved(l.top.Content[i+1])) {
			return
		}
	}
}

// key is the line of a field of the file.
func (l lines) key(field string) int {
	line := 0
	l.each(field, func(key, _ *yaml.Node) bool {
		line = key.Line
		return true
	})
	return line
}

// anyKey is the line of the first key of that name on any level.
func (l lines) anyKey(name string) int {
	if l.top == nil {
		return 0
	}
	line := 0
	walk(l.top, func(n *yaml.Node) bool {
		if n.Kind != yaml.MappingNode {
			return false
		}
		for i := 0; i < len(n.Content); i += 2 {
			if strings.EqualFold(n.Content[i].Value, name) {
				line = n.Content[i].Line
				return true
			}
		}
		return false
	})
	return line
}

// of is the line of a value inside a field, or that of the field if the value is not found there.
func (l lines) of(field, value string) int {
	line := 0
	l.each(field, func(_, n *yaml.Node) bool {
		return walk(n, func(n *yaml.Node) bool {
			if n.Kind == yaml.ScalarNode && n.Value == value {
				line = n.Line
				return true
			}
			return false
		})
	})
	if line == 0 {
		line = l.key(field)
	}
	return line
}

// entries gives name and line of each mapping in the list of a field: generators, charts.
func (l lines) entries(field string) []place {
	var places []place
	l.each(field, func(_, list *yaml.Node) bool {
		for _, entry := range list.Content {
			entry = resolved(entry)
			p := place{line: entry.Line}
			for i := 0; entry.Kind == yaml.MappingNode && i+1 < len(entry.Content); i += 2 {
				if strings.EqualFold(entry.Content[i].Value, "name") {
					p.name = resolved(entry.Content[i+1]).Value
				}
			}
			places = append(places, p)
		}
		return false
	})
	return places
}

// plugin is the line of the inline configuration of a generator or transformer.
func (l lines) plugin(kind, name string) int {
	line := 0
	for _, field := range []string{"generators", "transformers"} {
		l.each(field, func(_, list *yaml.Node) bool {
			for _, entry := range list.Content {
				objects, _ := plain.Documents("", []byte(resolved(entry).Value))
				for _, o := range objects {
					if o.ID.Kind == kind && o.ID.Name == name {
						line = entry.Line
					}
				}
			}
			return false
		})
	}
	return line
}

// walk visits a node and what is below it, not following aliases, until visit returns true.
func walk(n *yaml.Node, visit func(*yaml.Node) bool) bool {
	if visit(n) {
		return true
	}
	for _, child := range n.Content {
		if walk(child, visit) {
			return true
		}
	}
	return false
}
