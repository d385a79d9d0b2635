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
var clusterScoped = words(`
/Namespace /Node /PersistentVolume /ComponentStatus
admissionregistration.k8s.io/MutatingAdmissionPolicy admissionregistration.k8s.io/MutatingAdmissionPolicyBinding
admissionregistration.k8s.io/MutatingWebhookConfiguration admissionregistration.k8s.io/ValidatingAdmissionPolicy
admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/ValidatingWebhookConfiguration
apiextensions.k8s.io/CustomResourceDefinition apiregistration.k8s.io/APIService
certificates.k8s.io/CertificateSigningRequest certificates.k8s.io/ClusterTrustBundle
flowcontrol.apiserver.k8s.io/FlowSchema flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration
networking.k8s.io/IngressClass networking.k8s.io/IPAddress networking.k8s.io/ServiceCIDR
node.k8s.io/RuntimeClass policy/PodSecurityPolicy
rbac.authorization.k8s.io/ClusterRole rbac.authorization.k8s.io/ClusterRoleBinding
resource.k8s.io/DeviceClass resource.k8s.io/ResourceSlice scheduling.k8s.io/PriorityClass
storage.k8s.io/CSIDriver storage.k8s.io/CSINode storage.k8s.io/StorageClass storage.k8s.io/VolumeAttachment
storage.k8s.io/VolumeAttributesClass snapshot.storage.k8s.io/VolumeSnapshotClass snapshot.storage.k8s.io/VolumeSnapshotContent
argoproj.io/ClusterAnalysisTemplate argoproj.io/ClusterWorkflowTemplate
cert-manager.io/ClusterIssuer trust.cert-manager.io/Bundle
cilium.io/CiliumClusterwideNetworkPolicy cilium.io/CiliumLoadBalancerIPPool cilium.io/CiliumL2AnnouncementPolicy
cilium.io/CiliumBGPClusterConfig cilium.io/CiliumBGPPeerConfig cilium.io/CiliumBGPAdvertisement
cilium.io/CiliumBGPPeeringPolicy cilium.io/CiliumNodeConfig
external-secrets.io/ClusterExternalSecret external-secrets.io/ClusterSecretStore external-secrets.io/ClusterPushSecret
gateway.networking.k8s.io/GatewayClass
kyverno.io/ClusterPolicy kyverno.io/ClusterCleanupPolicy policies.kyverno.io/ValidatingPolicy
crd.projectcalico.org/GlobalNetworkPolicy crd.projectcalico.org/IPPool crd.projectcalico.org/FelixConfiguration
crd.projectcalico.org/BGPConfiguration crd.projectcalico.org/BGPPeer projectcalico.org/GlobalNetworkPolicy
karpenter.sh/NodePool karpenter.sh/NodeClaim karpenter.k8s.aws/EC2NodeClass cloud.google.com/ComputeClass
templates.gatekeeper.sh/ConstraintTemplate config.gatekeeper.sh/Config
kueue.x-k8s.io/ClusterQueue kueue.x-k8s.io/ResourceFlavor kueue.x-k8s.io/AdmissionCheck kueue.x-k8s.io/WorkloadPriorityClass
nvidia.com/ClusterPolicy topolvm.io/LogicalVolume topolvm.cybozu.com/LogicalVolume coil.cybozu.com/AddressPool
operator.tekton.dev/TektonConfig operator.tekton.dev/TektonAddon operator.tekton.dev/TektonPipeline
operator.tekton.dev/TektonChain operator.tekton.dev/TektonTrigger
cluster.open-cluster-management.io/ManagedCluster cluster.open-cluster-management.io/ManagedClusterSet
multicluster.openshift.io/MultiClusterEngine config.openshift.io/APIServer config.openshift.io/ClusterVersion
config.openshift.io/Image config.openshift.io/Infrastructure config.openshift.io/Ingress config.openshift.io/Network
config.openshift.io/OAuth config.openshift.io/OperatorHub config.openshift.io/Project config.openshift.io/Proxy
config.openshift.io/Scheduler console.openshift.io/ConsoleLink console.openshift.io/ConsoleNotification
console.openshift.io/ConsolePlugin imageregistry.operator.openshift.io/Config
machineconfiguration.openshift.io/ContainerRuntimeConfig machineconfiguration.openshift.io/KubeletConfig
machineconfiguration.openshift.io/MachineConfig machineconfiguration.openshift.io/MachineConfigPool
operator.openshift.io/Console operator.openshift.io/DNS operator.openshift.io/Network operator.openshift.io/Storage
project.openshift.io/Project security.openshift.io/SecurityContextConstraints user.openshift.io/Group user.openshift.io/User
user.openshift.io/Identity instancetype.kubevirt.io/VirtualMachineClusterInstancetype
instancetype.kubevirt.io/VirtualMachineClusterPreference
`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// ClusterScoped tells whether a kind is known to have no namespace. Unknown kinds count as namespaced; what a
// CustomResourceDefinition of the repository says goes first and is the caller's to look up.
func ClusterScoped(group, kind string) bool {
	return clusterScoped[group+"/"+kind]
}
