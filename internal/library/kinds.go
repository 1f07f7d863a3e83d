package library

import (
	"path"
	"slices"
	"strings"
)

// A GroupKind identifies a kind of objects in all its versions. If the group of
// a Go type is unknown, Group is the path of the directory that contains the
// type's versions, such as "example.com/thing/api".
type GroupKind struct {
	Group, Kind string
}

// IsZero reports whether the kind is unknown.
func (k GroupKind) IsZero() bool { return k == GroupKind{} }

// Same reports whether a and b certainly are the same kind.
func (k GroupKind) Same(other GroupKind) bool { return !k.IsZero() && k == other }

// MayBe reports whether k and other can be the same kind as far as is known. The
// group that a Go package stands for may be unknown on one side.
func (k GroupKind) MayBe(other GroupKind) bool {
	switch {
	case k.IsZero() || other.IsZero():
		return true
	case k.Kind != other.Kind:
		return false
	case k.Group == other.Group || k.Group == unknownGroup || other.Group == unknownGroup:
		return true
	case k.isPath() == other.isPath():
		return replaced[k] == other || replaced[other] == k
	case k.isPath():
		return !builtin[other.Group]
	default:
		return !builtin[k.Group]
	}
}

// isPath reports whether the group is the path of a Go package.
func (k GroupKind) isPath() bool { return strings.Contains(k.Group, "/") }

// unknownGroup is the group of a kind if only the name of the kind is known.
const unknownGroup = "?"

// KindNamed returns the kind with this name in an unknown group.
func KindNamed(name string) GroupKind { return GroupKind{unknownGroup, name} }

// String returns "group/Kind", or "Kind" if the group is empty or unknown.
func (k GroupKind) String() string {
	if k.Group == "" || k.Group == unknownGroup {
		return k.Kind
	}
	return k.Group + "/" + k.Kind
}

// replaced maps kinds that moved to another group to their new name. API servers
// serve both.
var replaced = map[GroupKind]GroupKind{
	{"extensions", "Ingress"}:           {"networking.k8s.io", "Ingress"},
	{"extensions", "NetworkPolicy"}:     {"networking.k8s.io", "NetworkPolicy"},
	{"extensions", "Deployment"}:        {"apps", "Deployment"},
	{"extensions", "DaemonSet"}:         {"apps", "DaemonSet"},
	{"extensions", "ReplicaSet"}:        {"apps", "ReplicaSet"},
	{"extensions", "PodSecurityPolicy"}: {"policy", "PodSecurityPolicy"},
}

// KindOfType returns the kind that the Go type with this [TypeName] represents:
// an API type or its apply configuration. Types that can represent any kind
// (Unstructured, PartialObjectMetadata) and types that are not objects have
// none.
func KindOfType(typeName string) (GroupKind, bool) {
	dot := strings.LastIndexByte(typeName, '.')
	slash := strings.LastIndexByte(typeName, '/')
	if dot < 0 || dot < slash {
		return GroupKind{}, false
	}
	pkg, name := typeName[:dot], typeName[dot+1:]
	switch {
	case TypeNamed(typeName).AnyKind || name == "":
		return GroupKind{}, false
	case strings.HasPrefix(pkg, metav1):
		return GroupKind{}, false
	}
	if kind, ok := strings.CutSuffix(name, "ApplyConfiguration"); ok {
		if group, ok := strings.CutPrefix(pkg, applyConfigs); ok {
			return GroupKind{apiGroup(path.Dir(group)), kind}, true
		}
		return GroupKind{unknownGroup, kind}, true
	}
	return GroupKind{groupOfPackage(pkg), name}, true
}

