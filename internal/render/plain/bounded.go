package plain

import (
	"bytes"
	"errors"
	"io"

	yamlv3 "go.yaml.in/yaml/v3"
)

// expandedLimit bounds the text of a file after its aliases were replaced by what they stand for. A file without aliases
// is not measured: the tree bounds its size.
const expandedLimit = 32 << 20

var (
	errExpansion = errors.New("aliases expand to more than 32 MiB")
	errCycle     = errors.New("an alias contains itself")
)

// Bounded refuses YAML whose aliases expand to more than a renderer should hold, without expanding them. Text that is no
// YAML passes: whoever parses it next says so.
func Bounded(text []byte) error {
	if bytes.IndexByte(text, '&') < 0 || bytes.IndexByte(text, '*') < 0 {
		return nil
	}
	d := yamlv3.NewDecoder(bytes.NewReader(text))
	for {
		var doc yamlv3.Node
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return nil //nolint:nilerr // not ours to judge
		}
		m := measure{sizes: map[*yamlv3.Node]int{}}
		if _, err := m.size(&doc); err != nil {
			return err
		}
	}
}

// measure holds the expanded size of nodes; -1 while it is being worked out.
type measure struct {
	sizes map[*yamlv3.Node]int
}

func (m measure) size(n *yamlv3.Node) (int, error) {
	if n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	if known, ok := m.sizes[n]; ok {
		if known < 0 {
			return 0, errCycle
		}
		return known, nil
	}
	m.sizes[n] = -1
	total := len(n.Value) + 1
	for _, child := range n.Content {
		size, err := m.size(child)
		if err != nil {
			return 0, err
		}
		if total += size; total > expandedLimit {
			return 0, errExpansion
		}
	}
	m.sizes[n] = total
	return total, nil
}
