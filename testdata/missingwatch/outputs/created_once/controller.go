// Package fixture creates objects that nobody wants back.
package fixture

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// ChildCreatedWhenItsTimeHasCome creates a child object at each tick of a
// schedule, named after the tick. A child that somebody deletes is not made
// again.
type ChildCreatedWhenItsTimeHasCome struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile runs what is due.
func (r *ChildCreatedWhenItsTimeHasCome) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := time.Now()
	next := thing.CreationTimestamp.Add(time.Hour)
	if thing.Status.LastSync != nil {
		next = thing.Status.LastSync.Add(time.Hour)
	}
	if next.After(now) {
		return ctrl.Result{RequeueAfter: next.Sub(now)}, nil
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Name:      thing.Name + "-" + strconv.FormatInt(next.Unix(), 10),
		Namespace: thing.Namespace,
	}}
	if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, job); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.LastSync = &metav1.Time{Time: next}
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ChildCreatedWhenItsTimeHasCome) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

const finalizer = "things.example.com/clean-up"

// CleanUpJobCreatedWhileTheThingIsDeleted creates a clean-up Job while a Thing
// is being deleted, and asks for it again until it is done. Nobody wants the
// Job back later.
type CleanUpJobCreatedWhileTheThingIsDeleted struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile cleans up behind a Thing.
func (r *CleanUpJobCreatedWhileTheThingIsDeleted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, thing)
	}
	if controllerutil.AddFinalizer(thing, finalizer) {
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *CleanUpJobCreatedWhileTheThingIsDeleted) cleanUp(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-clean-up", Namespace: thing.Namespace}}
	err := r.Get(ctx, client.ObjectKeyFromObject(job), job)
	switch {
	case apierrors.IsNotFound(err):
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{Requeue: true}, r.Create(ctx, job)
	case err != nil:
		return ctrl.Result{}, err
	case job.Status.Succeeded == 0:
		return ctrl.Result{Requeue: true}, nil
	}
	controllerutil.RemoveFinalizer(thing, finalizer)
	return ctrl.Result{}, r.Update(ctx, thing)
}

func (r *CleanUpJobCreatedWhileTheThingIsDeleted) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// SigningRequestIsCreatedOnce asks for a client certificate with a signing
// request.
type SigningRequestIsCreatedOnce struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SigningRequestIsCreatedOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	request := &certificatesv1.CertificateSigningRequest{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace + "-" + thing.Name},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request:    secret.Data["tls.csr"],
			SignerName: certificatesv1.KubeAPIServerClientSignerName,
			Usages:     []certificatesv1.KeyUsage{certificatesv1.UsageClientAuth},
		},
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, request))
}

func (r *SigningRequestIsCreatedOnce) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ChildNamedAfterATickIsMadeByHelpers starts a run whenever its time has come.
// That is found out in one branch of the reconcile, and the run is made two
// calls below.
type ChildNamedAfterATickIsMadeByHelpers struct {
	client.Client
	Clock clock.Clock
}

// Reconcile runs what is due.
func (r *ChildNamedAfterATickIsMadeByHelpers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.LastSync == nil {
		thing.Status.LastSync = &metav1.Time{Time: r.Clock.Now()}
		return ctrl.Result{RequeueAfter: time.Hour}, r.Status().Update(ctx, thing)
	}
	if thing.Status.ReadyReplicas > 0 {
		now := r.Clock.Now()
		if next := thing.Status.LastSync.Add(time.Hour); next.After(now) {
			return ctrl.Result{RequeueAfter: next.Sub(now)}, nil
		}
		if err := r.start(ctx, thing, now); err != nil {
			return ctrl.Result{}, err
		}
		thing.Status.LastSync = &metav1.Time{Time: now}
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ChildNamedAfterATickIsMadeByHelpers) start(ctx context.Context, thing *thingapi.Thing, now time.Time) error {
	return r.create(ctx, thing, now)
}

func (r *ChildNamedAfterATickIsMadeByHelpers) create(ctx context.Context, thing *thingapi.Thing, now time.Time) error {
	return r.Create(ctx, &thingapi.Part{
		ObjectMeta: metav1.ObjectMeta{
			Name:      fmt.Sprintf("%s-%d", thing.Name, now.Unix()),
			Namespace: thing.Namespace,
		},
	})
}

func (r *ChildNamedAfterATickIsMadeByHelpers) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ConfiguredReconciler makes a Part where the Thing asks for one.
type ConfiguredReconciler struct {
	client.Client
}

func (r *ConfiguredReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.ObservedGeneration != thing.Generation {
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
		thing.Status.ObservedGeneration = thing.Generation
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, part))
}

