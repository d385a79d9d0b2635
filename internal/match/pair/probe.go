package pair

import (
	"bytes"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// prober tries the calls of one route of API a.
type prober struct {
	*comparison
	a, b     *side
	client   Client
	key      string
	from, to *transcode.Binding // the route in a and in b; to is nil if b lacks it
	minimal  transcode.Request  // a request without any field
	lost     [3]bool            // states in which the route as a whole fails
	used     string             // name of the sample
	out      []effect
}

// pairs are dictionary and server of each state.
func (p *prober) pairs() [3][2]*side {
	return [3][2]*side{{p.b, p.a}, {p.a, p.b}, {p.b, p.b}}
}

func (p *prober) route() []effect {
	if p.unchanged() {
		return nil
	}
	raw := sample{}.build(p.from.Input())
	request, ok := p.a.compose(p.from, raw, 1)
	if !ok {
		return nil
	}
	p.minimal = request
	base := p.a.exchange(p.a, request, p.emptyAnswer(p.a, p.from))
	if base.Outcome != transcode.Unaffected {
		return nil // does not work in its own API
	}
	for state, d := range p.pairs() {
		a := transcode.Answer{}
		server := p.from
		if d[1] == p.b {
			server = p.to
		}
		if server != nil {
			a = p.emptyAnswer(d[1], server)
		}
		reply := d[0].exchange(d[1], request, a)
		if reply.Outcome != transcode.Unaffected {
			p.lost[state] = true
			p.note(site{}, WholeRoute, state, reply.Outcome, p.why(reply), request, a, reply)
		}
	}
	if p.to != nil {
		p.streams()
	}
	p.out = p.spare(p.out)
	if p.to != nil {
		p.fields()
	}
	return p.out
}

func (p *prober) fields() {
	requests := p.changes.sites(p.from.Input(), p.to.Input())
	if p.from.Rule != p.to.Rule {
		requests = append(requests, everyField(p.from.Input(), p.to.Input(), requests)...)
	}
	for _, s := range requests {
		p.once(s, InRequest, p.request)
	}
	if p.from.RawResponse() || p.to.RawResponse() {
		p.rawResponse()
	} else {
		for _, s := range p.changes.sites(p.from.Output(), p.to.Output()) {
			p.once(s, InResponse, p.response)
		}
	}
}

// unchanged says that the route has the same rule, method and messages in both APIs, and that both proxies find it.
func (p *prober) unchanged() bool {
	if p.to == nil || p.b.proxy == nil || p.from.Rule != p.to.Rule || p.from.Path() != p.to.Path() ||
		p.from.ClientStreaming != p.to.ClientStreaming || p.from.ServerStreaming != p.to.ServerStreaming ||
		!p.changes.same(p.from.Input(), p.to.Input()) || !p.changes.same(p.from.Output(), p.to.Output()) {
		return false
	}
	path := p.from.FillPath(func(_ []string, fd protoreflect.FieldDescriptor) (string, bool) { return standIn(fd), true })
	found, ok := p.b.proxy.Find(p.from.Rule.Verb, path)
	own, _ := p.a.proxy.Find(p.from.Rule.Verb, path)
	return ok && found == own
}

func (p *prober) emptyAnswer(s *side, b *transcode.Binding) transcode.Answer {
	_, output, ok := s.server.Method(b.Path())
	if !ok {
		return transcode.Answer{}
	}
	return transcode.Answer{Messages: [][]byte{sample{}.build(output)}}
}

func (p *prober) why(reply transcode.Reply) string {
	switch reply.Outcome {
	case transcode.Rejected:
		return p.b.refused + p.a.refused
	case transcode.Shadowed:
		return "two methods claim this verb and path, so neither has it"
	case transcode.Unimplemented:
		return "the server does not know " + reply.Method
	case transcode.NotRouted:
		return "the dictionary has no such route: the request passes the proxy as it is"
	}
	return ""
}

func (p *prober) note(s site, d Direction, state int, o transcode.Outcome, detail string,
	r transcode.Request, a transcode.Answer, reply transcode.Reply) {
	if o == transcode.Unaffected || p.lost[state] && d != WholeRoute {
		return
	}
	replaced := d != WholeRoute && len(s.samples) == 0 && (last(s.a) == nil || last(s.b) == nil || !alike(last(s.a), last(s.b)))
	ofOther := d == InResponse && state != otherDictionary && last(s.b) != nil
	route := p.from.Rule.Verb + " " + p.from.Rule.Template
	p.out = append(p.out, effect{key: p.key, route: route, replaced: replaced, sample: p.used, ofOther: ofOther, Effect: Effect{
		Path: s.path, Direction: d, Client: p.client, State: states(p.client)[state], Outcome: o, Detail: detail,
		Witness: Witness{Request: r, Answer: a, Status: reply.Status, Body: reply.Body},
	}})
}

func last(chain []protoreflect.FieldDescriptor) protoreflect.FieldDescriptor {
	if len(chain) == 0 {
		return nil
	}
	return chain[len(chain)-1]
}

// request tries the uses of a field that a's API has.
func (p *prober) request(s site) {
	list := s.samples
	if last(s.a) != nil && list == nil {
		list = samples(s.a, last(s.b), p.changes.types[0])
	}
	for _, sample := range list {
		request, ok := p.a.compose(p.from, sample.build(p.from.Input()), 1)
		if !ok {
			continue
		}
		base := p.a.exchange(p.a, request, p.emptyAnswer(p.a, p.from))
		if base.Outcome != transcode.Unaffected {
			continue
		}
		want := p.received(base, p.a, p.from)
		for state, d := range p.pairs() {
			server := p.from
			if d[1] == p.b {
				server = p.to
			}
			a := p.emptyAnswer(d[1], server)
			reply := d[0].exchange(d[1], request, a)
			outcome, detail := reply.Outcome, p.why(reply)
			if outcome == transcode.Unaffected {
				outcome, _, detail = want.against(p.received(reply, d[1], server), false)
			}
			p.used = sample.name
			p.note(s, InRequest, state, outcome, join(sample.name, detail), request, a, reply)
		}
	}
}

// received is what a server got, in the names of a's API.
func (p *prober) received(reply transcode.Reply, s *side, b *transcode.Binding) tree {
	t := tree{}
	input, _, ok := s.server.Method(b.Path())
	if !ok {
		return t
	}
	for i, raw := range reply.Received {
		prefix := ""
		if i > 0 {
			prefix = strconv.Itoa(i) + ":"
		}
		view{options: s.plain, own: s == p.a}.raw(t, prefix, raw, input, p.from.Input())
	}
	return t
}

// raw adds a message that a handler was given. What its types do not know it does not see.
func (v view) raw(t tree, prefix string, raw []byte, md, as protoreflect.MessageDescriptor) {
	m := dynamicpb.NewMessage(md)
	if err := (proto.UnmarshalOptions{DiscardUnknown: true, AllowPartial: true}).Unmarshal(raw, m); err != nil {
		return
	}
	raw, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		return
	}
	text, err := v.options.Message(md, raw)
	if err != nil { // an Any that cannot be read as JSON, a timestamp out of range
		t[prefix+"$"] = leaf{text: string(raw)}
		return
	}
	if value, err := wirejson.Parse(text); err == nil {
		v.read(t, prefix, value, md, as)
	}
}

