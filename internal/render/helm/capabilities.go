package helm

import (
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"

	"github.com/syncproof/syncproof/internal/diag"
)

// defaultKubeVersion is taken when nobody says which Kubernetes the cluster runs.
const defaultKubeVersion = "1.35"

// helmVersion is what Argo CD 3.5 ships (hack/tool-versions.sh): .Capabilities.HelmVersion.
const helmVersion = "v4.2.1"

// capabilities are .Capabilities: the Kubernetes version, which is never left to the build of Helm's library, and the API
// versions that Helm always assumes, with those of the cluster or of the Application.
func (r *renderer) capabilities() (*common.Capabilities, *diag.Gap) {
	version := r.helm.KubeVersion
	if version == "" {
		version = threeParts(r.req.KubeVersion)
	}
	kube, err := common.ParseKubeVersion(version)
	if err == nil {
		// Argo CD drops suffixes such as -gke.100 before it calls Helm (repository.go parseKubeVersion).
		kube, err = common.ParseKubeVersion(kube.String())
	}
	if err != nil {
		return nil, r.gap(diag.RenderFailed, fmt.Sprintf("Kubernetes version %q cannot be read", version),
			"write it as 1.35 or 1.35.2")
	}
	caps := common.DefaultCapabilities.Copy()
	caps.KubeVersion = *kube
	caps.APIVersions = slices.Clone(common.DefaultVersionSet)
	if len(r.helm.APIVersions) > 0 { // these stand in place of the cluster's (types.go GetAPIVersionsOrDefault)
		caps.APIVersions = append(caps.APIVersions, r.helm.APIVersions...)
	} else {
		caps.APIVersions = append(caps.APIVersions, served(kube.Minor)...)
		caps.APIVersions = append(caps.APIVersions, r.req.APIVersions...)
	}
	caps.HelmVersion.Version = helmVersion
	caps.HelmVersion.GoVersion = ""
	return caps, nil
}

// threeParts writes the version as Argo CD keeps that of a cluster since 3.4: with its patch level.
func threeParts(version string) string {
	if version == "" {
		version = defaultKubeVersion
	}
	if strings.Count(version, ".") == 1 {
		version += ".0"
	}
	return version
}

// api is a group version with kinds that API servers serve from a minor version of Kubernetes 1 on.
type api struct {
	version string
	since   int
	until   int // the first minor version that does not serve it any more; 0: all do
	kinds   string
}

// apis are Kubernetes' own kinds as "version/Kind" is asked for in charts: Argo CD passes them to Helm (util/argo/argo.go
// APIResourcesToStrings with kinds), Helm alone knows only versions. Since and until as in the Kubernetes API reference
// and deprecation guide, from 1.19 on.
func apis() []api {
	return []api{
		{version: "v1", kinds: "Binding ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume " +
			"PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount"},
		{version: "admissionregistration.k8s.io/v1", kinds: "MutatingWebhookConfiguration ValidatingWebhookConfiguration"},
		{version: "admissionregistration.k8s.io/v1", since: 30, kinds: "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"},
		{version: "apiextensions.k8s.io/v1", kinds: "CustomResourceDefinition"},
		{version: "apiextensions.k8s.io/v1beta1", until: 22, kinds: "CustomResourceDefinition"},
		{version: "apiregistration.k8s.io/v1", kinds: "APIService"},
		{version: "apps/v1", kinds: "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
		{version: "authentication.k8s.io/v1", kinds: "TokenReview"},
		{version: "authorization.k8s.io/v1", kinds: "LocalSubjectAccessReview SelfSubjectAccessReview " +
			"SelfSubjectRulesReview SubjectAccessReview"},
		{version: "autoscaling/v1", kinds: "HorizontalPodAutoscaler"},
		{version: "autoscaling/v2", since: 23, kinds: "HorizontalPodAutoscaler"},
		{version: "autoscaling/v2beta1", until: 25, kinds: "HorizontalPodAutoscaler"},
		{version: "autoscaling/v2beta2", until: 26, kinds: "HorizontalPodAutoscaler"},
		{version: "batch/v1", kinds: "Job"},
		{version: "batch/v1", since: 21, kinds: "CronJob"},
		{version: "batch/v1beta1", until: 25, kinds: "CronJob"},
		{version: "certificates.k8s.io/v1", kinds: "CertificateSigningRequest"},
		{version: "coordination.k8s.io/v1", kinds: "Lease"},
		{version: "discovery.k8s.io/v1", since: 21, kinds: "EndpointSlice"},
		{version: "discovery.k8s.io/v1beta1", until: 25, kinds: "EndpointSlice"},
		{version: "events.k8s.io/v1", kinds: "Event"},
		{version: "extensions/v1beta1", until: 22, kinds: "Ingress"},
		{version: "flowcontrol.apiserver.k8s.io/v1", since: 29, kinds: "FlowSchema PriorityLevelConfiguration"},
		{version: "networking.k8s.io/v1", kinds: "Ingress IngressClass NetworkPolicy"},
		{version: "networking.k8s.io/v1", since: 33, kinds: "IPAddress ServiceCIDR"},
		{version: "networking.k8s.io/v1beta1", until: 22, kinds: "Ingress IngressClass"},
		{version: "node.k8s.io/v1", since: 20, kinds: "RuntimeClass"},
		{version: "policy/v1", since: 21, kinds: "PodDisruptionBudget"},
		{version: "policy/v1beta1", until: 25, kinds: "PodDisruptionBudget PodSecurityPolicy"},
		{version: "rbac.authorization.k8s.io/v1", kinds: "ClusterRole ClusterRoleBinding Role RoleBinding"},
		{version: "resource.k8s.io/v1", since: 34, kinds: "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"},
		{version: "scheduling.k8s.io/v1", kinds: "PriorityClass"},
		{version: "storage.k8s.io/v1", kinds: "CSIDriver CSINode StorageClass VolumeAttachment"},
		{version: "storage.k8s.io/v1", since: 24, kinds: "CSIStorageCapacity"},
		{version: "storage.k8s.io/v1", since: 34, kinds: "VolumeAttributesClass"},
	}
}

// served lists what a cluster of a minor version serves, kinds as "version/Kind".
func served(minor string) []string {
	n := 0
	if _, err := fmt.Sscanf(minor, "%d", &n); err != nil {
		return nil
	}
	var out []string
	for _, a := range apis() {
		if n < a.since || a.until != 0 && n >= a.until {
			continue
		}
		out = append(out, a.version)
		for kind := range strings.FieldsSeq(a.kinds) {
			out = append(out, a.version+"/"+kind)
		}
	}
	return out
}
