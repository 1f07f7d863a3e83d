// Package fixture makes its objects in stages behind an interface, which set their
// owners in another method.
package fixture

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type stage interface {
	SetOwner(owner metav1.Object, scheme *runtime.Scheme) error
	Run(ctx context.Context) error
}

type deployments struct {
	client client.Client
	list   []*appsv1.Deployment
}

func (d *deployments) SetOwner(owner metav1.Object, scheme *runtime.Scheme) error {
	for _, deployment := range d.list {
		if err := controllerutil.SetControllerReference(owner, deployment, scheme); err != nil {
			return err
		}
	}
	return nil
}

func (d *deployments) Run(ctx context.Context) error {
	for _, deployment := range d.list {
		err := d.client.Create(ctx, deployment) // want "missingwatch: .*Deployment is watched by Owns but this create sets no controller reference"
		if err := client.IgnoreAlreadyExists(err); err != nil {
			return err
		}
	}
	return nil
}

func newStage(mode string, c client.Client, thing *thingapi.Thing) (stage, error) {
	if mode != "deployments" {
		return nil, errors.New("unknown mode")
	}
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	return &deployments{client: c, list: []*appsv1.Deployment{{ObjectMeta: meta}}}, nil
}

type stages struct {
	workload stage
	scheme   *runtime.Scheme
}

func (s *stages) run(ctx context.Context, owner metav1.Object) error {
	if err := s.workload.SetOwner(owner, s.scheme); err != nil {
		return err
	}
	return s.workload.Run(ctx)
}

// StageSetsTheOwnerInAnotherMethod sets the controller reference with one call of the
// stage, and creates the Deployment with the next one.
type StageSetsTheOwnerInAnotherMethod struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StageSetsTheOwnerInAnotherMethod) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s, err := newStage(thing.Spec.TargetRef, r.Client, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	all := &stages{workload: s, scheme: r.Scheme}
	return ctrl.Result{}, all.run(ctx, thing)
}

func (r *StageSetsTheOwnerInAnotherMethod) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}

// StageIsRunWithoutAnOwner makes its own Deployments, and nobody calls SetOwner.
type StageIsRunWithoutAnOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StageIsRunWithoutAnOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s, err := newStage("deployments", r.Client, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, s.Run(ctx)
}

func (r *StageIsRunWithoutAnOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}
