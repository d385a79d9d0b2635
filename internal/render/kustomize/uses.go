package kustomize

//lint:file-ignore SA1019 kustomizations in the wild use the deprecated fields, and so must be read with them.

import (
	"strings"

	"sigs.k8s.io/kustomize/api/types"
)

// role says what an entry may name.
type role int

const (
	aFile      role = iota // a file, taken as it is
	aYAML                  // a file that kustomize parses
	aResource              // a file of resources, or the directory of a kustomization
	aComponent             // the directory of a component
	aPlugin                // like aResource, but what it holds configures generators and transformers
)

// use is one entry of a kustomization that makes kustomize read something.
type use struct {
	field string // top-level field
	entry string // as written
	name  string // what of the entry is the path or address
	role  role
}

// uses lists everything that a kustomization makes kustomize read, in the order of its fields. Inline texts are no uses;
// see inline.
func uses(spec *types.Kustomization) []use {
	var all []use
	add := func(field string, role role, names ...string) {
		for _, name := range names {
			all = append(all, use{field: field, entry: name, name: name, role: role})
		}
	}
	add("resources", aResource, spec.Resources...)
	add("components", aComponent, spec.Components...)
	add("crds", aYAML, spec.Crds...)
	add("configurations", aYAML, spec.Configurations...)
	if name, ok := spec.OpenAPI["path"]; ok {
		add("openapi", aYAML, name)
	}
	for _, p := range spec.PatchesStrategicMerge {
		if !isInline(string(p)) {
			add("patchesStrategicMerge", aYAML, string(p))
		}
	}
	for _, p := range spec.Patches {
		if p.Path != "" {
			add("patches", aYAML, p.Path)
		}
	}
	for _, p := range spec.PatchesJson6902 {
		if p.Path != "" {
			add("patchesJson6902", aYAML, p.Path)
		}
	}
	for _, r := range spec.Replacements {
		if r.Path != "" {
			add("replacements", aYAML, r.Path)
		}
	}
	for _, list := range pluginFields(spec) {
		for _, entry := range list.entries {
			if !isInline(entry) {
				add(list.field, aPlugin, entry)
			}
		}
	}
	for _, g := range spec.ConfigMapGenerator {
		all = append(all, sourceUses("configMapGenerator", g.KvPairSources)...)
	}
	for _, g := range spec.SecretGenerator {
		all = append(all, sourceUses("secretGenerator", g.KvPairSources)...)
	}
	return all
}

// afterKey gives the path of an entry "path" or "key=path".
func afterKey(entry string) string {
	if _, name, ok := strings.Cut(entry, "="); ok {
		return name
	}
	return entry
}

// sourceUses are the files of one generator.
func sourceUses(field string, s types.KvPairSources) []use {
	var all []use
	for _, entry := range s.FileSources {
		all = append(all, use{field: field, entry: entry, name: afterKey(entry), role: aFile})
	}
	for _, entry := range s.EnvSources {
		all = append(all, use{field: field, entry: entry, name: entry, role: aFile})
	}
	if s.EnvSource != "" {
		all = append(all, use{field: field, entry: s.EnvSource, name: s.EnvSource, role: aFile})
	}
	return all
}

// pluginField is a field whose entries configure generators or transformers, inline or in files.
type pluginField struct {
	field   string
	entries []string
}

func pluginFields(spec *types.Kustomization) []pluginField {
	return []pluginField{
		{"generators", spec.Generators},
		{"transformers", spec.Transformers},
		{"validators", spec.Validators},
	}
}

// isInline tells a text that kustomize takes as YAML from a path or address. Kustomize tries to parse it; a path is never
// a mapping.
func isInline(entry string) bool {
	return !isRemote(entry) && (strings.Contains(entry, "\n") || strings.Contains(entry, ": ") || strings.HasPrefix(entry, "{"))
}

// inline gives the texts in a kustomization that kustomize parses as YAML of their own.
func inline(spec *types.Kustomization) []string {
	var texts []string
	for _, p := range spec.PatchesStrategicMerge {
		texts = append(texts, string(p))
	}
	for _, p := range spec.Patches {
		texts = append(texts, p.Patch)
	}
	for _, p := range spec.PatchesJson6902 {
		texts = append(texts, p.Patch)
	}
	for _, list := range pluginFields(spec) {
		texts = append(texts, list.entries...)
	}
	return texts
}
