package discover

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover/appset"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// argoGroup is the API group of Application, ApplicationSet and AppProject.
const argoGroup = "argoproj.io"

func isArgo(o object.Object, kinds ...string) bool {
	if o.ID.Group != argoGroup {
		return false
	}
	for _, k := range kinds {
		if o.ID.Kind == k {
			return true
		}
	}
	return false
}

// yields tells whether an object makes the place that holds it a root.
func yields(o object.Object) bool { return isArgo(o, "Application", "ApplicationSet", "AppProject") }

// entire tells whether an object that yields is a document of its own, and not a patch of one.
func entire(o object.Object) bool {
	spec := object.Map(o.Fields, "spec")
	switch o.ID.Kind {
	case "Application":
		return object.String(spec, "source", "repoURL") != "" || len(object.List(spec, "sources")) > 0
	case "ApplicationSet":
		return len(object.List(spec, "generators")) > 0 && object.Map(spec, "template") != nil
	}
	return spec != nil
}

// flux says where Flux objects are met: their controllers deliver something, and this version does not follow it.
func flux(units []Delivered) []diag.Gap {
	seen := map[object.Location]bool{}
	var out []diag.Gap
	for _, u := range units {
		for _, o := range u.Objects {
			delivers := o.ID.Kind == "Kustomization" || o.ID.Kind == "HelmRelease"
			if !delivers || !strings.HasSuffix(o.ID.Group, ".toolkit.fluxcd.io") || seen[o.Origin] {
				continue
			}
			seen[o.Origin] = true
			out = append(out, diag.Gap{
				Reason:  diag.Unsupported,
				At:      o.Origin,
				Message: "a Flux " + o.ID.Kind + " is read as an object only: what it delivers is not followed by this version",
				Close:   "name the paths that Flux delivers under roots: in .syncproof.yaml",
			})
		}
	}
	return out
}

// unitGap is a gap of one unit; its short name is known only when all units are.
type unitGap struct {
	unit unit.ID
	gap  diag.Gap
}

// declared is a unit as a document declares it, before anything is rendered.
type declared struct {
	unit.Unit
	listed bool // the sources stand in spec.sources
	gaps   []diag.Gap
}

// declare reads the units that one object declares: none, one, or those of an ApplicationSet. parent delivers the object.
func declare(o object.Object, parent unit.Unit) []declared {
	switch {
	case isArgo(o, "Application"):
		return []declared{application(o.Fields, o.Origin, parent)}
	case isArgo(o, "ApplicationSet"):
		return applicationSet(o, parent)
	}
	return nil
}

func applicationSet(o object.Object, parent unit.Unit) []declared {
	apps, err := appset.Expand(o.Fields)
	if err != nil {
		return []declared{unexpanded(o, parent, err)}
	}
	var out []declared
	for _, fields := range apps {
		out = append(out, application(fields, o.Origin, parent))
	}
	return out
}

// unexpanded is the one unit that stands for all Applications of a set that cannot be expanded.
func unexpanded(o object.Object, parent unit.Unit, err error) declared {
	u := symbolic(o.Fields, o.Origin, parent)
	gap := diag.Gap{
		Reason:  diag.Unparsable,
		At:      o.Origin,
		Message: fmt.Sprintf("ApplicationSet %s: %v", o.ID.Name, err),
		Close:   "correct the ApplicationSet",
	}
	var unsupported *appset.Unsupported
	if errors.As(err, &unsupported) {
		gap.Reason = diag.Unsupported
		gap.Message = fmt.Sprintf("%v", err)
		gap.Close = "write the Applications that it generates into the repository as documents"
	}
	return declared{Unit: u, gaps: []diag.Gap{gap}}
}

// nameless is the gap of an Application that cannot be identified.
func nameless(o object.Object) diag.Gap {
	return diag.Gap{
		Reason:  diag.Unparsable,
		At:      o.Origin,
		Message: "an Application has no metadata.name that is a string",
		Close:   "name the Application (YAML takes an unquoted y, n, on or off for a boolean)",
	}
}