func (v view) read(t tree, prefix string, value wirejson.Value, md, as protoreflect.MessageDescriptor) {
	if special(md) != "" || special(as) != "" || value.Kind != wirejson.Object {
		t[prefix+"$"] = leaf{text: compact(value), shape: shapeOf(value.Kind), any: special(md) != special(as)}
		return
	}
	v.message(t, prefix, value, md, as)
}

// response tries the answers that a's server can give with b's dictionary, and those of b's server with either.
func (p *prober) response(s site) {
	if last(s.a) != nil {
		list := s.samples
		if list == nil {
			list = samples(s.a, last(s.b), p.changes.types[0])
		}
		for _, sample := range list {
			p.answer(s, sample, p.a, p.from, otherDictionary)
			p.missing(s, sample)
		}
	}
	if last(s.b) != nil {
		for _, sample := range samples(s.b, last(s.a), p.changes.types[1]) {
			p.answer(s, sample, p.b, p.to, otherServer)
			p.answer(s, sample, p.b, p.to, otherBoth)
		}
	}
}

// missing notes what b's API cannot say any more.
func (p *prober) missing(s site, used sample) {
	g := last(s.b)
	gone := g == nil && len(s.samples) == 0 || used.any != "" && !slices.ContainsFunc(p.changes.types[1],
		func(md protoreflect.MessageDescriptor) bool { return md.FullName() == used.any })
	if used.enum != nil && g != nil && g.Enum() != nil {
		gone = g.Enum().Values().ByName(used.enum.Name()) == nil && g.Enum().Values().ByNumber(used.enum.Number()) == nil
	}
	if !gone {
		return
	}
	a := transcode.Answer{Messages: [][]byte{used.build(p.from.Output())}}
	base := p.a.exchange(p.a, p.minimal, a)
	p.used = used.name
	detail := used.name + ": the other API has no such answer"
	p.note(s, InResponse, otherBoth, transcode.Dropped, detail, p.minimal, a, base)
	if g == nil {
		p.note(s, InResponse, otherServer, transcode.Dropped, detail, p.minimal, a, base)
	}
}

