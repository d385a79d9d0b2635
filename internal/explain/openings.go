package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
)

// kindName is how a kind of unusual step is printed. A pod that is made again and one that is added open the same.
func kindName(k delivery.Unusual) string {
	switch k {
	case delivery.Churn:
		return "churn or scale"
	case delivery.Reload:
		return "reload"
	case delivery.Abort:
		return "abort"
	case delivery.Undo:
		return "undo"
	case delivery.Refused:
		return "refused"
	case delivery.StuckUnit:
		return "stuck"
	case delivery.Manual:
		return "manual"
	case delivery.StaleKubelet:
		return "stale-kubelet"
	case delivery.StaleHealthRead:
		return "stale-health"
	}
	return ""
}

func kinds(set []delivery.Unusual) []string {
	out := []string{}
	for _, k := range set {
		out = append(out, kindName(k))
	}
	return out
}

func openings(n *names, in []proof.Opening) []diag.Opening {
	out := []diag.Opening{}
	for _, o := range in {
		out = append(out, diag.Opening{
			Needs: kinds(o.Set), Harm: string(o.Harm), Persistence: string(o.Persistence), Visibility: string(o.Visibility),
			Maybe: o.Maybe, Steps: tell(n, o).before,
		})
	}
	return out
}

// orders say what is left if one side goes first. Nil where there are no two sides that could.
func orders(n *names, breaks []diag.Call) *diag.Orders {
	provider := n.provider()
	if !n.varies(n.c.Pair.Consumer) || !n.varies(provider) {
		return nil
	}
	consumerSide, providerSide := n.object(n.c.Pair.Consumer), n.object(provider)
	if u, v := n.deliverer(n.c.Pair.Consumer), n.deliverer(provider); u != v && u != delivery.None && v != delivery.None {
		consumerSide, providerSide = n.unit(u), n.unit(v)
	}
	return &diag.Orders{
		ProviderFirst: n.order(providerSide, n.s.ProviderFirst, breaks),
		ConsumerFirst: n.order(consumerSide, n.s.ConsumerFirst, breaks),
	}
}

func (n *names) order(side string, in []proof.Opening, breaks []diag.Call) diag.Order {
	o := diag.Order{Openings: openings(n, in)}
	// What an unknown match could do is behind what is certain.
	certain := 0
	for certain < len(in) && !in[certain].Maybe {
		certain++
	}
	switch {
	case len(in) == 0:
		o.Sentence = fmt.Sprintf("%s first is safe: no harm with up to %s", side, steps(n.s.Steps))
	case len(in[0].Set) == 0 && !in[0].Maybe:
		o.Sentence = side + " first breaks without any unusual step"
	case len(in[0].Set) == 0:
		o.Sentence = side + " first may break without any unusual step: that hangs on a match that is not known"
	case certain == 0:
		o.Sentence = side + " first may break, with an unusual step: that hangs on a match that is not known"
	default:
		o.Sentence = side + " first breaks only with an unusual step"
	}
	if len(breaks) > 0 && (len(in) == 0 || len(in[0].Set) > 0) {
		o.Sentence += ", but for old calls, which break in every order"
	}
	return o
}

func steps(n int) string {
	if n == 1 {
		return "1 unusual step"
	}
	return fmt.Sprintf("%d unusual steps", n)
}

// window says how far apart the units can be that deliver what changes of the pair; "" if it is one, or if no clock of theirs
// counts.
func window(n *names, webhook bool) string {
	var racing []string
	for u := range n.c.Units {
		unit := &n.c.Units[u]
		if !slices.ContainsFunc([]int{n.c.Pair.Consumer, n.provider(), n.c.Pair.Filter}, func(o int) bool {
			return n.renders(u, o) && (n.varies(o) || n.first(o) != n.deliverer(o))
		}) {
			continue
		}
		if !unit.Automated || unit.Spec != delivery.None {
			return ""
		}
		racing = append(racing, n.unit(u))
	}
	if len(racing) < 2 || n.s.Verdict == proof.Broken {
		return ""
	}
	const free = "a sync that is slow or fails does not hold back the other"
	if webhook { // [B2]
		return fmt.Sprintf("a webhook refreshes %s in no fixed order, as a rule seconds apart; %s", list(racing), free)
	}
	return fmt.Sprintf("%s see a commit up to about 180 s apart when polling, in no fixed order; %s", list(racing), free) // [B1], [B7]
}

// renders tells whether a unit renders an object at any revision, or what it is made from.
func (n *names) renders(u, o int) bool {
	if o < 0 {
		return false
	}
	if n.c.Objects[o].Derived {
		return n.renders(u, n.c.Objects[o].Watch)
	}
	return slices.ContainsFunc(n.c.Objects[o].Render[u], func(c delivery.Content) bool { return c != 0 })
}

func braces(needs []string) string { return "{" + strings.Join(needs, ", ") + "}" }

func join(parts []string) string { return strings.Join(parts, ", ") }
