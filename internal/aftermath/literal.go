package aftermath

import (
	"fmt"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
)

// Literal tells whether two objects got one and the same new value: the name of a topic, a port, a version. That the two
// belong together is then said by more than a reference. Values of Secrets are sealed and count as values.
func Literal(consumer, provider [2]object.Object) bool {
	fresh := news(consumer)
	for w := range news(provider) {
		if fresh[w] {
			return true
		}
	}
	return false
}

// news are the words that an object has after a release and not before it.
func news(o [2]object.Object) map[string]bool {
	out, old := map[string]bool{}, map[string]bool{}
	words(o[0].Fields, func(w string) { old[w] = true })
	words(o[1].Fields, func(w string) {
		if !old[w] {
			out[w] = true
		}
	})
	return out
}

// shortestLiteral is how long a word must be to count as a value that two objects share.
const shortestLiteral = 4

// words visits the words of all values. Keys do not count.
func words(value any, visit func(string)) {
	switch v := value.(type) {
	case map[string]any:
		for _, x := range v {
			words(x, visit)
		}
	case []any:
		for _, x := range v {
			words(x, visit)
		}
	case nil, bool:
	default:
		for w := range strings.FieldsFuncSeq(fmt.Sprint(v), func(r rune) bool {
			return !strings.ContainsRune("-._/", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
		}) {
			if len(w) >= shortestLiteral {
				visit(w)
			}
		}
	}
}
