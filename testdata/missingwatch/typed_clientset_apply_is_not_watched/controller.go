// Package fixture applies a Deployment through the typed clientset, whose Apply
// takes an apply configuration and returns the object.
package fixture

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Kube kubernetes.Interface
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	labels := map[string]string{"thing": thing.Name}
	container := corev1ac.Container().WithName("thing").WithImage(thing.Spec.Image)
	deployment := appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithOwnerReferences(ownerOf(thing)).
		WithSpec(appsv1ac.DeploymentSpec().
			WithSelector(metav1ac.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(corev1ac.PodTemplateSpec().
				WithLabels(labels).
				WithSpec(corev1ac.PodSpec().WithContainers(container))))
	options := metav1.ApplyOptions{FieldManager: "thing-controller", Force: true}
	_, err := r.Kube.AppsV1().Deployments(thing.Namespace).Apply(ctx, deployment, options)
	return ctrl.Result{}, err
}

func ownerOf(thing *thingapi.Thing) *metav1ac.OwnerReferenceApplyConfiguration {
	return metav1ac.OwnerReference().
		WithAPIVersion(thingapi.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID).
		WithController(true)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Deployment"
}
