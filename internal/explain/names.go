package explain

import (
	"fmt"
	"path"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
)

// names call the numbers of a case by their names.
type names struct {
	s *proof.Solved
	c *delivery.Case
}

func newNames(s *proof.Solved) *names { return &names{s: s, c: s.Case} }

func (n *names) unit(u int) string {
	if u >= 0 && u < len(n.s.Names.Units) {
		return n.s.Names.Units[u].Short
	}
	return fmt.Sprintf("unit %d", u)
}

// object is an object's short form, "ConfigMap api/api-descriptor".
func (n *names) object(o int) string {
	if o >= 0 && o < len(n.s.Names.Objects) && n.s.Names.Objects[o].ID.Kind != "" {
		return n.s.Names.Objects[o].ID.String()
	}
	return "its other objects"
}

// base is an object's name alone, for sentences in which it stands beside its version.
func (n *names) base(o int) string {
	if o >= 0 && o < len(n.s.Names.Objects) && n.s.Names.Objects[o].ID.Name != "" {
		return n.s.Names.Objects[o].ID.Name
	}
	return n.object(o)
}

// actor is an object that acts, "Rollout api".
func (n *names) actor(o int) string {
	if o >= 0 && o < len(n.s.Names.Objects) && n.s.Names.Objects[o].ID.Kind != "" {
		return n.s.Names.Objects[o].ID.Kind + " " + n.s.Names.Objects[o].ID.Name
	}
	return "workload"
}

// version is what a content of an object is called, with its @.
func (n *names) version(o int, content delivery.Content) string {
	if content == 0 || content == delivery.Deleted {
		return "(absent)"
	}
	if i := int(content) - 1; o >= 0 && o < len(n.s.Names.Objects) && i < len(n.s.Names.Objects[o].Contents) {
		return "@ " + strings.TrimPrefix(n.s.Names.Objects[o].Contents[i], "@ ")
	}
	return fmt.Sprintf("@ version %d", content)
}

// at is a version of an object in few words, "api-descriptor @ v1.8.0".
func (n *names) at(o int, content delivery.Content) string {
	if content == 0 || content == delivery.Deleted {
		return "no " + n.base(o)
	}
	return n.base(o) + " " + n.version(o, content)
}

func (n *names) revision(rev int) string {
	if rev >= 0 && rev < len(n.s.Names.Revisions) {
		return n.s.Names.Revisions[rev].Short
	}
	return fmt.Sprintf("revision %d", rev)
}

// image is an image in few words: its tag, where all images of the pair have one name.
func (n *names) image(i int) string {
	images := n.s.Names.Images
	if i < 0 || i >= len(images) {
		return fmt.Sprintf("image %d", i)
	}
	for _, other := range images {
		if imageName(other) != imageName(images[i]) {
			return path.Base(images[i])
		}
	}
	if tag := strings.TrimLeft(images[i][len(imageName(images[i])):], ":@"); tag != "" {
		return tag
	}
	return images[i]
}

// imageName is a reference without tag and digest.
func imageName(s string) string {
	s, _, _ = strings.Cut(s, "@")
	if colon := strings.LastIndexByte(s, ':'); colon > strings.LastIndexByte(s, '/') {
		return s[:colon]
	}
	return s
}

// pod says of which sort a pod is: by its image, or by its template where the images are the same.
func (n *names) pod(i, t int) string {
	templates := n.c.Workloads[i].Templates
	for other := range templates {
		if other != t && templates[other].Image == templates[t].Image {
			return n.template(i, t)
		}
	}
	if n.c.Pair.Workload != i {
		return n.template(i, t)
	}
	return n.image(templates[t].Image)
}

func (n *names) template(i, t int) string {
	work := &n.c.Workloads[i]
	for rev := range n.c.Last + 1 {
		if content := n.fresh(work.Object, rev); content != 0 && work.Template[content] == t {
			return "the template of " + n.revision(rev)
		}
	}
	return "another template"
}

// fresh is an object's content when fresh at a revision: what the last of its units renders, or what is made from another.
func (n *names) fresh(o, rev int) delivery.Content {
	if o < 0 || o >= len(n.c.Objects) {
		return 0
	}
	d := &n.c.Objects[o]
	if d.Derived {
		return n.fresh(d.Watch, rev)
	}
	var content delivery.Content
	for _, revisions := range d.Render {
		if revisions != nil && revisions[rev] != 0 {
			content = revisions[rev]
		}
	}
	return content
}

// varies tells whether an object is not the same at all revisions.
func (n *names) varies(o int) bool {
	for rev := 1; rev <= n.c.Last; rev++ {
		if n.fresh(o, rev) != n.fresh(o, 0) {
			return true
		}
	}
	return false
}

