package helm

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// markUnstable fills in Unstable of the first rendering's objects by comparing them with the second's. It reports false
// when the two do not consist of the same objects, so that there is nothing to compare.
//
// Objects are matched by identity, those of one identity in their order. Where a name is itself drawn, the rest is matched
// by order among objects of one kind from one template.
func markUnstable(first, second []object.Object) bool {
	if len(first) != len(second) {
		return false
	}
	waiting := map[object.ID][]int{}
	for i, o := range second {
		waiting[o.ID] = append(waiting[o.ID], i)
	}
	partner := make([]int, len(first))
	matched := make([]bool, len(second))
	for i, o := range first {
		partner[i] = -1
		if w := waiting[o.ID]; len(w) > 0 {
			partner[i], waiting[o.ID] = w[0], w[1:]
			matched[w[0]] = true
		}
	}
	next := 0
	for i, o := range first {
		if partner[i] >= 0 {
			continue
		}
		for matched[next] {
			next++
		}
		p := second[next]
		if p.Origin != o.Origin || p.ID.Group != o.ID.Group || p.ID.Kind != o.ID.Kind {
			return false
		}
		partner[i] = next
		next++
	}
	for i := range first {
		first[i].Unstable = differences(first[i].Fields, second[partner[i]].Fields)
	}
	return true
}

// differences lists JSON pointers of what differs, sorted: the deepest place that both documents have. Lists of unequal
// length differ as a whole.
func differences(a, b any) []string {
	var out []string
	var compare func(a, b any, at string)
	compare = func(a, b any, at string) {
		am, aok := a.(map[string]any)
		bm, bok := b.(map[string]any)
		if aok && bok {
			for k, v := range am {
				if w, ok := bm[k]; ok {
					compare(v, w, at+"/"+escapePointer(k))
				} else {
					out = append(out, at+"/"+escapePointer(k))
				}
			}
			for k := range bm {
				if _, ok := am[k]; !ok {
					out = append(out, at+"/"+escapePointer(k))
				}
			}
			return
		}
		al, aok := a.([]any)
		bl, bok := b.([]any)
		if aok && bok && len(al) == len(bl) {
			for i := range al {
				compare(al[i], bl[i], at+"/"+strconv.Itoa(i))
			}
			return
		}
		if !reflect.DeepEqual(a, b) {
			out = append(out, at)
		}
	}
	compare(a, b, "")
	slices.Sort(out)
	return out
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
