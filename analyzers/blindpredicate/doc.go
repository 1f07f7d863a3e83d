// Package blindpredicate finds predicates that hide from a controller what it
// needs to see.
//
// # Analyzer blindpredicate
//
// blindpredicate: report predicates that hide edits or progress from a controller
//
// GenerationChangedPredicate drops each update that leaves metadata.generation as
// it was, so that a controller is not woken by the status that it writes itself.
// Two things are dropped along with it. A ConfigMap, a Secret, a Role, a Service
// has no generation at all: an edited one is never repaired, although the builder
// owns it. And the status of a Deployment is no new generation either: a controller
// that waits for its ready replicas never hears of them. Creations and deletions
// still arrive, so all is well in a demonstration. In the cluster, drift stays, a
// status lags behind, a renewed certificate is not used, until something else wakes
// the controller, such as the restart of the operator. Metrics and logs show
// nothing: there is no reconcile. It happened to a gateway
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
// WithEventFilter is for all watches of a builder. The remedy is to filter the
// controller's own kind alone:
//
//	return ctrl.NewControllerManagedBy(mgr).
//		For(&v1.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
//		Owns(&corev1.ConfigMap{}).
//		Owns(&appsv1.Deployment{}).
//		Complete(r)
//
// Predicates are followed through And and Or, functions, variables and packages. Of
// a predicate of your own, Update is looked at: what does it return if nothing but
// the data, or the status, of an object has changed? Comparing the spec hides the
// status as comparing the generation does.
//
// It is silent when the predicate lets such updates pass for other reasons (Or with
// the resource version, a comparison of the data); when it drops all updates, new
// generations included, which is done on purpose; when it is not known what it does;
// when labels and annotations pass and may be all that matters (a Namespace, objects
// of others of which nothing else is read); when another watch of the kind sees
// more; when owner references decide and there are none, because the controller sets
// none (which missingwatch reports) or because the kind is in no namespace and its
// owner may be in one; about an owned kind of which the controller's code has no
// object, though it has some of other owned kinds; when another controller of the
// package makes the same objects and looks again often; about a status that the reconciler does not read, that it
// writes itself, or after which it looks again, however soon; about the status of
// objects of others, found by a map function, and of objects watched by their
// metadata; and about reconcilers that look again within two minutes, or after an
// interval that only their settings tell. Where one looks again later, the message
// says that drift waits for the next poll.
//
// To suppress a finding, say why on or above its line:
//
//	//operatorvet:ignore blindpredicate nobody edits this Secret
package blindpredicate
