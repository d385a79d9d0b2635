package remedies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
)

// readers say of each other reader which remedies change something for it.
func readers(list []diag.Remedy) []string {
	var out, told []string
	for _, r := range list {
		for _, o := range r.Others {
			if !slices.Contains(told, o.Consumer) {
				told = append(told, o.Consumer)
				out = append(out, reader(list, o.Consumer, o.Today))
			}
		}
	}
	return out
}

func reader(list []diag.Remedy, consumer, today string) string {
	var verdicts []string
	names := map[string][]string{}
	for _, r := range list {
		for _, o := range r.Others {
			if o.Consumer != consumer {
				continue
			}
			if names[o.Verdict] == nil {
				verdicts = append(verdicts, o.Verdict)
			}
			names[o.Verdict] = append(names[o.Verdict], r.Name)
		}
	}
	text := fmt.Sprintf("%s reads it as well, and is %s today: ", consumer, today)
	if len(verdicts) == 1 {
		return text + verdicts[0] + " with every remedy"
	}
	most := verdicts[0] // the verdict that most have is told last, and without names
	for _, v := range verdicts {
		if len(names[v]) > len(names[most]) {
			most = v
		}
	}
	var parts []string
	for _, v := range verdicts {
		if v != most {
			parts = append(parts, v+" with "+listed(names[v]))
		}
	}
	return text + strings.Join(parts, ", ") + ", " + most + " with every other remedy"
}

// listed are names in a sentence.
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
