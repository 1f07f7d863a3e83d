// Package fixture has controllers that make objects of which another controller sees
// when they change.
package fixture

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/outputs/that_another_sees/shared"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ThingMakesTheSameObjects leaves the ConfigMap to the controller that repairs it. Nobody
// repairs the RoleBinding.
type ThingMakesTheSameObjects struct{ *shared.Collector }

func (r *ThingMakesTheSameObjects) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Ensure(ctx)
}

func (r *ThingMakesTheSameObjects) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want `missingwatch: Reconcile creates rbacv1.RoleBinding \(.*shared.go:28\) but the controller does not watch it`
}

// PartMakesOneMore makes a ConfigMap of its own by the same helper, which makes objects
// of any kind. Nobody else makes that one.
type PartMakesOneMore struct{ *shared.Collector }

func (r *PartMakesOneMore) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	own := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}}
	return ctrl.Result{}, errors.Join(r.Ensure(ctx), r.Apply(ctx, own))
}

func (r *PartMakesOneMore) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Complete(r) // want `missingwatch: Reconcile creates corev1.ConfigMap \(.*controller.go:36\) but the controller does not watch it` `missingwatch: Reconcile creates rbacv1.RoleBinding \(.*shared.go:28\)`
}
