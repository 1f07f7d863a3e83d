package library

import (
	"slices"
	"strings"
)

// Patch types.
const (
	// ApplyPatchType makes a patch of bytes a server-side apply.
	ApplyPatchType = "application/apply-patch+yaml"
	// ApplyPatchTypeCBOR does the same for the binary encoding.
	ApplyPatchTypeCBOR = "application/apply-patch+cbor"
)

// Parts returns the [Type.Parts] of the type of this [TypeName]. It returns nil
// for most types.
func Parts(typeName string) []string {
	if kind, ok := strings.CutSuffix(typeName, "ApplyConfiguration"); ok && hasSpec[kind[strings.LastIndexByte(kind, '.')+1:]] {
		return []string{"Spec"}
	}
	return TypeNamed(typeName).Parts
}

// IsWriteOnly reports whether the API server takes a field of the type of this [TypeName], and
// never returns it.
func IsWriteOnly(typeName, field string) bool {
	return slices.Contains(TypeNamed(typeName).WriteOnly, field)
}

// hasSpec has kinds whose apply configuration, if it has no spec, only changes
// the metadata of an object that somebody else made.
var hasSpec = map[string]bool{
	"CronJob": true, "DaemonSet": true, "Deployment": true, "HorizontalPodAutoscaler": true, "Ingress": true,
	"Job": true, "NetworkPolicy": true, "Node": true, "PersistentVolume": true, "PersistentVolumeClaim": true,
	"Pod": true, "PodDisruptionBudget": true, "ReplicaSet": true, "Service": true, "StatefulSet": true,
}
