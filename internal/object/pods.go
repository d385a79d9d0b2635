package object

// TemplatePath says where a kind keeps its pod template, as keys of its fields; none for a Pod, which is one. It is false for kinds
// that have none.
func TemplatePath(group, kind string) ([]string, bool) {
	switch group + "/" + kind {
	case "apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet", "/ReplicationController", "batch/Job",
		"argoproj.io/Rollout":
		return []string{"spec", "template"}, true
	case "batch/CronJob":
		return []string{"spec", "jobTemplate", "spec", "template"}, true
	case "/Pod":
		return nil, true
	case "/PodTemplate":
		return []string{"template"}, true
	}
	return nil, false
}

// PodTemplate is the pod template of a workload, also of a kind that nobody knows; nil if it has none. A Pod has none: nothing
// makes it again.
func PodTemplate(o Object) map[string]any {
	if o.ID.Kind == "CronJob" {
		return Map(o.Fields, "spec", "jobTemplate", "spec", "template")
	}
	return Map(o.Fields, "spec", "template")
}

// IsConfig tells whether it is a ConfigMap or a Secret.
func (id ID) IsConfig() bool {
	return id.Group == "" && (id.Kind == "ConfigMap" || id.Kind == "Secret")
}
