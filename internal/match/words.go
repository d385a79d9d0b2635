package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// told is a failure in words.
type told struct {
	failure
	Call
}

// tell puts a failure under a filter into words.
func (t *transcoding) tell(f failure, filter int) told {
	meets := t.meets(f.effect, filter)
	if f.beside != nil {
		meets += "; with other values: " + t.meets(*f.beside, filter)
	}
	return told{f, Call{What: what(f.effect), Meets: meets}}
}

// change is what of the release makes a use of an image fail.
func (t *transcoding) change(image int, f failure) string {
	if !t.first.known() || !t.last.known() {
		return ""
	}
	change := t.compare(t.first, t.last, t.in.Server).change(f.use)
	if change == "" && t.first.same(t.last) && image == t.in.End.Consumer {
		return f.effect.change // of the dictionary alone
	}
	return change
}

// inOrder puts the gravest first: what is common, then what loses the call, then what goes wrong without a word.
func inOrder(list []told) []Call {
	slices.SortStableFunc(list, func(a, b told) int {
		if a.Common != b.Common {
			if a.Common {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(gravity(a.outcome), gravity(b.outcome)), cmp.Compare(a.What, b.What))
	})
	var out []Call
	for _, t := range list {
		out = append(out, t.Call)
	}
	return out
}

// gravity counts from the gravest: what takes the proxy down, what loses calls, what corrupts data, what looks different.
func gravity(o transcode.Outcome) int {
	return slices.Index([]transcode.Outcome{
		transcode.ProxyEnds, transcode.Rejected, transcode.BreaksOff, transcode.BadGateway, transcode.ServerError,
		transcode.Unimplemented, transcode.Shadowed, transcode.NotRouted, transcode.BadRequest,
		transcode.ValueChanged, transcode.Dropped, transcode.ShapeChanged,
	}, o)
}

func what(e effect) string {
	if e.path == "" && e.direction == pair.WholeRoute {
		return e.route
	}
	where := "answers"
	if e.direction == pair.InRequest {
		where = "requests"
	}
	first, second, two := strings.Cut(e.path, "+")
	switch {
	case two:
		return fmt.Sprintf("fields %s and %s together in %s of %s", first, second, where, e.route)
	case e.path == "":
		return where + " of " + e.route
	}
	return fmt.Sprintf("field %s in %s of %s", e.path, where, e.route)
}

// meets says what a caller sees and why, under a filter.
func (t *transcoding) meets(e effect, filter int) string {
	text := t.plainly(e, filter)
	if e.detail == "" || slices.Contains([]transcode.Outcome{transcode.NotRouted, transcode.Shadowed, transcode.Unimplemented}, e.outcome) {
		return text
	}
	return text + " (" + e.detail + ")"
}

func (t *transcoding) plainly(e effect, filter int) string {
	switch e.outcome {
	case transcode.ProxyEnds:
		return "the proxy's process ends on this answer, and every connection of the pod with it"
	case transcode.Rejected:
		return "the proxy refuses the dictionary together with its list of services"
	case transcode.BreaksOff:
		return "200, and the answer breaks off: the proxy cannot read it by its dictionary"
	case transcode.BadGateway:
		return "502 from the proxy: it cannot read the answer by its dictionary, and the server has done the work"
	case transcode.ServerError:
		if e.direction == pair.InResponse {
			return "500 from the proxy: the answer gets larger than it may be"
		}
		return "500 from the server: it cannot read what the proxy makes of the request"
	case transcode.Unimplemented:
		return "501: " + cmp.Or(e.detail, "the server does not know the method") + ", which the proxy's dictionary has for this route"
	case transcode.Shadowed:
		return from(e.status) + "the proxy's dictionary has two methods for the route, takes neither of them" + t.then(e.status)
	case transcode.NotRouted:
		return from(e.status) + t.unrouted(e, filter) + t.then(e.status)
	case transcode.BadRequest:
		return "400 from the proxy: its dictionary does not take this value"
	}
	return silently(e)
}

// silently are the outcomes that no status tells of.
func silently(e effect) string {
	switch {
	case e.outcome == transcode.ValueChanged && e.direction == pair.InRequest:
		return fmt.Sprintf("%d, and the server gets another value", e.status)
	case e.outcome == transcode.ValueChanged:
		return fmt.Sprintf("%d with another value", e.status)
	case e.outcome == transcode.Dropped && e.direction == pair.InRequest:
		return fmt.Sprintf("%d, and the server never gets the value", e.status)
	case e.outcome == transcode.Dropped:
		return fmt.Sprintf("%d without it", e.status)
	case e.direction == pair.InRequest:
		return fmt.Sprintf("%d, and the server gets another form of it", e.status)
	}
	return fmt.Sprintf("%d in another form of JSON", e.status)
}

// from says who answers a call that the proxy does not translate. The C core answers some verbs with 200 and an error that
// only gRPC clients see.
func from(status int) string {
	switch status {
	case 400, 404:
		return fmt.Sprintf("%d from the proxy: ", status)
	case 200:
		return "an error in the gRPC status under a 200 from the server: "
	}
	return fmt.Sprintf("%d from the server: ", status)
}

// then says what the proxy does with such a call.
func (t *transcoding) then(status int) string {
	if status == 400 || status == 404 {
		return ""
	}
	return " and passes the call through"
}

// unrouted says why a dictionary has no route under a filter.
func (t *transcoding) unrouted(e effect, filter int) string {
	service := e.method[:max(strings.LastIndexByte(e.method, '.'), 0)]
	services := at(t.in.Filters, filter).Services
	switch {
	case filter < 0:
		return "the proxy has no transcoder"
	case len(services) == 0:
		return "the transcoder lists no services"
	case e.direction == pair.InRequest:
		return "the proxy's dictionary does not know the parameter"
	case !slices.Contains(services, service):
		return "the transcoder does not list the service " + service
	}
	return "the proxy's dictionary does not know the route"
}
