// Package fixture passes Secrets by value, through small interfaces, to a client of
// the project's own.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/writers/object_passed_by_value_to_a_wrapper_client/kube"
	"github.com/operatorvet/operatorvet/testdata/missingwatch/writers/object_passed_by_value_to_a_wrapper_client/secret"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client kube.Client
}

// NewThingReconciler returns a reconciler that works through the manager.
func NewThingReconciler(mgr ctrl.Manager) *ThingReconciler {
	return &ThingReconciler{client: kube.NewClient(mgr.GetClient())}
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := thingapi.Thing{}
	if err := r.client.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, secret.CreateOrUpdate(ctx, r.client, connectionSecret(&thing))
}

func connectionSecret(thing *thingapi.Thing) corev1.Secret {
	return corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Name:      thing.Name + "-connection",
			Namespace: thing.Namespace,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(thing, thingapi.GroupVersion.WithKind("Thing")),
			},
		},
		StringData: map[string]string{"host": thing.Name + "." + thing.Namespace},
	}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*Secret"
}
