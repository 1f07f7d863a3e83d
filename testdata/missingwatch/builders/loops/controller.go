// Package fixture adds its watches in loops and by functions.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// WatchesInALoopOverASlice owns a list of kinds, which a function returns, in a
// loop.
type WatchesInALoopOverASlice struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchesInALoopOverASlice) owned() []client.Object {
	return []client.Object{
		&corev1.Service{},
		&corev1.ConfigMap{},
		&appsv1.Deployment{},
	}
}

func (r *WatchesInALoopOverASlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newService(thing), newConfigMap(thing), newDeployment(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func newDeployment(thing *thingapi.Thing) *appsv1.Deployment {
	labels := map[string]string{"thing": thing.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: thing.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "thing", Image: thing.Spec.Image}}},
			},
		},
	}
}

func (r *WatchesInALoopOverASlice) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, obj := range r.owned() {
		b = b.Owns(obj)
	}
	return b.Complete(r)
}

// WatchesComeAsFunctionsOfTheBuilder keeps a list of functions that each add a
// watch to the builder.
type WatchesComeAsFunctionsOfTheBuilder struct {
	client.Client
	Scheme *runtime.Scheme
}

var watchFuncs = []func(*builder.Builder) *builder.Builder{
	func(b *builder.Builder) *builder.Builder { return b.Owns(&corev1.Service{}) },
	ownConfigMaps,
}

func ownConfigMaps(b *builder.Builder) *builder.Builder {
	return b.Owns(&corev1.ConfigMap{})
}

func (r *WatchesComeAsFunctionsOfTheBuilder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newService(thing), newConfigMap(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *WatchesComeAsFunctionsOfTheBuilder) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, watch := range watchFuncs {
		b = watch(b)
	}
	return b.Complete(r)
}

// RegisterFunctionTakesTheKindsToOwn builds all its controllers in one
// function, which takes the kinds to own as variadic arguments.
type RegisterFunctionTakesTheKindsToOwn struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *RegisterFunctionTakesTheKindsToOwn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newConfigMap(thing), newSecret(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func register(mgr ctrl.Manager, r reconcile.Reconciler, kind client.Object, owned ...client.Object) error {
	b := ctrl.NewControllerManagedBy(mgr).For(kind)
	for _, obj := range owned {
		b.Owns(obj)
	}
	return b.Complete(r)
}

func (r *RegisterFunctionTakesTheKindsToOwn) SetupWithManager(mgr ctrl.Manager) error {
	return register(mgr, r, &thingapi.Thing{}, &corev1.ConfigMap{}, &corev1.Secret{})
}

// OneFunctionMakesTheOutputAndTheKindToOwn creates Parts and owns their kind,
// with one function that makes the object for both.
type OneFunctionMakesTheOutputAndTheKindToOwn struct {
	client.Client
	Scheme *runtime.Scheme
}

func newPart(thing *thingapi.Thing) client.Object {
	part := &thingapi.Part{}
	if thing != nil {
		part.Name, part.Namespace = thing.Name, thing.Namespace
		part.Spec.ThingName = thing.Name
	}
	return part
}

func (r *OneFunctionMakesTheOutputAndTheKindToOwn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := newPart(thing)
	if err := controllerutil.SetControllerReference(thing, part, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, part))
}

func (r *OneFunctionMakesTheOutputAndTheKindToOwn) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(newPart(nil)).
		Complete(r)
}

// WatchesInALoopLeaveOneKindOut owns a list of kinds in a loop. The list is
// shorter than the list of outputs.
type WatchesInALoopLeaveOneKindOut struct {
	client.Client
	Scheme *runtime.Scheme
}

func owned() []client.Object {
	return []client.Object{&corev1.Service{}, &corev1.ConfigMap{}}
}

func (r *WatchesInALoopLeaveOneKindOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newService(thing), newConfigMap(thing), newSecret(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *WatchesInALoopLeaveOneKindOut) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, obj := range owned() {
		b = b.Owns(obj)
	}
	return b.Complete(r) // want "missingwatch: .*Secret"
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
