package explain

import (
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
)

// Feed is what a unit takes from Git.
type Feed struct {
	Kind     string // Application, bootstrap or symbolic
	Revision string // targetRevision
	Source   string // "app/config@main"
}

// routes are the ways of the two ends, and of the filter. Which files they begin with is not known here. Of a pair of which
// there is no case there are none.
func routes(n *names, c Context) *diag.Routes {
	pair := &n.c.Pair
	if pair.Consumer < 0 || pair.Consumer >= len(n.c.Objects) || pair.Workload >= len(n.c.Workloads) {
		return nil
	}
	out := &diag.Routes{Commits: []string{}, Ways: []diag.Route{}, Meet: n.meet()}
	for _, r := range n.s.Names.Revisions[min(1, len(n.s.Names.Revisions)):] {
		out.Commits = append(out.Commits, r.Short)
	}
	add := func(end string, o int, stops []string) {
		if o == delivery.None {
			return
		}
		out.Ways = append(out.Ways, n.route(c, end, o, stops))
	}
	add("consumer", pair.Consumer, n.consumerStops())
	add("provider", n.provider(), n.providerStops())
	if !pair.Inline {
		add("filter", pair.Filter, pushed())
	}
	var units []string
	for _, r := range out.Ways {
		if r.Changed && r.Unit != nil {
			units = append(units, r.Unit.Name)
		}
		if r.Before != "" {
			units = append(units, r.Before)
		}
	}
	slices.Sort(units)
	out.Units = len(slices.Compact(units))
	return out
}

// route is the way of one object.
func (n *names) route(c Context, end string, o int, stops []string) diag.Route {
	r := diag.Route{End: end, Object: n.object(o), Stops: stops}
	u, first := n.deliverer(o), n.first(o)
	r.Changed = n.varies(o) || u != first && first != delivery.None
	if n.c.Objects[o].Derived {
		r.Object = n.object(n.c.Objects[o].Watch)
		r.Stops = slices.Concat([]string{"its controller makes " + n.object(o)}, stops)
	}
	if !r.Changed && end != "consumer" {
		r.Stops = nil
	}
	if u == delivery.None {
		return r
	}
	r.Unit = n.routeUnit(u, c)
	if first != delivery.None && first != u {
		r.Before = n.unit(first)
	}
	return r
}

func (n *names) routeUnit(u int, c Context) *diag.RouteUnit {
	of := &n.c.Units[u]
	out := &diag.RouteUnit{Name: n.unit(u), Automated: of.Automated, Prune: of.Prune, SelfHeal: of.SelfHeal}
	if of.Automated {
		out.Trigger = "polling"
		if c.Webhook {
			out.Trigger = "webhook"
		}
	}
	if u < len(c.Feeds) {
		out.Kind, out.Revision, out.Source = c.Feeds[u].Kind, c.Feeds[u].Revision, c.Feeds[u].Source
	}
	if of.Spec != delivery.None {
		out.Spec = n.object(of.Spec)
	}
	return out
}

// pushed is how an EnvoyFilter reaches proxies.
func pushed() []string { return []string{"istiod", "running proxies"} }

// consumerStops are how a change of the consumer reaches what runs.
func (n *names) consumerStops() []string {
	pair := &n.c.Pair
	if pair.Workload == delivery.None {
		return nil
	}
	work := &n.c.Workloads[pair.Workload]
	was, is := n.fresh(pair.Consumer, 0), n.fresh(pair.Consumer, n.c.Last)
	switch {
	case was == 0:
		return []string{"its first pods start"}
	case !n.varies(pair.Consumer):
		return []string{"its pods run on"}
	case n.c.Last == 1 && work.Template[was] == work.Template[is]:
		return []string{"its pods run on: their template stays"}
	}
	switch work.Strategy {
	case delivery.BasicCanary, delivery.RoutedCanary:
		return []string{"a canary of new pods starts"}
	case delivery.BlueGreen:
		return []string{"new pods start beside the old ones"}
	}
	return []string{"new pods start"}
}

// providerStops are how a change of the provider reaches what runs.
func (n *names) providerStops() []string {
	pair := &n.c.Pair
	switch {
	case pair.Inline:
		return pushed()
	case pair.Workload == delivery.None:
		return nil
	case pair.Provider == delivery.None:
		return []string{"pods read the one that their template names"}
	case !pair.Mounted || n.c.Objects[pair.Provider].Immutable: // [D4.5]
		return []string{"running pods see no change of it"}
	}
	return []string{"kubelet", "file in the pods"} // [D4.6]
}

// meet says where the two routes meet.
func (n *names) meet() string {
	pair, provider := &n.c.Pair, n.provider()
	switch {
	case pair.Inline:
		return "in the proxy: it takes what istiod pushes"
	case provider == delivery.None:
		return ""
	case pair.Workload == delivery.None:
		return "in the cluster: " + n.object(pair.Consumer) + " needs " + n.object(provider) + " there"
	case pair.How == delivery.Follows:
		return "in a pod, at any time: it follows " + n.base(provider)
	case pair.Proxy:
		return "when a pod starts: its proxy loads " + n.base(provider) + ", and keeps it"
	}
	return "when a pod starts: it reads " + n.base(provider) + ", and keeps it"
}
