package history

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Image is a container image reference, "registry.example.com/shop/api:v1.9.0@sha256:...", in its parts.
type Image struct {
	Name   string // with registry and path
	Tag    string // "" if there is none
	Digest string // "sha256:...", "" if there is none
}

// ParseImage splits a reference. What is no reference is all name.
func ParseImage(s string) Image {
	name, digest, _ := strings.Cut(s, "@")
	i := Image{Name: name, Digest: digest}
	if colon := strings.LastIndexByte(name, ':'); colon > strings.LastIndexByte(name, '/') {
		i.Name, i.Tag = name[:colon], name[colon+1:]
	}
	return i
}

// label is what people call an image when its name is clear.
func (i Image) label() string {
	switch {
	case i.Tag != "":
		return i.Tag
	case i.Digest != "":
		return i.Digest[:min(len(i.Digest), len("sha256:")+7)]
	}
	return i.Name
}

// literal is the part of a reference that a commit writes to bring the image.
func (i Image) literal() string {
	if i.Digest != "" {
		return i.Digest[strings.IndexByte(i.Digest, ':')+1:]
	}
	return i.Tag
}

var (
	// validTag is what registries take (OCI distribution specification, "Pulling manifests").
	validTag = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$`)

	validDigest = regexp.MustCompile(`^[a-z0-9+._-]+:[0-9a-f]+$`)

	digit = regexp.MustCompile(`[0-9]`)
	// gitHash is the beginning of a commit's hash, of seven digits or more.
	gitHash = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	// movingName is what tags are called that are written again with each build of a channel or of a branch.
	movingName = regexp.MustCompile(`(?i)(^|[-_.])(latest|snapshot)$|^latest[-_.]|^(pr|mr|branch|feature|feat|fix|bugfix|hotfix)[-_.]`)
	// pinned is what makes a build of a branch one build: its commit, or the time it was made.
	pinned = regexp.MustCompile(`(^|[-_.])([0-9a-f]{7,40}|[0-9]{8,14})$`)
)

// mutable says why a reference may stand for another image tomorrow, "" if nothing says so. A tag without a digit is the
// name of a channel or of a branch ("main", "stable"), unless it is a commit's hash by chance. A version, also a short one
// ("v1", "1.2"), is taken to be one build: Git does not tell who moves them.
func (i Image) mutable() string {
	switch {
	case validDigest.MatchString(i.Digest):
		return ""
	case i.Digest != "":
		return "has a digest that is none"
	case i.Tag == "":
		return "has no tag"
	case !validTag.MatchString(i.Tag):
		return "has a tag that no registry takes"
	case gitHash.MatchString(i.Tag):
		return ""
	case !digit.MatchString(i.Tag), movingName.MatchString(i.Tag) && !pinned.MatchString(i.Tag):
		return "has a tag that moves, " + i.Tag
	}
	return ""
}

// templatePath says where a workload keeps the spec of its pods, by its kind. A PodTemplate is no workload.
func templatePath(id object.ID) ([]string, bool) {
	keys, ok := object.TemplatePath(id.Group, id.Kind)
	if !ok || id.Kind == "PodTemplate" {
		return nil, false
	}
	return append(keys, "spec"), true
}

// container is what counts of one container here.
type container struct{ name, image string }

// containers gives those of a workload's own pod template: none for a Rollout that takes that of another object.
func containers(o object.Object, lists ...string) []container {
	keys, ok := templatePath(o.ID)
	if !ok {
		return nil
	}
	var out []container
	for _, list := range lists {
		for _, c := range object.List(object.Map(o.Fields, keys...), list) {
			if image := object.String(c, "image"); image != "" {
				out = append(out, container{object.String(c, "name"), image})
			}
		}
	}
	return out
}

// proxies are containers, by name, and images, by the last part of theirs, of proxies: they serve what another image
// offers. A pod that has nothing else serves nothing itself.
var proxies = []string{"istio-proxy", "linkerd-proxy", "envoy", "envoy-proxy", "proxyv2", "envoy-distroless"}

func (c container) isProxy() bool {
	return slices.Contains(proxies, c.name) || slices.Contains(proxies, path.Base(ParseImage(c.image).Name)) || c.image == "auto"
}

// applications are the containers that are neither proxies nor there to prepare the pod.
func applications(o object.Object) []container {
	return slices.DeleteFunc(containers(o, "containers"), container.isProxy)
}

// Images gives the images of the pod template of a Deployment, Rollout, StatefulSet, DaemonSet, ReplicaSet,
// ReplicationController, Job, CronJob or Pod, each once, in the order of the template: of its containers without proxies
// and init containers. A Rollout with a workloadRef has none: its template is another object's.
func Images(o object.Object) []string { return imagesOf(applications(o)) }

func imagesOf(list []container) []string {
	var out []string
	for _, c := range list {
		if !slices.Contains(out, c.image) {
			out = append(out, c.image)
		}
	}
	return out
}

// ImageOf gives the image of a workload that serves: the one whose name is want, or ends with it after a slash; if want is
// "", the only one there is. False if that leaves none or several.
func ImageOf(consumer object.Object, want string) (string, bool) {
	images := Images(consumer)
	if want != "" {
		images = slices.DeleteFunc(images, func(i string) bool { return !isNamed(i, want) })
	}
	if len(images) != 1 {
		return "", false
	}
	return images[0], true
}

func isNamed(image, want string) bool {
	name := ParseImage(image).Name
	return name == want || strings.HasSuffix(name, "/"+want)
}

// Serving gives, for two revisions of a workload, the images that serve, in this order: the one that is called want; the
// only one there is; that of the only container whose image changed; all of them, to be asked for as a whole. A workload
// that a revision lacks (a zero Object) has none.
func Serving(before, after object.Object, want string) (old, now []string) {
	if want != "" {
		return only(ImageOf(before, want)), only(ImageOf(after, want))
	}
	a, b := applications(before), applications(after)
	if len(a) > 1 || len(b) > 1 {
		if from, to, ok := changedImage(a, b); ok {
			return []string{from}, []string{to}
		}
	}
	return imagesOf(a), imagesOf(b)
}

func only(image string, ok bool) []string {
	if !ok {
		return nil
	}
	return []string{image}
}

// changedImage finds the only container that is in both lists and has another image in the second.
func changedImage(before, after []container) (from, to string, ok bool) {
	changes := 0
	for _, a := range before {
		for _, b := range after {
			if a.name == b.name && a.image != b.image {
				from, to = a.image, b.image
				changes++
			}
		}
	}
	return from, to, changes == 1
}
