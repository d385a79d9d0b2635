package render

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// Bounds of one answer to a question for a subtree. Beyond them the worker asks file by file.
const (
	maxSubtreeFiles = 4000
	maxSubtreeBytes = 32 << 20
)

// maxName bounds the names that a worker may ask for, in bytes.
const maxName = 4096

// desk answers a worker's questions from a tree, which notes them. A worker can name nothing that is not in the tree, and
// can have no more of it than left bytes.
type desk struct {
	tree *source.Recorder
	left int64
}

// answer answers one question. An error ends the conversation.
func (d *desk) answer(head []byte) (worker.Answer, []byte, error) {
	var ask worker.Ask
	if err := worker.DecodeHead(head, &ask); err != nil {
		return worker.Answer{}, nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	if len(ask.Name) > maxName || !fs.ValidPath(ask.Name) {
		return worker.Answer{}, nil, fmt.Errorf("%w: a question for no path", errBroken)
	}
	switch ask.Op {
	case worker.OpStat:
		info, err := d.tree.Stat(ask.Name)
		return describe("stat", ask.Name, info, err), nil, nil
	case worker.OpLstat:
		info, err := fs.Lstat(d.tree, ask.Name)
		return describe("lstat", ask.Name, info, err), nil, nil
	case worker.OpReadLink:
		target, err := fs.ReadLink(d.tree, ask.Name)
		return worker.Answer{Failure: worker.NewFailure("readlink", ask.Name, err)}, []byte(target), nil
	case worker.OpReadDir:
		return d.list(ask.Name), nil, nil
	case worker.OpReadFile:
		data, err := d.tree.ReadFile(ask.Name)
		if err != nil {
			return worker.Answer{Failure: worker.NewFailure("read", ask.Name, err)}, nil, nil
		}
		return worker.Answer{}, data, d.spend(data)
	case worker.OpSubtree:
		answer, body := d.subtree(ask.Name)
		return answer, body, d.spend(body)
	}
	return worker.Answer{}, nil, fmt.Errorf("%w: an unknown question", errBroken)
}

func (d *desk) spend(data []byte) error {
	d.left -= int64(len(data))
	if d.left < 0 {
		return errTooMuch
	}
	return nil
}

func describe(op, name string, info fs.FileInfo, err error) worker.Answer {
	if err != nil {
		return worker.Answer{Failure: worker.NewFailure(op, name, err)}
	}
	return worker.Answer{Info: &worker.Entry{Name: info.Name(), Mode: info.Mode(), Size: info.Size()}}
}

func (d *desk) list(name string) worker.Answer {
	entries, err := d.tree.ReadDir(name)
	if err != nil {
		return worker.Answer{Failure: worker.NewFailure("readdir", name, err)}
	}
	var answer worker.Answer
	for _, e := range entries {
		answer.Entries = append(answer.Entries, worker.Entry{Name: e.Name(), Type: e.Type()})
	}
	return answer
}

// subtree is everything below a directory. Links to directories are named and not entered.
func (d *desk) subtree(dir string) (worker.Answer, []byte) {
	var s subtree
	if err := s.enter(d.tree, dir, "."); err != nil {
		return worker.Answer{Failure: worker.NewFailure("subtree", dir, err)}, nil
	}
	return worker.Answer{Entries: s.entries}, s.body
}

type subtree struct {
	entries []worker.Entry
	body    []byte
}

// errLarge makes the worker ask file by file. It never reaches an engine.
var errLarge = errors.New("directory too large for one answer")

// enter adds the directory rel below top and what it holds.
func (s *subtree) enter(t source.Tree, top, rel string) error {
	entries, err := t.ReadDir(path.Join(top, rel))
	if err != nil && rel == "." {
		return err
	}
	s.entries = append(s.entries, worker.Entry{Name: rel, Type: fs.ModeDir, Mode: fs.ModeDir | 0o555, Listed: err == nil})
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		if e.IsDir() {
			err = s.enter(t, top, name)
		} else {
			err = s.file(t, top, name, e.Type())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file adds what is no directory. Only a link is described first: of a file, the content says the size.
func (s *subtree) file(t source.Tree, top, rel string, typ fs.FileMode) error {
	name := path.Join(top, rel)
	entry := worker.Entry{Name: rel, Type: typ, Mode: 0o444}
	if typ&fs.ModeSymlink != 0 {
		if info, err := t.Stat(name); err == nil && info.IsDir() {
			entry.Mode = info.Mode()
			s.entries = append(s.entries, entry)
			return nil
		}
	}
	data, err := t.ReadFile(name)
	if err != nil {
		entry.Failure = worker.NewFailure("read", name, err)
	}
	entry.Size, entry.Length = int64(len(data)), int64(len(data))
	s.entries = append(s.entries, entry)
	s.body = append(s.body, data...)
	if len(s.entries) > maxSubtreeFiles || len(s.body) > maxSubtreeBytes {
		return errLarge
	}
	return nil
}
