// Package fixture writes in helpers that do not know the kind.
package fixture

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// GenericHelperWritesOnlyOwnedKinds sends all its objects through one helper,
// and owns all kinds.
type GenericHelperWritesOnlyOwnedKinds struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *GenericHelperWritesOnlyOwnedKinds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newConfigMap(thing), newService(thing)} {
		if err := r.apply(ctx, thing, obj); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *GenericHelperWritesOnlyOwnedKinds) apply(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	err := r.Create(ctx, obj)
	if apierrors.IsAlreadyExists(err) {
		return r.Update(ctx, obj)
	}
	return err
}

func (r *GenericHelperWritesOnlyOwnedKinds) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// ServiceAppliedByAGenericHelperIsNotOwned sends all its objects through one
// helper that takes a client.Object. The kinds are known at the calls of the
// helper.
type ServiceAppliedByAGenericHelperIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ServiceAppliedByAGenericHelperIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	if err := r.apply(ctx, thing, newConfigMap(thing)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.apply(ctx, thing, newService(thing))
}

// apply creates the object or overwrites what is there.
func (r *ServiceAppliedByAGenericHelperIsNotOwned) apply(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	err := r.Create(ctx, obj)
	if apierrors.IsAlreadyExists(err) {
		return r.Update(ctx, obj)
	}
	return err
}

func (r *ServiceAppliedByAGenericHelperIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*Service"
}

// HelperTakesAnyRuntimeObject has an old helper that takes a runtime.Object,
// and asserts that it is a client.Object before it writes.
type HelperTakesAnyRuntimeObject struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HelperTakesAnyRuntimeObject) createOrUpdate(ctx context.Context, thing *thingapi.Thing, object runtime.Object) error {
	obj, ok := object.(client.Object)
	if !ok {
		return fmt.Errorf("%T has no metadata", object)
	}
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	found := object.DeepCopyObject().(client.Object)
	err := r.Get(ctx, client.ObjectKeyFromObject(obj), found)
	if apierrors.IsNotFound(err) {
		return r.Create(ctx, obj)
	}
	if err != nil {
		return err
	}
	obj.SetResourceVersion(found.GetResourceVersion())
	return r.Update(ctx, obj)
}

func (r *HelperTakesAnyRuntimeObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.createOrUpdate(ctx, thing, newDeployment(thing)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.createOrUpdate(ctx, thing, newService(thing))
}

func (r *HelperTakesAnyRuntimeObject) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*Service"
}

// ObjectsWrittenInALoopOverASlice collects what it wants in a slice of
// client.Object and writes them one by one; one of the three kinds is not
// owned.
type ObjectsWrittenInALoopOverASlice struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ObjectsWrittenInALoopOverASlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	objects := []client.Object{newConfigMap(thing), newService(thing), newDeployment(thing)}
	for _, obj := range objects {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ObjectsWrittenInALoopOverASlice) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// Runner makes what runs for an owner: a Job for a Thing; a CronJob, and whom
// it runs as, for a Part.
type Runner struct {
	client.Client
	Scheme *runtime.Scheme
}

// Run makes sure of what runs for the owner.
func (r *Runner) Run(ctx context.Context, owner client.Object) error {
	if err := r.identity(ctx, owner); err != nil {
		return err
	}
	return r.workload(ctx, owner)
}

func (r *Runner) identity(ctx context.Context, owner client.Object) error {
	part, ok := owner.(*thingapi.Part)
	if !ok {
		return nil
	}
	account := &corev1.ServiceAccount{ObjectMeta: metaOf(part)}
	if err := controllerutil.SetControllerReference(part, account, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, account))
}

func (r *Runner) workload(ctx context.Context, owner client.Object) error {
	desired, err := r.build(owner)
	if err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, desired, r.Scheme); err != nil {
		return err
	}
	if job, ok := desired.(*batchv1.Job); ok {
		return client.IgnoreAlreadyExists(r.Create(ctx, job))
	}
	if cronJob, ok := desired.(*batchv1.CronJob); ok {
		return client.IgnoreAlreadyExists(r.Create(ctx, cronJob))
	}
	return fmt.Errorf("nothing runs for %T", owner)
}

func (r *Runner) build(owner client.Object) (client.Object, error) {
	switch owner := owner.(type) {
	case *thingapi.Part:
		return newCronJob(owner), nil
	case *thingapi.Thing:
		return &batchv1.Job{ObjectMeta: metaOf(owner)}, nil
	}
	return nil, fmt.Errorf("nothing runs for %T", owner)
}

func newCronJob(part *thingapi.Part) *batchv1.CronJob {
	return &batchv1.CronJob{
		ObjectMeta: metaOf(part),
		Spec:       batchv1.CronJobSpec{Schedule: "@daily"},
	}
}

func metaOf(owner client.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()}
}

// HelperMakesAnotherKindForEachOwner has a helper for two kinds of owners. What
// it makes for the one is no output of the other's controller.
type HelperMakesAnotherKindForEachOwner struct {
	client.Client
	Runner *Runner
}

func (r *HelperMakesAnotherKindForEachOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Runner.Run(ctx, &thing)
}

func (r *HelperMakesAnotherKindForEachOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&batchv1.Job{}).
		Complete(r)
}

// PartReconciler reconciles Parts.
type PartReconciler struct {
	client.Client
	Runner *Runner
}

// Reconcile brings the cluster in line with a Part.
func (r *PartReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Runner.Run(ctx, &part)
}

func (r *PartReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&batchv1.Job{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.ServiceAccount .* does not watch it" "missingwatch: Reconcile creates batchv1.CronJob .* does not watch it"
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
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
