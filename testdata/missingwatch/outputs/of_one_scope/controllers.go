// Package fixture has a reconciler for objects in namespaces and for those of the cluster.
// It writes one kind for the former and another for the latter.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// grant makes a role for the owner: in its namespace, or of the cluster.
func grant(ctx context.Context, c client.Client, scheme *runtime.Scheme, owner client.Object) error {
	var role client.Object
	if ns := owner.GetNamespace(); ns != "" {
		role = &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: ns}}
	} else {
		role = &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: owner.GetName()}}
	}
	_, err := controllerutil.CreateOrUpdate(ctx, c, role, func() error {
		return controllerutil.SetControllerReference(owner, role, scheme)
	})
	return err
}

// Things are in namespaces, and so are their Roles.
type Things struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *Things) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, grant(ctx, r.Client, r.Scheme, thing)
}

func (r *Things) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&rbacv1.Role{}).Complete(r)
}

// Parts have no namespace.
type Parts struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *Parts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if req.Namespace == "" {
		return ctrl.Result{}, r.forCluster(ctx, part)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if err := controllerutil.SetControllerReference(part, cm, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, cm))
}

func (r *Parts) forCluster(ctx context.Context, part *thingapi.Part) error {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: part.Name}}
	if err := controllerutil.SetControllerReference(part, role, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, role))
}

func (r *Parts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Part{}).Owns(&rbacv1.ClusterRole{}).Complete(r)
}

// Both writes a Secret in either scope, and a ConfigMap where there is a namespace. It
// watches neither, so that nothing shows which of them is its own.
type Both struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *Both) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var outputs []client.Object
	outputs = append(outputs, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: "things"}})
	if req.Namespace != "" {
		outputs = append(outputs, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}})
	}
	for _, obj := range outputs {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, obj); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *Both) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.Secret{}).Complete(r) // want "missingwatch: Reconcile creates corev1.ConfigMap"
}

// Mode writes one of two kinds, as the user chooses.
type Mode struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *Mode) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var output client.Object = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if thing.Spec.Paused {
		output = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, output, func() error {
		return controllerutil.SetControllerReference(thing, output, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *Mode) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.Secret{}).Complete(r) // want "missingwatch: Reconcile writes corev1.ConfigMap"
}

// ClusterRoles is for objects of the cluster, as the name of the kind says, which comes
// after that of the kind for objects in namespaces.
type ClusterRoles struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ClusterRoles) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	role := &rbacv1.ClusterRole{}
	if err := r.Get(ctx, req.NamespacedName, role); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, describe(ctx, r.Client, r.Scheme, role)
}

func (r *ClusterRoles) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&rbacv1.ClusterRole{}).Complete(r) // want "missingwatch: Reconcile writes corev1.ConfigMap"
}

// describe writes a Secret beside a role in a namespace, and a ConfigMap for one of the
// cluster.
func describe(ctx context.Context, c client.Client, scheme *runtime.Scheme, role client.Object) error {
	var text client.Object
	if ns := role.GetNamespace(); ns != "" {
		text = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: role.GetName(), Namespace: ns}}
	} else {
		text = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: role.GetName(), Namespace: "roles"}}
	}
	_, err := controllerutil.CreateOrUpdate(ctx, c, text, func() error {
		return controllerutil.SetControllerReference(role, text, scheme)
	})
	return err
}

// Unpaired is for a kind of which the name says nothing.
type Unpaired struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *Unpaired) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, describe(ctx, r.Client, r.Scheme, part)
}

func (r *Unpaired) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Part{}).Complete(r) // want "missingwatch: Reconcile writes corev1.ConfigMap" "missingwatch: Reconcile writes corev1.Secret"
}
