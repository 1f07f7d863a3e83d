// Package fixture creates objects that the API server answers and does not keep.
package fixture

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               "system:serviceaccount:" + thing.Namespace + ":" + thing.Name,
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "get", Resource: "secrets"},
	}}
	if err := r.Create(ctx, review); err != nil {
		return ctrl.Result{}, err
	}
	if !review.Status.Allowed {
		thing.Status.Phase = "Denied"
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	token := &authenticationv1.TokenRequest{}
	if err := r.SubResource("token").Create(ctx, account, token); err != nil {
		return ctrl.Result{}, err
	}
	check := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}
	_, err := r.Kube.AuthenticationV1().TokenReviews().Create(ctx, check, metav1.CreateOptions{})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
