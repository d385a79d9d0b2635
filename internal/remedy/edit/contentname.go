package edit

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

const (
	syncOptions = "argocd.argoproj.io/sync-options"
	pruneLast   = "PruneLast=true"
	userVolume  = "sidecar.istio.io/userVolume"
)

// ContentName makes the name of a ConfigMap or Secret change with its content, and the consumer that the same unit renders
// follow. The object becomes immutable, and the old one is pruned last.
func (e *Editor) ContentName(in unit.ID, provider, consumer object.ID) (Edit, error) {
	p, err := e.finder.Locate(in, provider)
	if err != nil {
		return Edit{}, err
	}
	c, err := e.finder.Locate(in, consumer)
	if err != nil {
		return Edit{}, err
	}
	options := p.Object.Annotations()[syncOptions]
	switch {
	case !provider.IsConfig():
		return Edit{}, declared.Refuse(p.At(), "name it by hand", "only a ConfigMap or a Secret is named by its content")
	case strings.Contains(options, "Prune=false"):
		return Edit{}, declared.Refuse(p.At(), "take Prune=false away first", "the object is not to be pruned, so that every version of it would stay")
	}
	if err := e.unread(p, c); err != nil {
		return Edit{}, err
	}
	if !strings.Contains(options, pruneLast) {
		options = strings.TrimPrefix(options+","+pruneLast, ",")
	}
	out := newEdit()
	switch {
	case p.Tool == unit.KustomizeTool && p.How == declared.Generator:
		err = e.hashGenerator(&out, p, c, options)
	case p.Tool == unit.HelmTool && p.How == declared.Templated && c.Mask != nil:
		err = e.hashTemplate(&out, p, c, options)
	default:
		err = declared.Refuse(p.At(), "let a generator of Kustomize or a template make it", "nothing that makes the object can name it by its content")
	}
	for _, r := range p.All {
		doc := annotated(r.Object.Fields, syncOptions, options)
		doc["immutable"] = true
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: doc, Suffixed: true})
	}
	return out.done(provider, err)
}

// unread refuses if something reads the object that will not follow.
func (e *Editor) unread(p, c *declared.Place) error {
	for _, r := range e.finder.Snap.Graph.References {
		if !slices.ContainsFunc(p.All, func(a declared.Rendered) bool { return a.Object.ID == r.Provider }) ||
			r.Descriptor != nil && r.Descriptor.Filter == r.Consumer { // it names the file that a pod has
			continue
		}
		same := !slices.ContainsFunc(r.ConsumerUnits, func(id unit.ID) bool { return !e.finder.Kin(id, p.Unit.ID) })
		alike := func(a declared.Rendered) bool { return a.Object.ID == r.Consumer }
		if !same || p.Tool != unit.KustomizeTool && !slices.ContainsFunc(c.All, alike) {
			return declared.Refuse(r.At, "name it there by hand, too", "%s reads the object by its name", r.Consumer)
		}
		if p.Tool == unit.KustomizeTool && !rewritten(r.Consumer) {
			return declared.Refuse(r.At, "tell kustomize (configurations: with a nameReference) where the kind names it, then try again",
				"kustomize does not follow names into %s", r.Consumer)
		}
		if strings.Contains(r.Via, "annotations[") && (!slices.ContainsFunc(c.All, alike) || !strings.Contains(r.Via, "annotations["+userVolume+"]")) {
			return declared.Refuse(r.At, "declare the volume in the pod's spec first", "kustomize does not follow names into %s", r.Via)
		}
	}
	return nil
}

// rewritten tells whether kustomize writes generated names into an object of a kind by itself (its builtin
// nameReference configuration).
func rewritten(id object.ID) bool {
	switch id.Group + "/" + id.Kind {
	case "apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet", "batch/Job", "batch/CronJob", "/Pod", "/ReplicationController":
		return true
	}
	return false
}

