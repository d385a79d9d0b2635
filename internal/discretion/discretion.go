// Package discretion takes persons out of what the commits in a report say.
//
// In go a report and who made its commits, out comes the same report, in which subjects and messages name nobody: see
// [owners.Quiet]. It refuses to touch anything but the words of commits, and what repeats them.
package discretion

import (
	"reflect"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
)

// Apply changes a report in place. known are commits that are at hand; find looks up others by their full id, and may be nil.
// The report is walked by its types: what names a commit tomorrow is found, too.
func Apply(r *diag.Report, known []source.Commit, find func(hash string) (source.Commit, bool)) {
	d := &discretion{find: find, commits: map[string]source.Commit{}, said: map[string]string{}}
	for _, c := range known {
		d.know(c)
	}
	d.over(r, d.meet) // first who they all are: one commit may thank the author of another one
	r.Head.Subject = d.text(r.Head.Revision, r.Head.Subject)
	d.over(r, d.hush)
	if again := d.replacer(); again != nil {
		d.over(r, func(v reflect.Value) { repeat(v, again) })
	}
}

type discretion struct {
	find    func(hash string) (source.Commit, bool)
	commits map[string]source.Commit
	people  []source.Person   // of all commits, with a full name
	said    map[string]string // what commits say, and what is printed instead
}

func (d *discretion) know(c source.Commit) {
	if _, known := d.commits[c.Hash]; known {
		return
	}
	d.commits[c.Hash] = c
	for _, p := range peopleOf(c) {
		if strings.Contains(p.Name, " ") && !slices.Contains(d.people, p) {
			d.people = append(d.people, p)
		}
	}
}

func peopleOf(c source.Commit) []source.Person {
	return []source.Person{{Name: c.Author, Mail: c.AuthorMail}, {Name: c.Committer, Mail: c.CommitterMail}}
}

// over visits every struct of a report once.
func (d *discretion) over(r *diag.Report, visit func(reflect.Value)) {
	walk(reflect.ValueOf(r).Elem(), map[any]bool{}, visit)
}

func walk(v reflect.Value, seen map[any]bool, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Interface()] {
			return
		}
		seen[v.Interface()] = true
		walk(v.Elem(), seen, visit)
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), seen, visit)
		}
	case reflect.Struct:
		visit(v)
		for i := range v.NumField() {
			walk(v.Field(i), seen, visit)
		}
	}
}

// meet looks up who made a commit that the report names.
func (d *discretion) meet(v reflect.Value) {
	if cause, ok := v.Addr().Interface().(*diag.Cause); ok {
		d.people = append(d.people, owners.Named(cause.Message)...)
	}
	c, ok := v.Addr().Interface().(*diag.Commit)
	if !ok || d.find == nil || c.Commit == "" {
		return
	}
	if _, known := d.commits[c.Commit]; known {
		return
	}
	if full, ok := d.find(c.Commit); ok {
		d.know(full)
	}
}

func (d *discretion) hush(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *diag.Commit:
		x.Subject = d.text(x.Commit, x.Subject)
	case *diag.Cause:
		if x.Since != nil {
			x.Message = d.text(x.Since.Commit, wholeLines(x.Message))
		}
	}
}

// wholeLines drops the last line of a text that was cut off, perhaps in the middle of a name.
func wholeLines(text string) string {
	const cut = 3_990
	if i := strings.LastIndexByte(text, '\n'); len(text) >= cut && i > 0 {
		return text[:i]
	}
	return text
}

// text is what is printed of what a commit says.
func (d *discretion) text(commit, text string) string {
	out := owners.Quiet(text, append(peopleOf(d.commits[commit]), d.people...)...)
	if out != text {
		d.said[text] = out
	}
	return out
}

// replacer puts what is printed in the place of what commits say, the longest first; nil if there is nothing to replace.
func (d *discretion) replacer() *strings.Replacer {
	const least = 8 // bytes: what is shorter stands elsewhere for reasons of its own
	var all []string
	for text := range d.said {
		if len(text) >= least {
			all = append(all, text)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	var pairs []string
	for _, text := range all {
		pairs = append(pairs, text, d.said[text])
	}
	if len(pairs) == 0 {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// repeat changes what repeats the words of commits elsewhere: in strings, and in lists of them.
func repeat(v reflect.Value, again *strings.Replacer) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.String:
			f.SetString(again.Replace(f.String()))
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.String:
			list := reflect.MakeSlice(f.Type(), f.Len(), f.Len()) // others may hold the old one
			for n := range f.Len() {
				list.Index(n).SetString(again.Replace(f.Index(n).String()))
			}
			if !f.IsNil() {
				f.Set(list)
			}
		}
	}
}
