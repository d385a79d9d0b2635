package yamledit

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// refuse makes a Refusal about an offset.
func (f *File) refuse(at int, byHand, format string, args ...any) *Refusal {
	return &Refusal{f.line(at), fmt.Sprintf(format, args...), byHand}
}

// walk follows a path as far as it is written: to the last node that exists, so many steps down. It refuses to go where an edit
// would change other places, too.
func (f *File) walk(doc int, path Path) (n *node, steps int, err error) {
	n = f.docs[doc].root
	for ; ; steps++ {
		if err := f.editable(n, path[:steps]); err != nil || steps == len(path) {
			return n, steps, err
		}
		if n.Kind == yaml.AliasNode {
			return n, steps, f.refuse(n.start, "replace the alias by its own copy of the value, or edit the anchor there", "%s is the alias *%s of line %d",
				path[:steps], n.Value, n.Alias.Line)
		}
		if err := f.uniqueKeys(n); err != nil {
			return n, steps, err
		}
		i := n.index(path[steps])
		if i < 0 {
			return n, steps, nil
		}
		n = n.entries[i].value
	}
}

// written is walk for edits that need the place to exist.
func (f *File) written(doc int, path Path) (*node, error) {
	n, steps, err := f.walk(doc, path)
	switch {
	case err != nil || steps == len(path):
		return n, err
	case f.merged(n, path[steps]):
		return nil, f.refuse(n.start, "change the anchor that is merged, or write the key here first", "%s comes from a merge (<<) only", path[:steps+1])
	}
	return nil, f.refuse(n.start, "check the path", "%s does not exist, %s has no %q", path, path[:steps], fmt.Sprint(path[steps]))
}

// editable refuses nodes whose change would show elsewhere.
func (f *File) editable(n *node, path Path) error {
	if n.Anchor == "" || n.Kind == yaml.AliasNode {
		return nil
	}
	for _, a := range f.aliases {
		if a.Alias == n.Node {
			return f.refuse(n.start, "write the value out where the alias stands, then edit one of them", "%s has the anchor &%s, and line %d repeats it as *%s", path, n.Anchor, f.line(a.start), n.Anchor)
		}
	}
	return nil
}

// removable refuses to take out text with an anchor that is used outside of it.
func (f *File) removable(from, to int, nodes ...*node) error {
	var err error
	find := func(n *node) {
		for _, a := range f.aliases {
			if err == nil && a.Alias == n.Node && (a.start < from || a.start >= to) {
				err = f.refuse(n.start, "move the anchor to the place that uses it first", "the anchor &%s that would go is used in line %d", n.Anchor, f.line(a.start))
			}
		}
	}
	for _, n := range nodes {
		n.each(find)
	}
	return err
}

func (f *File) uniqueKeys(n *node) error {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	seen := map[string]int{}
	for _, e := range n.entries {
		if e.key.Kind != yaml.ScalarNode {
			continue
		}
		if at, twice := seen[e.key.Value]; twice {
			return f.refuse(e.start, "remove one of them first", "the key %q stands here and in line %d", e.key.Value, f.line(at))
		}
		seen[e.key.Value] = e.start
	}
	return nil
}

// merged tells whether a mapping gets a key from a merge.
func (f *File) merged(n *node, key any) bool {
	name, ok := key.(string)
	return ok && slices.ContainsFunc(n.entries, func(e entry) bool { return e.isMerge() && brings(e.value.Node, name, map[*yaml.Node]bool{}) })
}

// brings tells whether what is merged has a key: a mapping, an alias of one, or a list of those, which may merge others.
func brings(n *yaml.Node, name string, seen map[*yaml.Node]bool) bool {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if seen[n] { // aliases may form circles, and bombs
		return false
	}
	seen[n] = true
	for i, kid := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode && brings(kid, name, seen),
			n.Kind == yaml.MappingNode && i%2 == 0 && kid.Tag != mergeTag && kid.Value == name,
			n.Kind == yaml.MappingNode && i%2 == 0 && kid.Tag == mergeTag && brings(n.Content[i+1], name, seen):
			return true
		}
	}
	return false
}

// ordinary refuses entries whose surroundings are too odd for splices, and merges themselves.
func (f *File) ordinary(e *entry, in *node) error {
	switch {
	case e == nil:
		return &Refusal{1, "the whole document is no entry of anything", "delete or rewrite the document by hand"}
	case e.explicit:
		return f.refuse(e.start, "write the entry as \"key: value\" first", "the entry is written with an explicit key (\"? \")")
	case in.open:
		return f.refuse(e.start, "put braces around the pair first", "the pair stands in a list without braces")
	case e.isMerge():
		return f.refuse(e.start, "edit the merge by hand", "the entry is a merge (<<)")
	case e.key != nil && !e.key.written():
		return f.refuse(e.start, "give the entry a key first", "the key is empty")
	}
	return nil
}
