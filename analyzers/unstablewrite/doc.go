// Package unstablewrite finds values that differ on each reconcile and are
// written into managed objects.
//
// # Analyzer unstablewrite
//
// unstablewrite: report values that differ on each reconcile and are written to the cluster
//
// A write that changes an object raises an event, and the event starts the
// next reconcile. Some values differ each time: the time, a random value, the
// elements of a map in the order of Go's map iteration. An operator that
// writes one never comes to rest. It makes hundreds of writes a second that
// nobody asked for, it replaces pods without end, and it slows the API server
// and etcd down for everybody. Nothing fails. The signs are a
// controller_runtime_reconcile_total that climbs while nobody changes
// anything, PUT and PATCH requests of the operator in
// rest_client_requests_total and in the API server's audit log, and
// generations and resource versions that grow. One operator recreated its pods
// over and over, because their environment was in the order of a map
// (https://github.com/stacklok/toolhive/pull/5064).
//
//	for name, value := range thing.Spec.Env {
//		env = append(env, corev1.EnvVar{Name: name, Value: value})
//	}
//	deploy.Spec.Template.Spec.Containers[0].Env = env
//	return r.Update(ctx, deploy)
//
// Sort the sequence, and write a generated value only where it is missing:
//
//	for _, name := range slices.Sorted(maps.Keys(thing.Spec.Env)) {
//		env = append(env, corev1.EnvVar{Name: name, Value: thing.Spec.Env[name]})
//	}
//
//	if len(secret.Data["password"]) == 0 {
//		secret.Data["password"] = generate()
//	}
//
// A list that was read and gets one more element in each reconcile differs each
// time, too: thing.Status.Conditions = append(thing.Status.Conditions, ready).
// Set the condition with meta.SetStatusCondition, and look whether an element is
// there before you append it. The same goes for a number or a text that was read
// and to which each reconcile adds, and for an object's own resource version,
// which each write changes.
//
// A metav1.Time has whole seconds. Where reconciles take less, the second write
// within a second changes nothing and raises no event: such an operator writes
// whenever something else starts a reconcile, and needlessly wakes all who watch
// the object.
//
// Sources are clocks, random generators, newly made keys and certificates, the
// order of maps and sets, the order of the items that a cached List returns,
// the order in which goroutines come to an end, addresses that package fmt
// prints, what is appended to a list, or added to a value, of an object that
// was read, or appended to a package variable, and an object's own resource
// version or, in its spec, generation. The rule follows them through helpers,
// closures, channels, interfaces and packages of the module, also in the
// message of a condition that a setter of cluster-api, Crossplane, Flux,
// Knative, OpenShift or OpenStack sets, into updates, patches, applies,
// CreateOrUpdate and status writes that a reconciler makes.
// The finding is at the source, or at the call that brings the value from
// another package.
//
// It is silent in these cases:
//   - when the value is only set where it is absent, or while a function of the
//     module finds something to do and does not return nil. From what code makes
//     anew it is absent each time. What an object has may also be laid over it;
//   - when the value is only set where the object lacks a finalizer, or after an
//     error that the module declares;
//   - when a comparison guards the assignment or the write, or whatever
//     comparisons have put on a list, and the value itself is no part of them;
//     what both ways of a condition write has no guard. What others do to
//     objects guards nothing, either, if the reconcile fails or comes back
//     until then, nor does the time that has passed since. That an object is
//     ready, or in another phase in which it rests, is no guard, nor is what the
//     status of an own object asks for, such as that it has not finished, if the
//     reconcile can end without changing that; and neither is a setting: a field
//     of the reconciler that no reconcile sets;
//   - when only Create gets the value;
//   - when meta.SetStatusCondition, or another such setter, or cluster-api's
//     patch helper keeps the old time;
//   - when the order is fixed afterwards by sorting, or does not matter: in a
//     map, a set, a count, one write per element; that of the errors of goroutines,
//     and of what the loop deletes;
//   - when a list is set anew before the append, the append is in a loop, or the
//     list decides whether it runs;
//   - for kinds that are about time, such as Lease and Event, and for a
//     lastHeartbeatTime;
//   - for names;
//   - when only the handlers of an HTTP server, or of a webhook, reach the write;
//   - in a dry run;
//   - in the status, if a predicate of the controller drops the
//     resulting event;
//   - for a time in an annotation or a label of an object that was read, if
//     that wakes no controller of this reconciler: it asks others to reconcile,
//     to reload or to restart;
//   - when code in between is unknown.
//
// Two options tell it more. unstablewrite.ignore-fields names fields that may
// differ each time. functions.writes names functions that write an object
// though their code does not show it.
//
// To suppress a finding, give the reason on its line or above it:
//
//	//operatorvet:ignore unstablewrite restarts the pods on purpose
package unstablewrite
