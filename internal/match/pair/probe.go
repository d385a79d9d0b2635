package pair

import (
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/flat"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// prober tries the calls of one route of API a.
type prober struct {
	*comparison
	a, b     *side
	client   Client
	key      string
	name     string             // verb and template
	from, to *transcode.Binding // the route in a and in b; to is nil if b lacks it
	minimal  transcode.Request  // a request without any field
	others   *transcode.Request // the same in b, once it was asked for
	empty    [3]transcode.Answer
	lost     [3]bool // states in which the route as a whole fails
	out      []*effect
}

// pairs are dictionary and server of each state.
func (p *prober) pairs() [3][2]*side {
	return [3][2]*side{{p.b, p.a}, {p.a, p.b}, {p.b, p.b}}
}

// binding is the route in a side's API.
func (p *prober) binding(s *side) *transcode.Binding {
	if s == p.b {
		return p.to
	}
	return p.from
}

func (p *prober) route() []*effect {
	details := p.newDetails()
	if p.unchanged() && len(details) == 0 {
		return nil
	}
	request, ok := (&sample.Use{}).Request(p.from, p.a.plain)
	if !ok {
		return nil
	}
	p.minimal = request
	base := p.a.exchange(p.a, request, emptyAnswer(p.a, p.from))
	if base.Outcome != transcode.Unaffected {
		return nil // does not work in its own API
	}
	for state, d := range p.pairs() {
		if server := p.binding(d[1]); server != nil {
			p.empty[state] = emptyAnswer(d[1], server)
		}
		reply := d[0].exchange(d[1], request, p.empty[state])
		if own := p.binding(d[0]); reply.Outcome == transcode.Unaffected && (own == nil || own.Path() != reply.Method) {
			reply.Outcome = transcode.AnotherMethod
		}
		if reply.Outcome != transcode.Unaffected {
			p.lost[state] = true
			p.note(finding{state: state, outcome: reply.Outcome, detail: p.why(reply, WholeRoute), change: p.routeChange(reply.Outcome),
				witness: witnessOf(request, p.empty[state], reply)})
		}
	}
	if p.to != nil {
		p.streams()
	}
	p.out = p.spare(p.out)
	if p.to != nil {
		p.fields()
		p.statuses(details)
	}
	return p.out
}

func (p *prober) fields() {
	requests := p.changes.Sites(p.from.Input(), p.to.Input())
	if p.from.Rule != p.to.Rule {
		requests = append(requests, delta.EveryField(p.from.Input(), p.to.Input(), requests)...)
	}
	for _, s := range requests {
		p.once(s, InRequest, p.request)
	}
	if p.from.RawResponse() || p.to.RawResponse() {
		p.rawResponse()
		return
	}
	for _, s := range p.changes.Sites(p.from.Output(), p.to.Output()) {
		p.once(s, InResponse, p.response)
	}
}

// unchanged says that the route has the same rule, method and messages in both APIs, and that both proxies find it.
func (p *prober) unchanged() bool {
	if p.to == nil || p.b.proxy == nil || p.from.Rule != p.to.Rule || p.from.Path() != p.to.Path() ||
		p.from.ClientStreaming != p.to.ClientStreaming || p.from.ServerStreaming != p.to.ServerStreaming ||
		!p.changes.Same(p.from.Input(), p.to.Input()) || !p.changes.Same(p.from.Output(), p.to.Output()) {
		return false
	}
	path := p.from.FillPath(func(_ []string, fd protoreflect.FieldDescriptor) (string, bool) { return sample.StandIn(fd), true })
	found, ok := p.b.proxy.Find(p.from.Rule.Verb, path)
	own, _ := p.a.proxy.Find(p.from.Rule.Verb, path)
	return ok && found == own
}

func emptyAnswer(s *side, b *transcode.Binding) transcode.Answer {
	_, output, ok := s.server.Method(b.Path())
	if !ok {
		return transcode.Answer{}
	}
	return transcode.Answer{Messages: [][]byte{(&sample.Use{}).Message(output)}}
}

func (p *prober) why(reply transcode.Reply, d Direction) string {
	switch reply.Outcome {
	case transcode.Rejected:
		return p.b.refused + p.a.refused
	case transcode.Shadowed:
		return "two methods claim this verb and path, so neither has it"
	case transcode.AnotherMethod:
		return "the dictionary sends it to " + reply.Method
	case transcode.Unimplemented:
		return "the server does not know " + reply.Method
	case transcode.NotRouted:
		what, then := "the dictionary has no such route", "the request passes the proxy as it is"
		if d == InRequest {
			what = "the dictionary has no such parameter"
		}
		if p.options.Config.RequestValidation.RejectUnknownMethod && d == WholeRoute {
			then = "the proxy refuses the request"
		}
		return what + ": " + then
	}
	return ""
}

// finding is what a probe found, before it is an effect of a route.
type finding struct {
	site      delta.Site
	path      string
	direction Direction
	state     int
	outcome   transcode.Outcome
	detail    string
	change    delta.Change
	replaced  bool
	used      *sample.Use
	ofOther   bool // used is of the other API, whose server answers so
	witness   *Witness
}

func witnessOf(r transcode.Request, a transcode.Answer, reply transcode.Reply) *Witness {
	return &Witness{Request: r, Answer: a, Status: reply.Status, Body: reply.Body}
}

func (p *prober) note(f finding) {
	if f.outcome == transcode.Unaffected || p.lost[f.state] && f.direction != WholeRoute {
		return
	}
	p.out = append(p.out, &effect{
		key: p.key, route: p.name, replaced: f.replaced, used: f.used, ofOther: f.ofOther,
		Effect: Effect{
			Path: f.path, Direction: f.direction, Client: p.client, State: states(p.client)[f.state],
			Outcome: f.outcome, Detail: f.detail, Change: f.change, Witness: f.witness,
		},
	})
}

// at begins a finding about a field.
func (p *prober) at(s delta.Site, d Direction, used *sample.Use) finding {
	f := finding{site: s, path: s.Path, direction: d, used: used}
	from, to := delta.Last(s.A), delta.Last(s.B)
	f.replaced = len(s.Both) == 0 && (from == nil || to == nil || !delta.Alike(from, to))
	if f.change = p.changes.Change(s); f.change.Kind == delta.OtherChange && p.from.Rule != p.to.Rule && d == InRequest {
		f.change = p.ruleChange()
	}
	return f
}

// uses are the samples of a site, for the API that has the field.
func (p *prober) uses(s delta.Site) []*sample.Use {
	switch {
	case len(s.Both) > 0:
		return []*sample.Use{sample.Both(s)}
	case delta.Last(s.A) == nil:
		return nil
	}
	return uses(s, sample.Of(s.A, delta.Last(s.B), p.own))
}

// uses are those of a field that may come to something else: of one that the other API does not know, the first will do.
func uses(s delta.Site, all []*sample.Use) []*sample.Use {
	if s.Alone {
		return all[:min(1, len(all))]
	}
	return all
}

// request tries the uses of a field that a's API has.
func (p *prober) request(s delta.Site) {
	for _, used := range p.uses(s) {
		if request, ok := used.Request(p.from, p.a.plain); ok {
			p.send(p.at(s, InRequest, used), request)
		}
	}
}

// send compares what a server is given in each state with what a's gets from a's dictionary.
func (p *prober) send(f finding, request transcode.Request) {
	base := p.a.exchange(p.a, request, emptyAnswer(p.a, p.from))
	if base.Outcome != transcode.Unaffected {
		return
	}
	want := p.received(base, p.a)
	for state, d := range p.pairs() {
		reply := d[0].exchange(d[1], request, p.empty[state])
		f.state, f.outcome, f.detail = state, reply.Outcome, p.why(reply, InRequest)
		if reply.Outcome == transcode.Unaffected {
			f.outcome, f.detail = became(want.Against(p.received(reply, d[1]), false), f.path)
		}
		f.detail = said(f, f.used.When)
		f.witness = witnessOf(request, p.empty[state], reply)
		p.note(f)
	}
}

// received is what a server got, in the names of a's API.
func (p *prober) received(reply transcode.Reply, s *side) flat.Tree {
	t := flat.Tree{}
	input, _, ok := s.server.Method(p.binding(s).Path())
	if !ok {
		return t
	}
	for i, raw := range reply.Received {
		prefix := ""
		if i > 0 {
			prefix = strconv.Itoa(i) + ":"
		}
		flat.View{Options: s.plain, Own: s == p.a}.Raw(t, prefix, raw, input, p.from.Input())
	}
	return t
}

// ownRequest is a request that reaches the route in a side's own API.
func (p *prober) ownRequest(s *side) transcode.Request {
	if s == p.a {
		return p.minimal
	}
	if p.others == nil {
		r, _ := (&sample.Use{}).Request(p.to, s.plain)
		p.others = &r
	}
	return *p.others
}

func (s *side) options(o Options) wirejson.Printer {
	print := o.Config.PrintOptions
	return wirejson.Printer{Types: s.set.Types(), EnumsAsNumbers: print.AlwaysPrintEnumsAsInts, OriginalNames: print.PreserveProtoFieldNames}
}
