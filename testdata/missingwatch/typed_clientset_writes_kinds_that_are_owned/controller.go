// Package fixture writes through a clientset and watches through the manager.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Kube   kubernetes.Interface
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	want := newService(thing)
	if err := controllerutil.SetControllerReference(thing, want, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	services := r.Kube.CoreV1().Services(thing.Namespace)
	have, err := services.Get(ctx, want.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = services.Create(ctx, want, metav1.CreateOptions{})
		return ctrl.Result{}, err
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	have.Spec.Ports = want.Spec.Ports
	_, err = services.Update(ctx, have, metav1.UpdateOptions{})
	return ctrl.Result{}, err
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

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
