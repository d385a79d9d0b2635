package history

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// resolve finds what the ends of a pair were at the commit after a position, where they do not read each other by the
// names that they have now. Ends that have no predecessor keep their names: they may come back.
func (l *line) resolve(ctx context.Context, pos int, older *outline) error {
	newer := l.spans[len(l.spans)-1].at
	now, err := l.h.snapshotAt(ctx, l.walk[pos])
	if err != nil {
		return err
	}
	then, err := l.h.snapshotAt(ctx, l.walk[pos+1])
	if err != nil {
		return err
	}
	was := l.ends
	if _, there := then.Object(l.consumer); !there {
		l.consumer = workloadKin(now, then, l.consumer)
	}
	if len(older.between(l.consumer, l.provider)) == 0 {
		kin, found := slotKin(newer, older, was.consumer, l.consumer, l.provider, func(p, q object.ID) bool {
			return alike(now, then, p, q)
		})
		if !found {
			kin = contentKin(now, then, l.provider)
		}
		if len(older.between(l.consumer, kin)) > 0 {
			l.provider = kin
		}
	}
	_, stays := now.Object(l.provider)
	_, wasThere := then.Object(l.object)
	if l.object == was.provider && !stays && !wasThere {
		l.object = l.provider
	}
	return nil
}

// slotKin finds what a consumer read before it read a provider: through the same field, or under the same key in the same
// way. What it still reads is none. Alike decides where no key was read, since fields of lists move.
func slotKin(newer, older *outline, consumer, before, provider object.ID, alike func(p, q object.ID) bool) (object.ID, bool) {
	best, kin := 0, []object.ID(nil)
	for _, now := range newer.between(consumer, provider) {
		for _, then := range older.by(before) {
			if then.provider.Kind != provider.Kind || then.provider.Group != provider.Group || then.provider == provider ||
				len(newer.between(consumer, then.provider)) > 0 {
				continue
			}
			rank := 0
			switch {
			case now.key != "" && now.key == then.key && now.via == then.via:
				rank = 3
			case now.key != "" && now.key == then.key && now.how == then.how:
				rank = 2
			case now.via == then.via && alike(provider, then.provider):
				rank = 1
			}
			if rank > best {
				best, kin = rank, nil
			}
			if rank > 0 && rank == best && !slices.Contains(kin, then.provider) {
				kin = append(kin, then.provider)
			}
		}
	}
	if len(kin) != 1 {
		return object.ID{}, false
	}
	return kin[0], true
}

// alike tells whether two objects are of one purpose: one name but for what is generated, or the same content or keys.
func alike(now, then *snapshot.Snapshot, p, q object.ID) bool {
	if stem(p.Name) == stem(q.Name) {
		return true
	}
	a, _ := now.Object(p)
	b, _ := then.Object(q)
	keys := payload(a)
	return len(keys) > 0 && slices.Equal(slices.Sorted(maps.Keys(keys)), slices.Sorted(maps.Keys(payload(b))))
}

// contentKin finds the object of the same kind that left when one came, with the same content; its own ID if there is
// none, or several.
func contentKin(now, then *snapshot.Snapshot, id object.ID) object.ID {
	mine, ok := now.Object(id)
	if !ok {
		return id
	}
	return only1(id, left(now, then, func(o object.Object) int {
		switch {
		case o.ID.Kind != id.Kind || o.ID.Group != id.Group:
			return 0
		case reflect.DeepEqual(content(o), content(mine)):
			return 2
		case o.ID.Namespace == id.Namespace && stem(o.ID.Name) == stem(id.Name):
			return 1
		}
		return 0
	}))
}

// content is what an object is there for.
func content(o object.Object) any {
	if data := payload(o); data != nil {
		return data
	}
	return object.Get(o.Fields, "spec")
}

// workloadKin finds the consumer that left when one came: of the same name in another cluster, kind or namespace, or with
// the same containers; its own ID if there is none, or several.
func workloadKin(now, then *snapshot.Snapshot, id object.ID) object.ID {
	mine, ok := now.Object(id)
	if !ok {
		return id
	}
	return only1(id, left(now, then, func(o object.Object) int {
		_, isWorkload := templatePath(o.ID)
		_, wanted := templatePath(id)
		sameKind := o.ID.Kind == id.Kind && o.ID.Group == id.Group
		switch {
		case isWorkload != wanted || !wanted && !sameKind:
			return 0
		case sameKind && o.ID.Namespace == id.Namespace && o.ID.Name == id.Name:
			return 4
		case o.ID.Namespace == id.Namespace && o.ID.Name == id.Name:
			return 3
		case sameKind && o.ID.Name == id.Name:
			return 2
		case wanted && sameContainers(o, mine), !wanted && reflect.DeepEqual(content(o), content(mine)):
			return 1
		}
		return 0
	}))
}

// sameContainers tells whether pod templates have containers of the same names and images, whatever their tags.
func sameContainers(a, b object.Object) bool {
	names := func(o object.Object) (out []container) {
		for _, c := range containers(o, "containers") {
			out = append(out, container{c.name, ParseImage(c.image).Name})
		}
		return out
	}
	mine := names(a)
	return len(mine) > 0 && slices.Equal(mine, names(b))
}

// left gives the objects with the highest rank among those that were there then and are not now. Rank 0 is none.
func left(now, then *snapshot.Snapshot, rank func(object.Object) int) []object.ID {
	best, out := 0, []object.ID(nil)
	for _, u := range then.Units {
		for _, o := range u.Objects {
			if _, stays := now.Object(o.ID); stays {
				continue
			}
			r := rank(o)
			if r > best {
				best, out = r, nil
			}
			if r > 0 && r == best && !slices.Contains(out, o.ID) {
				out = append(out, o.ID)
			}
		}
	}
	return out
}

func only1(id object.ID, found []object.ID) object.ID {
	if len(found) == 1 {
		return found[0]
	}
	return id
}
