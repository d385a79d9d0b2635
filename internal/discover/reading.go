package discover

// What the guess of roots reads of files before anything is rendered. Over a repository that hardly changes from commit to
// commit it is remembered per place.

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"

	"github.com/syncproof/syncproof/internal/config"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/memo"
	"github.com/syncproof/syncproof/internal/render"
	"github.com/syncproof/syncproof/internal/source"
)

// reading is what is known of places. The values are shared between runs: nobody changes them.
type reading struct {
	kustomizations memo.Table[kustomizationText]
	charts         memo.Table[bool] // whether a file of the chart speaks of Applications
	documents      memo.Table[document]
}

func newReading(m *memo.Memo) reading {
	return reading{
		kustomizations: memo.In[kustomizationText](m, "kustomization"),
		charts:         memo.In[bool](m, "chart"),
		documents:      memo.In[document](m, "document"),
	}
}

// kustomizationText is what one kustomization says, without those that it includes.
type kustomizationText struct {
	includes []string  // directories
	files    []string  // that it names and that can be read; when it cannot be read itself, all that lie there
	gap      *diag.Gap // why it cannot be read
	speaks   bool      // one of the files speaks of Applications
}

// kustomization is one of the tree.
type kustomization struct {
	kustomizationText
	reaches bool // it or one that it reaches speaks of Applications
}

// kustomizations reads those in the given directories.
func (d *discovery) kustomizations(dirs []string) map[string]*kustomization {
	all := map[string]*kustomization{}
	includedBy := map[string][]string{}
	for _, dir := range dirs {
		k := &kustomization{kustomizationText: d.reading.kustomizations.Compute(d.in.Tree, dir, 1024, func(t source.Tree) kustomizationText {
			return readKustomization(t, dir)
		})}
		all[dir] = k
		for _, inner := range k.includes {
			includedBy[inner] = append(includedBy[inner], dir)
		}
	}
	var reach func(dir string)
	reach = func(dir string) {
		if all[dir].reaches {
			return
		}
		all[dir].reaches = true
		if all[dir].gap == nil { // what includes a broken one is broken
			for _, outer := range includedBy[dir] {
				reach(outer)
			}
		}
	}
	for _, dir := range dirs {
		if all[dir].speaks {
			reach(dir)
		}
	}
	return all
}

func readKustomization(t source.Tree, dir string) kustomizationText {
	names, gap := render.KustomizationNamed(t, dir)
	k := kustomizationText{includes: names.Includes, gap: gap}
	if gap != nil { // what it would read is guessed by what lies there
		names.Files = filesBelow(t, dir)
	}
	for _, f := range names.Files {
		text, err := t.ReadFile(f)
		if err == nil {
			k.files = append(k.files, f)
			k.speaks = k.speaks || speaksOfApplications(text)
		}
	}
	return k
}

// chartSpeaks tells whether a file of a chart speaks of Applications.
func (d *discovery) chartSpeaks(dir string) bool {
	return d.reading.charts.Compute(d.in.Tree, dir, 16, func(t source.Tree) bool {
		return slices.ContainsFunc(filesBelow(t, dir), func(f string) bool {
			text, err := t.ReadFile(f)
			return err == nil && speaksOfApplications(text)
		})
	})
}

// document is what the text of a file looks like.
type document struct {
	plain  bool  // Kubernetes documents
	speaks bool  // of Applications
	unread error // why nobody knows
}

// document reads a file. The configuration of this tool is no document.
func (d *discovery) document(name string) document {
	if name == config.FileName {
		return document{}
	}
	doc := d.reading.documents.Compute(d.in.Tree, name, 64, func(t source.Tree) document {
		text, err := t.ReadFile(name)
		if err != nil {
			return document{unread: err}
		}
		return document{
			plain:  bytes.Contains(text, []byte("apiVersion")) && bytes.Contains(text, []byte("kind")),
			speaks: speaksOfApplications(text),
		}
	})
	err := doc.unread
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, source.ErrEscapes) && !d.missed[name] {
		d.missed[name] = true
		d.unread(name, err)
	}
	return doc
}

// speaksOfApplications tells whether a text can hold an Application, ApplicationSet or AppProject. The version is part of
// the test, since Argo CD's annotations hold the group as well and stand everywhere.
func speaksOfApplications(text []byte) bool {
	return bytes.Contains(text, []byte(argoGroup+"/v")) &&
		(bytes.Contains(text, []byte("Application")) || bytes.Contains(text, []byte("AppProject")))
}

func filesBelow(t source.Tree, dir string) []string {
	var out []string
	// What cannot be listed cannot be read either: a place is then no candidate because of it.
	_ = fs.WalkDir(t, dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, name)
		}
		return nil
	})
	return out
}
