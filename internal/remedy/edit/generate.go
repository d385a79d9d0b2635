package edit

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/template"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// maxInline is how much text is written into a manifest that has no file to take it from.
const maxInline = 32 << 10

// input is one file that a generator reads into one key.
type input struct {
	key, entry string // as written: entry is "path" or "key=path"
	file       string // from the top of the tree
	data       []byte
}

// adoptGenerated makes a unit generate what a generator of another one does, from copies of its files.
func (e *Editor) adoptGenerated(out *Edit, p *declared.Place, g *ground) error {
	entry, o := p.Raw(), p.Object
	if fields.Hashed.MatchString(o.ID.Name) && o.ID.Name != object.String(entry, "name") {
		return declared.Refuse(p.At(), "set disableNameSuffixHash first, or deliver the consumer there, too", "the name of %s changes with its content", o.ID)
	}
	inputs, err := e.inputs(p, entry)
	if err != nil {
		return err
	}
	switch g.tool {
	case unit.KustomizeTool:
		return e.generatorEntry(out, p, g, inputs)
	case unit.HelmTool:
		return e.generatorTemplate(out, p, g, inputs)
	}
	return e.generatorManifest(out, p, g)
}

// inputs are the files of a generator.
func (e *Editor) inputs(p *declared.Place, entry map[string]any) ([]input, error) {
	var all []input
	for _, v := range object.List(entry, "files") {
		text, _ := v.(string)
		in := input{entry: text, key: path.Base(text), file: path.Join(p.In.Dir(), text)}
		if key, name, keyed := strings.Cut(text, "="); keyed {
			in.key, in.file = key, path.Join(p.In.Dir(), name)
		}
		data, err := e.finder.Tree.ReadFile(in.file)
		if real, ok := e.finder.Index().Real(in.file); err != nil || !ok || real != in.file || len(e.finder.Index().Leading(real)) > 0 {
			return nil, declared.Refuse(object.Location{File: in.file}, "put the file itself there first", "a file of the generator cannot be read, or is a link")
		}
		in.data = data
		all = append(all, in)
	}
	return all, nil
}

// copyInput copies a file of a generator below the directory of a unit, and gives its path from there.
func (e *Editor) copyInput(out *Edit, g *ground, in input, rel, of string) (string, error) {
	for _, name := range []string{rel, path.Join(path.Dir(rel), of, path.Base(rel))} {
		to := path.Join(g.dir, name)
		if have, err := e.finder.Tree.ReadFile(to); err == nil {
			if bytes.Equal(have, in.data) {
				return name, e.seen(g, name)
			}
			continue
		}
		out.copyTo(to, in.file, in.data)
		return name, e.seen(g, name)
	}
	return "", declared.Refuse(object.Location{File: path.Join(g.dir, rel)}, "choose a name by hand", "the file exists already and is another one")
}

// generatorEntry is the entry for another kustomization.
func (e *Editor) generatorEntry(out *Edit, p *declared.Place, g *ground, inputs []input) error {
	entry, o := p.Raw(), p.Object
	doc := yamledit.Fields{{Key: "name", Value: o.ID.Name}}
	if g.spell {
		doc = append(doc, yamledit.Field{Key: "namespace", Value: o.ID.Namespace})
	}
	var files, envs []any
	for _, in := range inputs {
		name, err := e.copyInput(out, g, in, below(p, in.file), o.ID.Name)
		if err != nil {
			return err
		}
		if path.Base(name) != in.key {
			name = in.key + "=" + name
		}
		files = append(files, name)
	}
	written := object.List(entry, "envs")
	if one := object.String(entry, "env"); one != "" {
		written = append(written[:len(written):len(written)], one)
	}
	for _, v := range written {
		text, _ := v.(string)
		in := input{file: path.Join(p.In.Dir(), text)}
		var err error
		if in.data, err = e.finder.Tree.ReadFile(in.file); err != nil {
			return declared.Refuse(p.At(), "put the file there first", "%s cannot be read", in.file)
		}
		name, err := e.copyInput(out, g, in, below(p, in.file), o.ID.Name)
		if err != nil {
			return err
		}
		envs = append(envs, name)
	}
	for _, list := range []struct {
		key  string
		list []any
	}{{"files", files}, {"envs", envs}, {"literals", object.List(entry, "literals")}} {
		if len(list.list) > 0 {
			doc = append(doc, yamledit.Field{Key: list.key, Value: list.list})
		}
	}
	if kind := object.String(entry, "type"); kind != "" {
		doc = append(doc, yamledit.Field{Key: "type", Value: kind})
	}
	options, err := g.options(o)
	if err != nil {
		return err
	}
	if len(options) > 0 {
		doc = append(doc, yamledit.Field{Key: "options", Value: options})
	}
	out.Files[g.in.Name], err = g.add(p.Item[0].(string), doc)
	return err
}

// below is a path as a kustomization may read it: from its own directory, or the base name of a file elsewhere.
func below(p *declared.Place, file string) string {
	if dir := p.In.Dir(); dir != "." && strings.HasPrefix(file, dir+"/") {
		return file[len(dir)+1:]
	} else if dir == "." {
		return file
	}
	return path.Base(file)
}

