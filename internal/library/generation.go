package library

// HasNoGeneration reports whether the API server never increments the
// metadata.generation of objects of this built-in kind, so that an edit does not
// change it.
//
// A test of the operator checks the table against a real API server. A kind is
// not listed if some version in use increments the generation, as for Pod from
// 1.33 on. Custom resources all have one.
func (k GroupKind) HasNoGeneration() bool { return withoutGeneration[k] }

// withoutGeneration has the kinds in
// internal/library/testdata/without_generation.txt, which is for tests of other
// modules.
var withoutGeneration = map[GroupKind]bool{
	{"", "ConfigMap"}:             true,
	{"", "Endpoints"}:             true,
	{"", "Event"}:                 true,
	{"", "LimitRange"}:            true,
	{"", "Namespace"}:             true,
	{"", "Node"}:                  true,
	{"", "PersistentVolume"}:      true,
	{"", "PersistentVolumeClaim"}: true,
	{"", "ResourceQuota"}:         true,
	{"", "Secret"}:                true,
	{"", "Service"}:               true,
	{"", "ServiceAccount"}:        true,

	{"apps", "ControllerRevision"}: true,

	{"autoscaling", "HorizontalPodAutoscaler"}: true,

	{"coordination.k8s.io", "Lease"}: true,

	{"events.k8s.io", "Event"}: true,

	{"node.k8s.io", "RuntimeClass"}: true,

	{"rbac.authorization.k8s.io", "ClusterRole"}:        true,
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}: true,
	{"rbac.authorization.k8s.io", "Role"}:               true,
	{"rbac.authorization.k8s.io", "RoleBinding"}:        true,

	{"storage.k8s.io", "CSINode"}:      true,
	{"storage.k8s.io", "StorageClass"}: true,
}

// HasNoNamespace reports whether objects of this built-in kind are in no
// namespace.
func (k GroupKind) HasNoNamespace() bool { return withoutNamespace[k] }

var withoutNamespace = map[GroupKind]bool{
	{"", "Namespace"}:        true,
	{"", "Node"}:             true,
	{"", "PersistentVolume"}: true,

	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:     true,
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"}:        true,
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"}: true,
	{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"}:   true,

	{"apiextensions.k8s.io", "CustomResourceDefinition"}: true,

	{"apiregistration.k8s.io", "APIService"}: true,

	{"certificates.k8s.io", "CertificateSigningRequest"}: true,

	{"flowcontrol.apiserver.k8s.io", "FlowSchema"}:                 true,
	{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"}: true,

	{"networking.k8s.io", "IngressClass"}: true,

	{"node.k8s.io", "RuntimeClass"}: true,

	{"rbac.authorization.k8s.io", "ClusterRole"}:        true,
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}: true,

	{"scheduling.k8s.io", "PriorityClass"}: true,

	{"storage.k8s.io", "CSIDriver"}:        true,
	{"storage.k8s.io", "CSINode"}:          true,
	{"storage.k8s.io", "StorageClass"}:     true,
	{"storage.k8s.io", "VolumeAttachment"}: true,
}
