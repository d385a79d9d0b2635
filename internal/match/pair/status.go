package pair

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// several are types that an Any is tried with: those that an API has alone, and one that both have.
func several(all, alone []protoreflect.MessageDescriptor) []protoreflect.MessageDescriptor {
	const most = 8
	out := slices.Clone(alone[:min(most, len(alone))])
	for _, md := range all {
		if !slices.Contains(alone, md) {
			return append(out, md)
		}
	}
	return out
}

// only are the types that another list lacks. Both lists are sorted by name.
func only(list, other []protoreflect.MessageDescriptor) []protoreflect.MessageDescriptor {
	return slices.DeleteFunc(slices.Clone(list), func(md protoreflect.MessageDescriptor) bool {
		_, found := slices.BinarySearchFunc(other, md.FullName(), func(o protoreflect.MessageDescriptor, name protoreflect.FullName) int {
			return cmp.Compare(o.FullName(), name)
		})
		return found
	})
}

// statusDetails is where a caller sees the details of a status: no field of an answer, but of the JSON of google.rpc.Status
// that the proxy writes instead.
const statusDetails = "google.rpc.Status.details"

// detail is a type that a server may put into the details of a status, and that the other dictionary lacks.
type detail struct {
	md     protoreflect.MessageDescriptor
	change delta.Change
	state  int // in which it meets that dictionary
}

// newDetails gives at most one type of either API. Only a proxy that converts statuses looks at details.
func (p *prober) newDetails() []detail {
	if !p.options.Config.ConvertGRPCStatus || p.to == nil {
		return nil
	}
	var out []detail
	for state, types := range [2][]protoreflect.MessageDescriptor{otherDictionary: p.goes, otherServer: p.comes} {
		if len(types) > 0 {
			out = append(out, detail{types[0], p.detailChange(types, state), state})
		}
	}
	return out
}

// statuses tries a status with such a detail: its JSON is not written at all then, only its headers (E6.8). What goes is
// not missed in the end: nobody knows whether a server ever sent it.
func (p *prober) statuses(details []detail) {
	const notFound = 5
	for _, d := range details {
		held, err := proto.Marshal(&anypb.Any{TypeUrl: "type.googleapis.com/" + string(d.md.FullName())})
		if err != nil || p.lost[d.state] {
			continue
		}
		a := transcode.Answer{Code: notFound, Message: "no", Details: [][]byte{held}}
		sides := p.pairs()[d.state]
		own := sides[1].exchange(sides[1], p.ownRequest(sides[1]), a)
		reply := sides[0].exchange(sides[1], p.minimal, a)
		if own.Outcome != transcode.StatusByHandler || reply.Outcome != transcode.StatusByHandler || len(own.Body) == 0 || len(reply.Body) > 0 {
			continue
		}
		p.note(finding{
			path: statusDetails, direction: InResponse, state: d.state, outcome: transcode.Dropped, change: d.change,
			detail:  "a status that holds a " + string(d.md.FullName()) + " is not written as JSON: only the headers arrive",
			witness: witnessOf(p.minimal, a, reply),
		})
	}
}
