// Package fixture wraps Thing and client into a scope for each reconcile, whose
// methods write.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

type scope struct {
	client client.Client
	scheme *runtime.Scheme
	thing  *thingapi.Thing
}

func newScope(r *ThingReconciler, thing *thingapi.Thing) *scope {
	return &scope{client: r.Client, scheme: r.Scheme, thing: thing}
}

func (s *scope) ensureBootstrapSecret(ctx context.Context) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Name:      s.thing.Name + "-bootstrap",
			Namespace: s.thing.Namespace,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(s.thing, thingapi.GroupVersion.WithKind("Thing")),
			},
		},
		Data: map[string][]byte{"image": []byte(s.thing.Spec.Image)},
	}
	return client.IgnoreAlreadyExists(s.client.Create(ctx, secret))
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s := newScope(r, thing)
	return ctrl.Result{}, s.ensureBootstrapSecret(ctx)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Secret"
}
