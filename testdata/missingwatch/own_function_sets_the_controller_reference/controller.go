// Package fixture calls a function with a modest name, which does set a controller
// reference, behind an interface of the metadata only.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func link(child metav1.Object, parent *thingapi.Thing) {
	if metav1.IsControlledBy(child, parent) {
		return
	}
	ref := metav1.NewControllerRef(parent, thingapi.GroupVersion.WithKind("Thing"))
	child.SetOwnerReferences(append(child.GetOwnerReferences(), *ref))
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	link(deployment, thing)
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, deployment))
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

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}
