// Package fixture writes what is in no desired state.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// EventsAndLeasesAreFireAndForget writes an Event and a Lease. Nobody needs to
// repair these.
type EventsAndLeasesAreFireAndForget struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EventsAndLeasesAreFireAndForget) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	message := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: thing.Name + "-", Namespace: thing.Namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Thing", Name: thing.Name, Namespace: thing.Namespace, UID: thing.UID},
		Reason:         "Reconciled",
		Type:           corev1.EventTypeNormal,
	}
	if err := r.Create(ctx, message); err != nil {
		return ctrl.Result{}, err
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, lease, func() error {
		lease.Spec.HolderIdentity = ptr.To("thing-controller")
		return controllerutil.SetControllerReference(thing, lease, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *EventsAndLeasesAreFireAndForget) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// EventsThroughARecorder records events and writes no object but the status.
type EventsThroughARecorder struct {
	client.Client
	Recorder record.EventRecorder
}

func (r *EventsThroughARecorder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.Image == "" {
		r.Recorder.Event(thing, corev1.EventTypeWarning, "NoImage", "the thing names no image")
		return ctrl.Result{}, nil
	}
	before := thing.DeepCopy()
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "HasImage", ObservedGeneration: thing.Generation,
	})
	return ctrl.Result{}, r.Status().Patch(ctx, thing, client.MergeFrom(before))
}

func (r *EventsThroughARecorder) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// EvictionsAndScalesAreSubresources evicts a Pod and scales a Deployment of
// somebody else.
type EvictionsAndScalesAreSubresources struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *EvictionsAndScalesAreSubresources) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.TargetRef + "-0", Namespace: thing.Namespace}}
	if thing.Spec.Paused {
		return ctrl.Result{}, client.IgnoreNotFound(r.SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{}))
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.TargetRef, Namespace: thing.Namespace}}
	scale := &autoscalingv1.Scale{Spec: autoscalingv1.ScaleSpec{Replicas: ptr.Deref(thing.Spec.Replicas, 1)}}
	if err := r.SubResource("scale").Update(ctx, deployment, client.WithSubResourceBody(scale)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Kube.PolicyV1().Evictions(pod.Namespace).Evict(ctx, &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
	})
}

func (r *EvictionsAndScalesAreSubresources) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ReviewsAndTokensAreQuestionsNotOutputs creates objects that the API server
// answers and does not keep.
type ReviewsAndTokensAreQuestionsNotOutputs struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *ReviewsAndTokensAreQuestionsNotOutputs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *ReviewsAndTokensAreQuestionsNotOutputs) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// DryRunWritesNothing lets the API server judge an object without keeping it.
type DryRunWritesNothing struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *DryRunWritesNothing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	err := r.Create(ctx, deployment, client.DryRunAll)
	if apierrors.IsInvalid(err) {
		thing.Status.Phase = "Invalid"
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	if client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	rehearsal := client.NewDryRunClient(r.Client)
	return ctrl.Result{}, client.IgnoreAlreadyExists(rehearsal.Create(ctx, newService(thing)))
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

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}

func (r *DryRunWritesNothing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// HistoryOfRevisionsIsNoOutput keeps what a Thing was in ControllerRevisions,
// for roll-backs: a history, which nobody changes and nobody brings back.
type HistoryOfRevisionsIsNoOutput struct{ client.Client }

// Reconcile records the revision that a Thing is at.
func (r *HistoryOfRevisionsIsNoOutput) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	revision := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-" + thing.Spec.Image, Namespace: thing.Namespace},
		Data:       runtime.RawExtension{Raw: []byte(thing.Spec.Image)},
		Revision:   thing.Generation,
	}
	if err := ctrl.SetControllerReference(thing, revision, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, revision))
}

func (r *HistoryOfRevisionsIsNoOutput) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// KindsThatAreOnlyDeleted removes what an older version of the operator made.
// It makes none of it.
type KindsThatAreOnlyDeleted struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *KindsThatAreOnlyDeleted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-legacy", Namespace: thing.Namespace}}
	if err := client.IgnoreNotFound(r.Delete(ctx, service)); err != nil {
		return ctrl.Result{}, err
	}
	obsolete := []client.Object{&corev1.ConfigMap{}, &batchv1.Job{}}
	for _, kind := range obsolete {
		err := r.DeleteAllOf(ctx, kind, client.InNamespace(thing.Namespace), client.MatchingLabels{"thing": thing.Name})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *KindsThatAreOnlyDeleted) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
