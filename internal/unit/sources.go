package unit

import (
	"path"
	"slices"
	"strings"
)

// Lends tells whether a source renders to nothing and only lends its files to others, which call them $ref/path.
func (s Source) Lends() bool { return s.Ref != "" && s.Path == "" && s.Chart == "" }

// Holds tells whether a file of the source's repository lies below its path.
func (s Source) Holds(file string) bool {
	dir := path.Clean(s.Path)
	return s.Path != "" && (dir == "." || file == dir || strings.HasPrefix(file, dir+"/"))
}

// File is a file that a source names: a value file or one of its file parameters.
type File struct {
	Source int    // index of the source whose repository it lies in: the one that names it, or the one that lends it
	Path   string // from the top of that repository; patterns and variables are as they are written
}

// Files are the files that the sources of a unit name, in their order.
func (u Unit) Files() []File {
	var out []File
	for i, s := range u.Sources {
		if s.Helm == nil {
			continue
		}
		names := slices.Clone(s.Helm.ValueFiles)
		for _, p := range s.Helm.FileParameters {
			names = append(names, p.Path)
		}
		for _, name := range names {
			out = append(out, u.file(i, name))
		}
	}
	return out
}

func (u Unit) file(i int, name string) File {
	ref, rest, _ := strings.Cut(strings.TrimPrefix(name, "$"), "/")
	if k := slices.IndexFunc(u.Sources, func(s Source) bool { return s.Ref == ref }); strings.HasPrefix(name, "$") && k >= 0 && ref != "" {
		return File{k, path.Join(".", rest)}
	}
	if top, ok := strings.CutPrefix(name, "/"); ok {
		return File{i, path.Clean(top)}
	}
	return File{i, path.Join(u.Sources[i].Path, name)}
}
