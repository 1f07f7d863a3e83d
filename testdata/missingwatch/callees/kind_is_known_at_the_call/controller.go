// Package fixture creates objects through helpers. A finding names the place at which
// the kind is known, and so do findings of several controllers that have one cause.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/kind_is_known_at_the_call/writer"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

func meta(req ctrl.Request) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}
}

// Things creates an object of each helper.
type Things struct{ writer.Writer }

func (r *Things) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Secret(ctx, &corev1.Secret{ObjectMeta: meta(req)}); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Account(ctx, req.Name, req.Namespace); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, &corev1.Service{ObjectMeta: meta(req)})
}

func (r *Things) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*[.]Secret ..*writer.go:27. but" "missingwatch: .*[.]ServiceAccount ..*writer.go:22. but" "missingwatch: .*[.]Service ..*controller.go:32. but"
}

// Deployments creates what Things does, apart from the Service.
type Deployments struct{ writer.Writer }

func (r *Deployments) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Account(ctx, req.Name, req.Namespace); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Secret(ctx, &corev1.Secret{ObjectMeta: meta(req)})
}

func (r *Deployments) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*[.]Secret ..*writer.go:27. but" "missingwatch: .*[.]ServiceAccount ..*writer.go:22. but"
}

// StatefulSets creates the same as Deployments, by the same calls.
type StatefulSets struct{ writer.Writer }

func (r *StatefulSets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Account(ctx, req.Name, req.Namespace); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Secret(ctx, &corev1.Secret{ObjectMeta: meta(req)})
}

func (r *StatefulSets) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*[.]Secret ..*writer.go:27. but" "missingwatch: .*[.]ServiceAccount ..*writer.go:22. but"
}

// Pods creates a Service as Things does, at another call of the same helper.
type Pods struct{ writer.Writer }

func (r *Pods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Create(ctx, &corev1.Service{ObjectMeta: meta(req)})
}

func (r *Pods) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Pod{}).
		Complete(r) // want "missingwatch: .*[.]Service ..*controller.go:77. but"
}

// toNode wakes the Node that an object is named after.
var toNode = handler.EnqueueRequestsFromMapFunc(func(_ context.Context, obj client.Object) []ctrl.Request {
	return []ctrl.Request{{NamespacedName: client.ObjectKeyFromObject(obj)}}
})

// Nodes watches what it creates by the same calls.
type Nodes struct{ writer.Writer }

func (r *Nodes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Account(ctx, req.Name, req.Namespace); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Secret(ctx, &corev1.Secret{ObjectMeta: meta(req)})
}

func (r *Nodes) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Node{}).
		Watches(&corev1.Secret{}, toNode).
		Watches(&corev1.ServiceAccount{}, toNode).
		Complete(r)
}
