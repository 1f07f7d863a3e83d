// Package fixture reconciles by functions, method values and adapters.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// FunctionLiteralAsReconciler reconciles in a function literal that closes over
// the client.
//
// It adds the controller to the manager.
func FunctionLiteralAsReconciler(mgr ctrl.Manager) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(reconcile.Func(func(ctx context.Context, req ctrl.Request) (ctrl.Result, error) { // want "missingwatch: .*Secret"
			thing := &thingapi.Thing{}
			if err := c.Get(ctx, req.NamespacedName, thing); err != nil {
				return ctrl.Result{}, client.IgnoreNotFound(err)
			}
			secret := newSecret(thing)
			if err := controllerutil.SetControllerReference(thing, secret, mgr.GetScheme()); err != nil {
				return ctrl.Result{}, err
			}
			return ctrl.Result{}, client.IgnoreAlreadyExists(c.Create(ctx, secret))
		}))
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

type worker struct {
	client client.Client
	scheme *runtime.Scheme
}

func (w *worker) sync(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := w.client.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, w.scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(w.client.Create(ctx, service))
}

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}

// MethodValueAsReconcileFunc has no type with a Reconcile method: a method
// value of another name is the reconciler.
//
// It adds the controller to the manager.
func MethodValueAsReconcileFunc(mgr manager.Manager) error {
	w := &worker{client: mgr.GetClient(), scheme: mgr.GetScheme()}
	return builder.ControllerManagedBy(mgr).
		Named("thing").
		For(&thingapi.Thing{}).
		Complete(reconcile.Func(w.sync)) // want "missingwatch: .*Service"
}

// ObjectReconcilerIsAdaptedByAsReconciler implements the reconciler of objects,
// which the library turns into one of requests.
type ObjectReconcilerIsAdaptedByAsReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ObjectReconcilerIsAdaptedByAsReconciler) Reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *ObjectReconcilerIsAdaptedByAsReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r)) // want "missingwatch: .*ConfigMap"
}

// ReconcilerGivenInTheOptions names the reconciler in the options, and
// completes the builder with nil.
type ReconcilerGivenInTheOptions struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ReconcilerGivenInTheOptions) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *ReconcilerGivenInTheOptions) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WithOptions(controller.Options{Reconciler: r, MaxConcurrentReconciles: 2}).
		Complete(nil) // want "missingwatch: .*ConfigMap"
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}
