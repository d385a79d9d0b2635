package protection

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// checksum: an annotation of the pods that stands for content. It changes with the template, which comes with the consumer's
// sync: it rolls pods, and they read what is there by then [D5.2], [D1.4].
func (p *pair) checksum() []diag.Protection {
	notes := object.StringMap(object.Get(object.PodTemplate(p.consumer), "metadata", "annotations"))
	for _, key := range sortedKeys(notes) {
		if k := strings.ToLower(key); strings.Contains(k, "checksum") || strings.HasSuffix(k, "hash") || strings.Contains(k, "sha256") {
			return one(Checksum, fmt.Sprintf("annotation %s on the pods of %s", key, p.consumer.ID),
				fmt.Sprintf("it changes when %s syncs, whatever %s has applied by then: it rolls pods, and waits for nothing",
					p.name(p.in.Consumer.Units), p.name(p.in.Provider.Units)), p.consumer.Origin)
		}
	}
	return nil
}

const (
	reloaderGroup = "reloader.stakater.com"
	waveUpdater   = "wave.pusher.com/update-on-config-change"
)

// reloader: pods are rolled after the provider has changed, with the image that is there by then [D5.6]. What the model calls
// sticky may end so; the other mix, of the old image with the new content, is opened instead.
func (p *pair) reloader() []diag.Protection {
	kind := strings.ToLower(p.in.Provider.Object.Kind)
	if p.in.Provider.Object.Group != "" || kind != "configmap" && kind != "secret" {
		return nil
	}
	own, pods := p.consumer.Annotations(), object.StringMap(object.Get(object.PodTemplate(p.consumer), "metadata", "annotations"))
	for _, notes := range []map[string]string{own, pods} {
		key := ""
		for _, k := range sortedKeys(notes) {
			if p.reloads(kind, k, notes[k]) {
				key = k
				break
			}
		}
		if key == "" {
			continue
		}
		if strings.HasSuffix(key, "/auto") && p.onlyByAnnotation() {
			return one(Reloader, fmt.Sprintf("annotation %s on %s", key, p.consumer.ID),
				"it looks at volumes and environment of the pod template, and this provider is named in an annotation alone: it is not followed", p.consumer.Origin)
		}
		return one(Reloader, fmt.Sprintf("annotation %s on %s", key, p.consumer.ID),
			"pods are rolled after the content has changed, with the image that is there by then: that may end a mix that would stay, and it "+
				"comes too late for the first pods and rolls the old image onto the new content if that comes first", p.consumer.Origin)
	}
	return nil
}

// onlyByAnnotation tells whether the pod template names the provider in annotations alone, as that of an injected proxy does: the
// reloader does not look there [D5.8].
func (p *pair) onlyByAnnotation() bool {
	found := false
	for _, r := range p.in.Snapshot.Graph.References {
		if r.Consumer != p.in.Consumer.Object || r.Provider != p.in.Provider.Object {
			continue
		}
		if found = true; !strings.Contains(r.Via, "annotations[") {
			return false
		}
	}
	return found
}

// reloads tells whether an annotation makes a reloader follow the provider.
func (p *pair) reloads(kind, key, value string) bool {
	switch key {
	case reloaderGroup + "/auto", kind + "." + reloaderGroup + "/auto", waveUpdater:
		return value == "true"
	case reloaderGroup + "/search":
		return value == "true" && p.provider.Annotations()[reloaderGroup+"/match"] == "true"
	case kind + "." + reloaderGroup + "/reload":
		for name := range strings.SplitSeq(value, ",") {
			name = strings.TrimSpace(name)
			if name == p.in.Provider.Object.Name {
				return true
			}
			if r, err := regexp.Compile("^(?:" + name + ")$"); len(name) < 200 && err == nil && r.MatchString(p.in.Provider.Object.Name) {
				return true
			}
		}
	}
	return false
}

// hashed is the end that a kustomize generator gives to a name.
var hashed = regexp.MustCompile(`^-[bcdfghkmt2456789]{10}$`)

