package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// pairs is a decoded mapping in its order; other decoded values are []any and "tag text". Aliases are written out, so that an edit
// which shows in a second place is seen.
type pairs []kv

type kv struct {
	key   any
	value any
}

func decode(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return decode(n.Alias)
	case yaml.MappingNode:
		out := pairs{}
		for i := 0; i < len(n.Content); i += 2 {
			out = append(out, kv{decode(n.Content[i]), decode(n.Content[i+1])})
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, kid := range n.Content {
			out = append(out, decode(kid))
		}
		return out
	}
	return n.Tag + " " + n.Value
}

func decodeAll(t *testing.T, text []byte) []any {
	t.Helper()
	var list []any
	for dec := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("the result does not parse: %v\n%s", err, text)
		}
		list = append(list, decode(n.Content[0]))
	}
}

// goValue is what a new value decodes to.
func goValue(v any) any {
	switch v := v.(type) {
	case nil:
		return "!!null null"
	case string:
		return "!!str " + v
	case int:
		return fmt.Sprint("!!int ", v)
	case bool:
		return fmt.Sprint("!!bool ", v)
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, goValue(item))
		}
		return out
	case Fields:
		out := pairs{}
		for _, f := range v {
			out = append(out, kv{"!!str " + f.Key, goValue(f.Value)})
		}
		return out
	}
	return fmt.Sprintf("no such value: %T", v)
}

// edited applies an edit to a decoded document. It is written without a look at the package: on values, not on text or nodes.
func edited(v any, edit Edit) any {
	switch e := edit.(type) {
	case Set:
		return at(v, e.Path, func(list any, step any) any {
			if m, ok := list.(pairs); ok && find(m, step) < 0 {
				return append(slices.Clone(m), kv{fmt.Sprint("!!str ", step), goValue(e.Value)})
			}
			return with(list, step, goValue(e.Value))
		})
	case Insert:
		return grown(v, e.Path, goValue(e.Value), e.After)
	case Add:
		add := func(list any) any {
			l, _ := list.([]any)
			i := e.At
			if i < 0 {
				i = len(l)
			}
			return slices.Insert(slices.Clone(l), i, goValue(e.Value))
		}
		if len(e.Path) == 0 {
			return add(v)
		}
		return at(v, e.Path, func(list any, step any) any { return with(list, step, add(child(list, step))) })
	case Delete:
		path := e.Path
		for e.Prune && len(path) > 1 && size(get(v, path[:len(path)-1])) == 1 {
			path = path[:len(path)-1]
		}
		return at(v, path, func(list any, step any) any {
			if m, ok := list.(pairs); ok {
				i := find(m, step)
				return slices.Delete(slices.Clone(m), i, i+1)
			}
			return slices.Delete(slices.Clone(list.([]any)), step.(int), step.(int)+1)
		})
	case Rename:
		return at(v, e.Path, func(list any, step any) any {
			m := slices.Clone(list.(pairs))
			m[find(m, step)].key = "!!str " + e.To
			return m
		})
	case Wrap:
		return at(v, e.Path, func(list any, step any) any { return with(list, step, []any{child(list, step)}) })
	}
	return "no such edit"
}

func grown(v any, path Path, leaf any, after string) any {
	m, _ := v.(pairs)
	i := find(m, path[0])
	if i >= 0 {
		return with(m, path[0], grown(m[i].value, path[1:], leaf, after))
	}
	if l, ok := v.([]any); ok {
		return with(l, path[0], grown(l[path[0].(int)], path[1:], leaf, after))
	}
	for k := len(path) - 1; k > 0; k-- {
		leaf = pairs{{fmt.Sprint("!!str ", path[k]), leaf}}
	}
	where := len(m)
	if after != "" {
		where = find(m, after) + 1
	}
	return slices.Insert(slices.Clone(m), where, kv{fmt.Sprint("!!str ", path[0]), leaf})
}

func at(v any, path Path, change func(list, step any) any) any {
	if len(path) == 1 {
		return change(v, path[0])
	}
	return with(v, path[0], at(child(v, path[0]), path[1:], change))
}

func find(m pairs, step any) int {
	return slices.IndexFunc(m, func(p kv) bool {
		text, ok := p.key.(string)
		_, value, _ := strings.Cut(text, " ")
		return ok && value == step
	})
}

func child(v, step any) any {
	if m, ok := v.(pairs); ok {
		return m[find(m, step)].value
	}
	return v.([]any)[step.(int)]
}

func get(v any, path Path) any {
	for _, step := range path {
		v = child(v, step)
	}
	return v
}

func size(v any) int {
	if m, ok := v.(pairs); ok {
		return len(m)
	}
	return len(v.([]any))
}

func with(v, step, value any) any {
	if m, ok := v.(pairs); ok {
		m = slices.Clone(m)
		m[find(m, step)].value = value
		return m
	}
	l := slices.Clone(v.([]any))
	l[step.(int)] = value
	return l
}

// changedLines are the lines that are only before and only after, when the longest common head and tail are left out.
func changedLines(before, after []byte) (gone, came []string, first int) {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	tail := 0
	for tail < min(len(a), len(b))-first && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return a[first : len(a)-tail], b[first : len(b)-tail], first
}
