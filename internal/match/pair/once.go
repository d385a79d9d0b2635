package pair

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/transcode"
)

// place is a difference inside a message that many routes may share. What becomes of a nested field does not depend on
// what it is nested in: both wire formats are read level by level, and any failure is the failure of the call.
type place struct {
	client    Client
	direction Direction
	a, b      protoreflect.FullName // of the messages
	field     string
	body      bool // of the request, for both APIs; else the value goes by way of path or query
}

// once tries a site, or takes over what is known of its place; the witness is then of this route, without a body.
func (p *prober) once(s site, d Direction, try func(site)) {
	key, nested := p.placeOf(s, d)
	if known, ok := p.known[key]; nested && ok {
		made := map[string]Witness{}
		for _, e := range known {
			if p.lost[slices.Index(stateList(p.client), e.State)] {
				continue
			}
			e.key, e.route, e.Path = p.key, p.from.Rule.Verb+" "+p.from.Rule.Template, s.path
			name := fmt.Sprint(e.ofOther, e.sample)
			w, ok := made[name]
			if !ok {
				w = p.witness(s, e)
				made[name] = w
			}
			w.Status = e.Witness.Status
			e.Witness = w
			p.out = append(p.out, e)
		}
		return
	}
	before := p.out
	p.out = nil
	try(s)
	found := thin(p.spare(p.out))
	if nested && p.lost == [3]bool{} {
		p.known[key] = found
	}
	p.out = append(before, found...)
}

func (p *prober) placeOf(s site, d Direction) (place, bool) {
	if len(s.a) < 2 || len(s.samples) > 0 {
		return place{}, false
	}
	parent := func(chain []protoreflect.FieldDescriptor) protoreflect.FullName {
		fd := chain[len(chain)-2]
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		return fd.Message().FullName()
	}
	k := place{client: p.client, direction: d, a: parent(s.a), b: parent(s.b), field: s.path[len(s.path)-lastName(s.path):]}
	if d == InRequest {
		k.body = p.from.Rule.Body == "*" && p.to.Rule.Body == "*"
		return k, k.body
	}
	return k, true
}

func lastName(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return len(path) - 1 - i
		}
	}
	return len(path)
}

// witness makes the call of a known effect for this route.
func (p *prober) witness(s site, e effect) Witness {
	w := Witness{Request: p.minimal, Answer: e.Witness.Answer}
	chain, other, types, output := s.a, s.b, p.changes.types[0], p.from.Output()
	if e.ofOther {
		chain, other, types, output = s.b, s.a, p.changes.types[1], p.to.Output()
	}
	for _, used := range samples(chain, last(other), types) {
		if used.name != e.sample {
			continue
		}
		if e.Direction == InResponse {
			w.Answer = transcode.Answer{Messages: [][]byte{used.build(output)}}
		} else if r, ok := p.a.compose(p.from, used.build(p.from.Input()), 1); ok {
			w.Request = r
		}
		break
	}
	return w
}

func stateList(c Client) []State {
	s := states(c)
	return s[:]
}

// thin keeps the gravest effect for each state, of those that count for everybody and of the others.
func thin(effects []effect) []effect {
	slices.SortStableFunc(effects, func(x, y effect) int {
		spared := 0
		if x.spared != y.spared {
			spared = -1
			if x.spared {
				spared = 1
			}
		}
		return cmp.Or(cmp.Compare(x.State, y.State), spared, cmp.Compare(gravity(y.Outcome), gravity(x.Outcome)))
	})
	return slices.CompactFunc(effects, func(x, y effect) bool { return x.State == y.State && x.spared == y.spared })
}

// spare marks the effects that callers do not meet who do not use what the change removes or replaces: a request that the
// other API refuses as well, a field that is another one now, and a harm that comes anyway when both halves have changed.
func (p *prober) spare(effects []effect) []effect {
	after := states(p.client)[otherBoth]
	ends := func(e effect, same func(effect) bool) bool {
		return slices.ContainsFunc(effects, func(x effect) bool {
			return x.State == after && x.Path == e.Path && x.Direction == e.Direction && same(x)
		})
	}
	for i, e := range effects {
		switch {
		case e.Outcome == transcode.Shadowed || e.Outcome == transcode.Rejected:
		case e.Direction != InResponse:
			effects[i].spared = ends(e, func(x effect) bool {
				r, q := x.Witness.Request, e.Witness.Request
				return r.Target == q.Target && bytes.Equal(r.Body, q.Body)
			})
		case !failsCall(e.Outcome):
			effects[i].spared = e.replaced || ends(e, func(x effect) bool { return x.Outcome == e.Outcome })
		}
	}
	return effects
}

func join(name, detail string) string {
	switch {
	case name == "":
		return detail
	case detail == "":
		return name
	}
	return name + ": " + detail
}