// hash: a generator that is told to leave the hash out [D5.1], or one whose names another build does not know [D5.3].
func (p *pair) hash() []diag.Protection {
	g, ok := p.generator()
	if !ok {
		return nil
	}
	provider, consumers, providers := p.provider.ID, p.name(p.in.Consumer.Units), p.name(p.in.Provider.Units)
	switch {
	case g.off && p.in.Renamed: // the hash is written by hand, and changes
		return nil
	case g.off:
		return one(HashOff, fmt.Sprintf("%s is generated without the hash in its name", provider),
			"the name stays when the content changes, and every pod that is made from then on reads the new content, whatever its image", p.provider.Origin)
	}
	i := strings.Index(provider.Name, g.Name)
	if i < 0 || !hashed.MatchString(provider.Name[i+len(g.Name):]) {
		return nil
	}
	return one(HashElsewhere, fmt.Sprintf("the hash in the name of %s, which a generator of %s makes", provider, providers),
		fmt.Sprintf("names are rewritten inside one build: %s has this one as plain text, names no other content until it changes itself, and loses it when %s prunes",
			consumers, providers), p.provider.Origin)
}

// generator is an entry of a kustomization.
type generator struct {
	Name    string `yaml:"name"`
	Options struct {
		Off bool `yaml:"disableNameSuffixHash"`
	} `yaml:"options"`
	off bool
}

// generator finds the entry that makes the provider, in the kustomization that is its origin.
func (p *pair) generator() (generator, bool) {
	at := p.provider.Origin
	base := path.Base(at.File)
	if p.in.Tree == nil || at.Repository != "" || !slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, base) {
		return generator{}, false
	}
	text, err := p.in.Tree.ReadFile(at.File)
	if err != nil {
		return generator{}, false
	}
	var k struct {
		ConfigMaps []generator `yaml:"configMapGenerator"`
		Secrets    []generator `yaml:"secretGenerator"`
		Options    struct {
			Off bool `yaml:"disableNameSuffixHash"`
		} `yaml:"generatorOptions"`
	}
	if err := yaml.Unmarshal(text, &k); err != nil {
		return generator{}, false
	}
	list := k.ConfigMaps
	if p.provider.ID.Kind == "Secret" {
		list = k.Secrets
	}
	for _, g := range list {
		if g.Name != "" && strings.Contains(p.provider.ID.Name, g.Name) {
			g.off = g.Options.Off || k.Options.Off
			return g, true
		}
	}
	return generator{}, false
}

// immutable: the API server refuses a new content under the same name [D4.5], and no unit waits for another one [B7].
func (p *pair) immutable() []diag.Protection {
	if p.provider.Fields["immutable"] != true || p.in.Renamed {
		return nil
	}
	if g, ok := p.generator(); ok && !g.off {
		return nil
	}
	return one(Immutable, "immutable: true on "+p.provider.ID.String()+", whose name does not tell its content",
		fmt.Sprintf("a new content under this name is refused: %s stays old, and nothing holds %s back", p.name(p.in.Provider.Units), p.name(p.in.Consumer.Units)),
		p.provider.Origin)
}

// Annotations that give volumes to an injected proxy.
const (
	sidecarVolumes = "sidecar.istio.io/userVolume"
	sidecarMounts  = "sidecar.istio.io/userVolumeMount"
)

// subPath: such a mount is not refreshed, and bound anew when a container starts [D4.3].
func (p *pair) subPath() []diag.Protection {
	template := object.PodTemplate(p.consumer)
	volumes := object.List(template, "spec", "volumes")
	var mounts []any
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range object.List(template, "spec", list) {
			mounts = append(mounts, object.List(c, "volumeMounts")...)
		}
	}
	notes := object.StringMap(object.Get(template, "metadata", "annotations"))
	volumes, mounts = append(slices.Clone(volumes), listed(notes[sidecarVolumes])...), append(mounts, listed(notes[sidecarMounts])...)
	for _, v := range volumes {
		if !p.isProvider(v) {
			continue
		}
		for _, m := range mounts {
			if object.String(m, "name") != object.String(v, "name") || object.String(m, "subPath") == "" && object.String(m, "subPathExpr") == "" {
				continue
			}
			return one(SubPath, fmt.Sprintf("%s is mounted by subPath, which does not follow changes", p.provider.ID),
				"it is bound anew whenever a container starts: a pod that is made again, or a container that restarts, reads what is there by then", p.consumer.Origin)
		}
	}
	return nil
}

// listed reads a list in JSON.
func listed(text string) []any {
	var out []any
	if json.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}

// isProvider tells whether a volume is filled from the provider.
func (p *pair) isProvider(volume any) bool {
	id := p.in.Provider.Object
	name := func(of any) string {
		if id.Kind == "Secret" {
			return object.String(of, "secret", "secretName") + object.String(of, "secret", "name")
		}
		return object.String(of, "configMap", "name")
	}
	if name(volume) == id.Name {
		return true
	}
	return slices.ContainsFunc(object.List(volume, "projected", "sources"), func(s any) bool { return name(s) == id.Name })
}
