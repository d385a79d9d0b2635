package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

func TestFrames(t *testing.T) {
	var pipe bytes.Buffer
	big := bytes.Repeat([]byte{0, 1, 0xff, '<'}, 100_000)
	for _, body := range [][]byte{nil, {}, {0xff, 0}, big} {
		if err := WriteFrame(&pipe, AskKind, Ask{Op: OpStat, Name: "a<b"}, body); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range [][]byte{{}, {}, {0xff, 0}, big} {
		kind, head, body, err := ReadFrame(&pipe, map[Kind]Limit{AskKind: {Head: 100, Body: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		var ask Ask
		if err := DecodeHead(head, &ask); err != nil {
			t.Fatal(err)
		}
		if kind != AskKind || ask != (Ask{OpStat, "a<b"}) || !bytes.Equal(body, want) {
			t.Errorf("kind %d, ask %+v, %d bytes", kind, ask, len(body))
		}
	}
	if _, _, _, err := ReadFrame(&pipe, map[Kind]Limit{}); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestBadFrames(t *testing.T) {
	frame := func(kind byte, head, body uint32, rest string) string {
		raw := append([]byte{kind}, make([]byte, 8)...)
		binary.BigEndian.PutUint32(raw[1:], head)
		binary.BigEndian.PutUint32(raw[5:], body)
		return string(raw) + rest
	}
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"unknown kind":    {frame(77, 2, 0, "{}"), ErrFrame},
		"unexpected kind": {frame(byte(JobKind), 2, 0, "{}"), ErrFrame},
		"large head":      {frame(byte(AskKind), 101, 0, ""), ErrFrame},
		"large body":      {frame(byte(AskKind), 2, 1<<32-1, "{}"), ErrFrame},
		"cut prefix":      {"\x04\x00", io.ErrUnexpectedEOF},
		"cut head":        {frame(byte(AskKind), 50, 0, "{}"), io.ErrUnexpectedEOF},
		"cut body":        {frame(byte(AskKind), 2, 50<<20, "{}x"), io.ErrUnexpectedEOF},
	} {
		_, _, _, err := ReadFrame(strings.NewReader(c.raw), map[Kind]Limit{AskKind: {Head: 100, Body: 60 << 20}})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestClaimedLength: a frame that claims to be large costs nothing until it is.
func TestClaimedLength(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		raw := []byte{byte(DoneKind), 0, 0, 0, 2, 0x7f, 0, 0, 0, '{', '}'}
		b.ReportAllocs()
		for b.Loop() {
			ReadFrame(bytes.NewReader(raw), map[Kind]Limit{DoneKind: {Head: 2, Body: 1 << 31}})
		}
	})
	if perRead := result.AllocedBytesPerOp(); perRead > 1<<20 {
		t.Errorf("%d bytes for two that arrived", perRead)
	}
}

func TestCut(t *testing.T) {
	for _, n := range []int64{-1, 4, 1 << 62} {
		if _, _, err := Cut([]byte("abc"), n); err == nil {
			t.Errorf("cut %d of 3", n)
		}
	}
	part, rest, err := Cut([]byte("abc"), 2)
	if string(part) != "ab" || string(rest) != "c" || err != nil {
		t.Errorf("%q %q %v", part, rest, err)
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{byte(AskKind), 0, 0, 0, 2, 0, 0, 0, 1, '{', '}', 'x'})
	f.Fuzz(func(t *testing.T, raw []byte) {
		kind, head, body, err := ReadFrame(bytes.NewReader(raw), map[Kind]Limit{AskKind: {Head: 1 << 10, Body: 1 << 10}})
		if err == nil && (kind != AskKind || len(head)+len(body)+9 > len(raw)) {
			t.Errorf("kind %d, %d+%d bytes of %d", kind, len(head), len(body), len(raw))
		}
	})
}

var pointers = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// TestRequest: what a request holds comes through the pipe as it was, numbers and empty blocks included.
func TestRequest(t *testing.T) {
	req := unit.Request{
		Source: unit.Source{
			RepoURL: "https://example.com/r", Path: "a", Helm: &unit.Helm{
				ValuesObject: map[string]any{"big": json.Number("12345678901234567890"), "f": json.Number("1.10")},
				Parameters:   []unit.Parameter{{Name: "n", Value: "<&>", ForceString: true}},
			},
			Directory: &unit.Directory{},
			Kustomize: &unit.Kustomize{Patches: []any{map[string]any{"patch": "x"}}, Other: []string{"o"}},
			Plugin:    map[string]any{},
		},
		Files: []string{},
		Seed:  1<<64 - 1,
	}
	var pipe bytes.Buffer
	if err := WriteFrame(&pipe, JobKind, NewJob(7, req), nil); err != nil {
		t.Fatal(err)
	}
	_, head, _, err := ReadFrame(&pipe, map[Kind]Limit{JobKind: fromParent()})
	if err != nil {
		t.Fatal(err)
	}
	var job Job
	if err := DecodeHead(head, &job); err != nil {
		t.Fatal(err)
	}
	got, want := fmt.Sprintf("%#v", job.request()), fmt.Sprintf("%#v", req)
	for _, pointer := range []any{job.request().Source.Helm, job.request().Source.Kustomize, job.request().Source.Directory} {
		got += fmt.Sprintf("%#v", pointer)
	}
	for _, pointer := range []any{req.Source.Helm, req.Source.Kustomize, req.Source.Directory} {
		want += fmt.Sprintf("%#v", pointer)
	}
	strip := func(s string) string { return pointers.ReplaceAllString(s, "") }
	if strip(got) != strip(want) {
		t.Errorf("got  %s\nwant %s", strip(got), strip(want))
	}
}

func TestFailure(t *testing.T) {
	special := []error{source.ErrEscapes, source.ErrTooLarge, source.ErrSubmodule, source.ErrAbsent, source.ErrLinkLoop,
		fs.ErrNotExist, fs.ErrInvalid, fs.ErrPermission}
	for i, is := range special {
		for _, err := range []error{
			&fs.PathError{Op: "stat", Path: "a", Err: is},
			fmt.Errorf("read a: %w", is),
			&fs.PathError{Op: "stat", Path: "a", Err: fmt.Errorf("link b: %w", is)},
		} {
			back := wired(t, NewFailure("stat", "a", err)).Err()
			var pe *fs.PathError
			if !errors.As(back, &pe) || pe.Path != "a" {
				t.Errorf("%v became %#v", err, back)
			}
			for j, other := range special {
				if got := errors.Is(back, other); got != (i == j) {
					t.Errorf("%v is %v: %v", back, other, got)
				}
			}
		}
	}
	pathError := &fs.PathError{Op: "stat", Path: "a", Err: fmt.Errorf("link b: %w", source.ErrEscapes)}
	if got := wired(t, NewFailure("stat", "a", pathError)).Err().Error(); got != pathError.Error() {
		t.Errorf("%q became %q", pathError.Error(), got)
	}
	if got := wired(t, NewFailure("read", "b", errors.New("disk on fire"))).Err(); got.Error() != "read b: disk on fire" {
		t.Error(got)
	}
	if NewFailure("read", "b", nil).Err() != nil {
		t.Error("an error from none")
	}
}

func wired(t *testing.T, f *Failure) *Failure {
	t.Helper()
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back *Failure
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	return back
}
