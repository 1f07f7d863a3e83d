// Package fixture leaves objects and writes to other packages.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/another_package/base"
	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/another_package/kube"
	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/another_package/manifests"
	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/another_package/resource"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// EmbeddedBaseOfAnotherPackageWrites embeds a base type that other reconcilers
// of the module share and whose methods write.
type EmbeddedBaseOfAnotherPackageWrites struct {
	base.Reconciler
}

func (r *EmbeddedBaseOfAnotherPackageWrites) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Ensure(ctx, thing, newService(thing))
}

func (r *EmbeddedBaseOfAnotherPackageWrites) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*Service"
}

// ExpectedObjectTravelsInAParameterStruct passes the object to write as a field
// of a struct of parameters, to a function of another package.
type ExpectedObjectTravelsInAParameterStruct struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ExpectedObjectTravelsInAParameterStruct) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	err := resource.Reconcile(resource.Params{
		Context:  ctx,
		Client:   r.Client,
		Scheme:   r.Scheme,
		Owner:    thing,
		Expected: newService(thing),
	})
	return ctrl.Result{}, err
}

func (r *ExpectedObjectTravelsInAParameterStruct) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*Service"
}

// HelperInAnotherPackageCreatesAnUnownedRoleBinding hands its objects to a
// package of helpers of its module.
type HelperInAnotherPackageCreatesAnUnownedRoleBinding struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HelperInAnotherPackageCreatesAnUnownedRoleBinding) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "thing"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: thing.Name, Namespace: thing.Namespace}},
	}
	if err := controllerutil.SetControllerReference(thing, binding, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, kube.Ensure(ctx, r.Client, binding)
}

func (r *HelperInAnotherPackageCreatesAnUnownedRoleBinding) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*RoleBinding"
}

// ManifestsOfAnotherPackageAreCopiedAndWritten gets its objects from a package
// of builders, and writes a copy of each, which has the static type
// runtime.Object for a moment.
type ManifestsOfAnotherPackageAreCopiedAndWritten struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ManifestsOfAnotherPackageAreCopiedAndWritten) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	objects, err := manifests.All(thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, obj := range objects {
		desired := obj.DeepCopyObject().(client.Object)
		_, err := controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error {
			if err := manifests.Mutate(obj, desired); err != nil {
				return err
			}
			return controllerutil.SetControllerReference(thing, obj, r.Scheme)
		})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ManifestsOfAnotherPackageAreCopiedAndWritten) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*HorizontalPodAutoscaler"
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
