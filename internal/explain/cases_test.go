package explain_test

import (
	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/object"
)

type named struct {
	name    string
	p       cone.Problem
	context explain.Context // of golden cases; zero: shop
}

// golden are the findings of the golden files.
func golden() []named {
	known := pipelineContext()
	noMethod, partial := shop("split-pair"), shop("split-pair")
	noMethod.Changes = noMethod.Changes[:1]
	partial.Changes, partial.At = partial.Changes[1:], partial.Changes[1].At
	move := shop("split-pair")
	move.Changes = []diag.Change{
		{Unit: "api", At: object.Location{File: "app/helm/api/templates/descriptor.yaml", Line: 1}, What: "ConfigMap api/api-descriptor comes"},
		{Unit: "config", At: object.Location{File: "app/config/kustomization.yaml", Line: 3}, What: "ConfigMap api/api-descriptor goes"},
	}
	return []named{
		{name: "1", p: split(addsMethod), context: known},
		{name: "2", p: with(split(changesType), breaks)},
		{name: "7", p: unchanged(split(addsMethod), configMap), context: noMethod},
		{name: "9", p: partner(), context: partial},
		{name: "12", p: with(together(changesType), breaks)},
		{name: "14", p: contentNamed()},
		{name: "exposed", p: with(split(mixedUnknown), unknownOwn)},
		{name: "in flight", p: inFlight()},
		{name: "moved", p: moved(), context: move},
		{name: "6", p: with(unchanged(split(newUnknown), configMap), unknownOwn), context: noMethod},
		{name: "4", p: with(split(fits), breaks)},
		{name: "8", p: unchanged(split(addsMethod), rollout)},
	}
}

func cases() []named {
	return []named{
		{name: "1", p: split(addsMethod)},
		{name: "2", p: with(split(changesType), breaks)},
		{name: "4", p: with(split(fits), breaks)},
		{name: "6", p: unchanged(split(newUnknown), configMap)},
		{name: "7", p: unchanged(split(addsMethod), configMap)},
		{name: "9", p: partner()},
		{name: "11", p: together(addsMethod)},
		{name: "12", p: with(together(changesType), breaks)},
		{name: "14", p: contentNamed()},
		{name: "16", p: withFilter(3)},
		{name: "exposed", p: split(mixedUnknown)},
		{name: "in flight", p: inFlight()},
		{name: "moved", p: moved()},
	}
}

// odd are cases of other builds.
func odd() []named {
	return []named{
		{name: "follows", p: with(split(changesType), follows)},
		{name: "environment", p: with(split(changesType), fromEnvironment)},
		{name: "blue-green", p: with(split(changesType), strategy(delivery.BlueGreen))},
		{name: "routed canary", p: with(split(changesType), strategy(delivery.RoutedCanary))},
		{name: "dynamic stable", p: with(split(changesType), dynamicStable)},
		{name: "DaemonSet", p: with(split(changesType), daemonSet)},
		{name: "inline", p: with(split(changesType), inline)},
		{name: "waves", p: with(together(changesType), waved)},
		{name: "RollingSync", p: with(split(addsMethod), rollingSync)},
		{name: "barrier", p: with(split(changesType), barrier)},
		{name: "immutable", p: with(split(addsMethod), immutable)},
		{name: "lacks a key", p: with(split(fits), lacksKey)},
		{name: "external", p: with(split(addsMethod), external)},
		{name: "moved and changed", p: movedAndChanged()},
	}
}
