// Package missingwatch finds objects that a controller writes but does not
// watch.
//
// # Analyzer missingwatch
//
// missingwatch: report objects that a controller writes but does not watch
//
// A controller can keep an object in the desired state only if an event tells
// it that the object has changed. Suppose that it creates a ConfigMap and its
// builder does not mention ConfigMaps. If somebody edits or deletes the
// ConfigMap, nothing happens until something else wakes the reconciler, which
// may be the next restart of the operator. What the controller reads from the
// status of an object (is the Job done, does the Service have an address)
// stays old in the same way. No metric and no event shows this:
// controller_runtime_reconcile_total does not change when the object is
// deleted, and what needs the object fails elsewhere. One operator's
// StatefulSet could not create Pods, because their ServiceAccount was gone
// (https://github.com/VictoriaMetrics/operator/issues/159).
//
//	func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
//		return ctrl.NewControllerManagedBy(mgr).
//			For(&v1.Thing{}).
//			Complete(r) // Reconcile creates a ConfigMap
//	}
//
// The remedy is a watch: Owns, if the object has a controller reference to the
// Thing; otherwise Watches, with a function that finds the Thing.
//
//	return ctrl.NewControllerManagedBy(mgr).
//		For(&v1.Thing{}).
//		Owns(&corev1.ConfigMap{}).
//		Complete(r)
//
// Owns looks for a controller reference to the kind given to For. If the code
// creates an object of an owned kind without one, none of its events arrives.
// The rule reports this as well, at the write. SetOwnerReference, or an
// OwnerReference without Controller, is not enough. If other objects of the
// kind get a reference, it leaves out those that may have none on purpose:
// PersistentVolumeClaims, which hold data, and objects whose name is the same
// for all owners. Another controller of the package, for objects of the kind, may
// set the references.
//
//	controllerutil.SetOwnerReference(thing, cm, r.Scheme)      // for the garbage collector only
//	controllerutil.SetControllerReference(thing, cm, r.Scheme) // Owns sees this one
//
// The rule follows writes by any client through helpers, closures, interfaces
// and packages of the module. It follows watches through every way to build a
// controller.
//
// A map function, a handler or a predicate may select objects by a name, a label or an
// owner reference, or take the name for the request from a label. Such a watch is none of
// an object that certainly has another name, not the label, or no such reference. Of the
// names, the rule knows those that are constant, and what others end in: none of a Thing's
// name and "-key" is one of a name and "-ca". If the name must be in a spec, or in an index
// of what specs have, it also knows those that are made of the name of the reconciled
// object: no spec has them.
//
// A predicate or a handler may drop all events of a kind, or just deletions, as one does that
// is meant for the controller's own kind. Then an object that is gone is not made again. The
// rule reports this of objects that do not run to completion, and not of a Namespace, which
// takes others with it.
//
//	return ctrl.NewControllerManagedBy(mgr).
//		For(&v1.Thing{}).
//		Owns(&corev1.ConfigMap{}).
//		WithEventFilter(predicate.Funcs{
//			DeleteFunc: func(event.DeleteEvent) bool { return false }, // also of a ConfigMap
//		}).
//		Complete(r)
//
// It is silent in these cases:
//   - for kinds that nobody keeps in a desired state: Event, Lease, reviews,
//     token requests, evictions, a Job with a time to live;
//   - for objects that get a new name each time, unless the reconciler has a list of
//     such objects, which it may count;
//   - for kinds of which objects are made once (a Job runs to completion, a
//     PersistentVolumeClaim holds data that is lost with it), unless the reconciler
//     waits for the status of the object and nothing else wakes it;
//   - for a ServiceAccount, if of what the controller creates nothing but Jobs and
//     CronJobs has Pods, and it watches these: nothing needs the account between two runs;
//   - for the controller's own kind;
//   - when objects are only deleted, or only updated or patched but not
//     created;
//   - when objects are created in one phase of the controller's own object, as
//     a step that is not taken twice (a test of its status for a constant), or
//     until its status records that they were (a field, also one that only others
//     set, a condition, the observed generation, what a function says that gets the
//     status alone), or one of its annotations or labels or its finalizer does; but if the
//     controller has Owns for the kind and does not look again by itself, it waits for
//     the events, for which these objects, too, need the controller reference;
//   - when the time decides that objects are created, and it is compared with more than
//     the spec and the age of an object: with the time of the last run, or a schedule;
//   - when the client may be one of another cluster;
//   - when another controller of the package ends in the same reconciler and
//     watches the kind;
//   - when another controller, of the package or of one that it imports, makes the same
//     object by the same call, and watches the kind or looks again by itself;
//   - when the object has a controller reference to a custom resource that the reconciler
//     only finds, and the controller asks for no events of the kind: if no controller of
//     the package is for that resource, one elsewhere is;
//   - when another controller of the package, for a kind that this one makes and watches,
//     watches the kind with a handler of its own: then the child's status may tell of it;
//   - when a reconciler for objects with and without a namespace makes the kind for
//     those that are not the controller's own;
//   - when the kind is unknown, as that of one of several objects in a table, under a
//     name that is not known, and for all kinds if the controller has a watch of an
//     unknown kind.
//
// It is also silent about what a reconciler polls by design. It then asks to
// be called again whenever it has dealt with objects of the kind and returns
// no error: within two minutes, or after an interval that only its settings
// determine, or after any interval if it watches none of its outputs. The default of
// a setting counts, where the command finds one: a flag's, or that in a tag. If it
// watches others and comes back later than that, the message says that drift
// waits for the next poll. A goroutine that it starts may create the objects again in
// each round of a loop instead, unless it does so only while a status differs from what
// it finds. An empty Result does not count where it is returned only while
// the status of its object has nothing to look after yet: it lacks a name or a list that
// the package sets, and empties nowhere. Nor does it count where a function that may ask
// the cluster, as it gets a context, says no: what was made is not ready. It is silent as
// well if nothing shows that the reconciler does not come back: none of the Results that it
// may return then is known to be empty, and one is not known at all.
//
// The manager may look again in its place: its SyncPeriod reconciles each
// object, unless predicates drop updates that change nothing. Where main sets
// one of five minutes or less, or one that is not known, the command is silent;
// of a longer one it says that drift waits for the next resync. Here, too,
// the default of a setting counts. A controller that watches Nodes, and drops none of their
// events, counts as one with a period of five minutes: a kubelet writes the status of its Node
// that often. Where nothing is set, controller-runtime resyncs after ten hours. Drift is
// "never repaired" if the predicates of all watches drop that.
//
// Options tell it more. missingwatch.ignore-kinds names kinds about which it
// is silent. functions.writes names functions that write an object, and
// functions.owners functions that make one object the controller of another,
// though their code does not show it.
//
// To suppress a finding, give the reason on its line or above it:
//
//	//operatorvet:ignore missingwatch the Secret is only a cache
package missingwatch
