package refgraph

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// presence says whether pods of a template have an Istio proxy. Injection also depends on how the injector was installed,
// so that often nothing in Git tells.
type presence int

const (
	proxyUnknown presence = iota
	proxyNo               // it is switched off, or the pods use the host's network, which the injector leaves alone
	proxyYes              // it is asked for on the pods or on the namespace, or written out as a container
)

// Labels and annotations of the injector (istio, pkg/kube/inject/inject.go, injectRequired).
const (
	injectKey        = "sidecar.istio.io/inject" // on pods, the label goes before the annotation
	injectNamespace  = "istio-injection"         // label of a Namespace
	revisionKey      = "istio.io/rev"            // label of pods or of a Namespace
	injectTemplates  = "inject.istio.io/templates"
	sidecarAnnotated = "sidecar.istio.io/"
)

// findProxy is asked once for each template; the answer is kept there.
func (b *builder) findProxy(t *podTemplate) presence {
	if t.hasContainer(proxyContainer) {
		return proxyYes
	}
	if object.Bool(t.spec, "hostNetwork") {
		return proxyNo
	}
	namespace := b.namespaceLabels(t.id())
	if namespace[injectNamespace] == "disabled" {
		return proxyNo
	}
	inject, ok := t.labels[injectKey]
	if !ok {
		inject = t.annotations[injectKey]
	}
	switch strings.ToLower(inject) {
	case "true", "y", "yes", "on":
		return proxyYes
	case "":
	default:
		return proxyNo
	}
	if t.labels[revisionKey] != "" || namespace[injectNamespace] == "enabled" || namespace[revisionKey] != "" {
		return proxyYes
	}
	for name := range t.annotations { // somebody configures a proxy that is therefore expected
		if strings.HasPrefix(name, sidecarAnnotated) && name != injectKey {
			return proxyYes
		}
	}
	return proxyUnknown
}

// isGateway tells whether the proxy is a gateway rather than a sidecar.
func (t *podTemplate) isGateway() bool {
	if strings.Contains(t.annotations[injectTemplates], "gateway") {
		return true
	}
	for _, c := range t.containers {
		if c.name == proxyContainer && slices.Contains(object.List(c.fields, "args"), any("router")) {
			return true
		}
	}
	return false
}

// proxyMounts are the mounts of the Istio proxy: its container's own, if it is written out, and those of the annotation.
func (t *podTemplate) proxyMounts() (mounts []mount, workDir string) {
	for _, c := range t.containers {
		if c.name == proxyContainer {
			mounts = append(mounts, c.mounts...)
			workDir = object.String(c.fields, "workingDir")
		}
	}
	return append(mounts, t.sidecar...), workDir
}

func (t *podTemplate) hasContainer(name string) bool {
	return slices.ContainsFunc(t.containers, func(c container) bool { return c.name == name })
}

func (b *builder) namespaceLabels(id object.ID) map[string]string {
	namespace := b.objects[namespaceOf(id)]
	if len(namespace) == 0 {
		return nil
	}
	return namespace[0].Object.Labels()
}
