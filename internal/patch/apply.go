package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Save writes one file into a directory.
func Save(dir string, f File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.WriteFile(f.Name, f.Data, 0o666)
}

// Apply writes changes into a directory: all of them, or none. A file is written beside its place, synced, and then takes the place;
// what is there has to be what the change was made for, in a plain file that may be written.
func Apply(dir string, changes []Change) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	w := &writing{root: root}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.back())
		}
	}()
	for _, c := range changes {
		if err := w.check(c); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.Kind != Deleted {
			if err := w.prepare(c); err != nil {
				return fmt.Errorf("%s: %w", c.Path, err)
			}
		}
	}
	for _, c := range changes {
		if err := w.commit(c); err != nil {
			return fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	w.prune()
	return nil
}

// writing is what was done so far.
type writing struct {
	root *os.Root
	temp map[string]string // by path: the file that will take its place
	made []string          // directories
	done []done
}

// done is a change that is made, and what was there before.
type done struct {
	path string
	was  bool   // there was something, perhaps empty
	old  []byte // what it held
	mode fs.FileMode
}

// check refuses what is not as the change has it.
func (w *writing) check(c Change) error {
	gone := c.Kind == Moved
	for _, name := range []string{c.From, c.Path} {
		if name == "" {
			continue
		}
		if err := w.links(name); err != nil {
			return err
		}
		info, err := w.root.Lstat(name)
		fresh := name == c.Path && (c.Kind == Added || c.Kind == Moved || c.Kind == Copied)
		switch {
		case fresh && errors.Is(err, fs.ErrNotExist):
			continue
		case fresh && err == nil:
			return fmt.Errorf("%s: is there already", name)
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s: is no plain file", name)
		case info.Mode()&0o200 == 0 && (name == c.Path || gone):
			return fmt.Errorf("%s: is read-only", name)
		}
		have, err := w.root.ReadFile(name)
		if err != nil {
			return err
		}
		if !bytes.Equal(have, c.Old) {
			return fmt.Errorf("%s: has changed meanwhile", name)
		}
	}
	return nil
}

// links refuses a name that leads through a link.
func (w *writing) links(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := w.root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s: %s is no directory but a link or a file", name, dir)
		}
	}
	return nil
}

// prepare writes a file beside its place.
func (w *writing) prepare(c Change) error {
	dir := path.Dir(c.Path)
	for d := dir; d != "."; d = path.Dir(d) {
		if _, err := w.root.Lstat(d); errors.Is(err, fs.ErrNotExist) {
			w.made = append(w.made, d)
		}
	}
	if err := w.root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if c.Executable {
		mode = 0o777
	}
	if info, err := w.root.Lstat(c.Path); err == nil {
		mode = info.Mode().Perm()
	}
	name := path.Join(dir, "."+path.Base(c.Path)+".syncproof")
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if w.temp == nil {
		w.temp = map[string]string{}
	}
	w.temp[c.Path] = name
	_, err = f.Write(c.New)
	if c.Kind == Changed {
		err = errors.Join(err, f.Chmod(mode)) // what a umask took
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// commit puts a file into its place, or takes it away.
func (w *writing) commit(c Change) error {
	was := func(name string, data []byte) done {
		info, err := w.root.Lstat(name)
		if err != nil {
			return done{path: name}
		}
		return done{name, true, slices.Clone(data), info.Mode().Perm()}
	}
	if c.Kind == Deleted || c.Kind == Moved {
		name := c.Path
		if c.Kind == Moved {
			name = c.From
		}
		d := was(name, c.Old)
		if err := w.root.Remove(name); err != nil {
			return err
		}
		w.done = append(w.done, d)
	}
	if c.Kind == Deleted {
		return nil
	}
	d := was(c.Path, c.Old)
	if err := w.root.Rename(w.temp[c.Path], c.Path); err != nil {
		return err
	}
	delete(w.temp, c.Path)
	w.done = append(w.done, d)
	return nil
}

// back takes everything back.
func (w *writing) back() error {
	var errs []error
	for _, d := range slices.Backward(w.done) {
		if !d.was {
			errs = append(errs, w.root.Remove(d.path))
			continue
		}
		errs = append(errs, w.root.WriteFile(d.path, d.old, d.mode))
	}
	for _, name := range w.temp {
		errs = append(errs, w.root.Remove(name))
	}
	slices.SortFunc(w.made, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range w.made {
		_ = w.root.Remove(dir) // others may have put something there
	}
	return errors.Join(errs...)
}

// prune takes away directories that are left empty, which Git would not keep.
func (w *writing) prune() {
	for _, d := range w.done {
		for dir := path.Dir(d.path); d.was && dir != "."; dir = path.Dir(dir) {
			if w.root.Remove(dir) != nil {
				break
			}
		}
	}
}