// ObjectType returns the package and the name of the Go type of the objects that
// the type with this [TypeName] stands for. For an apply configuration that is
// the type it configures. They are empty if there is none.
func ObjectType(typeName string) (pkgPath, name string) {
	pkgPath, _, name = split(typeName)
	if kind, ok := strings.CutSuffix(name, "ApplyConfiguration"); ok {
		group, ok := strings.CutPrefix(pkgPath, applyConfigs)
		if !ok {
			return "", ""
		}
		return kubernetesAPIs + group, kind
	}
	if pkgPath == "" || strings.HasPrefix(pkgPath, apimachinery+"/") {
		return "", "" // unstructured, or metadata only
	}
	return pkgPath, name
}

// IsAPI reports whether the package with this path holds the types of one of
// Kubernetes' own APIs, which every operator can import.
func IsAPI(path string) bool { return strings.HasPrefix(path, kubernetesAPIs) }

// KindOfGVK returns the kind of a "group/version/kind". The core group is empty
// or left out.
func KindOfGVK(gvk string) (GroupKind, bool) {
	parts := strings.Split(gvk, "/")
	kind := parts[len(parts)-1]
	switch {
	case kind == "":
		return GroupKind{}, false
	case len(parts) == 3:
		return GroupKind{parts[0], kind}, true
	case len(parts) == 2:
		return GroupKind{"", kind}, true // "v1/ConfigMap"
	}
	return GroupKind{}, false
}

// KindOfResource returns the kind of a well-known resource. For other resources
// the name does not determine the kind.
func KindOfResource(group, resource string) (GroupKind, bool) {
	kind, ok := resources[resource]
	if !ok || !builtin[group] {
		return GroupKind{}, false
	}
	return GroupKind{group, kind}, true
}

var resources = map[string]string{
	"configmaps":               "ConfigMap",
	"endpoints":                "Endpoints",
	"endpointslices":           "EndpointSlice",
	"events":                   "Event",
	"limitranges":              "LimitRange",
	"namespaces":               "Namespace",
	"nodes":                    "Node",
	"persistentvolumeclaims":   "PersistentVolumeClaim",
	"persistentvolumes":        "PersistentVolume",
	"pods":                     "Pod",
	"podtemplates":             "PodTemplate",
	"replicationcontrollers":   "ReplicationController",
	"resourcequotas":           "ResourceQuota",
	"secrets":                  "Secret",
	"serviceaccounts":          "ServiceAccount",
	"services":                 "Service",
	"controllerrevisions":      "ControllerRevision",
	"daemonsets":               "DaemonSet",
	"deployments":              "Deployment",
	"replicasets":              "ReplicaSet",
	"statefulsets":             "StatefulSet",
	"cronjobs":                 "CronJob",
	"jobs":                     "Job",
	"horizontalpodautoscalers": "HorizontalPodAutoscaler",
	"leases":                   "Lease",
	"ingresses":                "Ingress",
	"ingressclasses":           "IngressClass",
	"networkpolicies":          "NetworkPolicy",
	"poddisruptionbudgets":     "PodDisruptionBudget",
	"clusterroles":             "ClusterRole",
	"clusterrolebindings":      "ClusterRoleBinding",
	"roles":                    "Role",
	"rolebindings":             "RoleBinding",
	"priorityclasses":          "PriorityClass",
	"storageclasses":           "StorageClass",
	"volumeattachments":        "VolumeAttachment",

	"customresourcedefinitions":         "CustomResourceDefinition",
	"apiservices":                       "APIService",
	"mutatingwebhookconfigurations":     "MutatingWebhookConfiguration",
	"validatingwebhookconfigurations":   "ValidatingWebhookConfiguration",
	"validatingadmissionpolicies":       "ValidatingAdmissionPolicy",
	"validatingadmissionpolicybindings": "ValidatingAdmissionPolicyBinding",
	"certificatesigningrequests":        "CertificateSigningRequest",
}

