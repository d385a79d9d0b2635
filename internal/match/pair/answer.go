package pair

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/flat"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// response tries the answers that a's server can give with b's dictionary, and those of b's server with either.
func (p *prober) response(s delta.Site) {
	for _, used := range p.uses(s) {
		f := p.at(s, InResponse, used)
		p.answer(f, p.a, otherDictionary)
		p.missing(f)
	}
	if delta.Last(s.B) == nil {
		return
	}
	for _, used := range uses(s, sample.Of(s.B, delta.Last(s.A), p.other)) {
		f := p.at(s, InResponse, used)
		f.ofOther = true
		p.answer(f, p.b, otherServer, otherBoth)
	}
}

// missing notes what b's API cannot say any more.
func (p *prober) missing(f finding) {
	g, used := delta.Last(f.site.B), f.used
	gone := g == nil && len(f.site.Both) == 0 || used.Any != "" && !slices.ContainsFunc(p.changes.To,
		func(md protoreflect.MessageDescriptor) bool { return md.FullName() == used.Any })
	if used.Enum != nil && g != nil && g.Enum() != nil {
		gone = g.Enum().Values().ByName(used.Enum.Name()) == nil && g.Enum().Values().ByNumber(used.Enum.Number()) == nil
	}
	if !gone {
		return
	}
	a := transcode.Answer{Messages: [][]byte{used.Message(p.from.Output())}}
	f.witness = witnessOf(p.minimal, a, p.a.exchange(p.a, p.minimal, a))
	f.outcome, f.detail = transcode.Dropped, "the new API never sends it"
	if p.client == NewClient {
		f.detail = "the old API never sends it"
	}
	f.detail = said(f, used.When)
	f.state = otherBoth
	p.note(f)
	if g == nil {
		f.state = otherServer
		p.note(f)
	}
}

// answer compares what a client of a sees in some states of an answer of one server with what that server's own API makes of it.
func (p *prober) answer(f finding, server *side, states ...int) {
	b := p.binding(server)
	_, output, ok := server.server.Method(b.Path())
	if !ok || output != b.Output() && server.proxy != nil && output.FullName() != b.Output().FullName() {
		return
	}
	a := transcode.Answer{Messages: [][]byte{f.used.Message(output)}}
	own := server.exchange(server, p.ownRequest(server), a)
	if own.Outcome != transcode.Unaffected {
		return // the API itself cannot say it
	}
	want := p.seen(own.Body, server.options(p.options), server == p.a, output, b.ServerStreaming)
	for _, state := range states {
		if p.lost[state] {
			continue
		}
		d := p.pairs()[state]
		reply := d[0].exchange(d[1], p.minimal, a)
		f.state, f.outcome, f.detail = state, reply.Outcome, p.why(reply, InResponse)
		if reply.Outcome == transcode.Unaffected {
			got := p.seen(reply.Body, p.a.options(p.options), true, p.from.Output(), p.from.ServerStreaming)
			f.outcome, f.detail = became(want.Against(got, true), f.path)
		}
		f.detail = said(f, f.used.When)
		f.witness = witnessOf(p.minimal, a, reply)
		p.note(f)
	}
}

// seen reads a response as a client of a does.
func (p *prober) seen(body []byte, options wirejson.Printer, own bool, md protoreflect.MessageDescriptor, stream bool) flat.Tree {
	t := flat.Tree{}
	flat.View{Options: options, Own: own}.Body(t, body, md, p.from.Output(), stream)
	return t
}

// streams tries two messages where one side has a stream and the other has none.
func (p *prober) streams() {
	if p.from.ClientStreaming != p.to.ClientStreaming {
		if request, ok := (&sample.Use{}).Request(p.from, p.a.plain); ok {
			p.send(finding{direction: InRequest, used: &sample.Use{When: "with one message"}, change: p.streamChange()}, request)
		}
	}
	if p.from.ServerStreaming == p.to.ServerStreaming {
		return
	}
	for state, d := range p.pairs() {
		reply := d[0].exchange(d[1], p.minimal, p.empty[state])
		outcome, detail := reply.Outcome, ""
		switch {
		case outcome != transcode.Unaffected:
		case d[0] == p.b && p.to.ServerStreaming:
			outcome, detail = transcode.ShapeChanged, "an array instead of one message"
		case d[0] == p.b:
			outcome, detail = transcode.ShapeChanged, "one message instead of an array"
		case d[1] == p.b && p.to.ServerStreaming:
			outcome, detail = transcode.Dropped, "all messages but the first"
		}
		p.note(finding{direction: InResponse, state: state, outcome: outcome, detail: detail, change: p.streamChange(),
			witness: witnessOf(p.minimal, p.empty[state], reply)})
	}
}

// rawResponse tries an answer where one side at least sends an HttpBody.
func (p *prober) rawResponse() {
	if p.changes.Same(p.from.Output(), p.to.Output()) && p.from.Rule.ResponseBody == p.to.Rule.ResponseBody {
		return
	}
	for state, d := range p.pairs() {
		s, b := d[1], p.binding(d[1])
		a := transcode.Answer{Messages: [][]byte{sample.Full(b.Output())}}
		want := s.exchange(s, p.ownRequest(s), a)
		reply := d[0].exchange(d[1], p.minimal, a)
		outcome, detail := reply.Outcome, ""
		if outcome == transcode.Unaffected && (!bytes.Equal(want.Body, reply.Body) || state == otherBoth) {
			outcome, detail = transcode.ShapeChanged, "the body as it is, where JSON was, or the reverse"
		}
		p.note(finding{direction: InResponse, state: state, outcome: outcome, detail: detail, change: p.rawChange(), witness: witnessOf(p.minimal, a, reply)})
	}
}
