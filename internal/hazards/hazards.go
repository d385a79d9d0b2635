// Package hazards is the list of rules. A rule is a folder below this one and one line here; nothing registers itself.
package hazards

import (
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/hazards/splitpair"
)

// Rules are all rules, in the order in which reports show them.
func Rules() []hazard.Rule {
	return []hazard.Rule{
		splitpair.Rule(),
	}
}
