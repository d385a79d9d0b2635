package kustomize

//lint:file-ignore SA1019 kustomizations in the wild use the deprecated fields, and so must be read with them.

import (
	"errors"
	"path"
	"regexp"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// Errors of kustomize are one string: the way down through the bases, each step with its own try and fail, then the
// reason, which may hold whole resources. What is shown is the reason alone, at the deepest file that the way names,
// without anything that was copied out of a file.

// imageVolume is what the image transformer says when it finds names where it looks for volumes that hold an image.
var imageVolume = regexp.MustCompile(`spec/volumes\[\]/image/reference' of object PodSecurityPolicy\.v1beta1\.policy/([^.]+)\.`)

// failed is the gap for a build that kustomize gave up.
func (b *build) failed(err error) diag.Gap {
	place, reason := trace(err.Error())
	k := b.closure.byDir[b.closure.top.dir]
	if name, err := inTree(place.dir); err == nil && b.closure.byDir[name] != nil {
		k = b.closure.byDir[name]
	}
	gap := diag.Gap{
		Reason: diag.RenderFailed,
		At:     object.Location{File: k.file},
		Close:  "run kustomize build " + b.closure.top.dir + ", and correct what it complains about",
	}
	if file := path.Join(k.dir, place.file); place.file != "" && b.closure.read[file] {
		gap.At.File = file
	}
	switch {
	case strings.Contains(reason, "MalformedYAMLError: "):
		_, reason, _ = strings.Cut(reason, "MalformedYAMLError: ")
		gap.Reason = diag.Unparsable
		gap.At.Line, reason = plain.Explain(errors.New(reason))
		gap.At.Line = b.brokenLine(gap.At.File, gap.At.Line)
	case strings.HasPrefix(reason, "no resource matches strategic merge patch"):
		gap.At = b.patch(k, reason)
		reason, _, _ = strings.Cut(reason, ": no matches for Id")
	case imageVolume.MatchString(reason):
		policy := imageVolume.FindStringSubmatch(reason)[1]
		reason = "kustomize's images field takes spec.volumes of PodSecurityPolicy " + policy +
			", a list of names, for the volumes of a pod, and fails; kustomize before 5.7 rendered it"
		gap.Close = "remove the policy (Kubernetes has none since 1.25)"
	}
	gap.Message = reason
	for _, secret := range b.closure.secrets() {
		if strings.Contains(reason, secret) {
			gap.Message = "kustomize gives a reason that quotes a Secret, so it is not shown"
		}
	}
	return gap
}

// brokenLine is where a file stops being YAML. kustomize counts from the start of a document; that is kept if nothing
// better can be told.
func (b *build) brokenLine(file string, told int) int {
	content, err := b.files.read(file)
	if err != nil {
		return told
	}
	var e *plain.Error
	if _, err := plain.Documents(file, content); errors.As(err, &e) {
		return e.Line
	}
	return min(told, plain.LastLine(content))
}

var patchID = regexp.MustCompile(`patch "?([A-Za-z0-9]+)\.[^/]*/([^ "]+)\.[^. "]+"?`)

// patch finds the strategic merge patch that an error speaks of.
func (b *build) patch(k *kustomization, reason string) object.Location {
	m := patchID.FindStringSubmatch(reason)
	if m == nil {
		return object.Location{File: k.file}
	}
	matches := func(file string, text []byte) int {
		objects, _ := plain.Documents(file, text)
		for _, o := range objects {
			if o.ID.Kind == m[1] && o.ID.Name == m[2] {
				return o.Origin.Line
			}
		}
		return 0
	}
	for _, u := range uses(&k.spec) {
		if u.field != "patches" && u.field != "patchesStrategicMerge" {
			continue
		}
		file := path.Join(k.dir, u.name)
		if text, err := b.files.read(file); err == nil {
			if line := matches(file, text); line > 0 {
				return object.Location{File: file, Line: line}
			}
		}
	}
	for _, p := range k.spec.Patches {
		if matches("", []byte(p.Patch)) > 0 {
			return object.Location{File: k.file, Line: k.lines.of("patches", p.Patch)}
		}
	}
	for _, p := range k.spec.PatchesStrategicMerge {
		if matches("", []byte(p)) > 0 {
			return object.Location{File: k.file, Line: k.lines.of("patchesStrategicMerge", string(p))}
		}
	}
	return object.Location{File: k.file}
}

// step is where an error happened, as far as it says.
type step struct {
	dir  string // of a kustomization, as kustomize sees it; "" for the first
	file string // relative to dir; "" if none is named
}

var (
	downTo   = regexp.MustCompile(`recursed accumulation of path '([^']*)': `)
	merging  = regexp.MustCompile(`^.*recursed merging from path '([^']*)': `)
	fromFile = regexp.MustCompile(`^(?:accumulating|merging) resources from '([^']*)': `)
	inFile   = regexp.MustCompile(` in File: (\S+)$`)
)

// trace splits an error into the last step of its way and the reason.
func trace(s string) (step, string) {
	s = withoutCopies(s)
	var at step
	if all := downTo.FindAllStringSubmatchIndex(s, -1); all != nil {
		last := all[len(all)-1]
		at.dir, s = s[last[2]:last[3]], s[last[1]:]
	}
	if m := merging.FindStringSubmatch(s); m != nil {
		return at, short("merging " + strings.TrimPrefix(m[1], mount+"/") + ": " + s[len(m[0]):])
	}
	if i := strings.LastIndex(s, "accumulation err='"); i >= 0 {
		s = s[i+len("accumulation err='"):]
	}
	s, _, _ = strings.Cut(s, "': must build at directory")
	s = strings.TrimPrefix(s, "accumulating components: accumulateDirectory: ")
	s = strings.TrimPrefix(strings.Trim(s, `"`), "accumulating resources: ")
	if m := fromFile.FindStringSubmatch(s); m != nil {
		at.file, s = m[1], s[len(m[0]):]
	}
	if m := inFile.FindStringSubmatch(s); m != nil {
		at.file, s = m[1], strings.TrimSuffix(s, m[0])
	}
	return at, short(strings.ReplaceAll(s, mount+"/", ""))
}

// copies are the forms in which kustomize puts text of files into its errors, and what stands for them.
var copies = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile("(?s) with config: `.*?`: "), ": "},
	{
		regexp.MustCompile(`(?s)(?:literal sources \[.*?\]: )?invalid literal source .*, expected key=value`),
		"a literal is not of the form key=value",
	},
	{regexp.MustCompile(`(?s)merging from generator &\{.*?\}: `), "merging what a generator gives: "},
	{regexp.MustCompile(`(?s)resid\.ResId\{.*Kind:"([^"]*)".*Name:"([^"]*)"[^}]*\}`), "$1 $2"},
	{regexp.MustCompile(`(?s) in object \{\{(\S*) (\S*)\}.*?\}\}`), " in an object $1 $2"},
	{regexp.MustCompile(`(?s) from \[patch: ".*"\]`), " from an inline patch"},
	{regexp.MustCompile(`(?s):? node contents:.*`), ""},
	{regexp.MustCompile(`(?s)decoding [\[{].*: (invalid character|unexpected end|json:)`), "decoding a JSON patch: $1"},
	{regexp.MustCompile(`(?s)has invalid utf8 bytes.*`), "is not UTF-8"},
	{regexp.MustCompile("(?s)`.*`|&\\{.*\\}|map\\[.*\\]"), "..."},
}

func withoutCopies(s string) string {
	for _, c := range copies {
		s = c.form.ReplaceAllString(s, c.with)
	}
	return s
}

// short is the first line of a message, at most 200 bytes of it.
func short(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "..."
	}
	return s
}
