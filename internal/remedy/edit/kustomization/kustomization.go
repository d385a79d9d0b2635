// Package kustomization reads the kustomizations of a tree from text: who names which file, and what a kustomization does
// to an object.
//
// In goes a tree with the names of its kustomization files; out come decoded files and the entries in them. It builds
// nothing. Where it cannot tell whether a kustomization changes an object it says that it does.
package kustomization

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// File is one kustomization file.
type File struct {
	Name   string // slash path
	Fields map[string]any
}

// Dir is the directory that the entries count from.
func (f *File) Dir() string { return path.Dir(f.Name) }

// Is tells whether kustomize takes a file of this base name for a kustomization.
func Is(base string) bool {
	return base == "kustomization.yaml" || base == "kustomization.yml" || base == "Kustomization"
}

// Use is one entry that names a file or directory.
type Use struct {
	In   *File
	List string // top-level field: "resources", "configMapGenerator", ...
	At   int    // item of that list; of openapi -1
	Path string // slash path from the top of the tree, links not resolved
}

// Set is all kustomizations of a tree.
type Set struct {
	files map[string]*File // by directory
	lost  []string         // files that cannot be read
	uses  map[string][]Use // by what is named
}

// Read reads the files of these names.
func Read(t source.Tree, names []string) *Set {
	s := &Set{files: map[string]*File{}, uses: map[string][]Use{}}
	for _, name := range names {
		data, err := t.ReadFile(name)
		if err != nil {
			s.lost = append(s.lost, name)
			continue
		}
		f, err := Decode(name, data)
		if err != nil {
			s.lost = append(s.lost, name)
			continue
		}
		s.files[f.Dir()] = f
		for _, u := range f.Uses() {
			s.uses[u.Path] = append(s.uses[u.Path], u)
		}
	}
	return s
}

// Decode reads one file.
func Decode(name string, data []byte) (*File, error) {
	raw, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, err
	}
	fields, err := object.Decode(raw)
	if err != nil {
		return nil, err
	}
	return &File{Name: name, Fields: fields}, nil
}

// At is the kustomization of a directory, nil if there is none or it cannot be read.
func (s *Set) At(dir string) *File { return s.files[dir] }

// Naming lists the entries of all kustomizations that name a path.
func (s *Set) Naming(name string) []Use { return s.uses[name] }

// Unread are the kustomization files that nothing is known of.
func (s *Set) Unread() []string { return s.lost }

// Tops are the kustomizations, themselves included by none, that reach the one in dir; dir itself if none includes it.
func (s *Set) Tops(dir string) []string {
	var tops []string
	seen := map[string]bool{}
	var climb func(dir string)
	climb = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		included := false
		for _, u := range s.uses[dir] {
			included = true
			climb(u.In.Dir())
		}
		if !included {
			tops = append(tops, dir)
		}
	}
	climb(dir)
	slices.Sort(tops)
	return tops
}

// Reached are the directories of the kustomization in dir and of all that it includes, in the order of inclusion.
func (s *Set) Reached(dir string) []string {
	var all []string
	var descend func(dir string)
	descend = func(dir string) {
		f := s.files[dir]
		if f == nil || slices.Contains(all, dir) {
			return
		}
		all = append(all, dir)
		for _, u := range f.Uses() {
			descend(u.Path)
		}
	}
	descend(dir)
	return all
}

// Uses lists what a kustomization names in its own repository.
func (f *File) Uses() []Use {
	var all []Use
	add := func(list string, at int, entry string) {
		if entry == "" || strings.Contains(entry, "\n") || strings.Contains(entry, "://") || path.IsAbs(entry) {
			return
		}
		all = append(all, Use{In: f, List: list, At: at, Path: path.Join(f.Dir(), entry)})
	}
	for _, list := range []string{
		"resources", "bases", "components", "crds", "configurations", "patchesStrategicMerge", "generators", "transformers", "validators",
	} {
		for i, entry := range object.List(f.Fields, list) {
			if text, ok := entry.(string); ok {
				add(list, i, text)
			}
		}
	}
	for _, list := range []string{"patches", "patchesJson6902", "replacements"} {
		for i, entry := range object.List(f.Fields, list) {
			add(list, i, object.String(entry, "path"))
		}
	}
	add("openapi", -1, object.String(f.Fields, "openapi", "path"))
	for _, list := range []string{"configMapGenerator", "secretGenerator"} {
		for i, entry := range object.List(f.Fields, list) {
			for _, name := range sources(entry) {
				add(list, i, name)
			}
		}
	}
	for i, entry := range object.List(f.Fields, "helmCharts") {
		add("helmCharts", i, object.String(entry, "valuesFile"))
		for _, v := range object.List(entry, "additionalValuesFiles") {
			if text, ok := v.(string); ok {
				add("helmCharts", i, text)
			}
		}
	}
	return all
}

// sources are the files of a generator.
func sources(entry any) []string {
	var all []string
	for _, s := range object.List(entry, "files") {
		text, _ := s.(string)
		if _, name, keyed := strings.Cut(text, "="); keyed {
			text = name
		}
		all = append(all, text)
	}
	for _, s := range object.List(entry, "envs") {
		text, _ := s.(string)
		all = append(all, text)
	}
	return append(all, object.String(entry, "env"))
}