// groupOfPackage returns the API group whose Go types are in the package. If the
// group is unknown it returns the package's path without the version.
func groupOfPackage(pkg string) string {
	dir := pkg
	if IsVersion(path.Base(pkg)) {
		dir = path.Dir(pkg)
	}
	if group, ok := strings.CutPrefix(dir, kubernetesAPIs); ok {
		return apiGroup(group)
	}
	if group, ok := packageGroups[dir]; ok {
		return group
	}
	if group, ok := strings.CutPrefix(dir, "github.com/openshift/api/"); ok && group != "legacyconfig" {
		return group + ".openshift.io"
	}
	return dir
}

// Package returns the path of the Go package, without a version, whose types are of this
// kind, if nothing else is known of its group.
func (k GroupKind) Package() (dir string, ok bool) {
	return k.Group, k.Group != unknownGroup && strings.Contains(k.Group, "/")
}

// IsVersion reports whether s is the name of an API version: v1, v2beta1.
func IsVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' || s[1] < '0' || s[1] > '9' {
		return false
	}
	rest := strings.TrimLeft(s[1:], "0123456789")
	for _, stage := range []string{"alpha", "beta"} {
		rest = strings.TrimPrefix(rest, stage)
	}
	return strings.Trim(rest, "0123456789") == ""
}

// apiGroup returns the API group of a directory in k8s.io/api.
func apiGroup(dir string) string {
	if group, ok := apiGroups[dir]; ok {
		return group
	}
	return dir
}

// apiGroups has the groups that are not named like their directory.
var apiGroups = map[string]string{
	"core":                  "",
	"admission":             "admission.k8s.io",
	"admissionregistration": "admissionregistration.k8s.io",
	"apidiscovery":          "apidiscovery.k8s.io",
	"apiserverinternal":     "internal.apiserver.k8s.io",
	"authentication":        "authentication.k8s.io",
	"authorization":         "authorization.k8s.io",
	"certificates":          "certificates.k8s.io",
	"coordination":          "coordination.k8s.io",
	"discovery":             "discovery.k8s.io",
	"events":                "events.k8s.io",
	"flowcontrol":           "flowcontrol.apiserver.k8s.io",
	"imagepolicy":           "imagepolicy.k8s.io",
	"lifecycle":             "lifecycle.k8s.io",
	"networking":            "networking.k8s.io",
	"node":                  "node.k8s.io",
	"rbac":                  "rbac.authorization.k8s.io",
	"resource":              "resource.k8s.io",
	"scheduling":            "scheduling.k8s.io",
	"storage":               "storage.k8s.io",
	"storagemigration":      "storagemigration.k8s.io",
}

// builtin has the groups whose Go types are all known, so that a type of another
// package is never one of their kinds.
var builtin = map[string]bool{
	"": true, "apps": true, "autoscaling": true, "batch": true, "extensions": true, "policy": true,
	"admissionregistration.k8s.io": true,
	"apiextensions.k8s.io":         true,
	"apiregistration.k8s.io":       true,
	"authentication.k8s.io":        true,
	"authorization.k8s.io":         true,
	"certificates.k8s.io":          true,
	"coordination.k8s.io":          true,
	"discovery.k8s.io":             true,
	"events.k8s.io":                true,
	"flowcontrol.apiserver.k8s.io": true,
	"networking.k8s.io":            true,
	"node.k8s.io":                  true,
	"rbac.authorization.k8s.io":    true,
	"resource.k8s.io":              true,
	"scheduling.k8s.io":            true,
	"storage.k8s.io":               true,
}

