// Package controller lets functions of other packages decide whether something
// is due.
package controller

import (
	"context"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/decided_in_another_package/places"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/decided_in_another_package/renewal"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/decided_in_another_package/rotation"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/decided_in_another_package/state"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/decided_in_another_package/window"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// DecisionMadeByAnotherPackageFromTheTime asks another package, which is given
// the time, for a yes or no.
type DecisionMadeByAnotherPackageFromTheTime struct {
	client.Client
}

func (r *DecisionMadeByAnotherPackageFromTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	replicas := int32(0)
	if window.Open(&thing, time.Now()) {
		replicas = *thing.Spec.Replicas
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Replicas = &replicas
		return nil
	})
	return ctrl.Result{RequeueAfter: time.Minute}, err
}

// RotationDecidedByAnotherPackage renews what another package finds expired.
type RotationDecidedByAnotherPackage struct {
	client.Client
}

func (r *RotationDecidedByAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if rotation.Due(secret.Data["tls.crt"]) {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data = map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM}
		if err := r.Update(ctx, &secret); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

// RenewedForAReasonOfAnotherPackage renews a certificate for the reason that
// another package gives. That the wish for one is given, too, is no reason.
type RenewedForAReasonOfAnotherPackage struct {
	client.Client
}

func (r *RenewedForAReasonOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, err
	}
	policy := renewal.Policy{Hosts: thing.Spec.Hosts}
	if reason := policy.Reason(secret.Annotations); len(reason) > 0 {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data["tls.crt"], secret.Data["tls.key"] = certPEM, keyPEM
		policy.Annotate(secret.Annotations, certPEM)
	}
	if mode := renewal.Mode(&thing); mode != "" {
		certPEM, _, err := cert.GenerateSelfSignedCertKey(mode, nil, nil) // want "unstablewrite: .*GenerateSelfSignedCertKey reaches Secret data\\[ca.crt\\]"
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data["ca.crt"] = certPEM
	}
	return ctrl.Result{}, r.Update(ctx, &secret)
}

// StampWhereAnOwnPredicateFindsNoChange asks functions of another package
// whether something has changed, and stamps in one case what has not.
//
// It stamps each pass but the first after a change.
type StampWhereAnOwnPredicateFindsNoChange struct {
	client.Client
}

func (r *StampWhereAnOwnPredicateFindsNoChange) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := state.Hash(&thing)
	if state.Moved(&thing, hash) {
		thing.Status.Hash = ""
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	var parts thingapi.PartList
	if err := r.List(ctx, &parts); err != nil {
		return ctrl.Result{}, err
	}
	success := true
	for i := range parts.Items {
		if parts.Items[i].Namespace != thing.Namespace && thing.Spec.Paused {
			continue
		}
		if err := r.Patch(ctx, parts.Items[i].DeepCopy(), client.Merge); err != nil {
			success = false
		}
	}
	if success {
		now := metav1.Now() // want "unstablewrite: metav1.Now reaches Thing status.lastSync"
		thing.Status.Hash = hash
		thing.Status.LastSync = &now
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	return ctrl.Result{Requeue: true}, nil
}

// Stamper stamps changes.
type Stamper struct {
	client.Client
}

func (r *Stamper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := state.Hash(&thing)
	if state.Moved(&thing, hash) || state.Fresh(&thing) {
		now := metav1.Now()
		thing.Status.Hash = hash
		thing.Status.LastSync = &now
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// HostsWhereANamespaceIsSpecial joins hosts in a random order, where another package
// says that the namespace is special. The answer never changes.
type HostsWhereANamespaceIsSpecial struct {
	client.Client
}

func (r *HostsWhereANamespaceIsSpecial) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if !places.Special(thing.Namespace) {
		names := make(map[string]bool)
		for _, host := range thing.Spec.Hosts {
			names[host] = true
		}
		var hosts []string
		for name := range names { // want "unstablewrite: map order reaches ConfigMap data\\[hosts\\]"
			hosts = append(hosts, name)
		}
		cm.Data["hosts"] = strings.Join(hosts, ",")
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// AnnouncedOnce stamps what another package says was not announced yet, and then tells
// that package.
type AnnouncedOnce struct {
	client.Client
}

func (r *AnnouncedOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !places.Announced() {
		cm.Data["announced"] = time.Now().String()
		places.Announce()
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
