package kustomize

//lint:file-ignore SA1019 kustomizations in the wild use the deprecated fields, and so must be read with them.

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/pkg/util"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/buildenv"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Argo CD applies spec.source.kustomize by running "kustomize edit" in the source directory before the build
// (util/kustomize/kustomize.go, Build). What those commands do to the file is modelled here on kustomize's
// commands/edit/{set,add}/*.go; fields of the file do not depend on each other, so only errors show the order.

// edited gives the kustomization file as the build sees it, as JSON, which is YAML.
func edited(t source.Tree, k *kustomization, content []byte, settings *unit.Kustomize, env *buildenv.Variables) ([]byte, error) {
	if settings == nil || isEmpty(settings) {
		return yaml.YAMLToJSON(content)
	}
	spec := k.spec
	if err := edit(t, k.dir, &spec, settings, env); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(spec)
	if err != nil || len(settings.Patches) == 0 {
		return raw, err
	}
	fields, err := object.Decode(raw)
	if err != nil {
		return nil, err
	}
	patches := slices.Clone(object.List(fields, "patches"))
	for i, p := range settings.Patches {
		patch, ok := p.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("patch %d of the Application is no mapping", i)
		}
		patches = append(patches, known(patch))
	}
	fields["patches"] = patches
	return json.Marshal(fields)
}

func isEmpty(s *unit.Kustomize) bool {
	return s.NamePrefix == "" && s.NameSuffix == "" && s.Namespace == "" && len(s.Images) == 0 && len(s.Replicas) == 0 &&
		len(s.CommonLabels) == 0 && len(s.CommonAnnotations) == 0 && len(s.Components) == 0 && len(s.Patches) == 0
}

// known drops what the Application's schema drops.
func known(patch map[string]any) map[string]any {
	out := map[string]any{}
	for _, field := range []string{"path", "patch", "options"} {
		if v, ok := patch[field]; ok {
			out[field] = v
		}
	}
	if target, ok := patch["target"].(map[string]any); ok {
		selector := map[string]any{}
		for _, field := range []string{"group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector"} {
			if v, ok := target[field]; ok {
				selector[field] = v
			}
		}
		out["target"] = selector
	}
	return out
}

func edit(t source.Tree, dir string, spec *types.Kustomization, s *unit.Kustomize, env *buildenv.Variables) error {
	if s.NamePrefix != "" {
		spec.NamePrefix = s.NamePrefix
	}
	if s.NameSuffix != "" {
		spec.NameSuffix = s.NameSuffix
	}
	if err := setImages(spec, s.Images, env); err != nil {
		return err
	}
	setReplicas(spec, s.Replicas)
	labels := map[string]string{}
	for name, value := range s.CommonLabels {
		labels[name] = env.Expand(value)
	}
	var err error
	if spec.CommonLabels, err = add("label", spec.CommonLabels, labels); err != nil {
		return err
	}
	if spec.CommonAnnotations, err = add("annotation", spec.CommonAnnotations, s.CommonAnnotations); err != nil {
		return err
	}
	if s.Namespace != "" {
		spec.Namespace = s.Namespace
	}
	spec.Components, err = addComponents(t, dir, spec.Components, s.Components)
	return err
}

// add is "edit add label" and "edit add annotation" without --force: a key that the file has already is an error. Each
// pair goes through the form name:value, which loses double quotes around the value.
func add(kind string, have, more map[string]string) (map[string]string, error) {
	if len(more) == 0 {
		return have, nil
	}
	out := maps.Clone(have)
	if out == nil {
		out = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(more)) {
		if _, ok := have[name]; ok {
			return nil, fmt.Errorf("%s %s of the Application is in the kustomization already, which kustomize edit refuses", kind, name)
		}
		value := more[name]
		if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
			value = value[1 : len(value)-1]
		}
		out[name] = value
	}
	return out, nil
}

func setReplicas(spec *types.Kustomization, replicas []unit.Replica) {
	if len(replicas) == 0 {
		return
	}
	byName := map[string]types.Replica{}
	for _, r := range slices.Backward(spec.Replicas) { // of a name given twice the first one counts
		byName[r.Name] = r
	}
	for _, r := range replicas {
		byName[r.Name] = types.Replica{Name: r.Name, Count: r.Count}
	}
	spec.Replicas = sortedValues(byName)
}

// sortedValues gives the values in the order of their keys.
func sortedValues[V any](m map[string]V) []V {
	out := make([]V, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[key])
	}
	return out
}

// setImages is "edit set image": an entry replaces the one of the same name; "*" keeps that part of it.
func setImages(spec *types.Kustomization, images []string, env *buildenv.Variables) error {
	if len(images) == 0 {
		return nil
	}
	set := map[string]types.Image{}
	for _, written := range images {
		image, err := parseImage(env.Expand(written))
		if err != nil {
			return err
		}
		set[image.Name] = image
	}
	all := maps.Clone(set)
	kept := map[string]types.Image{} // of a name given twice in the file the first one counts
	for _, have := range spec.Images {
		if _, ok := kept[have.Name]; !ok {
			kept[have.Name] = have
		}
	}
	for name, have := range kept {
		image, ok := set[name]
		if !ok {
			image = have
		}
		all[name] = image
	}
	for name, image := range all {
		have := kept[name]
		all[name] = types.Image{
			Name:    name,
			NewName: keep(image.NewName, have.NewName),
			NewTag:  keep(image.NewTag, have.NewTag),
			Digest:  keep(image.Digest, have.Digest),
		}
	}
	spec.Images = sortedValues(all)
	return nil
}

// keep resolves "*": what the file has, if it has something.
func keep(part, have string) string {
	switch {
	case part != "*":
		return part
	case have != "*":
		return have
	}
	return ""
}

// parseImage reads name=new:tag@digest and its shorter forms.
func parseImage(arg string) (types.Image, error) {
	key, value, renamed := strings.Cut(arg, "=")
	if !renamed {
		value = arg
	}
	name, tag, digest := util.SplitImageName(value)
	if name == arg {
		return types.Image{}, fmt.Errorf("image %q of the Application has neither a tag, a digest nor a new name", shown(arg))
	}
	image := types.Image{Name: name, NewTag: tag, Digest: digest}
	if renamed && key != "" {
		image.Name, image.NewName = key, name
	}
	return image, nil
}

// addComponents is "edit add component", which expands patterns and skips what the file names already.
func addComponents(t source.Tree, dir string, have, more []string) ([]string, error) {
	out := slices.Clone(have)
	for _, pattern := range more {
		names := []string{pattern}
		if strings.ContainsAny(pattern, `*?[\`) && !isRemote(pattern) {
			matches, err := fs.Glob(t, path.Join(dir, pattern))
			if err != nil {
				return nil, fmt.Errorf("component pattern %q of the Application: %w", shown(pattern), err)
			}
			if len(matches) > 0 {
				names = names[:0]
			}
			for _, match := range matches {
				if base := path.Base(match); base[0] != '.' || path.Base(pattern)[0] == '.' {
					names = append(names, relative(dir, match))
				}
			}
		}
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// relative is the shortest way from a directory of the tree to a name of it.
func relative(dir, name string) string {
	if dir == "." {
		return name
	}
	up := ""
	for dir != "." && !strings.HasPrefix(name, dir+"/") {
		up, dir = "../"+up, path.Dir(dir)
	}
	if dir != "." {
		name = strings.TrimPrefix(name, dir+"/")
	}
	return up + name
}
