// Package controller reconciles Things. It has three bugs, which the first
// command of the README finds.
package controller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	thingsv1alpha1 "github.com/operatorvet/operatorvet/testdata/faulty/api/v1alpha1"
)

const fieldOwner = client.FieldOwner("thing-operator")

// ThingReconciler makes a ConfigMap, a Deployment and a Service of each Thing.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme

	// Drain empties pods before they go.
	Drain *Drainer
}

// +kubebuilder:rbac:groups=things.example.com,resources=things,verbs=get;list;watch
// +kubebuilder:rbac:groups=things.example.com,resources=things/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups="",resources=configmaps;services,verbs=get;list;watch;create;patch

// Reconcile renders the Thing's outputs and applies them.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := logf.FromContext(ctx)

	var thing thingsv1alpha1.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	var running appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &running); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if running.Spec.Replicas != nil && *running.Spec.Replicas > thing.Spec.Replicas {
		log.Info("draining before scale-in", "from", *running.Spec.Replicas, "to", thing.Spec.Replicas)
		if err := r.Drain.WaitUntilIdle(ctx, req.String()); err != nil {
			return ctrl.Result{}, err
		}
	}

	for _, output := range render(&thing) {
		if err := r.apply(ctx, &thing, output); err != nil {
			return ctrl.Result{}, err
		}
	}

	if running.Status.ReadyReplicas == thing.Status.ReadyReplicas && thing.Status.ObservedGeneration == thing.Generation {
		return ctrl.Result{}, nil
	}
	thing.Status.ReadyReplicas = running.Status.ReadyReplicas
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// apply makes the cluster's object agree with the rendered one.
func (r *ThingReconciler) apply(ctx context.Context, thing *thingsv1alpha1.Thing, output client.Object) error {
	if err := ctrl.SetControllerReference(thing, output, r.Scheme); err != nil {
		return err
	}
	return r.Patch(ctx, output, client.Apply, fieldOwner, client.ForceOwnership)
}

// SetupWithManager starts the controller. Whoever edits or deletes the
// ConfigMap or the Service by hand is not noticed: only the Deployment is
// watched.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingsv1alpha1.Thing{}).
		Owns(&appsv1.Deployment{}).
		Named("thing").
		Complete(r) // want "missingwatch: .*corev1.ConfigMap" "missingwatch: .*corev1.Service"
}
