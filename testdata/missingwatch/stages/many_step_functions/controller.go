// Package fixture has a reconciler with more steps than most.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type step struct {
	name string
	run  func(context.Context, *thingapi.Thing) error
}

// LastOfManySteps creates a Service in the last of its steps, which nothing watches,
// and a Secret, which it owns.
type LastOfManySteps struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LastOfManySteps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	steps := []step{
		{"defaults", r.defaults}, {"quota", r.quota}, {"zone", r.zone}, {"size", r.size}, {"image", r.image},
		{"policy", r.policy}, {"probe", r.probe}, {"backup", r.backup}, {"audit", r.audit}, {"report", r.report},
		{"limit", r.limit}, {"share", r.share}, {"secret", r.secret}, {"service", r.service},
	}
	for _, s := range steps {
		if err := s.run(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *LastOfManySteps) defaults(context.Context, *thingapi.Thing) error { return nil }
func (r *LastOfManySteps) quota(context.Context, *thingapi.Thing) error    { return nil }
func (r *LastOfManySteps) zone(context.Context, *thingapi.Thing) error     { return nil }
func (r *LastOfManySteps) size(context.Context, *thingapi.Thing) error     { return nil }
func (r *LastOfManySteps) image(context.Context, *thingapi.Thing) error    { return nil }
func (r *LastOfManySteps) policy(context.Context, *thingapi.Thing) error   { return nil }
func (r *LastOfManySteps) probe(context.Context, *thingapi.Thing) error    { return nil }
func (r *LastOfManySteps) backup(context.Context, *thingapi.Thing) error   { return nil }
func (r *LastOfManySteps) audit(context.Context, *thingapi.Thing) error    { return nil }
func (r *LastOfManySteps) report(context.Context, *thingapi.Thing) error   { return nil }
func (r *LastOfManySteps) limit(context.Context, *thingapi.Thing) error    { return nil }
func (r *LastOfManySteps) share(context.Context, *thingapi.Thing) error    { return nil }

func (r *LastOfManySteps) secret(ctx context.Context, thing *thingapi.Thing) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return r.create(ctx, thing, secret)
}

func (r *LastOfManySteps) service(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return r.create(ctx, thing, service)
}

func (r *LastOfManySteps) create(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

func (r *LastOfManySteps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*corev1.Service"
}
