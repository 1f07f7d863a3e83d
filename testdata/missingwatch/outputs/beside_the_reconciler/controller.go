// Package fixture writes outside of any reconcile.
package fixture

import (
	"context"
	"os"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// HelperThatNoReconcilerCalls has a function that creates a Secret, for the
// operator's command line. No reconcile reaches it.
type HelperThatNoReconcilerCalls struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HelperThatNoReconcilerCalls) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

// Import creates the credentials of a thing from a file on the user's disk.
func Import(ctx context.Context, c client.Client, thing *thingapi.Thing, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	secret := newSecret(thing)
	secret.Data = map[string][]byte{"token": data}
	return c.Create(ctx, secret)
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func (r *HelperThatNoReconcilerCalls) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// WrittenByARunnableBesideTheReconciler has a runnable that writes a ConfigMap
// when the manager starts. It is not part of any reconcile.
type WrittenByARunnableBesideTheReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WrittenByARunnableBesideTheReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

type publisher struct {
	client client.Client
}

// Start implements manager.Runnable.
func (p *publisher) Start(ctx context.Context) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "thing-operator-info", Namespace: "things"}}
	_, err := controllerutil.CreateOrUpdate(ctx, p.client, config, func() error {
		config.Data = map[string]string{"api": thingapi.GroupVersion.String()}
		return nil
	})
	return err
}

func (r *WrittenByARunnableBesideTheReconciler) SetupWithManager(mgr ctrl.Manager) error {
	if err := mgr.Add(&publisher{client: mgr.GetClient()}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// WrittenWhileTheManagerIsSetUp creates a Namespace and a ConfigMap before the
// manager runs; the reconciler writes neither.
type WrittenWhileTheManagerIsSetUp struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WrittenWhileTheManagerIsSetUp) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	r := &WrittenWhileTheManagerIsSetUp{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}
	if err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
