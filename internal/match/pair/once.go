package pair

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// place is a difference inside a message that many routes may share. What becomes of a nested field does not depend on
// what it is nested in: both wire formats are read level by level, and any failure is the failure of the call, or of the stream.
type place struct {
	client    Client
	direction Direction
	a, b      protoreflect.FullName // of the messages
	field     string
	body      bool    // of the request, for both APIs; else the value goes by way of path or query
	streams   [2]bool // that way: a stream breaks off where one message is a failed call
}

// once tries a site, or takes over what is known of its place; the witness is then of this route, without a body.
func (p *prober) once(s delta.Site, d Direction, try func(delta.Site)) {
	key, nested := p.placeOf(s, d)
	if known, ok := p.known[key]; nested && ok {
		p.again(known, s)
		return
	}
	before := len(p.out)
	try(s)
	found := thin(p.spare(slices.Clone(p.out[before:])))
	p.out = append(p.out[:before], found...)
	if nested && p.lost == [3]bool{} {
		p.known[key] = found
	}
}

// again notes known effects for this route.
func (p *prober) again(known []*effect, s delta.Site) {
	type call struct {
		used   *sample.Use
		status int
	}
	made := map[call]*Witness{}
	for _, e := range known {
		if p.lost[p.stateOf(e.State)] {
			continue
		}
		w, ok := made[call{e.used, e.Witness.Status}]
		if !ok {
			w = p.witness(s, e)
			made[call{e.used, e.Witness.Status}] = w
		}
		here := *e
		here.key, here.route, here.Path, here.Witness = p.key, p.name, s.Path, w
		p.out = append(p.out, &here)
	}
}

func (p *prober) stateOf(s State) int {
	names := states(p.client)
	return slices.Index(names[:], s)
}

func (p *prober) placeOf(s delta.Site, d Direction) (place, bool) {
	if len(s.A) < 2 || len(s.Both) > 0 {
		return place{}, false
	}
	parent := func(chain []protoreflect.FieldDescriptor) protoreflect.FullName {
		fd := chain[len(chain)-2]
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		return fd.Message().FullName()
	}
	k := place{client: p.client, direction: d, a: parent(s.A), b: parent(s.B), field: s.Path[strings.LastIndexByte(s.Path, '.')+1:]}
	if d == InRequest {
		k.body, k.streams = p.inBody(s), [2]bool{p.from.ClientStreaming, p.to.ClientStreaming}
		return k, k.body
	}
	k.streams = [2]bool{p.from.ServerStreaming, p.to.ServerStreaming}
	return k, true
}

// inBody says that both APIs read a field from the body, below the top of what it holds, and nothing of it from the path.
func (p *prober) inBody(s delta.Site) bool {
	body := p.from.Rule.Body
	if body != p.to.Rule.Body || p.to.Rule.Template != p.from.Rule.Template || delta.Last(s.A) != nil && sample.InPath(p.from, s.A) {
		return false
	}
	return body == "*" || body == string(s.A[0].Name()) && body == string(s.B[0].Name())
}

// witness makes the call of a known effect for this route.
func (p *prober) witness(s delta.Site, e *effect) *Witness {
	w := &Witness{Request: p.minimal, Answer: e.Witness.Answer, Status: e.Witness.Status}
	chain, output := s.A, p.from.Output()
	if e.ofOther {
		chain, output = s.B, p.to.Output()
	}
	if e.Direction == InResponse {
		w.Answer = transcode.Answer{Messages: [][]byte{e.used.Within(chain, output)}}
		return w
	}
	if body, ok := e.used.Body(p.from, p.a.plain, p.minimal, chain); ok {
		w.Request.Body = body
		return w
	}
	if r, ok := e.used.At(chain).Request(p.from, p.a.plain); ok {
		w.Request = r
	}
	return w
}

// thin keeps the gravest effect for each state, of those that count for everybody and of the others.
func thin(effects []*effect) []*effect {
	slices.SortStableFunc(effects, func(x, y *effect) int {
		spared := 0
		if x.spared != y.spared {
			spared = -1
			if x.spared {
				spared = 1
			}
		}
		return cmp.Or(cmp.Compare(x.State, y.State), spared, cmp.Compare(gravity(y.Outcome), gravity(x.Outcome)))
	})
	return slices.CompactFunc(effects, func(x, y *effect) bool { return x.State == y.State && x.spared == y.spared })
}

// spare marks the effects that callers do not meet who do not use what the change removes or replaces: a request that the
// other API refuses as well, a field that is another one now, and a harm that comes anyway when both halves have changed.
func (p *prober) spare(effects []*effect) []*effect {
	after := states(p.client)[otherBoth]
	endsIn := func(e *effect, same func(*effect) bool) bool {
		return slices.ContainsFunc(effects, func(x *effect) bool {
			return x.State == after && x.Path == e.Path && x.Direction == e.Direction && same(x)
		})
	}
	for i, e := range effects {
		switch {
		case e.Outcome == transcode.Shadowed || e.Outcome == transcode.Rejected:
		case e.Direction != InResponse:
			effects[i].spared = endsIn(e, func(x *effect) bool {
				r, q := x.Witness.Request, e.Witness.Request
				return r.Target == q.Target && bytes.Equal(r.Body, q.Body)
			})
		case !failsCall(e.Outcome):
			effects[i].spared = e.replaced || endsIn(e, func(x *effect) bool { return x.Outcome == e.Outcome })
		}
	}
	return effects
}