func symbolic(fields map[string]any, at object.Location, parent unit.Unit) unit.Unit {
	return unit.Unit{
		ID:     identity(fields, parent),
		Kind:   unit.Symbolic,
		Origin: at,
		Parent: parent.ID,
	}
}

// identity of an Application. A document without a namespace lands in that of the unit that delivers it.
func identity(fields map[string]any, parent unit.Unit) unit.ID {
	ns := object.String(fields, "metadata", "namespace")
	if ns == "" {
		ns = parent.Destination.Namespace
	}
	return unit.ID{Root: parent.ID.Root, Namespace: ns, Name: object.String(fields, "metadata", "name")}
}

// application reads one Application. Fields as in Argo CD's pkg/apis/application/v1alpha1/types.go.
func application(fields map[string]any, at object.Location, parent unit.Unit) declared {
	spec := object.Map(fields, "spec")
	d := declared{Unit: unit.Unit{
		ID:      identity(fields, parent),
		Kind:    unit.Application,
		Project: object.String(spec, "project"),
		Policy:  policy(spec),
		Origin:  at,
		Parent:  parent.ID,
	}}
	d.Destination = unit.Destination{
		Cluster:   clusterName(spec),
		Namespace: object.String(spec, "destination", "namespace"),
	}
	if spec["sourceHydrator"] != nil {
		return d.refuse(diag.Unsupported, "spec.sourceHydrator is not followed by this version",
			"name the hydrated path under roots: in .syncproof.yaml")
	}
	if bad := badDestination(spec); bad != "" {
		return d.refuse(diag.Unparsable, bad, "correct spec.destination")
	}
	return d.withSources(spec)
}

// badDestination says why Argo CD refuses a destination; "" if it does not.
func badDestination(spec map[string]any) string {
	server, name := object.String(spec, "destination", "server"), object.String(spec, "destination", "name")
	ns := object.Get(spec, "destination", "namespace")
	switch _, text := ns.(string); {
	case server != "" && name != "":
		return "the destination has a server and a name, of which Argo CD allows one"
	case server == "" && name == "":
		return "the destination has neither a server nor a name, which Argo CD refuses"
	case ns != nil && !text:
		return "destination.namespace is no string (YAML takes an unquoted y, n, on or off for a boolean)"
	}
	return ""
}

func (d declared) refuse(reason diag.Reason, message, how string) declared {
	d.gaps = append(d.gaps, diag.Gap{Reason: reason, At: d.Origin, Message: message, Close: how})
	return d
}

// defaultRetries is how often an automatic sync without a retry block is tried again [A5.4].
const defaultRetries = 5

func policy(spec map[string]any) unit.Policy {
	p := unit.Policy{Retries: defaultRetries}
	if retry := object.Map(spec, "syncPolicy", "retry"); retry != nil {
		p.Retries = 0
		if n, ok := object.Get(retry, "limit").(json.Number); ok {
			if limit, err := n.Int64(); err == nil {
				p.Retries = int(max(-1, min(limit, math.MaxInt16)))
			}
		}
	}
	if a, ok := object.Get(spec, "syncPolicy", "automated").(map[string]any); ok {
		enabled, set := a["enabled"].(bool)
		p.Automated = enabled || !set
		p.Prune = object.Bool(a, "prune")
		p.SelfHeal = object.Bool(a, "selfHeal")
		p.AllowEmpty = object.Bool(a, "allowEmpty")
	}
	for _, o := range object.List(spec, "syncPolicy", "syncOptions") {
		if s, ok := o.(string); ok {
			p.SyncOptions = append(p.SyncOptions, s)
		}
	}
	return p
}

// clusterName is the destination as written: a server URL, or a name.
func clusterName(spec map[string]any) string {
	if s := object.String(spec, "destination", "server"); s != "" {
		return s
	}
	return object.String(spec, "destination", "name")
}
