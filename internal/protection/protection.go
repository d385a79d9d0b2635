// Package protection finds what looks as if it kept the two ends of a pair in step, and does not.
//
// In go a snapshot, a pair and what is known of the controller, out come plain values: what is there, and why it does not help
// this pair. It refuses to list what does help, what the pair does not have, and to judge: whether the pair holds is for the
// proof to say.
package protection

import (
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// The kinds of protections. Each is a heading of docs/protections.md.
const (
	ApplicationWaves = "application-waves"
	ObjectWaves      = "object-waves"
	Hook             = "hook"
	RollingSync      = "rolling-sync"
	Checksum         = "checksum"
	Reloader         = "reloader"
	HashOff          = "hash-off"
	HashElsewhere    = "hash-elsewhere"
	Immutable        = "immutable"
	SubPath          = "sub-path"
	SyncOptions      = "sync-options"
	SyncWindows      = "sync-windows"
)

// Kinds are all kinds, in the order in which they are told.
func Kinds() []string {
	return []string{
		ApplicationWaves, ObjectWaves, Hook, RollingSync, Checksum, Reloader, HashOff, HashElsewhere, Immutable, SubPath, SyncOptions,
		SyncWindows,
	}
}

// End is one end of a pair.
type End struct {
	Object object.ID
	Units  []unit.ID // that render it
}

// Input is a pair at one revision.
type Input struct {
	Snapshot           *snapshot.Snapshot
	Tree               source.Tree // of the same revision; nil: what the renderer did not keep is not seen
	Consumer, Provider End
	// ApplicationHealth: argocd-cm gives Applications a health of their own [B9.1].
	ApplicationHealth bool
	// Renamed: the provider's name tells its content, and each release brings another object.
	Renamed bool
}

// Of finds them, in the order of [Kinds].
func Of(in Input) []diag.Protection {
	p := &pair{in: in, units: map[unit.ID]*discover.Delivered{}}
	for i := range in.Snapshot.Units {
		u := &in.Snapshot.Units[i]
		p.units[u.ID] = u
	}
	p.consumer, _ = in.Snapshot.Object(in.Consumer.Object)
	p.provider, _ = in.Snapshot.Object(in.Provider.Object)
	// What orders within one operation does help where one unit delivers both.
	apart := !unit.Overlap(in.Consumer.Units, in.Provider.Units)
	var out []diag.Protection
	for _, rule := range []struct {
		find   func() []diag.Protection
		always bool
	}{
		{p.applicationWaves, false}, {p.objectWaves, false}, {p.hooks, false}, {p.rollingSync, false}, {p.checksum, false},
		{p.reloader, true}, {p.hash, false}, {p.immutable, false}, {p.subPath, true}, {p.options, false}, {p.windows, false},
	} {
		if apart || rule.always {
			out = append(out, rule.find()...)
		}
	}
	return out
}

// pair is what the rules look at.
type pair struct {
	in                 Input
	units              map[unit.ID]*discover.Delivered
	consumer, provider object.Object
}

func one(kind, what, why string, at object.Location) []diag.Protection {
	return []diag.Protection{{Kind: kind, What: what, Why: why, At: at}}
}

// application is the object that declares a unit: an Application, or the ApplicationSet that generates it.
func (p *pair) application(id unit.ID) (o object.Object, generated, ok bool) {
	u := p.units[id]
	if u == nil || p.units[u.Parent] == nil {
		return object.Object{}, false, false
	}
	for _, o := range p.units[u.Parent].Objects {
		if o.ID.Group != "argoproj.io" {
			continue
		}
		own := o.ID.Namespace == u.ID.Namespace || o.ID.Namespace == ""
		switch {
		case o.ID.Kind == "Application" && o.ID.Name == u.ID.Name && own:
			return o, false, true
		case o.ID.Kind == "ApplicationSet" && o.Origin == u.Origin:
			return o, true, true
		}
	}
	return object.Object{}, false, false
}

// name is the short name of units.
func (p *pair) name(ids []unit.ID) string {
	var out []string
	for _, id := range ids {
		out = append(out, p.in.Snapshot.Names[id])
	}
	return enumerate(out)
}

func enumerate(words []string) string {
	words = slices.Compact(words)
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
