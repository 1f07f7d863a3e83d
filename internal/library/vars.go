package library

import "strings"

// FuncOfVar returns the [Name] of the function that the package variable of
// this name ("path.Name") holds. Controller-runtime's root package republishes
// functions this way: ctrl.SetControllerReference is a variable.
func FuncOfVar(name string) (string, bool) {
	fn, ok := funcVars[name]
	return fn, ok
}

var funcVars = map[string]string{
	crt + ".NewControllerManagedBy": crtBuilder + ".ControllerManagedBy",
	crt + ".NewManager":             crtManager + ".New",
	crt + ".CreateOrUpdate":         controllerutil + ".CreateOrUpdate",
	crt + ".CreateOrPatch":          controllerutil + ".CreateOrPatch",
	crt + ".SetControllerReference": controllerutil + ".SetControllerReference",
	crt + ".GetConfig":              crt + "/pkg/client/config.GetConfig",
	crt + ".GetConfigOrDie":         crt + "/pkg/client/config.GetConfigOrDie",
}

// TypeOfVar returns the [TypeName] of what the package variable of this name
// holds where its declared type is only an interface.
func TypeOfVar(name string) (string, bool) {
	t, ok := typeVars[name]
	return t, ok
}

var typeVars = map[string]string{
	crtClient + ".Apply": ServerSideApply,
	crtClient + ".Merge": crtClient + ".mergePatch",
}

// Types of values whose presence among a call's arguments decides what the
// call does.
const (
	// ServerSideApply is the patch that creates what does not exist.
	ServerSideApply = crtClient + ".applyPatch"
	// DryRun is the option that keeps a write from happening.
	DryRun = crtClient + ".dryRunAll"
	// EveryOwner is the option of Owns that follows all owner references
	// rather than the controller's alone.
	EveryOwner = crtBuilder + ".matchEveryOwner"
	// OnlyMetadata is the type of the option of a watch that makes it one of
	// metadata.
	OnlyMetadata = crtBuilder + ".projectAs"
	// ApplyPatchType is the constant that makes a patch of bytes a
	// server-side apply.
	ApplyPatchType = "application/apply-patch+yaml"
	// ApplyPatchTypeCBOR is its binary sister.
	ApplyPatchTypeCBOR = "application/apply-patch+cbor"
)

// Parts returns the paths under an object of this type that say what a call
// with such an argument does: the reconciler within controller.Options, what
// makes a Job delete itself. It returns nil for most types.
func Parts(typeName string) []string {
	if kind, ok := strings.CutSuffix(typeName, "ApplyConfiguration"); ok && hasSpec[kind[strings.LastIndexByte(kind, '.')+1:]] {
		return []string{"Spec"}
	}
	return parts[typeName]
}

// hasSpec are kinds of which an apply configuration without a spec only touches
// the metadata of an object that somebody else made.
var hasSpec = map[string]bool{
	"CronJob": true, "DaemonSet": true, "Deployment": true, "HorizontalPodAutoscaler": true, "Ingress": true,
	"Job": true, "NetworkPolicy": true, "Node": true, "PersistentVolume": true, "PersistentVolumeClaim": true,
	"Pod": true, "PodDisruptionBudget": true, "ReplicaSet": true, "Service": true, "StatefulSet": true,
}

var parts = map[string][]string{
	crtController + ".Options":      {"Reconciler"},
	crtController + ".TypedOptions": {"Reconciler"},
	crtSource + ".Kind":             {"Type"}, // up to 0.14
	crtSource + ".Informer":         {"Informer", "Handler"},
	crtSource + ".TypedInformer":    {"Informer", "Handler"},
	crtSource + ".Channel":          {"Source"},

	crt + "/pkg/predicate.Funcs":      {"UpdateFunc"},
	crt + "/pkg/predicate.TypedFuncs": {"UpdateFunc"},

	crtHandler + ".EnqueueRequestForOwner": {"OwnerType", "IsController"}, // up to 0.14
	crtHandler + ".Funcs":                  {"CreateFunc", "UpdateFunc", "DeleteFunc", "GenericFunc"},
	crtHandler + ".TypedFuncs":             {"CreateFunc", "UpdateFunc", "DeleteFunc", "GenericFunc"},

	metav1 + ".CreateOptions": {"DryRun"},
	metav1 + ".UpdateOptions": {"DryRun"},
	metav1 + ".PatchOptions":  {"DryRun"},
	metav1 + ".ApplyOptions":  {"DryRun"},

	crtClient + ".CreateOptions": {"DryRun"},
	crtClient + ".UpdateOptions": {"DryRun"},
	crtClient + ".PatchOptions":  {"DryRun"},
	crtClient + ".ApplyOptions":  {"DryRun"},

	schema + ".GroupVersionResource": {"Group", "Version", "Resource"},
	schema + ".GroupVersionKind":     {"Group", "Version", "Kind"},
	schema + ".GroupVersion":         {"Group", "Version"},

	"k8s.io/api/batch/v1.Job": {"ObjectMeta.GenerateName", "Spec.TTLSecondsAfterFinished"},
	"k8s.io/api/core/v1.Pod":  {"ObjectMeta.GenerateName"},
}
