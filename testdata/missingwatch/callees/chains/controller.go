// Package fixture reaches its writes through functions, closures, goroutines
// and structs.
package fixture

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// WriteThreeCallsBelowReconcile reaches the write of a Service only through a
// chain of functions, under conditions.
type WriteThreeCallsBelowReconcile struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WriteThreeCallsBelowReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.Paused {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.reconcileWorkload(ctx, thing)
}

func (r *WriteThreeCallsBelowReconcile) reconcileWorkload(ctx context.Context, thing *thingapi.Thing) error {
	if err := r.reconcileAddresses(ctx, thing); err != nil {
		return fmt.Errorf("addresses: %w", err)
	}
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, set, func() error {
		set.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, set, r.Scheme)
	})
	return err
}

func (r *WriteThreeCallsBelowReconcile) reconcileAddresses(ctx context.Context, thing *thingapi.Thing) error {
	for i := range ptr.Deref(thing.Spec.Replicas, 1) {
		if err := r.ensureService(ctx, thing, fmt.Sprintf("%s-%d", thing.Name, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *WriteThreeCallsBelowReconcile) ensureService(ctx context.Context, thing *thingapi.Thing, name string) error {
	service := &corev1.Service{}
	service.Name, service.Namespace = name, thing.Namespace
	service.Spec.ClusterIP = corev1.ClusterIPNone
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, service))
}

func (r *WriteThreeCallsBelowReconcile) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*Service"
}

// WriteInsideAClosurePassedAsAValue wraps its writes in closures and hands
// these to a helper that calls them and counts failures.
type WriteInsideAClosurePassedAsAValue struct {
	client.Client
	Scheme   *runtime.Scheme
	failures map[string]int
}

func (r *WriteInsideAClosurePassedAsAValue) counted(name string, write func() error) error {
	err := write()
	if err != nil {
		r.failures[name]++
	}
	return err
}

func (r *WriteInsideAClosurePassedAsAValue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	err := r.counted("budget", func() error {
		budget := &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
			Spec: policyv1.PodDisruptionBudgetSpec{
				MaxUnavailable: ptr.To(intstr.FromInt32(1)),
				Selector:       &metav1.LabelSelector{MatchLabels: map[string]string{"thing": thing.Name}},
			},
		}
		if err := controllerutil.SetControllerReference(thing, budget, r.Scheme); err != nil {
			return err
		}
		return client.IgnoreAlreadyExists(r.Create(ctx, budget))
	})
	return ctrl.Result{}, err
}

func (r *WriteInsideAClosurePassedAsAValue) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*PodDisruptionBudget"
}

// WritesInGoroutinesOfAnErrorGroup writes its objects side by side. What runs
// in the group still belongs to the reconcile.
type WritesInGoroutinesOfAnErrorGroup struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WritesInGoroutinesOfAnErrorGroup) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return r.create(ctx, thing, newConfigMap(thing))
	})
	group.Go(func() error {
		return r.create(ctx, thing, newSecret(thing))
	})
	return ctrl.Result{}, group.Wait()
}

func (r *WritesInGoroutinesOfAnErrorGroup) create(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func (r *WritesInGoroutinesOfAnErrorGroup) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// ScopeStructCarriesTheClientAndTheOwner wraps Thing and client into a scope
// for each reconcile, whose methods write.
type ScopeStructCarriesTheClientAndTheOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

type scope struct {
	client client.Client
	scheme *runtime.Scheme
	thing  *thingapi.Thing
}

func newScope(r *ScopeStructCarriesTheClientAndTheOwner, thing *thingapi.Thing) *scope {
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

func (r *ScopeStructCarriesTheClientAndTheOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s := newScope(r, thing)
	return ctrl.Result{}, s.ensureBootstrapSecret(ctx)
}

func (r *ScopeStructCarriesTheClientAndTheOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Secret"
}
