package cone

import (
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/object"
)

// Annotations that say when an operation has an object.
const (
	waveAnnotation    = "argocd.argoproj.io/sync-wave"
	hookAnnotation    = "argocd.argoproj.io/hook"
	optionsAnnotation = "argocd.argoproj.io/sync-options"
	helmHook          = "helm.sh/hook"
	helmWeight        = "helm.sh/hook-weight"
)

// kindOrder is the order in which kinds are applied [A1.3]. What is not in it comes last, all of one rank [A1.4].
var kindOrder = []string{
	"Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy", "PodDisruptionBudget", "ServiceAccount",
	"Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim",
	"CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding", "ClusterRoleBindingList", "Role",
	"RoleList", "RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod", "ReplicationController", "ReplicaSet",
	"Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob", "IngressClass", "Ingress", "APIService",
}

func kindRank(kind string) uint8 {
	if i := slices.Index(kindOrder, kind); i >= 0 {
		return uint8(i)
	}
	return uint8(len(kindOrder))
}

// healthless are kinds that have no health, so that no operation waits for them [A2.3].
var healthless = []string{
	"ConfigMap", "Secret", "EnvoyFilter", "Namespace", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding",
	"NetworkPolicy", "LimitRange", "ResourceQuota", "StorageClass", "PriorityClass",
}

// ails tells whether an object may never become healthy.
func ails(id object.ID) bool { return !slices.Contains(healthless, id.Kind) }

// slot is the phase and wave of an object.
type slot struct {
	phase int8
	wave  int16
	hook  bool
	none  bool // takes no part in a sync: a hook of another event
}

// slotOf reads the annotations of an object: [A1.2], [A1.6], and hooks of Argo CD and Helm [A3.5].
func slotOf(o object.Object) slot {
	notes := o.Annotations()
	s := slot{wave: waveOf(notes)}
	hook, given := notes[hookAnnotation]
	if !given {
		if helm, ok := notes[helmHook]; ok {
			given, hook = true, helm
		}
	}
	if !given {
		return s
	}
	s.hook, s.none = true, true
	for kind := range strings.SplitSeq(hook, ",") {
		switch strings.TrimSpace(kind) {
		case "PreSync", "pre-install", "pre-upgrade":
			s.phase, s.none = -1, false
		case "Sync":
			s.phase, s.none = 0, false
		case "PostSync", "post-install", "post-upgrade":
			s.phase, s.none = 1, false
		case "crd-install":
			return slot{wave: s.wave}
		}
	}
	return s
}

func waveOf(notes map[string]string) int16 {
	for _, key := range []string{waveAnnotation, helmWeight} {
		if n, err := strconv.ParseInt(strings.TrimSpace(notes[key]), 10, 16); err == nil {
			return int16(n)
		}
	}
	return 0
}

// option tells whether an object or its unit's options have a sync option.
func option(o object.Object, of []string, name string) bool {
	own := strings.Split(o.Annotations()[optionsAnnotation], ",")
	return slices.ContainsFunc(slices.Concat(own, of), func(s string) bool { return strings.TrimSpace(s) == name })
}

// ranks gives places to the objects of a Case: what counts of names and kinds is their order.
type ranks struct{ names, kinds []string }

func ranksOf(ids []object.ID) ranks {
	var r ranks
	for _, id := range ids {
		r.names = append(r.names, id.Name)
		r.kinds = append(r.kinds, id.Kind) // without its group [A1.16]
	}
	slices.Sort(r.names)
	slices.Sort(r.kinds)
	r.names, r.kinds = slices.Compact(r.names), slices.Compact(r.kinds)
	return r
}

// place fills in the ranks of an object.
func (r ranks) place(id object.ID, p delivery.Place) delivery.Place {
	name, _ := slices.BinarySearch(r.names, id.Name)
	kind, _ := slices.BinarySearch(r.kinds, id.Kind)
	p.Rank, p.Name, p.Kind = kindRank(id.Kind), uint16(name), uint8(kind)
	return p
}
