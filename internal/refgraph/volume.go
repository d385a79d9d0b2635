package refgraph

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// volume is one volume of a pod: the ConfigMaps and Secrets in it, or the word for what else it is.
type volume struct {
	name    string
	sources []volumeSource // in the order of the files: a later one covers an earlier one
	other   string         // "emptyDir", "csi", ...; "" if it is a ConfigMap, a Secret or a projection
}

// volumeSource is one ConfigMap or Secret in a volume.
type volumeSource struct {
	kind     string
	name     string
	items    []volumeItem // none: every key, under its own name
	optional bool
	path     string // "spec.template.spec.volumes[0].configMap"
}

type volumeItem struct{ key, path string }

// mount is one entry of volumeMounts.
type mount struct {
	volume    string
	mountPath string // absolute and clean
	subPath   string // clean; "" for the whole volume
	dynamic   bool   // subPathExpr: known in the pod only
	path      string // "spec.template.spec.containers[0].volumeMounts[1]"
}

// mountsOf reads volumeMounts of a container.
func mountsOf(fields map[string]any, at string) []mount {
	var out []mount
	for i, e := range object.List(fields, "volumeMounts") {
		m := newMount(object.String(e, "name"), object.String(e, "mountPath"), object.String(e, "subPath"))
		m.dynamic = object.String(e, "subPathExpr") != ""
		m.path = fmt.Sprintf("%s.volumeMounts[%d]", at, i)
		out = append(out, m)
	}
	return out
}

// newMount cleans paths: a relative mount path counts from the root, as for the kubelet.
func newMount(volume, mountPath, subPath string) mount {
	if subPath = path.Clean(subPath); subPath == "." {
		subPath = ""
	}
	return mount{volume: volume, mountPath: path.Clean("/" + mountPath), subPath: subPath}
}

// volumesOf reads spec.volumes.
func volumesOf(spec map[string]any, at string) []volume {
	var out []volume
	for i, e := range object.List(spec, "volumes") {
		m, ok := e.(map[string]any)
		if !ok {
			continue
		}
		out = append(out, newVolume(m, fmt.Sprintf("%s.volumes[%d]", at, i)))
	}
	return out
}

func newVolume(m map[string]any, at string) volume {
	v := volume{name: object.String(m, "name")}
	if c := object.Map(m, "configMap"); c != nil {
		v.sources = append(v.sources, newSource("ConfigMap", "name", c, at+".configMap"))
	}
	if s := object.Map(m, "secret"); s != nil {
		v.sources = append(v.sources, newSource("Secret", "secretName", s, at+".secret"))
	}
	for i, e := range object.List(m, "projected", "sources") {
		part := fmt.Sprintf("%s.projected.sources[%d]", at, i)
		if c := object.Map(e, "configMap"); c != nil {
			v.sources = append(v.sources, newSource("ConfigMap", "name", c, part+".configMap"))
		}
		if s := object.Map(e, "secret"); s != nil {
			v.sources = append(v.sources, newSource("Secret", "name", s, part+".secret"))
		}
	}
	if len(v.sources) == 0 {
		for key := range m {
			if key != "name" && (v.other == "" || key < v.other) { // an API server takes one only
				v.other = key
			}
		}
	}
	v.sources = slices.DeleteFunc(v.sources, func(s volumeSource) bool { return s.name == "" })
	return v
}

func newSource(kind, nameField string, m map[string]any, at string) volumeSource {
	s := volumeSource{kind: kind, name: object.String(m, nameField), optional: object.Bool(m, "optional"), path: at}
	for _, e := range object.List(m, "items") {
		item := volumeItem{key: object.String(e, "key"), path: path.Clean(object.String(e, "path"))}
		s.items = append(s.items, item)
	}
	return s
}

// volumeReferences finds the ConfigMaps and Secrets in the volumes of a pod. Mounted as a directory they follow the
// provider (live); through a subPath they are read when the container starts. A volume that is mounted both ways gives
// both.
//
// A volume that nothing mounts is skipped by the kubelet (volumemanager's desired_state_of_world_populator.go): pods start
// without it. It is kept as exist, since somebody meant it to be there, and an injector may still mount it.
func (b *builder) volumeReferences(t *podTemplate) {
	for _, v := range t.volumes {
		uses := t.mountsOfVolume(v.name)
		for _, s := range v.sources {
			if len(uses) == 0 {
				b.volumeReference(t, s, Exist, "")
			}
			for _, m := range uses {
				b.mountedReferences(t, s, m)
			}
		}
	}
}

func (t *podTemplate) mountsOfVolume(name string) []mount {
	var out []mount
	for _, c := range t.containers {
		for _, m := range c.mounts {
			if m.volume == name {
				out = append(out, m)
			}
		}
	}
	for _, m := range t.sidecar {
		if m.volume == name {
			out = append(out, m)
		}
	}
	return out
}

func (b *builder) mountedReferences(t *podTemplate, s volumeSource, m mount) {
	how := Start
	if m.subPath == "" && !m.dynamic {
		how = Live
	}
	var keys []string
	for _, item := range s.items {
		if m.subPath == "" || item.path == m.subPath || strings.HasPrefix(item.path, m.subPath+"/") {
			keys = append(keys, item.key)
		}
	}
	if len(s.items) == 0 {
		if m.subPath == "" {
			keys = append(keys, "")
		} else if b.mayHold(core(s.kind, t.id(), s.name), m.subPath) {
			keys = append(keys, m.subPath)
		}
	}
	if len(keys) == 0 { // nothing of it shows through this mount, but the volume cannot be made without it
		b.volumeReference(t, s, Exist, "")
	}
	for _, key := range keys {
		b.volumeReference(t, s, how, key)
	}
}

func (b *builder) volumeReference(t *podTemplate, s volumeSource, how How, key string) {
	b.add(t.owner, Reference{
		Provider: core(s.kind, t.id(), s.name),
		How:      how,
		Key:      key,
		Optional: s.optional,
		Via:      t.via + s.path,
	})
}

// mayHold tells whether a ConfigMap or Secret has a key, as far as can be seen: yes if no unit renders it. Keys have no
// slashes.
func (b *builder) mayHold(id object.ID, key string) bool {
	if strings.Contains(key, "/") {
		return false
	}
	if len(b.objects[id]) == 0 {
		return true
	}
	return slices.ContainsFunc(b.objects[id], func(r Rendered) bool { return holds(r.Object, key) })
}

func holds(o object.Object, key string) bool {
	for _, field := range []string{"data", "binaryData", "stringData"} {
		if _, ok := object.Map(o.Fields, field)[key]; ok {
			return true
		}
	}
	return false
}
