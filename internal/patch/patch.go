// Package patch writes changes of files: as the mails that git am takes, and into a work tree.
//
// In go the tree as it is and the files that change; out come bytes that are the same on every machine, since no git is run for
// them, or files on disk, all of them or none. It refuses to write over what is not what it was told, through a link, or into
// what may not be written.
package patch

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/source"
)

// Kind is what becomes of a file.
type Kind string

// The kinds of changes. What is copied or moved may change on its way.
const (
	Added   Kind = "added"
	Changed Kind = "changed"
	Deleted Kind = "deleted"
	Moved   Kind = "moved"
	Copied  Kind = "copied"
)

// Change is one file.
type Change struct {
	Path, From     string // From: of a file that is moved or copied
	Kind           Kind
	Old, New       []byte // Old is that of From, if there is one
	Executable     bool
	Binary         bool
	Added, Deleted int // lines

	hunks []hunk
}

// Changes are the files of an edit, by path: content by slash path, nil deletes; from names what a new file is a copy of.
func Changes(before source.Tree, files map[string][]byte, from map[string]string) []Change {
	var out []Change
	moved := map[string]string{} // old path to the new one
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old := from[name]
		data, deleted := files[old]
		if _, err := before.Stat(name); err == nil || old == "" || !deleted || data != nil || moved[old] != "" {
			continue
		}
		moved[old] = name
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == nil {
			for _, c := range deletions(before, name) {
				if moved[c.Path] == "" {
					out = append(out, c)
				}
			}
			continue
		}
		c := Change{Path: name, New: files[name], Kind: Added}
		old, err := before.ReadFile(name)
		switch {
		case err == nil:
			c.Kind, c.Old, c.Executable = Changed, old, executable(before, name)
			if bytes.Equal(old, c.New) {
				continue
			}
		case from[name] != "":
			if data, err := before.ReadFile(from[name]); err == nil && alike(data, c.New) {
				c.From, c.Old, c.Kind, c.Executable = from[name], data, Copied, executable(before, from[name])
				if moved[c.From] == name {
					c.Kind = Moved
				}
			}
		}
		if c.Kind == Added { // too different to be told as a copy: what it came from is deleted by itself
			for old, to := range moved {
				if to == name {
					out = append(out, deletions(before, old)...)
				}
			}
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Change) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	for i := range out {
		out[i].compare()
	}
	return out
}

// deletions are the files below a name that goes.
func deletions(before source.Tree, name string) []Change {
	var out []Change
	_ = fs.WalkDir(before, name, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, err := before.ReadFile(p)
			if err == nil {
				out = append(out, Change{Path: p, Kind: Deleted, Old: data, Executable: executable(before, p)})
			}
		}
		return nil
	})
	return out
}

func executable(t source.Tree, name string) bool {
	info, err := t.Stat(name)
	return err == nil && info.Mode()&0o111 != 0
}

// alike tells whether half of what is new was there before: then it reads as a copy.
func alike(a, b []byte) bool {
	return bytes.Equal(a, b) || similarity(a, b) >= 50
}

// similarity is the part of lines, in percent of bytes, that two texts have in common.
func similarity(a, b []byte) int {
	if binary(a) || binary(b) || max(len(a), len(b)) == 0 {
		return 0
	}
	common := 0
	for _, h := range script(lines(a), lines(b)) {
		if h.op == ' ' {
			common += len(h.text)
		}
	}
	return 100 * common / max(len(a), len(b))
}

// binary tells whether a file is no text that a mail brings over unchanged: a carriage return may be lost on the way.
func binary(data []byte) bool {
	return bytes.IndexByte(data, 0) >= 0 || bytes.IndexByte(data, '\r') >= 0
}

func (c *Change) compare() {
	if bytes.Equal(c.Old, c.New) {
		return
	}
	if c.Binary = binary(c.Old) || binary(c.New); c.Binary {
		return
	}
	all := script(lines(c.Old), lines(c.New))
	for _, l := range all {
		switch l.op {
		case '+':
			c.Added++
		case '-':
			c.Deleted++
		}
	}
	c.hunks = hunks(all)
}
