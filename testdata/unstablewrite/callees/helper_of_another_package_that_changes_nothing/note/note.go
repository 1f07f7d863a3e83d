// Package note has helpers that get an object.
package note

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Recorder records what the helpers are told.
var Recorder record.EventRecorder

// Listed records an event of an object, and does not change it.
func Listed(obj runtime.Object) {
	Recorder.Event(obj, corev1.EventTypeNormal, "Listed", "names are listed")
}

// InOrder sorts the addresses before it records the event.
func InOrder(svc *corev1.Service) {
	slices.Sort(svc.Spec.ExternalIPs)
	Listed(svc)
}
