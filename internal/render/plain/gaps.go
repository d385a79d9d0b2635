package plain

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Unreadable turns the error of reading a name of a tree into the gap that says so.
func Unreadable(name string, err error) diag.Gap {
	gap := diag.Gap{At: object.Location{File: name}}
	for _, known := range []struct {
		err            error
		reason         diag.Reason
		message, close string
	}{
		{fs.ErrNotExist, diag.PathMissing, "does not exist at this revision", "add it, or correct the path that names it"},
		{source.ErrEscapes, diag.Escape, "is a link that leaves the repository", "put a copy in its place"},
		{source.ErrSubmodule, diag.ContentMissing, "lies in a submodule, whose content this repository does not have", "vendor the submodule's files"},
		{source.ErrAbsent, diag.ContentMissing, "is absent from this clone", "fetch the object into the clone (git fetch --refetch)"},
		{source.ErrTooLarge, diag.ContentMissing, "is larger than the limit", "raise limits.fileSize in .syncproof.yaml"},
		{source.ErrLinkLoop, diag.RenderFailed, "is a loop of links", "point the link at a file"},
	} {
		if errors.Is(err, known.err) {
			gap.Reason, gap.Message, gap.Close = known.reason, known.message, known.close
			return gap
		}
	}
	gap.Reason, gap.Message, gap.Close = diag.ContentMissing, "cannot be read: "+oneLine(err.Error()), "make the file readable"
	return gap
}

func unparsable(name string, err error) diag.Gap {
	gap := diag.Gap{
		Reason:  diag.Unparsable,
		At:      object.Location{File: name},
		Message: oneLine(err.Error()),
		Close:   "correct the file, for which Argo CD refuses the whole Application, or take it out with directory.exclude or a comment " + skipMarker,
	}
	var e *Error
	if errors.As(err, &e) {
		gap.At.Line = e.Line
		gap.Message = e.Reason
	}
	return gap
}

// Error is why a file is no list of Kubernetes documents. It holds no value of the file: messages of YAML readers quote
// what they stumble over, and that may be a secret.
type Error struct {
	File   string
	Line   int    // from 1; 0 if it is not known
	Reason string // one line
	first  bool   // no document before it could be read, nor itself: the file may have nothing to do with Kubernetes
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Reason
}

var (
	lineOf = regexp.MustCompile(`line (\d+): `)
	quoted = regexp.MustCompile("[`\"][^`\"]*[`\"]")
)

// Explain reads an error of a YAML or JSON reader: the line inside the text that was read (0 if it names none), and the
// reason without anything quoted from the text.
func Explain(err error) (line int, reason string) {
	s := err.Error()
	if m := lineOf.FindStringSubmatch(s); m != nil {
		line, _ = strconv.Atoi(m[1])
		// The parser counts from 0 where the scanner counts from 1. For these the token itself is to blame; what is left
		// open begins on the line before.
		for _, end := range []string{"expected key", "'-' indicator", "<document start>", "node content"} {
			if strings.HasSuffix(s, end) {
				line++
			}
		}
	}
	switch {
	case strings.Contains(s, "map key"):
		return line, "a mapping or a list stands where a key must (an unrendered template?)"
	case strings.Contains(s, "unknown anchor"):
		return line, "an alias refers to an anchor that does not exist"
	case strings.Contains(s, "value contains itself"):
		return line, errCycle.Error()
	case strings.Contains(s, "cannot unmarshal"):
		return line, "the document is no mapping"
	case strings.Contains(s, "unsupported value"):
		return line, "a number has no JSON form (infinity or not a number)"
	}
	s = strings.TrimPrefix(s, "yaml: ")
	s = lineOf.ReplaceAllString(strings.TrimPrefix(s, "unmarshal errors:\n  "), "")
	return line, oneLine(quoted.ReplaceAllString(s, "a value"))
}

// oneLine cuts at the first line break and at 200 bytes.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "..."
	}
	return s
}