// hashGenerator lets kustomize name what it generates.
func (e *Editor) hashGenerator(out *Edit, p, c *declared.Place, options string) error {
	off := p.Path("options", "disableNameSuffixHash")
	_, text, written := p.YAML.Lookup(p.Doc, off)
	switch {
	case fields.Hashed.MatchString(p.Object.ID.Name) && !written:
		return declared.Refuse(p.At(), "leave it as it is", "the object is named by its content already")
	case object.Bool(p.In.Fields, "generatorOptions", "disableNameSuffixHash"), !written || text != "true":
		return declared.Refuse(p.At(), "take it out of generatorOptions, and set it in the entries that need it", "it is not the entry that says disableNameSuffixHash: true")
	}
	immutable := p.Path("options", "immutable")
	edits := []yamledit.Edit{}
	if _, text, ok := p.YAML.Lookup(p.Doc, immutable); !ok {
		edits = append(edits, yamledit.Insert{Path: immutable, Value: true})
	} else if text != "true" {
		edits = append(edits, yamledit.Set{Path: immutable, Value: true})
	}
	edits = append(edits, option(p, p.Path("options", "annotations", syncOptions), options)...)
	data, err := p.Apply(append(edits, yamledit.Delete{Path: off})...)
	if err != nil {
		return err
	}
	out.Files[p.File] = data
	if volumes := object.String(c.Object.Fields, "spec", "template", "metadata", "annotations", userVolume); strings.Contains(volumes, p.Object.ID.Name) {
		return e.podVolume(out, p, c, volumes)
	}
	return nil
}

// option sets an annotation that may be there.
func option(p *declared.Place, at yamledit.Path, value string) []yamledit.Edit {
	switch _, text, ok := p.YAML.Lookup(p.Doc, at); {
	case !ok:
		return []yamledit.Edit{yamledit.Insert{Path: at, Value: value}}
	case text != value:
		return []yamledit.Edit{yamledit.Set{Path: at, Value: value}}
	}
	return nil
}

// podVolume declares in the pod's spec what an annotation for the injector declares as text [E5.5]: kustomize follows names
// into the one and not into the other. The mount stays where it is.
func (e *Editor) podVolume(out *Edit, p, c *declared.Place, volumes string) error {
	byHand := "declare the volume in the pod's spec by hand"
	var list []map[string]any
	if err := json.Unmarshal([]byte(volumes), &list); err != nil || len(list) != 1 {
		return declared.Refuse(c.At(), byHand, "the annotation %s is not one volume", userVolume)
	}
	holder := map[string]string{"ConfigMap": "configMap", "Secret": "secret"}[p.Object.ID.Kind]
	key := map[string]string{"ConfigMap": "name", "Secret": "secretName"}[p.Object.ID.Kind]
	if len(list[0]) != 2 || object.String(list[0], holder, key) != p.Object.ID.Name {
		return declared.Refuse(c.At(), byHand, "the annotation %s is not a volume of %s alone", userVolume, p.Object.ID)
	}
	template := c.Path("spec", "template")
	annotation := append(slices.Clone(template), "metadata", "annotations", userVolume)
	at := append(slices.Clone(template), "spec", "volumes")
	if _, text, ok := c.YAML.Lookup(c.Doc, annotation); c.How != declared.Document || !ok || text != volumes {
		return declared.Refuse(c.At(), byHand, "the annotation %s is not written there", userVolume)
	}
	volume := yamledit.Fields{{Key: "name", Value: list[0]["name"]}, {Key: holder, Value: list[0][holder]}}
	var add yamledit.Edit = yamledit.Insert{Path: at, Value: []any{volume}}
	if _, _, ok := c.YAML.Lookup(c.Doc, at); ok {
		add = yamledit.Append(at, volume)
	}
	if c.File == p.File {
		return declared.Refuse(c.At(), byHand, "generator and workload stand in one file")
	}
	data, err := c.Apply(add, yamledit.Delete{Path: annotation, Prune: true})
	if err != nil {
		return err
	}
	out.Files[c.File] = data
	for _, r := range c.All {
		doc, _ := fields.Clone(r.Object.Fields).(map[string]any)
		pod := object.Map(doc, "spec", "template")
		meta := object.Map(pod, "metadata")
		if delete(object.Map(meta, "annotations"), userVolume); len(object.Map(meta, "annotations")) == 0 {
			delete(meta, "annotations")
		}
		object.Map(pod, "spec")["volumes"] = append(slices.Clone(object.List(pod, "spec", "volumes")), any(list[0]))
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: doc})
	}
	out.note("%s now declares the volume in the spec of its pods, where kustomize follows the name; the mount of the proxy stays in its annotation", c.Object.ID)
	return nil
}

