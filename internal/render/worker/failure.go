package worker

import (
	"errors"
	"io/fs"

	"github.com/syncproof/syncproof/internal/source"
)

// Failure is an error of a tree on its way through the pipe. The identities that callers of a tree may ask for with
// [errors.Is] survive; others become opaque text.
type Failure struct {
	Code string // which of the known errors it is; "" for another
	Op   string // of the [fs.PathError]
	Path string
	Text string // of the error inside the [fs.PathError]
}

// identities are the errors that keep theirs, the special ones first.
func identities() []struct {
	code string
	err  error
} {
	return []struct {
		code string
		err  error
	}{
		{"escapes", source.ErrEscapes},
		{"too-large", source.ErrTooLarge},
		{"submodule", source.ErrSubmodule},
		{"absent", source.ErrAbsent},
		{"link-loop", source.ErrLinkLoop},
		{"not-exist", fs.ErrNotExist},
		{"invalid", fs.ErrInvalid},
		{"permission", fs.ErrPermission},
		{"exist", fs.ErrExist},
		{"closed", fs.ErrClosed},
	}
}

// NewFailure describes err, which reading name gave; nil for nil.
func NewFailure(op, name string, err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Op: op, Path: name, Text: err.Error()}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		f.Op, f.Path, f.Text = pe.Op, pe.Path, pe.Err.Error()
	}
	for _, id := range identities() {
		if errors.Is(err, id.err) {
			f.Code = id.code
			break
		}
	}
	return f
}

// Err gives the error back, an [fs.PathError]; nil for nil.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	return &fs.PathError{Op: f.Op, Path: f.Path, Err: f.inner()}
}

func (f *Failure) inner() error {
	for _, id := range identities() {
		if id.code == f.Code {
			if f.Text == id.err.Error() {
				return id.err
			}
			return &named{text: f.Text, is: id.err}
		}
	}
	return errors.New(f.Text)
}

// named has its own words and another error's identity.
type named struct {
	text string
	is   error
}

func (n *named) Error() string { return n.text }
func (n *named) Unwrap() error { return n.is }
