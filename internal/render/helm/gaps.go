package helm

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// What the user can do, where several causes share it.
const (
	closeTemplate = "give the chart its values in the Application's spec.source.helm (or under roots: in .syncproof.yaml " +
		"if the chart is a root), or fix the template"
	closeValues = "correct the values in the Application's spec.source.helm, or under roots: in .syncproof.yaml"
	closeChart  = "correct the chart until `helm template` accepts it"
)

// maxMessage is how many characters of a message from a chart are kept.
const maxMessage = 200

// shorten makes one line of a message and cuts it.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "..."
	}
	return s
}

// readGap says why a file of the tree could not be read. What names the file's role: "value file x.yaml".
func readGap(file, what string, err error) *diag.Gap {
	gap := &diag.Gap{At: object.Location{File: file}}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		gap.Reason, gap.At = diag.PathMissing, object.Location{}
		gap.Message, gap.Close = what+" does not exist", "commit the file, or correct the path"
	case errors.Is(err, source.ErrEscapes):
		gap.Reason = diag.Escape
		gap.Message, gap.Close = what+" leaves the repository", "replace the link by a file inside the repository"
	case errors.Is(err, source.ErrLinkLoop):
		gap.Reason = diag.RenderFailed
		gap.Message, gap.Close = what+" is a loop of links", "replace the link by a file"
	case errors.Is(err, source.ErrTooLarge):
		gap.Reason = diag.ContentMissing
		gap.Message = what + " is larger than the limit"
		gap.Close = "raise limits.fileSize in .syncproof.yaml, or name the file in .helmignore if no template needs it"
	case errors.Is(err, source.ErrSubmodule):
		gap.Reason = diag.ContentMissing
		gap.Message, gap.Close = what+" lies in a submodule", "commit the submodule's files to the repository"
	case errors.Is(err, source.ErrAbsent):
		gap.Reason = diag.ContentMissing
		gap.Message, gap.Close = what+" is absent from this clone", "fetch the whole repository (no partial clone)"
	default:
		gap.Reason = diag.RenderFailed
		gap.Message, gap.Close = what+" cannot be read", "replace it by a regular file"
	}
	return gap
}

var (
	quoted = regexp.MustCompile("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'")
	lineOf = regexp.MustCompile(`\bline (\d+)`)
	// parserPrefix is what the layers between us and the parser put before its message.
	parserPrefix = regexp.MustCompile(`(^|: )(?:(?:error converting YAML to JSON|error unmarshaling JSON|while decoding JSON|` +
		`cannot unmarshal yaml document|json|yaml): )+`)
	typeClash = regexp.MustCompile(`type mismatch on ([^\s:]+):`)
)

// yamlText is what may be told of an error of a YAML or JSON parser: these quote the content.
func yamlText(err error) string {
	s := quoted.ReplaceAllString(err.Error(), "...")
	s = parserPrefix.ReplaceAllString(s, "$1")
	return shorten(s)
}

// yamlLine is the line that a YAML parser names, 0 if none.
func yamlLine(err error) int {
	m := lineOf.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// valuesGap is for an error of Helm while it merges values; such an error prints the value itself.
func (r *renderer) valuesGap(err error) *diag.Gap {
	message := "the values do not fit the chart and its subcharts"
	if m := typeClash.FindStringSubmatch(err.Error()); m != nil {
		message = fmt.Sprintf("the value %q is no mapping, but names a subchart", m[1])
	}
	return r.gap(diag.RenderFailed, message, closeValues)
}

var (
	templatePlace = regexp.MustCompile(`([^\s():"<>]+):(\d+)(?::\d+)?`)
	failMessage   = regexp.MustCompile(`(?s)^execution error at \([^)]*\): (.*)$`)
	parseMessage  = regexp.MustCompile(`(?s)^parse error (?:at|in) \([^)]*\): (.*)$`)
	// tpl quotes the whole text that it was given, which is a value.
	tplText = regexp.MustCompile(`(cannot parse template|error during tpl function execution for) "(?:[^"\\]|\\.)*"`)
)

// templateGap turns an error of the template engine into a gap at the template it names first: the manifest, not the
// helper that it includes. Places maps the engine's names of templates to files.
func (r *renderer) templateGap(err error, places map[string]place) *diag.Gap {
	gap := r.gap(diag.RenderFailed, "helm: ", closeTemplate)
	raw := err.Error()
	for _, m := range templatePlace.FindAllStringSubmatch(raw, -1) {
		at, ok := places[m[1]]
		if !ok {
			continue
		}
		gap.At = object.Location{File: at.file}
		if at.archived {
			gap.Message = fmt.Sprintf("helm: template %s:%s: ", m[1], m[2])
		} else {
			gap.At.Line, _ = strconv.Atoi(m[2])
		}
		break
	}
	gap.Message += shorten(engineMessage(raw))
	return gap
}

// engineMessage picks the innermost cause out of Helm's report, which spreads over several lines.
func engineMessage(raw string) string {
	raw = tplText.ReplaceAllString(raw, "$1 ...")
	for _, re := range []*regexp.Regexp{failMessage, parseMessage} {
		if m := re.FindStringSubmatch(raw); m != nil {
			return m[1]
		}
	}
	lines := strings.Split(strings.TrimSpace(raw), "\n")
	last := lines[len(lines)-1]
	if i := strings.LastIndex(last, ">: "); i >= 0 { // "executing "x" at <action>: cause", not taken apart by Helm
		cause := last[i+len(">: "):]
		if at := strings.LastIndex(last[:i], " at <"); at >= 0 {
			return cause + " at " + last[at+len(" at "):i+1] // the action is text of the template, not a value
		}
		return cause
	}
	return last
}

// withoutUser drops credentials from a URL that is going to be printed.
func withoutUser(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}
