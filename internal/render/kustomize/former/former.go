// Package former reads what older versions of kustomize took and today's refuses, so that the history of a repository can be
// rendered with today's. In go texts and objects, out come texts that mean the same to today's kustomize. It translates only where
// the meaning is the same by definition, and leaves everything else as it is.
package former

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/object"
)

// What the two translations mean, in one sentence each.
const (
	PatchList = "strategic merge patches stand in a list under patches: in some kustomizations, as kustomize before 2.1 had it: " +
		"they are read so, although today's kustomize refuses them"
	PolicyVolumes = "the images: of some kustomizations stand beside PodSecurityPolicies: they are read as kustomize before 5.7 read them, " +
		"although today's takes the volumes of a policy for those of a pod, and fails"
)

// Patches moves a list of strings under patches to patchesStrategicMerge, which is what kustomize 2.1 renamed it to. It is false if
// there is none. The result is JSON.
func Patches(content []byte) ([]byte, bool) {
	if !bytes.Contains(content, []byte("patches:")) && !bytes.Contains(content, []byte(`"patches"`)) {
		return nil, false
	}
	text, err := sigs.YAMLToJSON(content)
	if err != nil {
		return nil, false
	}
	fields, err := object.Decode(text)
	if err != nil {
		return nil, false
	}
	list, ok := fields["patches"].([]any)
	if !ok || len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { _, text := v.(string); return !text }) {
		return nil, false
	}
	more, isList := fields["patchesStrategicMerge"].([]any)
	if fields["patchesStrategicMerge"] != nil && !isList {
		return nil, false
	}
	delete(fields, "patches")
	fields["patchesStrategicMerge"] = append(slices.Clone(list), more...)
	out, err := json.Marshal(fields)
	return out, err == nil
}

const (
	policy  = "PodSecurityPolicy"
	volumes = "volumes"
	// aside is what the volumes of a policy are called while kustomize works.
	aside = "volumesOfPolicy"
)

// HidePolicies gives the volumes of PodSecurityPolicies, which are a list of names, another key, so that no transformer takes them for
// the volumes of a pod. Lines stay where they are. It is false if there are none.
func HidePolicies(content []byte) ([]byte, bool) {
	if !bytes.Contains(content, []byte(policy)) {
		return nil, false
	}
	var keys []*yaml.Node
	for dec := yaml.NewDecoder(bytes.NewReader(content)); ; {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false
		}
		if key := policyVolumes(&doc); key != nil {
			keys = append(keys, key)
		}
	}
	lines := bytes.SplitAfter(content, []byte("\n"))
	for _, key := range keys {
		line := lines[key.Line-1]
		from := offset(line, key.Column-1)
		if from < 0 || from+len(volumes) > len(line) || string(line[from:from+len(volumes)]) != volumes {
			return nil, false // in quotes
		}
		lines[key.Line-1] = slices.Concat(line[:from], []byte(aside), line[from+len(volumes):])
	}
	return bytes.Join(lines, nil), len(keys) > 0
}

// offset is where the n-th character of a line begins; -1 if it is shorter.
func offset(line []byte, n int) int {
	at := 0
	for ; n > 0; n-- {
		if at == len(line) {
			return -1
		}
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}

// policyVolumes is the key of a policy's list of volumes; nil if the document is no policy.
func policyVolumes(doc *yaml.Node) *yaml.Node {
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	if _, kind := field(root, "kind"); kind == nil || kind.Value != policy {
		return nil
	}
	_, spec := field(root, "spec")
	if spec == nil {
		return nil
	}
	key, list := field(spec, volumes)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return key
}

func field(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// ShowPolicy gives the volumes of a policy their key back. It changes the object's fields.
func ShowPolicy(o object.Object) {
	spec, ok := o.Fields["spec"].(map[string]any)
	if o.ID.Kind != policy || !ok || spec[aside] == nil {
		return
	}
	spec[volumes] = spec[aside]
	delete(spec, aside)
}
