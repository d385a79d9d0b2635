package refgraph

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// Annotations of a pod template that add volumes to the pod and mounts to the injected proxy. The injector writes each
// element of the JSON into the pod as it is, so that a list (whose elements have names) and a map by name both work, and
// then decodes the pod with encoding/json, to which "configmap" is as good as "configMap" (istio, injection-template.yaml
// and pkg/kube/inject/webhook.go).
const (
	userVolume      = "sidecar.istio.io/userVolume"
	userVolumeMount = "sidecar.istio.io/userVolumeMount"
)

// proxyContainer is the name of Istio's proxy, injected or written out.
const proxyContainer = "istio-proxy"

// sidecarVolume is a volume as encoding/json reads it.
type sidecarVolume struct {
	Name      string         `json:"name"`
	ConfigMap *sidecarSource `json:"configMap"`
	Secret    *sidecarSource `json:"secret"`
	Projected *struct {
		Sources []struct {
			ConfigMap *sidecarSource `json:"configMap"`
			Secret    *sidecarSource `json:"secret"`
		} `json:"sources"`
	} `json:"projected"`
}

type sidecarSource struct {
	Name       string `json:"name"`       // of a ConfigMap, and of a Secret in a projection
	SecretName string `json:"secretName"` // of a Secret
	Optional   bool   `json:"optional"`
	Items      []struct {
		Key  string `json:"key"`
		Path string `json:"path"`
	} `json:"items"`
}

type sidecarMount struct {
	Name        string `json:"name"`
	MountPath   string `json:"mountPath"`
	SubPath     string `json:"subPath"`
	SubPathExpr string `json:"subPathExpr"`
}

// readSidecar adds the volumes and mounts of the annotations to a template. A pod that gets no proxy gets none of them.
func (b *builder) readSidecar(t *podTemplate) {
	if t.proxy == proxyNo {
		return
	}
	volumes, err := elements[sidecarVolume](t.annotations[userVolume])
	if err != nil {
		b.sidecarGap(t, userVolume, err)
	}
	for _, e := range volumes {
		if e.value.Name == "" {
			e.value.Name = e.name
		}
		v := e.value.volume(fmt.Sprintf("%s.annotations[%s][%s]", t.meta, userVolume, e.name), e.raw)
		// The injector's volume replaces one of the pod's own that has its name.
		t.volumes = slices.DeleteFunc(t.volumes, func(o volume) bool { return o.name == v.name })
		t.volumes = append(t.volumes, v)
	}
	mounts, err := elements[sidecarMount](t.annotations[userVolumeMount])
	if err != nil {
		b.sidecarGap(t, userVolumeMount, err)
	}
	for _, e := range mounts {
		name := e.value.Name
		if name == "" {
			name = e.name
		}
		m := newMount(name, e.value.MountPath, e.value.SubPath)
		m.dynamic = e.value.SubPathExpr != ""
		m.path = fmt.Sprintf("%s.annotations[%s][%s]", t.meta, userVolumeMount, e.name)
		t.sidecar = append(t.sidecar, m)
	}
}

func (b *builder) sidecarGap(t *podTemplate, annotation string, err error) {
	b.gap(diag.Unparsable, t.at, "correct the JSON of the annotation",
		"annotation %s on the pods of %s cannot be read, so that the injector cannot make them: %v", annotation, t.holder, err)
}

// element is one entry of an annotation: its index in a list or its key in a map, as text.
type element[T any] struct {
	name  string
	raw   json.RawMessage
	value T
}

// elements reads the JSON of an annotation, in the order of the list or of the sorted keys; "" has none.
func elements[T any](text string) ([]element[T], error) {
	var out []element[T]
	switch text = strings.TrimLeft(text, " \t\r\n"); {
	case text == "":
	case text[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return nil, err
		}
		for i, raw := range list {
			out = append(out, element[T]{name: fmt.Sprint(i), raw: raw})
		}
	case text[0] == '{':
		var byName map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &byName); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			out = append(out, element[T]{name: name, raw: byName[name]})
		}
	default:
		return nil, errors.New("neither a list nor an object")
	}
	for i := range out {
		if err := json.Unmarshal(out[i].raw, &out[i].value); err != nil {
			return nil, fmt.Errorf("entry %s: %w", out[i].name, withoutGoTypes(err))
		}
	}
	return out, nil
}

// withoutGoTypes words a mismatch of types for people who do not know our structs.
func withoutGoTypes(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("%s cannot be a JSON %s", cmp.Or(mismatch.Field, "it"), mismatch.Value)
	}
	return err
}

func (v sidecarVolume) volume(at string, raw json.RawMessage) volume {
	out := volume{name: v.Name}
	add := func(s *sidecarSource, kind, name, path string) {
		if s != nil && name != "" {
			out.sources = append(out.sources, s.source(kind, name, path))
		}
	}
	if v.ConfigMap != nil {
		add(v.ConfigMap, "ConfigMap", v.ConfigMap.Name, at+".configMap")
	}
	if v.Secret != nil {
		add(v.Secret, "Secret", v.Secret.SecretName, at+".secret")
	}
	if v.Projected != nil {
		for i, s := range v.Projected.Sources {
			path := fmt.Sprintf("%s.projected.sources[%d]", at, i)
			if s.ConfigMap != nil {
				add(s.ConfigMap, "ConfigMap", s.ConfigMap.Name, path+".configMap")
			}
			if s.Secret != nil {
				add(s.Secret, "Secret", s.Secret.Name, path+".secret")
			}
		}
	}
	if len(out.sources) == 0 {
		fields, err := object.Decode(raw)
		if err == nil {
			out.other = newVolume(fields, at).other
		}
	}
	return out
}

func (s sidecarSource) source(kind, name, at string) volumeSource {
	out := volumeSource{kind: kind, name: name, optional: s.Optional, path: at}
	for _, i := range s.Items {
		out.items = append(out.items, volumeItem{key: i.Key, path: i.Path})
	}
	return out
}
