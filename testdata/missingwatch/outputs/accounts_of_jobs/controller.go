// Package fixture makes accounts for the Pods of Jobs and of others.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// makes keeps an account and what runs as that.
type makes struct {
	client.Client
	Scheme *runtime.Scheme
}

func (m *makes) all(ctx context.Context, req ctrl.Request, objects ...client.Object) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := m.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, object := range objects {
		object.SetName(thing.Name)
		object.SetNamespace(thing.Namespace)
		if err := controllerutil.SetControllerReference(thing, object, m.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(m.Create(ctx, object)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func account() *corev1.ServiceAccount { return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{}} }

// AccountOfACronJob makes an account that nothing but the Pods of a CronJob use.
type AccountOfACronJob struct{ makes }

func (r *AccountOfACronJob) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.all(ctx, req, account(), &batchv1.CronJob{})
}

func (r *AccountOfACronJob) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&batchv1.CronJob{}).
		Complete(r)
}

// AccountOfAJobAndADeployment makes an account that the Pods of a Deployment use at any
// time.
type AccountOfAJobAndADeployment struct{ makes }

func (r *AccountOfAJobAndADeployment) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.all(ctx, req, account(), &batchv1.Job{}, &appsv1.Deployment{})
}

func (r *AccountOfAJobAndADeployment) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&batchv1.Job{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

// AccountOfACronJobThatIsNotWatched is not made again before a run: no run wakes the
// reconciler.
type AccountOfACronJobThatIsNotWatched struct{ makes }

func (r *AccountOfACronJobThatIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.all(ctx, req, account(), &batchv1.CronJob{}, &corev1.Secret{})
}

func (r *AccountOfACronJobThatIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*ServiceAccount" "missingwatch: .*CronJob"
}

// ConfigOfACronJob makes a configuration, which others may read at any time.
type ConfigOfACronJob struct{ makes }

func (r *ConfigOfACronJob) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.all(ctx, req, &corev1.ConfigMap{}, &batchv1.CronJob{})
}

func (r *ConfigOfACronJob) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&batchv1.CronJob{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}
