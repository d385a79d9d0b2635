package protection

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Annotations that say when an operation has an object.
const (
	waveNote = "argocd.argoproj.io/sync-wave"
	hookNote = "argocd.argoproj.io/hook"
	helmHook = "helm.sh/hook"
)

// applicationWaves: the two Applications have waves of their own, and nothing waits between them [B9.1], or the waves are not
// even looked at when what the two deliver changes [B9.2]. They do gate where the parent pins both to a commit and Applications
// have a health [B9.4].
func (p *pair) applicationWaves() []diag.Protection {
	for _, consumer := range p.in.Consumer.Units {
		for _, provider := range p.in.Provider.Units {
			a, generated, ok := p.application(consumer)
			b, alsoGenerated, also := p.application(provider)
			if !ok || !also || generated || alsoGenerated || wave(a) == wave(b) {
				continue
			}
			why := p.whyNoGate(consumer, provider)
			if why == "" {
				continue
			}
			return one(ApplicationWaves, fmt.Sprintf("sync-wave %d on Application %s and %d on Application %s", wave(b), b.ID.Name, wave(a), a.ID.Name), why, b.Origin)
		}
	}
	return nil
}

// whyNoGate says why waves of two Applications order nothing; "" if they may.
func (p *pair) whyNoGate(consumer, provider unit.ID) string {
	a, b := p.units[consumer], p.units[provider]
	parent := p.units[a.Parent]
	switch {
	case a.Parent != b.Parent:
		return "two units deliver the two Applications, and waves order one operation of one unit" // [A1.1]
	case parent.Kind != unit.Application:
		return "as far as Git shows no Application delivers these two, and nothing else reads their waves" // [A1.6]
	case !p.in.ApplicationHealth:
		return "without a health of Applications in argocd-cm a child counts as done once its manifest is applied, so that the next wave " +
			"waits for nothing that it delivers" // [B9.1]
	case !pinned(a.Sources) || !pinned(b.Sources):
		return "they order the manifests of the two Applications, and a commit that changes what the two deliver leaves those as they " +
			"are: each goes by its own clock" // [B9.2]
	}
	return ""
}

var fullHash = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// pinned tells whether sources name commits, which a new content cannot come under.
func pinned(sources []unit.Source) bool {
	return !slices.ContainsFunc(sources, func(s unit.Source) bool { return !fullHash.MatchString(s.TargetRevision) })
}

// wave is the one that an operation has an object in [A1.6].
func wave(o object.Object) int {
	n, err := strconv.Atoi(strings.TrimSpace(o.Annotations()[waveNote]))
	if err != nil {
		return 0
	}
	return n
}

// objectWaves: the two ends have different waves, each in an operation of its own [A1.1], [B6].
func (p *pair) objectWaves() []diag.Protection {
	if p.provider.Fields == nil || wave(p.consumer) == wave(p.provider) {
		return nil
	}
	at := p.provider.Origin
	if wave(p.provider) == 0 {
		at = p.consumer.Origin
	}
	return one(ObjectWaves,
		fmt.Sprintf("sync-wave %d on %s and %d on %s", wave(p.provider), p.provider.ID, wave(p.consumer), p.consumer.ID),
		fmt.Sprintf("waves order one operation of one unit, and these are two: %s and %s", p.name(p.in.Provider.Units), p.name(p.in.Consumer.Units)), at)
}

