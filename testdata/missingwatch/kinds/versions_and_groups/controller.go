// Package fixture writes kinds that are easily confused.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TwoVersionsOfOneKind writes autoscalers of one version and owns them in
// another: the API server serves the same objects in both.
type TwoVersionsOfOneKind struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TwoVersionsOfOneKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	autoscaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: thing.Name},
			MaxReplicas:    3,
		},
	}
	if err := controllerutil.SetControllerReference(thing, autoscaler, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, autoscaler))
}

func (r *TwoVersionsOfOneKind) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&autoscalingv1.HorizontalPodAutoscaler{}).
		Complete(r)
}

// KnativeServiceIsNotTheCoreServiceThatIsOwned writes a Service of Knative and
// owns the Service of the core group: equal names of different kinds.
type KnativeServiceIsNotTheCoreServiceThatIsOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *KnativeServiceIsNotTheCoreServiceThatIsOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &unstructured.Unstructured{}
	service.SetAPIVersion("serving.knative.dev/v1")
	service.SetKind("Service")
	service.SetName(thing.Name)
	service.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		containers := []any{map[string]any{"image": thing.Spec.Image}}
		if err := unstructured.SetNestedSlice(service.Object, containers, "spec", "template", "spec", "containers"); err != nil {
			return err
		}
		return controllerutil.SetControllerReference(thing, service, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *KnativeServiceIsNotTheCoreServiceThatIsOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*Service"
}

// EitherOfTwoKindsIsWritten decides at run time whether it writes a StatefulSet
// or a Deployment, and owns only the latter.
type EitherOfTwoKindsIsWritten struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EitherOfTwoKindsIsWritten) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	var workload client.Object
	if thing.Spec.Config["persistent"] == "true" {
		workload = newStatefulSet(thing)
	} else {
		workload = newDeployment(thing)
	}
	if err := controllerutil.SetControllerReference(thing, workload, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, workload)
	if apierrors.IsAlreadyExists(err) {
		err = r.Update(ctx, workload)
	}
	return ctrl.Result{}, err
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

func newStatefulSet(thing *thingapi.Thing) *appsv1.StatefulSet {
	deployment := newDeployment(thing)
	return &appsv1.StatefulSet{
		ObjectMeta: deployment.ObjectMeta,
		Spec: appsv1.StatefulSetSpec{
			Replicas: deployment.Spec.Replicas,
			Selector: deployment.Spec.Selector,
			Template: deployment.Spec.Template,
		},
	}
}

func (r *EitherOfTwoKindsIsWritten) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*StatefulSet"
}
