package kustomize

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/kustomize/former"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// maxKustomization bounds one kustomization file. Real ones have a few kilobytes.
const maxKustomization = 1 << 20

// kustomization is one kustomization file, read but not built.
type kustomization struct {
	dir   string // as the including kustomization reaches it
	file  string
	spec  types.Kustomization // legacy fields moved to where they belong now
	lines lines
}

// IsKustomization tells whether kustomize takes a file of this base name for a kustomization.
func IsKustomization(base string) bool {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if base == name {
			return true
		}
	}
	return false
}

// find gives the kustomization file of a directory.
func (f *files) find(dir string) (string, *diag.Gap) {
	var found []string
	for _, base := range konfig.RecognizedKustomizationFileNames() {
		name := path.Join(dir, base)
		info, err := f.tree.Stat(name)
		switch {
		case err == nil && !info.IsDir():
			found = append(found, name)
		case err != nil && !isNotExist(err):
			gap := plain.Unreadable(name, err)
			return "", &gap
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", &diag.Gap{
			Reason:  diag.PathMissing,
			At:      object.Location{File: dir},
			Message: "the directory has no kustomization file",
			Close:   "add kustomization.yaml, or correct the path that names the directory",
		}
	}
	return "", &diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: found[1]},
		Message: "the directory has more than one kustomization file, which kustomize refuses",
		Close:   "keep one of " + strings.Join(found, ", "),
	}
}

// load reads the kustomization of a directory. The kustomization is nil exactly when there is a gap.
func (f *files) load(dir string) (*kustomization, *diag.Gap) {
	name, gap := f.find(dir)
	if gap != nil {
		return nil, gap
	}
	content, err := f.read(name)
	if err != nil {
		g := plain.Unreadable(name, err)
		return nil, &g
	}
	written := content
	if today, ok := former.Patches(content); ok {
		content, f.instead[name] = today, today
		f.note(former.PatchList)
	} else if _, ok := f.instead[name]; ok {
		if written, err = f.tree.ReadFile(name); err != nil {
			g := plain.Unreadable(name, err)
			return nil, &g
		}
	}
	var l lines
	if len(written) <= maxKustomization {
		l = newLines(written)
	}
	k, gap := parse(name, content, l)
	if gap != nil {
		return nil, gap
	}
	k.dir = dir
	return k, nil
}

// parse reads a kustomization; l are the lines of the text that the user wrote.
func parse(name string, content []byte, l lines) (*kustomization, *diag.Gap) {
	gap := &diag.Gap{
		Reason: diag.Unparsable,
		At:     object.Location{File: name},
		Close:  "correct the kustomization; kustomize build in its directory shows the same",
	}
	if len(content) > maxKustomization {
		gap.Reason, gap.Message = diag.ContentMissing, "is larger than 1 MiB, the limit for a kustomization file"
		gap.Close = "move generated entries into files of their own"
		return nil, gap
	}
	if err := plain.Bounded(content); err != nil {
		line, reason := plain.Explain(err)
		gap.At.Line = min(line, plain.LastLine(content))
		gap.Message = reason
		return nil, gap
	}
	k := &kustomization{file: name, lines: l}
	if err := k.spec.Unmarshal(content); err != nil {
		line, reason := k.lines.explain(err)
		gap.At.Line, gap.Message = min(line, plain.LastLine(content)), reason
		return nil, gap
	}
	k.spec.FixKustomization()
	return k, nil
}

// refused says why kustomize would not take the file, whatever it names.
func (k *kustomization) refused() *diag.Gap {
	gap := &diag.Gap{
		Reason: diag.RenderFailed,
		At:     object.Location{File: k.file},
		Close:  "correct the kustomization; kustomize build in its directory shows the same",
	}
	if k.spec.CheckEmpty() != nil {
		gap.Message = "the kustomization is empty, which kustomize refuses"
		gap.Close = "name at least one resource, or remove the Application that renders it"
		return gap
	}
	if errs := k.spec.EnforceFields(); len(errs) > 0 {
		gap.At.Line = max(k.lines.key("kind"), k.lines.key("apiVersion"))
		gap.Message = strings.Join(errs, ", ")
		return gap
	}
	return nil
}

func isNotExist(err error) bool {
	gap := plain.Unreadable("", err)
	return gap.Reason == diag.PathMissing
}

var unknownField = regexp.MustCompile(`unknown field "([^"]*)"`)

// explain turns the error of reading a kustomization into a line and a reason.
func (l lines) explain(err error) (int, string) {
	s := err.Error()
	if m := unknownField.FindStringSubmatch(s); m != nil {
		return l.anyKey(m[1]), fmt.Sprintf("kustomize knows no field %q here", m[1])
	}
	if _, field, ok := strings.Cut(s, "Go struct field "); ok {
		field, _, _ = strings.Cut(field, " ")
		_, field, _ = strings.Cut(field, ".")
		top, _, _ := strings.Cut(field, ".")
		return l.key(top), fmt.Sprintf("the field %s has the wrong type", field)
	}
	return plain.Explain(errors.New(strings.TrimPrefix(s, "invalid Kustomization: ")))
}
