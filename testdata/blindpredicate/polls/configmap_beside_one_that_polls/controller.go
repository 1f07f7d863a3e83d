// Package fixture makes ConfigMaps in two controllers, one of which looks at its own
// every minute.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

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
	return ctrl.Result{}, writeConfig(ctx, r.Client, r.Scheme, thing)
}

func writeConfig(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing) error {
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, scheme)
	})
	return err
}

// NamespaceReconciler reconciles the list of Things of a namespace.
type NamespaceReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile writes down the Things of a namespace.
func (r *NamespaceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things, client.InNamespace(req.Name)); err != nil {
		return ctrl.Result{}, err
	}
	names := make(map[string]string)
	for i := range things.Items {
		names[things.Items[i].Name] = things.Items[i].Spec.Image
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "images", Namespace: req.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = names
		return nil
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

// SetupWithManager registers the controllers.
func SetupWithManager(mgr ctrl.Manager) error {
	err := ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Namespace{}).
		Complete(&NamespaceReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()})
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ConfigMap"
		Complete(&ThingReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()})
}
