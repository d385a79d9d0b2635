package stage

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
)

// Bounds of looking for mentions.
const (
	mostLooked   = 20_000  // files
	largestProse = 1 << 18 // bytes
	mostMentions = 5
)

// mentions are the places that go on naming files that moved: rules of who reviews, documents, scripts.
func (p *planner) mentions(x *run) []string {
	var out []string
	end := x.states[len(x.states)-1].tree
	for _, m := range p.movedFiles(x) {
		if _, err := end.Stat(m.from); err == nil {
			continue // it is a copy
		}
		dir := m.from[:strings.LastIndex(m.from, "/")+1]
		var at []string
		looked := 0
		_ = fs.WalkDir(end, ".", func(name string, d fs.DirEntry, err error) error {
			if looked++; err != nil || d.IsDir() || looked > mostLooked || len(at) > mostMentions {
				return nil
			}
			if info, err := d.Info(); err != nil || info.Size() > largestProse {
				return nil
			}
			data, err := end.ReadFile(name)
			if err != nil || bytes.IndexByte(data, 0) >= 0 {
				return nil
			}
			if i := bytes.Index(data, []byte(dir)); i >= 0 && dir != "" {
				at = append(at, fmt.Sprintf("%s:%d", name, 1+bytes.Count(data[:i], []byte("\n"))))
			}
			return nil
		})
		if len(at) > mostMentions {
			at = append(at[:mostMentions], "and more")
		}
		if len(at) > 0 {
			out = appendNew(out, fmt.Sprintf("%s is still named in %s", dir, strings.Join(at, ", ")))
		}
	}
	return out
}
