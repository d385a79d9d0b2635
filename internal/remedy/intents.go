package remedy

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// site is a revision that an intent changes: a draft of it, the pair there, and the place of the unit that both ends shall be
// in. It is -1 where that unit is not there, and then nothing is changed.
type site struct {
	*draft
	ends cone.Ends
	to   int
}

// intent changes which unit delivers what. It gives the pair as it is called then.
type intent func(s *situation, at site) cone.Ends

// coLocate gives the consumer's unit the provider: by a move, or, where workloads of other units read it, too, by a copy under
// a name of its own.
func coLocate(s *situation, at site) cone.Ends {
	if len(s.apart()) == 0 {
		at.move(at.ends.Provider, at.to)
		return at.ends
	}
	return rename(at, copyName(at.ends), nil, false)
}

// copyName is what a copy is called.
func copyName(ends cone.Ends) func(object.Object) string {
	return func(o object.Object) string { return o.ID.Name + "-" + ends.Consumer.Name }
}

// rename gives the consumer's unit an object with the provider's content under another name, and makes the consumer read that
// one. The provider itself goes if asked for.
func rename(at site, name func(object.Object) string, change func(object.Object) object.Object, goes bool) cone.Ends {
	o, ok := at.get(at.ends.Provider)
	if !ok {
		return at.ends
	}
	own := named(o, name(o))
	if change != nil {
		own = change(own)
	}
	for u := range at.units {
		if goes {
			at.drop(u, at.ends.Provider)
		}
	}
	at.add(at.to, own)
	at.replace(at.ends.Consumer, func(c object.Object) object.Object { return renamed(c, at.ends.Provider, own.ID.Name) })
	return cone.Ends{Consumer: at.ends.Consumer, Provider: own.ID}
}

// joinSource gives the consumer's unit all that the provider's unit delivers: a second source, or two units made one.
func joinSource(_ *situation, at site) cone.Ends {
	for u := range at.units {
		if u == at.to || !at.renders(u, at.ends.Provider) {
			continue
		}
		objects := at.units[u].Objects
		for _, o := range objects {
			at.move(o.ID, at.to)
		}
	}
	return at.ends
}

// ownWave puts the provider into the unit, one wave before the consumer.
func ownWave(s *situation, at site) cone.Ends {
	ends := at.ends
	switch {
	case cannotJoin(s) == "":
		ends = joinSource(s, at)
	default:
		ends = coLocate(s, at)
	}
	consumer, _ := at.get(ends.Consumer)
	wave := strconv.Itoa(waveOf(consumer) - 1)
	at.replace(ends.Provider, func(o object.Object) object.Object { return annotate(o, waveAnnotation, wave) })
	return ends
}

func waveOf(o object.Object) int {
	for _, key := range []string{waveAnnotation, "helm.sh/hook-weight"} {
		if n, err := strconv.Atoi(strings.TrimSpace(o.Annotations()[key])); err == nil {
			return n
		}
	}
	return 0
}

// contentNamed gives the consumer's unit the provider under a name that tells its content, pruned last.
func contentNamed(s *situation, at site) cone.Ends {
	return rename(at, func(o object.Object) string { return o.ID.Name + "-" + contentHash(o) }, func(o object.Object) object.Object {
		o.Fields = set(o.Fields, true, "immutable")
		options := strings.Trim(o.Annotations()[optionsAnnotation]+",PruneLast=true", ",")
		return annotate(o, optionsAnnotation, options)
	}, len(s.apart()) == 0)
}

// checksum makes the pods' template change with the provider.
func checksum(_ *situation, at site) cone.Ends {
	if o, ok := at.get(at.ends.Provider); ok {
		at.replace(at.ends.Consumer, func(c object.Object) object.Object {
			return annotatePods(c, "checksum/"+strings.ToLower(cmp.Or(o.ID.Kind, "config")), contentHash(o))
		})
	}
	return at.ends
}

// cannotJoin says why the provider's unit cannot be made a part of the consumer's, "" if it can.
func cannotJoin(s *situation) string {
	switch {
	case s.together():
		return "one unit delivers both already"
	case len(s.to) != 1 || len(s.from) != 1:
		return "more than one unit renders an end of the pair: that has to end first"
	}
	for id := s.to[0]; id != (unit.ID{}); id = s.parent(id) {
		if id == s.from[0] {
			return s.Newest.Names[s.from[0]] + " delivers the Application of " + s.Newest.Names[s.to[0]] + " itself"
		}
	}
	for _, u := range s.Newest.Units {
		if u.ID == s.from[0] {
			for _, o := range u.Objects {
				if o.ID.Group == "argoproj.io" && o.ID.Kind == "Application" {
					return s.Newest.Names[u.ID] + " delivers Applications, too"
				}
			}
		}
	}
	return ""
}

func (s *situation) parent(id unit.ID) unit.ID {
	for _, u := range s.Newest.Units {
		if u.ID == id && u.Parent != id {
			return u.Parent
		}
	}
	return unit.ID{}
}