// options are those with which a generator of the kustomization makes the object as it is.
func (g *ground) options(o object.Object) (yamledit.Fields, error) {
	all := object.Map(g.in.Fields, "generatorOptions")
	for key, have := range map[string]map[string]string{"labels": o.Labels(), "annotations": o.Annotations()} {
		for k, v := range object.Map(all, key) {
			if have[k] != fmt.Sprint(v) {
				return nil, declared.Refuse(object.Location{File: g.in.Name}, bySources, "generatorOptions would change the object")
			}
		}
	}
	immutable := object.Bool(o.Fields, "immutable")
	if object.Bool(all, "immutable") && !immutable {
		return nil, declared.Refuse(object.Location{File: g.in.Name}, bySources, "generatorOptions would make the object immutable")
	}
	var out yamledit.Fields
	if !object.Bool(all, "disableNameSuffixHash") {
		out = append(out, yamledit.Field{Key: "disableNameSuffixHash", Value: true})
	}
	for _, key := range []string{"labels", "annotations"} {
		if m := object.Map(o.Fields, "metadata", key); len(m) > 0 {
			out = append(out, yamledit.Field{Key: key, Value: fields.Value(m)})
		}
	}
	if immutable {
		out = append(out, yamledit.Field{Key: "immutable", Value: true})
	}
	return out, nil
}

// generatorTemplate is a template that takes the files from the chart.
func (e *Editor) generatorTemplate(out *Edit, p *declared.Place, g *ground, inputs []input) error {
	o := p.Object
	m := template.New(fmt.Sprint(o.Fields))
	values := map[string]map[string]any{"data": {}, "binaryData": {}}
	for list, into := range values {
		for k, v := range object.Map(o.Fields, list) {
			into[k] = v
		}
	}
	for _, in := range inputs {
		name, err := e.copyInput(out, g, in, path.Join("files", path.Base(in.file)), o.ID.Name)
		if err != nil {
			return err
		}
		list, as := "data", "quote"
		if _, binary := values["binaryData"][in.key]; binary || o.ID.Kind == "Secret" {
			as = "b64enc"
			if binary {
				list = "binaryData"
			}
		}
		values[list][in.key] = m.Hide(fmt.Sprintf(`{{ .Files.Get %q | %s }}`, name, as))
	}
	text, err := manifest(o, g.spell, values)
	if err != nil {
		return declared.Refuse(p.At(), bySources, "%v", err)
	}
	if bytes.Contains(text, []byte("{{")) {
		return declared.Refuse(p.At(), bySources, "a value has {{ in it, which a template takes for an action")
	}
	text, _, err = m.Reveal(text)
	if err != nil {
		return declared.Refuse(p.At(), bySources, "%v", err)
	}
	kind := strings.ToLower(o.ID.Kind)
	file, err := e.free(g, "templates/"+kind+"-"+o.ID.Name+".yaml", "templates/adopted-"+kind+"-"+o.ID.Name+".yaml")
	if err != nil {
		return err
	}
	out.Files[file] = text
	return nil
}

// generatorManifest is a manifest with the values in it.
func (e *Editor) generatorManifest(out *Edit, p *declared.Place, g *ground) error {
	o := p.Object
	size := 0
	for _, v := range object.Map(o.Fields, "data") {
		text, _ := v.(string)
		size += len(text)
	}
	if o.ID.Kind != "ConfigMap" || object.Map(o.Fields, "binaryData") != nil || size > maxInline {
		return declared.Refuse(p.At(), "give the directory of "+e.finder.Name(g.unit.ID)+" a kustomization first, or the Application a second source",
			"a plain manifest cannot take what the generator reads from files")
	}
	text, err := manifest(o, g.spell, map[string]map[string]any{"data": object.Map(o.Fields, "data")})
	if err != nil {
		return declared.Refuse(p.At(), bySources, "%v", err)
	}
	file, err := e.free(g, "configmap-"+o.ID.Name+".yaml", o.ID.Name+"-configmap.yaml")
	if err != nil {
		return err
	}
	out.Files[file] = text
	return nil
}

// manifest writes a ConfigMap or Secret. Values are those of its data.
func manifest(o object.Object, spell bool, values map[string]map[string]any) ([]byte, error) {
	y, err := yamledit.Parse([]byte("apiVersion: v1\nkind: " + o.ID.Kind + "\nmetadata:\n  name: x\n"))
	if err != nil {
		return nil, err
	}
	edits := []yamledit.Edit{yamledit.Set{Path: yamledit.Path{"metadata", "name"}, Value: o.ID.Name}}
	insert := func(v any, steps ...any) { edits = append(edits, yamledit.Insert{Path: steps, Value: fields.Value(v)}) }
	if spell {
		insert(o.ID.Namespace, "metadata", "namespace")
	}
	for _, key := range []string{"labels", "annotations"} {
		if m := object.Map(o.Fields, "metadata", key); len(m) > 0 {
			insert(m, "metadata", key)
		}
	}
	for _, key := range []string{"type", "immutable"} {
		if v := o.Fields[key]; v != nil {
			insert(v, key)
		}
	}
	for _, list := range []string{"binaryData", "data"} {
		if fields.HasSealed(values[list]) {
			return nil, fmt.Errorf("a value of the %s is secret and not read from a file of its own", o.ID.Kind)
		}
		if len(values[list]) > 0 {
			insert(values[list], list)
		}
	}
	return y.Apply(0, edits...)
}
