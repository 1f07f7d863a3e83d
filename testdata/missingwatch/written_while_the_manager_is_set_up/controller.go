// Package fixture creates a Namespace and a ConfigMap before the manager runs; the
// reconciler writes neither.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func prepare(ctx context.Context, config *rest.Config) error {
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "things"}}
	if err := client.IgnoreAlreadyExists(c.Create(ctx, namespace)); err != nil {
		return err
	}
	defaults := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "defaults", Namespace: namespace.Name}}
	return client.IgnoreAlreadyExists(c.Create(ctx, defaults))
}

// Run prepares the cluster, then runs the controller.
func Run(ctx context.Context, config *rest.Config) error {
	if err := prepare(ctx, config); err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{})
	if err != nil {
		return err
	}
	r := &ThingReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}
	if err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
