package changes

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// fieldChanges are the fields that differ between two versions of an object, as paths; never their values. Fields that come out
// differently at every rendering do not count.
func fieldChanges(before, after object.Object) []string {
	var out []string
	skip := map[string]bool{}
	for _, o := range []object.Object{before, after} {
		for _, p := range o.Unstable {
			skip[p] = true
		}
	}
	differ(before.Fields, after.Fields, "", "", skip, &out)
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxListed {
		more := len(out) - maxListed
		out = append(out[:maxListed:maxListed], fmt.Sprintf("and %d more", more))
	}
	return out
}

// differ collects the paths at which two values differ: name as people write it, pointer as [object.Object.Unstable] does.
func differ(a, b any, name, pointer string, skip map[string]bool, out *[]string) {
	if skip[pointer] || reflect.DeepEqual(a, b) {
		return
	}
	if x, ok := a.(map[string]any); ok {
		if y, ok := b.(map[string]any); ok {
			for _, k := range slices.Sorted(maps.Keys(joined(x, y))) {
				differ(x[k], y[k], child(name, k), pointer+"/"+escaped.Replace(k), skip, out)
			}
			return
		}
	}
	x, isList := a.([]any)
	y, bothLists := b.([]any)
	if isList && bothLists && len(x) == len(y) {
		for i := range x {
			differ(x[i], y[i], name+"["+element(y[i], i)+"]", fmt.Sprintf("%s/%d", pointer, i), skip, out)
		}
		return
	}
	*out = append(*out, name)
}

// escaped are the characters that a JSON pointer writes otherwise.
var escaped = strings.NewReplacer("~", "~0", "/", "~1")

func joined(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// child is the path of a key: keys that are no plain words stand in brackets.
func child(name, key string) string {
	if strings.ContainsAny(key, "./[]") {
		return name + "[" + key + "]"
	}
	return strings.TrimPrefix(name+"."+key, ".")
}

// element calls an entry of a list by its name, as containers and volumes have one, else by its place.
func element(v any, i int) string {
	if m, ok := v.(map[string]any); ok {
		if s, ok := m["name"].(string); ok {
			return s
		}
	}
	return fmt.Sprint(i)
}
