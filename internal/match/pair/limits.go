package pair

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/sample"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// limits says what the sets hold that was not compared.
func limits(old, new *side, changes *delta.Delta, o Options) []string {
	out := slices.Concat(overlaps(old, new), envoyRoutes(old, new, o), unrouted(old, new, changes))
	for _, s := range []*side{old, new} {
		s.set.Types().RangeFiles(func(f protoreflect.FileDescriptor) bool {
			if f.Path() != "google/protobuf/descriptor.proto" && hasExtensionRange(f.Messages()) {
				out = append(out, fmt.Sprintf("%s has extension ranges: extensions in messages are not compared", f.Path()))
			}
			return true
		})
	}
	changed := changes.ChangedLoose()
	if len(changed) > 0 && (o.Config.ConvertGRPCStatus || delta.HasAny(old.set) || delta.HasAny(new.set)) {
		out = append(out, "what an Any may hold has changed, and was not compared within one: "+delta.Few(changed))
	}
	for _, key := range o.Config.Unknown {
		out = append(out, fmt.Sprintf("the transcoder's option %s is not known", key))
	}
	if o.Server == transcode.JavaServer {
		out = append(out, "the behaviour of Java servers was read, not run")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// overlaps names the new routes whose paths an old one takes so far: whether callers ask it for just those is unknown.
func overlaps(old, new *side) []string {
	taken := map[string][]string{} // by the method that answers so far
	for _, key := range sortedRoutes(new) {
		b := new.routes[key]
		if old.routes[key] != nil || old.proxy == nil {
			continue
		}
		path := b.FillPath(func(_ []string, fd protoreflect.FieldDescriptor) (string, bool) { return sample.StandIn(fd), true })
		if was, ok := old.proxy.Find(b.Rule.Verb, path); ok && was != b.Path() {
			taken[was] = append(taken[was], b.Rule.Verb+" "+b.Rule.Template)
		}
	}
	var out []string
	for was, routes := range taken { // sorted by limits
		verb := "takes"
		if len(routes) > 1 {
			verb = "take"
		}
		out = append(out, fmt.Sprintf("%s %s requests that %s answers so far", delta.Few(routes), verb, was))
	}
	return out
}

// envoyRoutes says what Envoy's own table of routes has to know, which is not in the sets: it is asked by the path of the
// gRPC method, or with match_incoming_request_route by that of the request (E1.9).
func envoyRoutes(old, new *side, o Options) []string {
	var comes []string
	if o.Config.MatchIncomingRequestRoute {
		for _, key := range sortedRoutes(new) {
			if b := new.routes[key]; old.routes[key] == nil {
				comes = append(comes, b.Rule.Verb+" "+b.Rule.Template)
			}
		}
	} else {
		for _, name := range new.services {
			if !slices.Contains(old.services, name) {
				comes = append(comes, "/"+name+"/")
			}
		}
	}
	if len(comes) == 0 {
		return nil
	}
	by := "the gRPC method"
	if o.Config.MatchIncomingRequestRoute {
		by = "the request, with match_incoming_request_route"
	}
	return []string{fmt.Sprintf("Envoy's own routes, which it chooses by the path of %s, must take %s", by, delta.Few(comes))}
}

// unrouted names the methods that changed, and that no HTTP request reaches: gRPC calls pass the proxy as they are.
func unrouted(old, new *side, changes *delta.Delta) []string {
	routed := map[string]bool{}
	for _, s := range []*side{old, new} {
		if s.proxy == nil {
			return nil
		}
		for _, b := range s.proxy.Bindings() {
			routed[b.Path()] = true
		}
	}
	var changed []string
	for _, name := range old.services {
		service, _ := old.set.Service(name)
		for _, m := range service.Methods {
			x, y, ok := old.server.Method(m.Path())
			in, out, stays := new.server.Method(m.Path())
			if ok && !routed[m.Path()] && (!stays || !changes.Same(x, in) || !changes.Same(y, out)) {
				changed = append(changed, m.Name)
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return []string{"methods without an HTTP rule have changed or are gone, and gRPC calls were not compared: " + delta.Few(changed)}
}

func hasExtensionRange(messages protoreflect.MessageDescriptors) bool {
	for i := range messages.Len() {
		if md := messages.Get(i); md.ExtensionRanges().Len() > 0 || hasExtensionRange(md.Messages()) {
			return true
		}
	}
	return false
}
