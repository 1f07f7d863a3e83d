// Package fixture applies objects by Patch.
package fixture

import (
	"context"
	"encoding/json"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// DeploymentAppliedWithTheApplyPatchIsNotWatched applies a Deployment on the
// server side, by Patch. Somebody who scales it by hand is not noticed.
type DeploymentAppliedWithTheApplyPatchIsNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

const fieldOwner = client.FieldOwner("thing-controller")

func (r *DeploymentAppliedWithTheApplyPatchIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	deployment.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Patch(ctx, deployment, client.Apply, client.ForceOwnership, fieldOwner)
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

func (r *DeploymentAppliedWithTheApplyPatchIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Deployment"
}

// RawApplyPatchCreatesAnUnwatchedIngress serialises an Ingress itself and sends
// it as an apply patch, which creates it where there is none.
type RawApplyPatchCreatesAnUnwatchedIngress struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *RawApplyPatchCreatesAnUnwatchedIngress) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	ingress := &networkingv1.Ingress{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: networkingv1.IngressSpec{DefaultBackend: &networkingv1.IngressBackend{
			Service: &networkingv1.IngressServiceBackend{
				Name: thing.Name,
				Port: networkingv1.ServiceBackendPort{Number: thing.Spec.Port},
			},
		}},
	}
	if err := controllerutil.SetControllerReference(thing, ingress, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	data, err := json.Marshal(ingress)
	if err != nil {
		return ctrl.Result{}, err
	}
	patch := client.RawPatch(types.ApplyPatchType, data)
	return ctrl.Result{}, r.Patch(ctx, ingress, patch, client.FieldOwner("thing"), client.ForceOwnership)
}

func (r *RawApplyPatchCreatesAnUnwatchedIngress) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Ingress"
}