// packageGroups has the groups of widely used API packages, by the path without
// the version.
var packageGroups = map[string]string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions": "apiextensions.k8s.io",
	"k8s.io/kube-aggregator/pkg/apis/apiregistration":       "apiregistration.k8s.io",
	"k8s.io/metrics/pkg/apis/metrics":                       "metrics.k8s.io",

	"sigs.k8s.io/gateway-api/apis":           "gateway.networking.k8s.io",
	"sigs.k8s.io/cluster-api/api/core":       "cluster.x-k8s.io",
	"sigs.k8s.io/cluster-api/api":            "cluster.x-k8s.io",
	"istio.io/client-go/pkg/apis/networking": "networking.istio.io",
	"istio.io/client-go/pkg/apis/security":   "security.istio.io",
	"knative.dev/serving/pkg/apis/serving":   "serving.knative.dev",
	"knative.dev/eventing/pkg/apis/eventing": "eventing.knative.dev",

	"github.com/cert-manager/cert-manager/pkg/apis/certmanager":                    "cert-manager.io",
	"github.com/cert-manager/cert-manager/pkg/apis/acme":                           "acme.cert-manager.io",
	"github.com/kubernetes-csi/external-snapshotter/client/v4/apis/volumesnapshot": "snapshot.storage.k8s.io",
	"github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot": "snapshot.storage.k8s.io",
	"github.com/kubernetes-csi/external-snapshotter/client/v8/apis/volumesnapshot": "snapshot.storage.k8s.io",
	"github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring":       "monitoring.coreos.com",
	"sigs.k8s.io/kube-storage-version-migrator/pkg/apis/migration":                 "migration.k8s.io",
}

// OutlivesOwner reports whether objects of this kind hold data that users want to keep
// when the object is deleted that they were made for. Many have no owner for that reason.
func (k GroupKind) OutlivesOwner() bool { return k == GroupKind{"", "PersistentVolumeClaim"} }

// HoldsOthers reports whether an object of this kind takes others with it when it is deleted. The
// events of these tell that it is gone.
func (k GroupKind) HoldsOthers() bool { return k == GroupKind{"", "Namespace"} }

// MadeOnce reports whether objects of this kind are made once. They run to completion,
// or they hold data that is lost with them. An object that is made again is not the one
// that was lost, and most of its spec cannot be edited. So nobody keeps such an object in
// a desired state, but a controller may wait for its status.
func (k GroupKind) MadeOnce() bool { return madeOnce[k] }

var madeOnce = map[GroupKind]bool{
	{"batch", "Job"}:              true,
	{"", "PersistentVolumeClaim"}: true,

	{"snapshot.storage.k8s.io", "VolumeSnapshot"}: true,

	{"cert-manager.io", "CertificateRequest"}: true,
	{"acme.cert-manager.io", "Order"}:         true,
	{"acme.cert-manager.io", "Challenge"}:     true,
}

// IsCustom reports whether the kind is none of Kubernetes itself.
func (k GroupKind) IsCustom() bool { return !k.IsZero() && !builtin[k.Group] }

// IsAccount reports whether objects of the kind are nothing but who Pods run as.
func (k GroupKind) IsAccount() bool { return k == GroupKind{"", "ServiceAccount"} }

// Runs reports whether Pods of such an object run to their end, and the next ones start at
// a time or with another object.
func (k GroupKind) Runs() bool {
	return k == GroupKind{"batch", "Job"} || k == GroupKind{"batch", "CronJob"}
}

// MayRunPods reports whether objects of the kind have Pods, as far as is known.
func (k GroupKind) MayRunPods() bool { return runsPods[k] || !builtin[k.Group] }

var runsPods = map[GroupKind]bool{
	{"", "Pod"}:                   true,
	{"", "ReplicationController"}: true,
	{"apps", "DaemonSet"}:         true,
	{"apps", "Deployment"}:        true,
	{"apps", "ReplicaSet"}:        true,
	{"apps", "StatefulSet"}:       true,
	{"batch", "CronJob"}:          true,
	{"batch", "Job"}:              true,
}

// FireAndForget reports whether objects of this kind are requests, records,
// history or claims. Nobody keeps these in a desired state, so a controller that
// creates them need not watch them.
func (k GroupKind) FireAndForget() bool { return fireAndForget[k] }

