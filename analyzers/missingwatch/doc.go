// Package missingwatch finds objects that a controller writes but does not
// watch.
//
// # Analyzer missingwatch
//
// missingwatch: report objects that a controller writes but does not watch
//
// A controller keeps what it writes in the desired state only if somebody tells
// it when that state is gone. If it creates a ConfigMap and its builder says
// nothing about ConfigMaps, then nobody does: a ConfigMap that is edited or
// deleted stays so until something else happens to wake the reconciler, which
// may be the next restart of the operator. Status that is read from the object
// (is the Job done, has the Service an address) stays old in the same way. No
// metric and no event tells of it: controller_runtime_reconcile_total does not
// move when the object goes, and what needs the object fails elsewhere. One
// operator's StatefulSet could not create Pods, as their ServiceAccount was gone
// (https://github.com/VictoriaMetrics/operator/issues/159).
//
//	func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
//		return ctrl.NewControllerManagedBy(mgr).
//			For(&v1.Thing{}).
//			Complete(r) // Reconcile creates a ConfigMap
//	}
//
// The remedy is a watch: Owns, where the object has a controller reference to
// the Thing, else Watches with a function that finds the Thing.
//
//	return ctrl.NewControllerManagedBy(mgr).
//		For(&v1.Thing{}).
//		Owns(&corev1.ConfigMap{}).
//		Complete(r)
//
// Owns looks for a controller reference to the kind given to For. Where none of
// the writes of an owned kind sets one, the watch is there but never enqueues
// anything; that is reported as well, at the write. SetOwnerReference, or an
// OwnerReference without Controller, is not enough.
//
//	controllerutil.SetOwnerReference(thing, cm, r.Scheme)      // for the garbage collector only
//	controllerutil.SetControllerReference(thing, cm, r.Scheme) // Owns sees this one
//
// Writes are followed through helpers, closures, interfaces and packages of the
// module, by whichever client they are made; watches through every way to build
// a controller.
//
// It is silent when the kind is one that nobody keeps in a desired state (Event,
// Lease, reviews, token requests, evictions, a Job with a time to live); about
// the controller's own kind; when objects are only deleted, or only updated or
// patched but not created; when they are created in one phase of the controller's
// own object, as a step that is not taken twice (a test of its status for a
// constant); when the client may be one of another cluster; when
// another controller of the package ends in the same reconciler and watches the
// kind; when the kind is not known; and altogether for controllers with a watch
// of which the kind is not known.
//
// It is silent, too, about what a reconciler polls by design: whenever it has
// dealt with objects of the kind and returns no error, it asks to be called again
// within two minutes, after an interval that only its settings tell, or after one
// of whatever length if it watches none of its outputs. Where one that watches
// others comes back after a longer time, the message says that drift waits for
// the next poll.
//
// Options tell it more: missingwatch.ignore-kinds, kinds that it is to be silent
// about; functions.writes and functions.owners, functions that write an object,
// and that make one object the controller of another, where their code does not
// show it.
//
// To suppress a finding, say why on or above its line:
//
//	//operatorvet:ignore missingwatch the Secret is only a cache
package missingwatch
