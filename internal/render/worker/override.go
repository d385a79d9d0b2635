package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// The files that override an Application's source from inside its directory, and the fields of the source that they
// cannot change (argo-cd reposerver/repository/repository.go mergeSourceParameters).
const overrideFile = ".argocd-source.yaml"

var fixedFields = []string{"chart", "path", "repoURL", "targetRevision", "ref", "name", "tagPrefix"}

// knownFields are the fields of a source that this version applies, and those that change no manifest. kustomize is not
// listed: [unit.DecodeSource] names what is not applied, and its engine answers for that.
var knownFields = map[string][]string{
	"helm": {
		"valueFiles", "parameters", "releaseName", "values", "fileParameters", "version", "passCredentials",
		"ignoreMissingValueFiles", "skipCrds", "valuesObject", "namespace", "kubeVersion", "apiVersions", "skipTests",
		"skipSchemaValidation",
	},
	"directory": {"recurse", "include", "exclude", "jsonnet"},
}

// override merges the override files of dir into the source, each as a JSON merge patch. explicit names the tools that the
// merged source sets, in Argo CD's order.
func override(t source.Tree, dir string, req unit.Request) (merged unit.Source, explicit []string, gap *diag.Gap) {
	original := req.Source
	spec, err := sourceFields(original)
	if err != nil {
		return unit.Source{}, nil, refuse(dir, diag.RenderFailed, fmt.Sprintf("the source cannot be written as JSON: %v", err))
	}
	changed := false
	for _, name := range overrideNames(dir, req) {
		patch, gap := readOverride(t, name)
		if gap != nil {
			return unit.Source{}, nil, gap
		}
		if patch != nil {
			spec = mergePatch(spec, patch)
			changed = true
		}
	}
	if !changed {
		return original, tools(spec), nil
	}
	merged, err = unit.DecodeSource(spec)
	if err != nil {
		return unit.Source{}, nil, refuse(path.Join(dir, overrideFile), diag.RenderFailed, err.Error())
	}
	merged.RepoURL, merged.TargetRevision = original.RepoURL, original.TargetRevision
	merged.Path, merged.Chart, merged.Ref = original.Path, original.Chart, original.Ref
	if k := original.Kustomize; k != nil && merged.Kustomize != nil {
		merged.Kustomize.Other = union(k.Other, merged.Kustomize.Other)
	}
	return merged, tools(spec), nil
}

// overrideNames are the files in the order in which they are merged. The second one is named after the Application, with
// its namespace in front when that is not the controller's own (argo-cd docs/user-guide/parameters.md). Git does not tell
// the controller's namespace, so both spellings are looked for.
func overrideNames(dir string, req unit.Request) []string {
	if req.ByHand {
		return nil
	}
	names := []string{overrideFile}
	if req.Name != "" {
		names = append(names, ".argocd-source-"+req.Name+".yaml")
		if req.AppNS != "" {
			names = append(names, ".argocd-source-"+req.AppNS+"_"+req.Name+".yaml")
		}
	}
	for i, n := range names {
		names[i] = path.Join(dir, n)
	}
	return names
}

// readOverride reads one file as a patch; nil if there is none. An empty document is an error in Argo CD, too.
func readOverride(t source.Tree, name string) (map[string]any, *diag.Gap) {
	info, err := t.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid), err == nil && info.IsDir():
		return nil, nil
	case err != nil:
		return nil, unreadable(name, "an override of the source", err)
	}
	raw, err := t.ReadFile(name)
	if err != nil {
		return nil, unreadable(name, "an override of the source", err)
	}
	doc, err := yaml.YAMLToJSON(raw)
	if err != nil {
		return nil, refuse(name, diag.Unparsable, fmt.Sprintf("an override of the source is no YAML: %v", err))
	}
	patch, err := object.Decode(doc)
	if err != nil || patch == nil {
		return nil, refuse(name, diag.Unparsable, "an override of the source is no mapping, which Argo CD refuses")
	}
	if unknown := unknownField(patch); unknown != "" {
		return nil, refuse(name, diag.Unsupported, fmt.Sprintf("the override sets %s, which this version does not apply", unknown))
	}
	return patch, nil
}

// unknownField returns the first field of a patch that is not applied.
func unknownField(patch map[string]any) string {
	for _, key := range sortedKeys(patch) {
		known, nested := knownFields[key]
		switch {
		case nested:
			block, _ := patch[key].(map[string]any)
			for _, field := range sortedKeys(block) {
				if !slices.Contains(known, field) {
					return key + "." + field
				}
			}
		case key != "kustomize" && key != "plugin" && !slices.Contains(fixedFields, key):
			return key
		}
	}
	return ""
}

// tools names the tools that a source sets.
func tools(spec map[string]any) []string {
	var out []string
	for _, tool := range []string{"kustomize", "helm", "directory", "plugin"} {
		if spec[tool] != nil {
			out = append(out, tool)
		}
	}
	return out
}

// sourceFields is a source in Argo CD's JSON form, numbers kept as written.
func sourceFields(s unit.Source) (map[string]any, error) {
	if s.Kustomize != nil {
		k := *s.Kustomize
		k.Other = nil // ours, not Argo CD's
		s.Kustomize = &k
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if s.Plugin != nil {
		m["plugin"] = s.Plugin // an empty one counts
	}
	return m, nil
}

// mergePatch applies an RFC 7386 merge patch and returns the result; what it shares with its arguments is not changed.
func mergePatch(doc, patch map[string]any) map[string]any {
	out := make(map[string]any, len(doc))
	for k, v := range doc {
		out[k] = v
	}
	for k, v := range patch {
		sub, isMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap:
			old, _ := out[k].(map[string]any)
			out[k] = mergePatch(old, sub)
		default:
			out[k] = v
		}
	}
	return out
}

func refuse(file string, reason diag.Reason, message string) *diag.Gap {
	return &diag.Gap{
		Reason:  reason,
		At:      object.Location{File: file},
		Message: message,
		Close:   "correct " + path.Base(file) + ", or move what it sets into the Application",
	}
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func sortedKeys(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
