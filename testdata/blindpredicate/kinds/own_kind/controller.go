// Package fixture filters the events of its own kind.
package fixture

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// OnlyTheOwnKindIsFiltered filters the events of its own kind, whose status it
// writes, and no others.
type OnlyTheOwnKindIsFiltered struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OnlyTheOwnKindIsFiltered) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *OnlyTheOwnKindIsFiltered) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// ControllerOfConfigmapsSeesNoEdit is for ConfigMaps, and never hears of an
// edited one.
//
// It keeps a checksum of each ConfigMap.
type ControllerOfConfigmapsSeesNoEdit struct {
	client.Client
}

// Reconcile writes the checksum.
func (r *ControllerOfConfigmapsSeesNoEdit) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	sum := fmt.Sprint(len(config.Data))
	if config.Annotations["checksum"] == sum {
		return ctrl.Result{}, nil
	}
	before := config.DeepCopy()
	metav1.SetMetaDataAnnotation(&config.ObjectMeta, "checksum", sum)
	return ctrl.Result{}, r.Patch(ctx, config, client.MergeFrom(before))
}

func (r *ControllerOfConfigmapsSeesNoEdit) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want "blindpredicate: .*edits of corev1.ConfigMap"
		Complete(r)
}