func (r *ConfiguredReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates thingapi.Part .* does not watch it"
}

// The phases of a Thing that runs once.
const (
	submitted = "Submitted"
	restarted = "Restarted"
	running   = "Running"
	done      = "Done"
)

// CreatedInOnePhaseOfItsOwner runs a task once: what it makes in one phase of
// the task is not made again in the next, whoever deletes it.
//
// It runs Things.
type CreatedInOnePhaseOfItsOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile takes the next step in the life of a Thing.
func (r *CreatedInOnePhaseOfItsOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch thing.Status.Phase {
	case submitted, restarted:
		return ctrl.Result{}, r.start(ctx, req)
	case running:
		return ctrl.Result{}, r.observe(ctx, thing)
	}
	return ctrl.Result{}, nil
}

func (r *CreatedInOnePhaseOfItsOwner) start(ctx context.Context, req ctrl.Request) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return err
		}
		if err := createService(ctx, r.Client, r.Scheme, thing); err != nil {
			return err
		}
		thing.Status.Phase = running
		return r.Status().Update(ctx, thing)
	})
}

func (r *CreatedInOnePhaseOfItsOwner) observe(ctx context.Context, thing *thingapi.Thing) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(thing), pod); err != nil {
		return err
	}
	if pod.Status.Phase != corev1.PodSucceeded {
		return nil
	}
	thing.Status.Phase = done
	return r.Status().Update(ctx, thing)
}

func (r *CreatedInOnePhaseOfItsOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, &handler.EnqueueRequestForObject{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}).
		Complete(r)
}

// PodReconciler exposes the Pods of Things, as long as they run, and Things, as
// long as they are not done.
type PodReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PodReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.Phase == done {
		return ctrl.Result{}, nil
	}
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Status.Phase == corev1.PodRunning {
		return ctrl.Result{}, createService(ctx, r.Client, r.Scheme, thing)
	}
	return ctrl.Result{}, nil
}

func (r *PodReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Pod{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Service .* does not watch it"
}

func createService(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing) error {
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"thing": thing.Name}},
	}
	if err := controllerutil.SetControllerReference(thing, service, scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, service))
}

// CreatedUntilTheStatusSaysSo creates what a Thing begins with, until a function that gets its status
// says that it has begun.
type CreatedUntilTheStatusSaysSo struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *CreatedUntilTheStatusSaysSo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if hasBegun(&thing.Status) {
		return ctrl.Result{}, nil
	}
	if err := createService(ctx, r.Client, r.Scheme, thing); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = running
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// hasBegun tells whether a status has the condition, or the phase.
func hasBegun(status *thingapi.ThingStatus) bool {
	for _, condition := range status.Conditions {
		if condition.Type == "Begun" && condition.Status == metav1.ConditionTrue {
			return true
		}
	}
	return status.Phase == running
}

func (r *CreatedUntilTheStatusSaysSo) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// CreatedWhateverTheStatusSays asks for the status only to log it.
type CreatedWhateverTheStatusSays struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *CreatedWhateverTheStatusSays) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if hasBegun(&thing.Status) {
		ctrl.LoggerFrom(ctx).Info("has begun")
	}
	return ctrl.Result{}, createService(ctx, r.Client, r.Scheme, thing)
}

func (r *CreatedWhateverTheStatusSays) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Service .* does not watch it"
}