// hooks: a hook of one unit runs in operations of that unit. One that may wait for the provider does so in full operations
// alone [A3.4], [B11.3].
func (p *pair) hooks() []diag.Protection {
	before, more := p.hook(p.in.Consumer.Units, "PreSync", "pre-install", "pre-upgrade")
	after, moreAfter := p.hook(p.in.Provider.Units, "PostSync", "post-install", "post-upgrade")
	var out []diag.Protection
	if before.Fields != nil {
		why := fmt.Sprintf("it runs in %s's operations and knows nothing of %s", p.name(p.in.Consumer.Units), p.name(p.in.Provider.Units))
		if p.asks(before) {
			why = "it may wait for the provider, and only in a full operation: a self-heal and a sync of some objects skip hooks, and what makes " +
				"pods without a sync goes around it"
		}
		out = append(out, one(Hook, "PreSync hook "+before.ID.String()+more+" of "+p.name(p.in.Consumer.Units), why, before.Origin)...)
	}
	if after.Fields != nil {
		out = append(out, one(Hook, "PostSync hook "+after.ID.String()+moreAfter+" of "+p.name(p.in.Provider.Units),
			fmt.Sprintf("it runs once %s is done, and %s does not wait for that", p.name(p.in.Provider.Units), p.name(p.in.Consumer.Units)), after.Origin)...)
	}
	return out
}

// hook is the first hook of some units of one of these kinds, and how many more there are.
func (p *pair) hook(units []unit.ID, kinds ...string) (first object.Object, more string) {
	n := 0
	for _, id := range units {
		if p.units[id] == nil {
			continue
		}
		for _, o := range p.units[id].Objects {
			notes := o.Annotations()
			named := notes[hookNote]
			if named == "" {
				named = notes[helmHook] // [A3.5]
			}
			if !holds(named, kinds) {
				continue
			}
			if n++; n == 1 {
				first = o
			}
		}
	}
	if n > 1 {
		more = fmt.Sprintf(" and %d more", n-1)
	}
	return first, more
}

// holds tells whether a list with commas has one of the words.
func holds(list string, words []string) bool {
	for entry := range strings.SplitSeq(list, ",") {
		for _, w := range words {
			if strings.TrimSpace(entry) == w {
				return true
			}
		}
	}
	return false
}

// asks tells whether a hook speaks of the provider, or of the Application that delivers it.
func (p *pair) asks(hook object.Object) bool {
	text, err := json.Marshal(hook.Fields["spec"])
	if err != nil {
		return false
	}
	if strings.Contains(string(text), p.in.Provider.Object.Name) {
		return true
	}
	for _, id := range p.in.Provider.Units {
		app := regexp.MustCompile(`(?:application(?:s)?(?:\.argoproj\.io)?|app (?:wait|get|sync))[/ ",]+(?:[a-z0-9.-]+/)?` + regexp.QuoteMeta(id.Name) + `\b`)
		if app.Match(text) {
			return true
		}
	}
	return false
}

// rollingSync: a step may go when the units before it are Healthy in their own eyes, and one that has not seen the commit
// still is [B10.4], [B10.5]. It orders what its set generates and nothing else [B10.3].
func (p *pair) rollingSync() []diag.Protection {
	sets := func(ids []unit.ID) (out []object.Object) {
		for _, id := range ids {
			o, generated, ok := p.application(id)
			if ok && generated && object.String(o.Fields, "spec", "strategy", "type") == "RollingSync" {
				out = append(out, o)
			}
		}
		return out
	}
	consumers, providers := sets(p.in.Consumer.Units), sets(p.in.Provider.Units)
	for _, a := range consumers {
		for _, b := range providers {
			if a.ID == b.ID {
				return one(RollingSync, "RollingSync of ApplicationSet "+a.ID.Name,
					"a step waits until the Applications before it are Healthy in their own eyes, and one that has not seen the commit yet still is: "+
						"the second step can go first", a.Origin)
			}
		}
	}
	for _, side := range []struct {
		sets       []object.Object
		own, other []unit.ID
	}{{consumers, p.in.Consumer.Units, p.in.Provider.Units}, {providers, p.in.Provider.Units, p.in.Consumer.Units}} {
		if len(side.sets) > 0 {
			set := side.sets[0]
			return one(RollingSync, "RollingSync of ApplicationSet "+set.ID.Name,
				fmt.Sprintf("it orders what that set generates: %s, and not %s", p.name(side.own), p.name(side.other)), set.Origin)
		}
	}
	return nil
}