func (p *prober) answer(s site, used sample, server *side, b *transcode.Binding, state int) {
	_, output, ok := server.server.Method(b.Path())
	if !ok || output != b.Output() && server.proxy != nil && output.FullName() != b.Output().FullName() || p.lost[state] {
		return
	}
	a := transcode.Answer{Messages: [][]byte{used.build(output)}}
	own := server.exchange(server, p.ownRequest(server), a)
	if own.Outcome != transcode.Unaffected {
		return // the API itself cannot say it
	}
	want := p.seen(own.Body, server.options(p.options), server == p.a, output, b.ServerStreaming)
	d := p.pairs()[state]
	reply := d[0].exchange(d[1], p.minimal, a)
	outcome, detail := reply.Outcome, p.why(reply)
	if outcome == transcode.Unaffected {
		got := p.seen(reply.Body, p.a.options(p.options), true, p.from.Output(), p.from.ServerStreaming)
		outcome, _, detail = want.against(got, true)
	}
	p.used = used.name
	p.note(s, InResponse, state, outcome, join(used.name, detail), p.minimal, a, reply)
}

// ownRequest is a request that reaches the route in a side's own API.
func (p *prober) ownRequest(s *side) transcode.Request {
	if s == p.a {
		return p.minimal
	}
	r, _ := s.compose(p.to, sample{}.build(p.to.Input()), 1)
	return r
}

func (s *side) options(o Options) wirejson.Printer {
	print := o.Config.PrintOptions
	return wirejson.Printer{Types: s.set.Types(), EnumsAsNumbers: print.AlwaysPrintEnumsAsInts, OriginalNames: print.PreserveProtoFieldNames}
}

// seen reads a response as a client of a does.
func (p *prober) seen(body []byte, options wirejson.Printer, own bool, md protoreflect.MessageDescriptor, stream bool) tree {
	t, v := tree{}, view{options: options, own: own}
	value, err := wirejson.Parse(body)
	if err != nil {
		t["$"] = leaf{text: string(body)}
		return t
	}
	if !stream || value.Kind != wirejson.List {
		v.read(t, "", value, md, p.from.Output())
		return t
	}
	for i, item := range value.Items {
		v.read(t, strconv.Itoa(i)+":", item, md, p.from.Output())
	}
	return t
}

// streams tries two messages where one side has a stream and the other has none.
func (p *prober) streams() {
	if p.from.ClientStreaming != p.to.ClientStreaming {
		p.request(site{path: "", a: nil, samples: []sample{{name: "one message"}}})
	}
	if p.from.ServerStreaming == p.to.ServerStreaming {
		return
	}
	for state, d := range p.pairs() {
		server := p.from
		if d[1] == p.b {
			server = p.to
		}
		a := p.emptyAnswer(d[1], server)
		reply := d[0].exchange(d[1], p.minimal, a)
		outcome := reply.Outcome
		if d[0] == p.b && outcome == transcode.Unaffected {
			outcome = transcode.ShapeChanged
		}
		if d[0] == p.a && server.ServerStreaming && outcome == transcode.Unaffected {
			outcome = transcode.Dropped // the first message only
		}
		p.note(site{samples: []sample{{}}}, InResponse, state, outcome, "one message or an array of them", p.minimal, a, reply)
	}
}

// rawResponse tries an answer where one side at least sends an HttpBody.
func (p *prober) rawResponse() {
	if p.changes.same(p.from.Output(), p.to.Output()) && p.from.Rule.ResponseBody == p.to.Rule.ResponseBody {
		return
	}
	for state, d := range p.pairs() {
		server, s := p.from, p.a
		if d[1] == p.b {
			server, s = p.to, p.b
		}
		a := transcode.Answer{Messages: [][]byte{full(server.Output())}}
		want := s.exchange(s, p.ownRequest(s), a)
		reply := d[0].exchange(d[1], p.minimal, a)
		outcome := reply.Outcome
		if outcome == transcode.Unaffected && (!bytes.Equal(want.Body, reply.Body) || state == otherBoth) {
			outcome = transcode.ShapeChanged
		}
		p.note(site{samples: []sample{{}}}, InResponse, state, outcome, "the body is sent as it is, or as JSON", p.minimal, a, reply)
	}
}

// full is a message with a value in every scalar field.
func full(md protoreflect.MessageDescriptor) []byte {
	return sample{chain: make([]protoreflect.FieldDescriptor, 1), set: func(m protoreflect.Message) {
		for i := range md.Fields().Len() {
			if fd := md.Fields().Get(i); fd.Message() == nil && !fd.IsList() {
				m.Set(fd, typical(fd, 0))
			}
		}
	}}.build(md)
}
