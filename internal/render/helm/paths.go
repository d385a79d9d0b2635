package helm

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

// otherSource tells whether a path starts with a variable that is none of the build environment: $ref of another source.
func (r *renderer) otherSource(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	if !strings.HasPrefix(first, "$") {
		return false
	}
	other := false
	os.Expand(first, func(name string) string {
		other = other || !r.env.Known(name)
		return ""
	})
	return other
}

// resolve turns the path of a value file or file parameter into one of the tree: relative to the chart, or to the top of
// the repository with a leading slash; it may leave the chart but not the repository (util/io/path/resolved.go
// ResolveValueFilePathOrUrl). With $ref in front it is relative to the top of the other source's repository
// (repository.go getResolvedRefValueFile). What names the path's role in a gap.
func (r *renderer) resolve(raw, what string) (string, *diag.Gap) {
	if r.req.Lent != nil && strings.HasPrefix(raw, "$") {
		return r.borrowed(raw, what)
	}
	if r.otherSource(raw) {
		return "", r.gap(diag.Unsupported, fmt.Sprintf("%s is taken from another source: %s", what, raw),
			"put the file into the chart's repository and name it without $ref")
	}
	p := r.env.Expand(raw)
	if gap := r.behindNetwork(p, what); gap != nil {
		return "", gap
	}
	full := path.Join(r.dir, p)
	if path.IsAbs(p) {
		full = path.Join(".", p[1:])
	}
	if !fs.ValidPath(full) || full == "." {
		return "", r.gap(diag.Escape, fmt.Sprintf("%s leaves the repository: %s", what, raw),
			"name a file inside the repository")
	}
	if unit.IsLent(full) {
		return "", readGap(full, what, fs.ErrNotExist)
	}
	return full, nil
}

// borrowed is the path of a file that a ref leads to. Which refs there are is settled before anything is rendered, so one
// that is not known can only come from an override; Argo CD then reads whatever it has on its disk.
func (r *renderer) borrowed(raw, what string) (string, *diag.Gap) {
	ref, rest, _ := strings.Cut(raw[1:], "/")
	top, known := r.req.Lent[ref]
	if !known {
		return "", r.gap(diag.Unsupported, fmt.Sprintf("%s is of a source that only an override in the repository names: %s", what, raw),
			"name the file in the Application")
	}
	p := r.env.Expand("/" + rest)
	if gap := r.behindNetwork(p, what); gap != nil {
		return "", gap
	}
	inner := path.Join(".", p[1:])
	if !fs.ValidPath(inner) || inner == "." {
		return "", r.gap(diag.Escape, fmt.Sprintf("%s leaves the repository of source %s: %s", what, ref, raw),
			"name a file inside that repository")
	}
	return path.Join(top, inner), nil
}

func (r *renderer) behindNetwork(p, what string) *diag.Gap {
	u, err := url.Parse(p)
	switch {
	case err != nil || u.Scheme == "":
		return nil
	case u.Scheme != "http" && u.Scheme != "https":
		return r.gap(diag.RenderFailed, fmt.Sprintf("%s: the URL scheme %q is not allowed", what, u.Scheme),
			"name a file of the repository")
	}
	return r.gap(diag.Remote, fmt.Sprintf("%s lies behind the network: %s", what, withoutUser(p)),
		"commit the file to the repository and name it by its path")
}

// top is the top of the repository in which a file of the tree lies, and the file's path from there.
func (r *renderer) top(file string) (top, inner string) {
	for _, dir := range r.req.Lent { // none lies in another
		if inner, ok := strings.CutPrefix(file, dir+"/"); ok {
			return dir, inner
		}
	}
	return ".", file
}

// shown is a file of the tree in words: one that another source lends goes by its ref.
func shown(file string) string {
	if unit.IsLent(file) {
		return "$" + strings.TrimPrefix(file, unit.LentPlace(""))
	}
	return file
}

// valueFiles lists the value files as Helm gets them (repository.go getResolvedValueFiles): patterns are expanded in
// place, without files that are listed themselves, and a file counts only where it comes first.
func (r *renderer) valueFiles() ([]string, *diag.Gap) {
	resolved := make([]string, len(r.helm.ValueFiles))
	listed := map[string]bool{}
	for i, raw := range r.helm.ValueFiles {
		file, gap := r.resolve(raw, "value file "+raw)
		if gap != nil {
			return nil, gap
		}
		resolved[i] = file
		listed[file] = !isGlob(file)
	}
	var out []string
	seen := map[string]bool{}
	add := func(file string) {
		if !seen[file] {
			seen[file] = true
			out = append(out, file)
		}
	}
	for _, file := range resolved {
		if !isGlob(file) {
			if _, err := r.tree.Stat(file); r.helm.IgnoreMissingValueFiles && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			add(file)
			continue
		}
		matches, gap := r.glob(file)
		if gap != nil {
			return nil, gap
		}
		for _, m := range matches {
			if !listed[m] {
				add(m)
			}
		}
	}
	return out, nil
}

func isGlob(p string) bool { return strings.ContainsAny(p, "*?[") }

// glob expands * and ? inside one level each, in lexical order. Argo CD's patterns know more, whose order of matches is a
// matter of its library: those are not guessed.
func (r *renderer) glob(pattern string) ([]string, *diag.Gap) {
	if strings.Contains(pattern, "**") || strings.ContainsAny(pattern, `[{\`) {
		return nil, r.gap(diag.Unsupported, fmt.Sprintf("value file pattern %s: only * and ? are expanded", shown(pattern)),
			"list the value files")
	}
	top, pattern := r.top(pattern)
	matches := []string{top}
	for segment := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, dir := range matches {
			found, gap := r.globSegment(dir, segment)
			if gap != nil {
				return nil, gap
			}
			next = append(next, found...)
		}
		matches = next
	}
	if len(matches) == 0 && !r.helm.IgnoreMissingValueFiles {
		return nil, r.gap(diag.PathMissing, fmt.Sprintf("value file pattern %s matches no file", shown(path.Join(top, pattern))),
			"commit a file that it matches, or set ignoreMissingValueFiles")
	}
	return matches, nil
}

func (r *renderer) globSegment(dir, segment string) ([]string, *diag.Gap) {
	if !isGlob(segment) {
		name := path.Join(dir, segment)
		if _, err := r.tree.Stat(name); err != nil {
			return nil, unlessMissing(name, err)
		}
		return []string{name}, nil
	}
	info, err := r.tree.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, unlessMissing(dir, err)
	}
	entries, err := r.tree.ReadDir(dir)
	if err != nil {
		return nil, readGap(dir, "directory "+shown(dir), err)
	}
	var out []string
	for _, e := range entries {
		if ok, _ := path.Match(segment, e.Name()); ok {
			out = append(out, path.Join(dir, e.Name()))
		}
	}
	return out, nil
}

func unlessMissing(name string, err error) *diag.Gap {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return readGap(name, shown(name), err)
}