// deliverer is the unit that renders an object in the end, or did; None if no unit does.
func (n *names) deliverer(o int) int {
	if o < 0 || o >= len(n.c.Objects) {
		return delivery.None
	}
	if d := &n.c.Objects[o]; d.Derived {
		return n.deliverer(d.Watch)
	}
	for rev := n.c.Last; rev >= 0; rev-- {
		for u := len(n.c.Units) - 1; u >= 0; u-- {
			if r := n.c.Objects[o].Render[u]; r != nil && r[rev] != 0 {
				return u
			}
		}
	}
	return delivery.None
}

// first is the unit that has an object when fresh at r0: the last one that renders it.
func (n *names) first(o int) int {
	if o < 0 || o >= len(n.c.Objects) {
		return delivery.None
	}
	for u := len(n.c.Objects[o].Render) - 1; u >= 0; u-- {
		if r := n.c.Objects[o].Render[u]; r != nil && r[0] != 0 {
			return u
		}
	}
	return delivery.None
}

// with is an object and who delivers it, "ConfigMap api/api-descriptor (config)".
func (n *names) with(o int) string {
	u, first := n.deliverer(o), n.first(o)
	switch {
	case u == delivery.None:
		return n.object(o)
	case first != delivery.None && first != u:
		return fmt.Sprintf("%s (%s, then %s)", n.object(o), n.unit(first), n.unit(u))
	}
	return fmt.Sprintf("%s (%s)", n.object(o), n.unit(u))
}

// read is the object that the pair's pods of a template read, or None.
func (n *names) read(i, t int) int {
	if n.c.Pair.Workload != i {
		return delivery.None
	}
	return n.c.Workloads[i].Templates[t].Provider
}

// provider is the object that the pair's consumer reads in the end, or None.
func (n *names) provider() int {
	p := &n.c.Pair
	if p.Provider != delivery.None || p.Workload < 0 || p.Workload >= len(n.c.Workloads) {
		return p.Provider
	}
	work := &n.c.Workloads[p.Workload]
	for rev := n.c.Last; rev >= 0; rev-- {
		if content := n.fresh(work.Object, rev); content != 0 {
			return work.Templates[work.Template[content]].Provider
		}
	}
	return delivery.None
}

func (n *names) title() string {
	if n.provider() == delivery.None {
		return n.object(n.c.Pair.Consumer)
	}
	return n.object(n.c.Pair.Consumer) + " <-> " + n.object(n.provider())
}

// both are the two sides in a sentence.
func (n *names) both() string {
	if n.provider() == delivery.None {
		return n.with(n.c.Pair.Consumer)
	}
	return n.with(n.c.Pair.Consumer) + " and " + n.with(n.provider())
}

func (n *names) release() *diag.Release {
	revisions := n.s.Names.Revisions
	if len(revisions) == 0 {
		return nil
	}
	commits := make([]diag.Commit, len(revisions))
	for i, r := range revisions {
		commits[i] = diag.Commit{Commit: r.Hash, Short: r.Short, Subject: r.Subject, Date: r.Date}
	}
	last := len(commits) - 1
	return &diag.Release{Commit: commits[last], Base: commits[:last], Changes: n.changes()}
}

// changes says what of the pair the release changes.
func (n *names) changes() string {
	p, of := &n.c.Pair, n.provider()
	consumer, provider := n.varies(p.Consumer), n.varies(of)
	how := ", in one commit"
	if n.c.Last > 1 {
		how = ", in more than one commit"
	}
	first, then := n.first(of), n.deliverer(of)
	switch {
	case first != delivery.None && then != delivery.None && first != then && provider:
		return fmt.Sprintf("moves %s from %s to %s, and changes it", n.object(of), n.unit(first), n.unit(then))
	case first != delivery.None && then != delivery.None && first != then:
		return fmt.Sprintf("moves %s from %s to %s", n.object(of), n.unit(first), n.unit(then))
	case consumer && provider && p.Filter != delivery.None && !p.Inline && n.varies(p.Filter):
		return fmt.Sprintf("changes both and %s%s", n.object(p.Filter), how)
	case consumer && provider:
		return "changes both" + how
	case consumer && of != delivery.None:
		return fmt.Sprintf("changes %s, not %s", n.object(p.Consumer), n.object(of))
	case consumer:
		return "changes " + n.object(p.Consumer)
	case provider:
		return fmt.Sprintf("changes %s, not %s", n.object(of), n.object(p.Consumer))
	}
	return ""
}

// list joins names as a sentence does: "a", "a and b", "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
