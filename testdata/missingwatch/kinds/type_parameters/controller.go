// Package fixture has its kinds from type parameters.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// GenericFunctionCreatesAnUnwatchedNetworkPolicy writes through a generic
// function, which is called with a kind that nobody watches.
type GenericFunctionCreatesAnUnwatchedNetworkPolicy struct {
	client.Client
	Scheme *runtime.Scheme
}

// ensure fetches the named object of type T and creates it where it is missing.
func ensure[T client.Object](ctx context.Context, c client.Client, want, have T) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(want), have)
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, want)
	}
	return err
}

func (r *GenericFunctionCreatesAnUnwatchedNetworkPolicy) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	policy := &networkingv1.NetworkPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: map[string]string{"thing": thing.Name}},
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress},
		},
	}
	if err := controllerutil.SetControllerReference(thing, policy, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, ensure(ctx, r.Client, policy, &networkingv1.NetworkPolicy{})
}

func (r *GenericFunctionCreatesAnUnwatchedNetworkPolicy) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*NetworkPolicy"
}

// TypeParameterDecidesTheKindThatIsCreated makes its objects inside a generic
// function, from nothing but the type argument.
type TypeParameterDecidesTheKindThatIsCreated struct {
	client.Client
	Scheme *runtime.Scheme
}

type object[T any] interface {
	*T
	client.Object
}

// upsert keeps the T named after the thing as fill wants it.
func upsert[T any, P object[T]](ctx context.Context, r *TypeParameterDecidesTheKindThatIsCreated, thing *thingapi.Thing, fill func(P)) error {
	obj := P(new(T))
	obj.SetName(thing.Name)
	obj.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error {
		fill(obj)
		return controllerutil.SetControllerReference(thing, obj, r.Scheme)
	})
	return err
}

func (r *TypeParameterDecidesTheKindThatIsCreated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	err := upsert(ctx, r, thing, func(quota *corev1.ResourceQuota) {
		quota.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotTerminating}
	})
	return ctrl.Result{}, err
}

func (r *TypeParameterDecidesTheKindThatIsCreated) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ResourceQuota"
}

// GenericReconcilerTypeWritesForEachInstance has one generic reconciler for two
// kinds. What it writes is the same for both; only one of the controllers owns
// it.
//
// It gives each object of kind T an account.
type GenericReconcilerTypeWritesForEachInstance[T client.Object] struct {
	client.Client
	Scheme *runtime.Scheme
	New    func() T
}

// Reconcile makes the account of an object.
func (r *GenericReconcilerTypeWritesForEachInstance[T]) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	owner := r.New()
	if err := r.Get(ctx, req.NamespacedName, owner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()},
	}
	if err := controllerutil.SetControllerReference(owner, account, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, account))
}

// RegisterThings adds the controller of Things.
func RegisterThings(mgr ctrl.Manager) error {
	r := &GenericReconcilerTypeWritesForEachInstance[*thingapi.Thing]{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
		New:    func() *thingapi.Thing { return &thingapi.Thing{} },
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

// RegisterParts adds the controller of Parts.
func RegisterParts(mgr ctrl.Manager) error {
	r := &GenericReconcilerTypeWritesForEachInstance[*thingapi.Part]{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
		New:    func() *thingapi.Part { return &thingapi.Part{} },
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r)
}