var fireAndForget = map[GroupKind]bool{
	{"", "Event"}:              true,
	{"", "Binding"}:            true,
	{"", "Status"}:             true,
	{"events.k8s.io", "Event"}: true,

	{"policy", "Eviction"}:   true,
	{"autoscaling", "Scale"}: true,

	{"coordination.k8s.io", "Lease"}:          true,
	{"coordination.k8s.io", "LeaseCandidate"}: true,

	{"authentication.k8s.io", "TokenReview"}:       true,
	{"authentication.k8s.io", "TokenRequest"}:      true,
	{"authentication.k8s.io", "SelfSubjectReview"}: true,

	{"authorization.k8s.io", "SubjectAccessReview"}:      true,
	{"authorization.k8s.io", "LocalSubjectAccessReview"}: true,
	{"authorization.k8s.io", "SelfSubjectAccessReview"}:  true,
	{"authorization.k8s.io", "SelfSubjectRulesReview"}:   true,

	{"admission.k8s.io", "AdmissionReview"}:              true,
	{"imagepolicy.k8s.io", "ImageReview"}:                true,
	{"apiextensions.k8s.io", "ConversionReview"}:         true,
	{"certificates.k8s.io", "CertificateSigningRequest"}: true,
	{"certificates.k8s.io", "PodCertificateRequest"}:     true,

	{"migration.k8s.io", "StorageVersionMigration"}:        true,
	{"storagemigration.k8s.io", "StorageVersionMigration"}: true,

	// A snapshot of the past, which the API server makes immutable.
	{"apps", "ControllerRevision"}: true,
}

// ResourceOf returns the name of the resource of a kind, as it is in roles. A kind that is
// not well known gets the plural that generators of manifests make.
func ResourceOf(kind GroupKind) string {
	for resource, name := range resources {
		if name == kind.Kind && builtin[kind.Group] {
			return resource
		}
	}
	return plural(strings.ToLower(kind.Kind))
}

// plural returns the plural of a word, like
// https://pkg.go.dev/k8s.io/apimachinery/pkg/api/meta#UnsafeGuessKindToResource for most
// words, and like English for those that end with a vowel and y: gateways.
func plural(word string) string {
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(word, s) })
	}
	switch {
	case ends("endpoints", "constraints"):
		return word
	case ends("ay", "ey", "oy", "uy"):
		return word + "s"
	case ends("y"):
		return strings.TrimSuffix(word, "y") + "ies"
	case ends("s", "x", "ch", "sh"):
		return word + "es"
	}
	return word + "s"
}

// IsOfCluster reports whether objects of the kind certainly are in no namespace. A role in a
// namespace cannot grant anything about them.
func IsOfCluster(group, resource string) bool {
	return clusterResources[group+"/"+strings.SplitN(resource, "/", 2)[0]]
}

var clusterResources = map[string]bool{
	"/namespaces":        true,
	"/nodes":             true,
	"/persistentvolumes": true,

	"admissionregistration.k8s.io/mutatingwebhookconfigurations":     true,
	"admissionregistration.k8s.io/validatingadmissionpolicies":       true,
	"admissionregistration.k8s.io/validatingadmissionpolicybindings": true,
	"admissionregistration.k8s.io/validatingwebhookconfigurations":   true,
	"apiextensions.k8s.io/customresourcedefinitions":                 true,
	"apiregistration.k8s.io/apiservices":                             true,
	"authentication.k8s.io/tokenreviews":                             true,
	"authorization.k8s.io/selfsubjectaccessreviews":                  true,
	"authorization.k8s.io/subjectaccessreviews":                      true,
	"certificates.k8s.io/certificatesigningrequests":                 true,
	"networking.k8s.io/ingressclasses":                               true,
	"rbac.authorization.k8s.io/clusterrolebindings":                  true,
	"rbac.authorization.k8s.io/clusterroles":                         true,
	"scheduling.k8s.io/priorityclasses":                              true,
	"storage.k8s.io/csidrivers":                                      true,
	"storage.k8s.io/storageclasses":                                  true,
	"storage.k8s.io/volumeattachments":                               true,
}