// hashTemplate writes a hash of the one file that the object holds into its name, and into the one place that names it.
func (e *Editor) hashTemplate(out *Edit, p, c *declared.Place, options string) error {
	byHand := "write the hash into the name by hand"
	name := p.Object.ID.Name
	files := filesGet.FindAllSubmatch(p.Data, -1)
	held := len(object.Map(p.Object.Fields, "data")) + len(object.Map(p.Object.Fields, "binaryData"))
	nameAt := p.Path("metadata", "name")
	_, text, written := p.YAML.Lookup(p.Doc, nameAt)
	switch {
	case len(files) != 1 || held != 1 || len(p.YAML.Documents()) != 1:
		return declared.Refuse(p.At(), byHand, "the object is not one file of the chart, by .Files.Get")
	case !written || text != name:
		return declared.Refuse(p.At(), byHand, "the name is not written there as it is")
	}
	hash := fmt.Sprintf(`{{ .Files.Get "%s" | sha256sum | trunc 8 }}`, files[0][1])
	edits := []yamledit.Edit{yamledit.Set{Path: nameAt, Value: name + "-" + p.Mask.Hide(hash)}}
	edits = append(edits, option(p, p.Path("metadata", "annotations", syncOptions), options)...)
	if _, _, ok := p.YAML.Lookup(p.Doc, p.Path("immutable")); !ok {
		edits = append(edits, yamledit.Insert{Path: p.Path("immutable"), Value: true, After: "metadata"})
	} else {
		edits = append(edits, yamledit.Set{Path: p.Path("immutable"), Value: true})
	}
	data, err := p.Apply(edits...)
	if err != nil {
		return err
	}
	out.Files[p.File] = data
	word := regexp.MustCompile(`(^|[^A-Za-z0-9.-])(` + regexp.QuoteMeta(name) + `)($|[^A-Za-z0-9.-])`)
	templates, err := source.Subtree(e.finder.Tree, path.Join(p.Chart(), "templates"))
	if err != nil {
		return declared.Refuse(p.At(), byHand, "the templates cannot be read: %v", err)
	}
	for _, f := range templates {
		file := path.Join(p.Chart(), "templates", f.Path)
		if n := mentions(word, f.Data); file == p.File && n != 1 || file == c.File && n != 1 || file != p.File && file != c.File && n > 0 {
			return declared.Refuse(object.Location{File: file}, byHand, "the template names %s in %d places", name, n)
		}
	}
	if c.File == p.File {
		return declared.Refuse(c.At(), byHand, "both stand in one template")
	}
	lines := strings.SplitAfter(string(c.Data), "\n")
	for i, line := range lines {
		if at := word.FindStringSubmatchIndex(line); at != nil && !comment(line) {
			lines[i] = line[:at[5]] + "-" + hash + line[at[5]:]
		}
	}
	out.Files[c.File] = []byte(strings.Join(lines, ""))
	return nil
}

// mentions counts a word outside of comments.
func mentions(word *regexp.Regexp, text []byte) int {
	n := 0
	for _, line := range strings.Split(string(text), "\n") {
		if !comment(line) {
			n += len(word.FindAllString(line, -1))
		}
	}
	return n
}

func comment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }
