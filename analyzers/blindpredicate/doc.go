// Package blindpredicate finds predicates that hide from a controller what it
// needs to see.
//
// # Analyzer blindpredicate
//
// blindpredicate: report predicates that hide edits or progress from a controller
//
// GenerationChangedPredicate drops each update that does not change
// metadata.generation, so that a controller's own status writes do not wake
// it. It also drops two kinds of updates that the controller needs. A
// ConfigMap, a Secret, a Role or a Service has no generation: if somebody
// edits one, the controller never repairs it, although it owns it. And a new
// status of a Deployment is no new generation: a controller that waits for
// ready replicas never learns of them. Creations and deletions still arrive,
// so a demonstration works. In the cluster, drift stays, a status lags behind,
// or a renewed certificate is not used, until something else wakes the
// controller, such as a restart of the operator. Metrics and logs show
// nothing, because there is no reconcile. It happened to a gateway
// (https://github.com/envoyproxy/gateway/issues/3496) and to an operator for
// service bindings
// (https://github.com/redhat-developer/service-binding-operator/issues/210).
//
//	func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
//		return ctrl.NewControllerManagedBy(mgr).
//			For(&v1.Thing{}).
//			Owns(&corev1.ConfigMap{}). // edits are hidden
//			Owns(&appsv1.Deployment{}). // so is status.readyReplicas
//			WithEventFilter(predicate.GenerationChangedPredicate{}).
//			Complete(r)
//	}
//
// WithEventFilter filters all watches of a builder. Filter only the
// controller's own kind instead:
//
//	return ctrl.NewControllerManagedBy(mgr).
//		For(&v1.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
//		Owns(&corev1.ConfigMap{}).
//		Owns(&appsv1.Deployment{}).
//		Complete(r)
//
// The rule follows predicates through And and Or, functions, variables, packages
// and the rows of a table. For a predicate of your own, it asks what Update returns if only
// the data, or only the status, of an object has changed. A comparison of the
// spec hides the status, as a comparison of the generation does.
//
// It is silent in these cases:
//   - when the predicate lets such updates pass for another reason: Or with
//     the resource version, a comparison of the data;
//   - when the predicate drops all updates, new generations included, which is
//     done on purpose;
//   - when it is unknown what the predicate does;
//   - when labels and annotations pass and may be all that matters: of a
//     Namespace, or of objects of others of which nothing else is read;
//   - when another watch of the kind sees more, unless it certainly does not select an
//     object that the controller writes: see missingwatch;
//   - when owner references decide and there are none: because the controller
//     sets none, which missingwatch reports, or because the kind has no
//     namespace and its owner may have one;
//   - for an owned kind of which the controller's code has no object, if it
//     has objects of other owned kinds, or that it does not write, if it writes
//     other owned kinds and the kinds of all its writes are known;
//   - when another controller of the package makes the same objects and looks
//     again often;
//   - for a status that the reconciler does not read, that it writes itself,
//     or after which it looks again, however soon. It does not look again for a
//     part of a status that it only copies into another one, if each time after
//     which it looks again may be zero;
//   - for the status of objects of others that a map function finds, and of
//     objects watched by their metadata;
//   - for the status of a custom resource of another project, unless its API
//     group is well known: where the status is no subresource, each write of
//     it is a new generation;
//   - when the reconciler looks again within two minutes, or after an interval
//     that only its settings determine. If it looks again later, the message
//     says that drift waits for the next poll;
//   - when the manager's SyncPeriod is five minutes or less, or not known, and
//     the predicates of some watch let updates pass that change nothing. The
//     message tells of a longer one that main sets, or of the default.
//
// To suppress a finding, give the reason on its line or above it:
//
//	//operatorvet:ignore blindpredicate nobody edits this Secret
package blindpredicate
