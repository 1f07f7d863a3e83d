// Package fixture changes objects that others have made.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/outputs/objects_of_others/labels"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// AnnotationOnADeploymentOfTheUser stamps the Deployment that the Thing names,
// to restart it. The Deployment is the user's own.
type AnnotationOnADeploymentOfTheUser struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *AnnotationOnADeploymentOfTheUser) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &appsv1.Deployment{}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}
	if err := r.Get(ctx, key, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if deployment.Spec.Template.Annotations["things.example.com/hash"] == thing.Status.Hash {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFrom(deployment.DeepCopy())
	if deployment.Spec.Template.Annotations == nil {
		deployment.Spec.Template.Annotations = map[string]string{}
	}
	deployment.Spec.Template.Annotations["things.example.com/hash"] = thing.Status.Hash
	return ctrl.Result{}, r.Patch(ctx, deployment, patch)
}

func (r *AnnotationOnADeploymentOfTheUser) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// LabelsOnObjectsThatWereListed labels the Nodes that it finds in a list, and
// updates a ServiceAccount that the user made.
type LabelsOnObjectsThatWereListed struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LabelsOnObjectsThatWereListed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	nodes := &corev1.NodeList{}
	if err := r.List(ctx, nodes, client.MatchingLabels(thing.Spec.Labels)); err != nil {
		return ctrl.Result{}, err
	}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		if node.Labels["things.example.com/name"] == thing.Name {
			continue
		}
		before := node.DeepCopy()
		node.Labels["things.example.com/name"] = thing.Name
		if err := r.Patch(ctx, node, client.StrategicMergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account.ImagePullSecrets = []corev1.LocalObjectReference{{Name: thing.Spec.SecretRef}}
	return ctrl.Result{}, r.Update(ctx, account)
}

func (r *LabelsOnObjectsThatWereListed) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ClientsetPatchOfANode patches a Node and a Namespace through clientsets, by
// name. Both exist before it comes.
type ClientsetPatchOfANode struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *ClientsetPatchOfANode) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	patch := []byte(`{"metadata":{"annotations":{"things.example.com/seen":"true"}}}`)
	_, err := r.Kube.CoreV1().Nodes().Patch(ctx, thing.Spec.TargetRef, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	_, err = r.Kube.CoreV1().Namespaces().Patch(ctx, thing.Namespace, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	return ctrl.Result{}, err
}

func (r *ClientsetPatchOfANode) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// MergePatchByNameCannotCreate patches objects by name, with merge patches,
// which fail where there is nothing to patch.
type MergePatchByNameCannotCreate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MergePatchByNameCannotCreate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"things.example.com/used":"true"}}}`))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace}}
	if err := r.Patch(ctx, namespace, patch); err != nil {
		return ctrl.Result{}, err
	}
	route := &unstructured.Unstructured{}
	route.SetGroupVersionKind(schema.GroupVersionKind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "Gateway"})
	route.SetName(thing.Spec.TargetRef)
	route.SetNamespace(thing.Namespace)
	return ctrl.Result{}, client.IgnoreNotFound(r.Patch(ctx, route, patch))
}

func (r *MergePatchByNameCannotCreate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// MetadataOnlyPatchOfAnObjectByName removes a finalizer of its own from a claim
// that the user made, with an object that carries nothing but metadata.
type MetadataOnlyPatchOfAnObjectByName struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MetadataOnlyPatchOfAnObjectByName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	claim := &metav1.PartialObjectMetadata{}
	claim.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"))
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, claim); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := claim.DeepCopy()
	if controllerutil.RemoveFinalizer(claim, "things.example.com/in-use") {
		return ctrl.Result{}, r.Patch(ctx, claim, client.MergeFrom(before))
	}
	return ctrl.Result{}, nil
}

func (r *MetadataOnlyPatchOfAnObjectByName) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// FetchedObjectIsPatchedByAHelper lets a helper fetch an object by name and
// label it. The caller allocates the object, but nobody creates it.
type FetchedObjectIsPatchedByAHelper struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FetchedObjectIsPatchedByAHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace}}
	if err := labels.Add(ctx, r.Client, namespace, "things.example.com/used", "true"); err != nil {
		return ctrl.Result{}, err
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.TargetRef, Namespace: thing.Namespace}}
	err := labels.Add(ctx, r.Client, deployment, "things.example.com/name", thing.Name)
	return ctrl.Result{}, client.IgnoreNotFound(err)
}

func (r *FetchedObjectIsPatchedByAHelper) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
