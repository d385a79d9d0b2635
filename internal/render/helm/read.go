package helm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

const (
	chartFile = "Chart.yaml"
	// maxChartSize is Helm's own limit for a chart, unpacked (archive.MaxDecompressedChartSize). Here it holds for the
	// chart with all its archives together.
	maxChartSize = 100 << 20
	// maxFiles and maxDepth end the walk of directories that links make endless. Helm ends such a walk with an error too.
	maxFiles = 100_000
	maxDepth = 64
)

// files reads a chart directory as Helm's loader does (pkg/chart/v2/loader/directory.go): in order of names, without what
// the .helmignore at its top names, following links, without byte order marks. Names are relative to dir. A directory is
// read once; the caller gets its own list.
func (r *renderer) files(dir string) ([]*archive.BufferedFile, *diag.Gap) {
	if known, ok := r.read[dir]; ok {
		return copies(known), nil
	}
	rules, gap := r.ignoreRules(dir)
	if gap != nil {
		return nil, gap
	}
	w := walk{r: r, dir: dir, rules: rules}
	if gap := w.enter("", 0); gap != nil {
		return nil, gap
	}
	r.read[dir] = w.files
	return copies(w.files), nil
}

// copies are for a loader that renames files; the bytes are shared and nobody changes them.
func copies(files []*archive.BufferedFile) []*archive.BufferedFile {
	out := make([]*archive.BufferedFile, len(files))
	for i, f := range files {
		c := *f
		out[i] = &c
	}
	return out
}

func (r *renderer) ignoreRules(dir string) (*ignore.Rules, *diag.Gap) {
	name := path.Join(dir, ignore.HelmIgnore)
	rules := ignore.Empty()
	raw, err := r.tree.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, readGap(name, ignore.HelmIgnore, err)
	default:
		if rules, err = ignore.Parse(bytes.NewReader(raw)); err != nil {
			return nil, &diag.Gap{
				Reason:  diag.Unparsable,
				At:      object.Location{File: name},
				Message: "helm cannot read .helmignore: " + shorten(err.Error()),
				Close:   "correct the pattern: Helm takes neither ** nor unclosed brackets",
			}
		}
	}
	rules.AddDefaults()
	return rules, nil
}

type walk struct {
	r     *renderer
	dir   string
	rules *ignore.Rules
	files []*archive.BufferedFile
	seen  int
}

// enter reads one directory below the chart's top; rel is its name relative to the top, "" for the top.
func (w *walk) enter(rel string, depth int) *diag.Gap {
	full := path.Join(w.dir, rel)
	if depth > maxDepth {
		return w.endless(full)
	}
	entries, err := w.r.tree.ReadDir(full)
	if err != nil {
		return readGap(full, "chart directory "+full, err)
	}
	for _, e := range entries {
		if w.seen++; w.seen > maxFiles {
			return w.endless(full)
		}
		name := path.Join(rel, e.Name())
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := w.r.tree.Stat(path.Join(w.dir, name))
			if err != nil {
				return readGap(path.Join(w.dir, name), "chart file "+name, err)
			}
			mode = info.Mode().Type()
		}
		if w.rules.Ignore(name, entry{name: e.Name(), dir: mode.IsDir()}) {
			continue
		}
		if mode.IsDir() {
			if gap := w.enter(name, depth+1); gap != nil {
				return gap
			}
		} else if gap := w.file(name); gap != nil {
			return gap
		}
	}
	return nil
}

func (w *walk) file(name string) *diag.Gap {
	full := path.Join(w.dir, name)
	data, err := w.r.tree.ReadFile(full)
	if err != nil {
		return readGap(full, "chart file "+name, err)
	}
	w.r.stored += int64(len(data))
	if gap := w.r.overspent(full); gap != nil {
		return gap
	}
	w.files = append(w.files, &archive.BufferedFile{Name: name, Data: bytes.TrimPrefix(data, []byte("\ufeff"))})
	return nil
}

func (w *walk) endless(dir string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: dir},
		Message: fmt.Sprintf("the chart directory has more than %d files or %d levels", maxFiles, maxDepth),
		Close:   "remove links from the chart to its own parents, or name directories in .helmignore",
	}
}

// overspent tells whether the charts read so far are larger, archives unpacked, than Helm lets a chart be.
func (r *renderer) overspent(file string) *diag.Gap {
	if r.stored+r.unpacked <= maxChartSize {
		return nil
	}
	return &diag.Gap{
		Reason:  diag.RenderFailed,
		At:      object.Location{File: file},
		Message: "the chart is larger than Helm's limit of 100 MiB, archives unpacked",
		Close:   "name in .helmignore what no template needs",
	}
}

// entry is the little that ignore rules ask of a file.
type entry struct {
	name string
	dir  bool
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return 0 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.dir }
func (e entry) Sys() any           { return nil }
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}
