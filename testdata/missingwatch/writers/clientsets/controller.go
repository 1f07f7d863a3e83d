// Package fixture writes through clientsets and the dynamic client.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TypedClientsetWritesKindsThatAreOwned writes through a clientset and watches
// through the manager.
type TypedClientsetWritesKindsThatAreOwned struct {
	client.Client
	Scheme *runtime.Scheme
	Kube   kubernetes.Interface
}

func (r *TypedClientsetWritesKindsThatAreOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *TypedClientsetWritesKindsThatAreOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// DynamicClientWritesAKindThatIsWatched creates a certificate through the
// dynamic client and watches its kind as metadata only.
type DynamicClientWritesAKindThatIsWatched struct {
	client.Client
	Dynamic dynamic.Interface
}

func (r *DynamicClientWritesAKindThatIsWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	certificate := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "Certificate",
		"metadata":   map[string]any{"name": thing.Name, "namespace": thing.Namespace},
	}}
	certificate.SetOwnerReferences([]metav1.OwnerReference{
		*metav1.NewControllerRef(thing, thingapi.GroupVersion.WithKind("Thing")),
	})
	resource := schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}
	_, err := r.Dynamic.Resource(resource).Namespace(thing.Namespace).
		Create(ctx, certificate, metav1.CreateOptions{})
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *DynamicClientWritesAKindThatIsWatched) SetupWithManager(mgr ctrl.Manager) error {
	certificate := &metav1.PartialObjectMetadata{}
	certificate.SetGroupVersionKind(schema.GroupVersionKind{Group: "cert-manager.io", Version: "v1", Kind: "Certificate"})
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(certificate).
		Complete(r)
}

// TypedClientsetApplyIsNotWatched applies a Deployment through the typed
// clientset, whose Apply takes an apply configuration and returns the object.
type TypedClientsetApplyIsNotWatched struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *TypedClientsetApplyIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *TypedClientsetApplyIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Deployment"
}

// TypedClientsetServiceIsNotOwned writes through a clientset beside the
// manager's client. The Service written there is an output like any other.
type TypedClientsetServiceIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
	Kube   kubernetes.Interface
}

func (r *TypedClientsetServiceIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	have.Spec.Selector = want.Spec.Selector
	_, err = services.Update(ctx, have, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

func (r *TypedClientsetServiceIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*Service"
}

// TypedClientsetWriteWithoutOwnerUnderOwns owns Services, and creates them
// through a clientset without an owner.
type TypedClientsetWriteWithoutOwnerUnderOwns struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *TypedClientsetWriteWithoutOwnerUnderOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := newService(thing)
	service.Labels = map[string]string{"thing": thing.Name}
	_, err := r.Kube.CoreV1().Services(service.Namespace).Create(ctx, service, metav1.CreateOptions{}) // want "missingwatch: .*Service.*controller reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *TypedClientsetWriteWithoutOwnerUnderOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

var certificates = schema.GroupVersionResource{Group: "cert-manager.io", Version: "v1", Resource: "certificates"}

// DynamicClientCreatesAnUnwatchedCertificate asks for a certificate through the
// dynamic client, as an unstructured object of a constant kind.
type DynamicClientCreatesAnUnwatchedCertificate struct {
	client.Client
	Dynamic dynamic.Interface
}

func (r *DynamicClientCreatesAnUnwatchedCertificate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	certificate := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "Certificate",
		"metadata":   map[string]any{"name": thing.Name, "namespace": thing.Namespace},
		"spec":       map[string]any{"secretName": thing.Name + "-tls"},
	}}
	certificate.SetOwnerReferences([]metav1.OwnerReference{
		*metav1.NewControllerRef(thing, thingapi.GroupVersion.WithKind("Thing")),
	})
	_, err := r.Dynamic.Resource(certificates).Namespace(thing.Namespace).
		Create(ctx, certificate, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		err = nil
	}
	return ctrl.Result{}, err
}

func (r *DynamicClientCreatesAnUnwatchedCertificate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*Certificate"
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
