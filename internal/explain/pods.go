package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
)

// pods tells an event of a workload's pods.
func (w *teller) pods(e delivery.Event) {
	n := w.n
	i := slices.IndexFunc(n.c.Workloads, func(x delivery.Workload) bool { return x.Object == e.Object })
	if i < 0 {
		return
	}
	actor, kind, t := n.actor(e.Object), e.Deed.Kind(), e.Number
	switch e.Deed {
	case delivery.PodStarted:
		w.started(actor, i, t)
	case delivery.StaleStart:
		w.add(actor, kind, "starts a pod of "+n.pod(i, t),
			fmt.Sprintf("its kubelet still has the old content: %s", w.loads(i, t)))
	case delivery.Churned:
		w.add(actor, kind, fmt.Sprintf("a pod of %s is made again, or one is added", n.pod(i, t)), "")
	case delivery.Reloaded:
		w.add(actor, kind, fmt.Sprintf("a proxy of %s restarts, or rebuilds its listener", n.pod(i, t)), strings.Replace(w.loads(i, t), "its proxy ", "it ", 1))
	case delivery.Aborted:
		w.add(actor, kind, "is aborted", "")
	case delivery.Undone:
		w.add(actor, kind, "is set back by hand", fmt.Sprintf("%s%s", n.object(e.Object), w.back(i, delivery.Content(e.Number))))
	case delivery.Mounted:
		content := w.now.Workloads[i].Pods[t].File
		then := ""
		if n.c.Pair.How == delivery.Follows {
			then = "the pod takes it over"
		}
		w.add("kubelet", kind, fmt.Sprintf("brings %s to a running pod of %s", n.at(n.read(i, t), content), n.pod(i, t)), then)
	case delivery.Promoted:
		if w.acting(actor) {
			w.add(actor, kind, "", "the rollout is complete")
			return
		}
		w.add(actor, kind, "completes its rollout", "")
	}
}

func (w *teller) back(i int, content delivery.Content) string {
	work := &w.n.c.Workloads[i]
	if w.n.c.Pair.Workload == i {
		return " has image " + w.n.image(work.Templates[work.Template[content]].Image) + " again"
	}
	return " has " + w.n.template(i, work.Template[content]) + " again"
}

// started tells of a pod that starts: as a turn, or as what comes of the turn that wanted it.
func (w *teller) started(actor string, i, t int) {
	loads := w.loads(i, t)
	if !w.acting(actor) {
		w.add(actor, delivery.Ordinary, "starts a pod of "+w.n.pod(i, t), loads)
		return
	}
	if last := w.turns[len(w.turns)-1]; last.Unusual == kindName(delivery.Churn) && len(last.then) == 0 {
		w.add(actor, delivery.Ordinary, "", loads)
		return
	}
	text := "a pod of " + w.n.pod(i, t) + " starts"
	if loads != "" {
		text += ": " + loads
	}
	w.add(actor, delivery.Ordinary, "", text)
}

// loads says what a pod that has just started took over.
func (w *teller) loads(i, t int) string {
	n, pair, p := w.n, &w.n.c.Pair, w.now.Workloads[i].Pods[t]
	provider := n.read(i, t)
	if pair.Workload != i || provider == delivery.None && !pair.Inline {
		return ""
	}
	filter := ""
	if pair.Filter != delivery.None && n.varies(pair.Filter) && !pair.Inline {
		filter = ", with " + n.at(pair.Filter, p.List)
	}
	switch {
	case p.Phase == delivery.Refusing:
		return fmt.Sprintf("its proxy refuses %s, since its file is %s, and the pod does not become ready",
			n.at(pair.Filter, w.now.Filter), n.at(provider, p.File))
	case pair.Inline:
		return "its proxy has " + n.at(pair.Filter, p.List)
	case pair.Proxy && pair.How == delivery.AtStart:
		return fmt.Sprintf("its proxy loads %s%s, and keeps it", n.at(provider, p.Loaded), filter)
	case pair.How == delivery.AtStart:
		return fmt.Sprintf("it reads %s%s, and keeps it", n.at(provider, p.Loaded), filter)
	}
	return "it reads " + n.at(provider, p.Loaded) + filter
}

// told tells of a push of the filter, and what comes of it in running pods.
func (w *teller) told(e delivery.Event) {
	n, i := w.n, w.n.c.Pair.Workload
	now := delivery.Content(e.Number)
	then := ""
	if i != delivery.None {
		var take, refuse []string
		for t, p := range w.now.Workloads[i].Pods {
			switch {
			case p.Phase == delivery.Ready && p.List == now:
				take = append(take, n.pod(i, t))
			case p.Phase == delivery.Ready || p.Phase == delivery.Refusing:
				refuse = append(refuse, fmt.Sprintf("%s (their file is %s)", n.pod(i, t), n.at(n.read(i, t), p.File)))
			}
		}
		switch {
		case len(refuse) > 0:
			then = "refused by proxies of " + list(refuse) + ", which keep what they have: nobody tries again"
		case len(take) > 0:
			then = "taken by proxies of " + list(take)
		}
	}
	w.add("Istio", e.Deed.Kind(), "pushes "+n.at(e.Object, now), then)
}
