package refgraph

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// place is where a file that a container opens comes from.
type place struct {
	provider object.ID
	key      string
	optional bool
	path     string // of the volume's source
}

// obstacle is why the origin of a file cannot be seen. Text and toClose have no workload in them, so that equal ones can be
// told together.
type obstacle struct {
	reason  diag.Reason
	text    string
	toClose string
}

func outside(format string, args ...any) *obstacle {
	return &obstacle{diag.ContentMissing, fmt.Sprintf(format, args...),
		"mount the descriptor from a ConfigMap that this repository renders"}
}

// locate finds the ConfigMap or Secret and the key behind a file: the mount with the longest path decides, then the
// volume.
func (b *builder) locate(t *podTemplate, mounts []mount, file string) (place, *obstacle) {
	var best *mount
	for i, m := range mounts {
		if within(m.mountPath, file) && (best == nil || len(m.mountPath) > len(best.mountPath)) {
			best = &mounts[i]
		}
	}
	if best == nil {
		return place{}, outside("no volume is mounted at or above %s: the file would have to be in the image", file)
	}
	if best.dynamic {
		return place{}, outside("%s is mounted by subPathExpr, which only the pod knows", file)
	}
	i := slices.IndexFunc(t.volumes, func(v volume) bool { return v.name == best.volume })
	if i < 0 {
		return place{}, outside("%s is mounted from volume %q, which the pods do not declare", file, best.volume)
	}
	v := t.volumes[i]
	if len(v.sources) == 0 {
		return place{}, outside("%s is mounted from volume %q, which is no ConfigMap (%s)", file, v.name, cmp.Or(v.other, "empty"))
	}
	inner := path.Join(best.subPath, strings.TrimPrefix(file, best.mountPath))
	inner = strings.TrimPrefix(inner, "/")
	if inner == "" {
		return place{}, outside("%s is the directory of volume %q", file, v.name)
	}
	return b.inVolume(t, v, inner, file)
}

// inVolume finds the source of a file of a volume. A later source of a projection covers an earlier one. Of sources that
// name no items, one whose object is rendered has the file if it has the key; a single one that cannot be looked into is
// taken if no other has it.
func (b *builder) inVolume(t *podTemplate, v volume, inner, file string) (place, *obstacle) {
	var unseen []place
	for i := len(v.sources) - 1; i >= 0; i-- {
		s := v.sources[i]
		p := place{provider: core(s.kind, t.id(), s.name), optional: s.optional, path: t.via + s.path}
		for _, item := range s.items {
			if item.path == inner {
				p.key = item.key
				return p, nil
			}
		}
		if len(s.items) > 0 || strings.Contains(inner, "/") {
			continue
		}
		p.key = inner
		switch {
		case len(b.objects[p.provider]) == 0, len(v.sources) == 1: // a key that the only source lacks is its fault
			unseen = append(unseen, p)
		case b.mayHold(p.provider, inner):
			return p, nil
		}
	}
	if len(unseen) == 1 {
		return unseen[0], nil
	}
	if len(unseen) > 1 {
		return place{}, outside("%s may come from any of %d objects in volume %q that no unit renders", file, len(unseen), v.name)
	}
	return place{}, outside("nothing in volume %q puts a file at %s", v.name, file)
}

func within(dir, file string) bool {
	return file == dir || dir == "/" || strings.HasPrefix(file, dir+"/")
}

// absolute is a path as a process with the given working directory opens it; "/" is the default of the proxy's images.
func absolute(workDir, file string) string {
	if path.IsAbs(file) {
		return path.Clean(file)
	}
	return path.Join("/", workDir, file)
}
