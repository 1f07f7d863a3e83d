// Package unstablewrite finds values that differ on each reconcile and are
// written into managed objects.
//
// # Analyzer unstablewrite
//
// unstablewrite: report values that differ on each reconcile and are written to the cluster
//
// A write that changes an object raises an event, and the event starts the next
// reconcile. If what is written differs each time, because it is the time, a
// random value, or the elements of a map in the order of Go's map iteration, the
// operator never rests: hundreds of writes a second that nobody asked for, pods
// that roll without end, an API server and an etcd that slow down for everybody.
// Nothing fails. The signs are a controller_runtime_reconcile_total that climbs
// while nobody changes anything, PUT and PATCH requests of the operator in
// rest_client_requests_total and in the API server's audit log, and generations
// and resource versions that grow. One operator's pods were recreated over and
// over, since their environment was in the order of a map
// (https://github.com/stacklok/toolhive/pull/5064).
//
//	for name, value := range thing.Spec.Env {
//		env = append(env, corev1.EnvVar{Name: name, Value: value})
//	}
//	deploy.Spec.Template.Spec.Containers[0].Env = env
//	return r.Update(ctx, deploy)
//
// Give the sequence an order of its own, and write what is generated only where
// it is missing:
//
//	for _, name := range slices.Sorted(maps.Keys(thing.Spec.Env)) {
//		env = append(env, corev1.EnvVar{Name: name, Value: thing.Spec.Env[name]})
//	}
//
//	if len(secret.Data["password"]) == 0 {
//		secret.Data["password"] = generate()
//	}
//
// Sources are clocks, random generators, freshly made keys and certificates, the
// order of maps and sets, and the order of the items that a cached List returns.
// They are followed through helpers, closures, interfaces and packages of the
// module, into updates, patches, applies, CreateOrUpdate and status writes below
// a reconciler. The report stands at the source, or at the call that brings the
// value from another package.
//
// It is silent when the value is only set where it is absent, or when assignment
// or write are guarded by a comparison that the value itself does not feed; when
// only Create sees it; when meta.SetStatusCondition keeps the old time; when the
// order is fixed afterwards by sorting, or does not matter (a map, a set, a
// count, one write per element); about kinds that are about time, such as Lease
// and Event; about names; about times in the status where a predicate of the
// controller drops the resulting event; and wherever code in between is not
// known.
//
// Two options tell it more: unstablewrite.ignore-fields, fields that may differ
// each time, and functions.writes, functions that write an object where their
// code does not show it.
//
// To suppress a finding, say why on or above its line:
//
//	//operatorvet:ignore unstablewrite restarts the pods on purpose
package unstablewrite
