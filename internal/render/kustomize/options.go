package kustomize

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/syncproof/syncproof/internal/diag"
)

// harmless are build options that change nothing unless a chart is inflated or a function is run, and then the closure
// has a gap for that. The value tells whether an argument follows.
var harmless = map[string]bool{
	"--enable-helm": false, "--helm-command": true, "--helm-kube-version": true, "--helm-api-versions": true, "--helm-debug": false,
	"--enable-alpha-plugins": false, "--enable-exec": false, "--as-current-user": false,
	"--network": false, "--network-name": true, "--mount": true, "--env": true, "-e": true,
}

// parseOptions reads the kustomize.buildOptions of argocd-cm, which Argo CD cuts at white space and hands to kustomize
// build (util/kustomize/kustomize.go, parseKustomizeBuildOptions).
func parseOptions(text string) (*krusty.Options, *diag.Gap) {
	o := krusty.MakeDefaultOptions()
	words := strings.Fields(text)
	for len(words) > 0 {
		name, value, joined := strings.Cut(words[0], "=")
		words = words[1:]
		takes, known := harmless[name]
		takes = takes || slices.Contains([]string{"--load-restrictor", "--reorder"}, name)
		if takes && !joined {
			if len(words) == 0 {
				return nil, badOption(name + " without a value")
			}
			value, words = words[0], words[1:]
		}
		on := !joined || value == "true"
		switch {
		case known:
		case name == "--load-restrictor" && value == "LoadRestrictionsNone":
			o.LoadRestrictions = types.LoadRestrictionsNone
		case name == "--load-restrictor" && value == "LoadRestrictionsRootOnly":
			o.LoadRestrictions = types.LoadRestrictionsRootOnly
		case name == "--reorder" && (value == "none" || value == "legacy"):
			o.Reorder = krusty.ReorderOption(value)
		case name == "--enable-managedby-label" && (on || value == "false"):
			o.AddManagedbyLabel = on
		default:
			return nil, badOption(name + " " + value)
		}
	}
	return o, nil
}

func badOption(option string) *diag.Gap {
	return &diag.Gap{
		Reason:  diag.Unsupported,
		Message: fmt.Sprintf("the kustomize build option %s is not known to this version", strings.TrimSpace(shown(option))),
		Close:   "take it out of controller.kustomizeBuildOptions if it does not change what is rendered",
	}
}
