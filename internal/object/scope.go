package object

import "strings"

// CanonicalGroup spells a moved API group the way the API server stores it today, so that a manifest written for
// extensions/v1beta1 is the same object as its apps/v1 successor. Moves as listed in the Kubernetes deprecation guide.
func CanonicalGroup(group, kind string) string {
	if group != "extensions" {
		return group
	}
	switch kind {
	case "Deployment", "DaemonSet", "ReplicaSet":
		return "apps"
	case "Ingress", "NetworkPolicy":
		return "networking.k8s.io"
	case "PodSecurityPolicy":
		return "policy"
	}
	return group
}

// SplitAPIVersion splits "apps/v1" into "apps" and "v1", and "v1" into "" and "v1".
func SplitAPIVersion(apiVersion string) (group, version string) {
	if g, v, ok := strings.Cut(apiVersion, "/"); ok {
		return g, v
	}
	return "", apiVersion
}

// clusterScoped lists kinds without a namespace as "group/Kind": Kubernetes' own, and those of controllers that are met
// often in GitOps repositories without their CustomResourceDefinition.
var clusterScoped = map[string]bool{
	"/Namespace": true, "/Node": true, "/PersistentVolume": true, "/ComponentStatus": true,
	"admissionregistration.k8s.io/MutatingWebhookConfiguration":     true,
	"admissionregistration.k8s.io/ValidatingAdmissionPolicy":        true,
	"admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": true,
	"admissionregistration.k8s.io/ValidatingWebhookConfiguration":   true,
	"apiextensions.k8s.io/CustomResourceDefinition":                 true,
	"apiregistration.k8s.io/APIService":                             true,
	"certificates.k8s.io/CertificateSigningRequest":                 true,
	"flowcontrol.apiserver.k8s.io/FlowSchema":                       true,
	"flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration":       true,
	"networking.k8s.io/IngressClass":                                true,
	"node.k8s.io/RuntimeClass":                                      true,
	"policy/PodSecurityPolicy":                                      true,
	"rbac.authorization.k8s.io/ClusterRole":                         true,
	"rbac.authorization.k8s.io/ClusterRoleBinding":                  true,
	"scheduling.k8s.io/PriorityClass":                               true,
	"storage.k8s.io/CSIDriver":                                      true,
	"storage.k8s.io/CSINode":                                        true,
	"storage.k8s.io/StorageClass":                                   true,
	"storage.k8s.io/VolumeAttachment":                               true,
	"argoproj.io/ClusterAnalysisTemplate":                           true,
	"argoproj.io/ClusterWorkflowTemplate":                           true,
	"cert-manager.io/ClusterIssuer":                                 true,
	"external-secrets.io/ClusterExternalSecret":                     true,
	"external-secrets.io/ClusterSecretStore":                        true,
	"gateway.networking.k8s.io/GatewayClass":                        true,
	"kyverno.io/ClusterPolicy":                                      true,
	"projectcalico.org/GlobalNetworkPolicy":                         true,
	"crd.projectcalico.org/GlobalNetworkPolicy":                     true,
	"snapshot.storage.k8s.io/VolumeSnapshotClass":                   true,
	"security.openshift.io/SecurityContextConstraints":              true,
	"project.openshift.io/Project":                                  true,
	"user.openshift.io/Group":                                       true,
	"karpenter.sh/NodePool":                                         true,
	"constraints.gatekeeper.sh/K8sRequiredLabels":                   true,
	"templates.gatekeeper.sh/ConstraintTemplate":                    true,
}

// ClusterScoped tells whether a kind is known to have no namespace. Unknown kinds count as namespaced; what a
// CustomResourceDefinition of the repository says goes first and is the caller's to look up.
func ClusterScoped(group, kind string) bool {
	return clusterScoped[group+"/"+kind]
}
