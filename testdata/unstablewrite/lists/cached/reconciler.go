// Package controller writes cached lists in the order in which they come.
package controller

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CachedPartsInOrderIntoTheStatus lists its parts, through a helper, into the
// status.
type CachedPartsInOrderIntoTheStatus struct {
	client.Client
}

func (r *CachedPartsInOrderIntoTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	parts, err := r.partsOf(ctx, &thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = make([]string, len(parts))
	for i := range parts {
		thing.Status.Members[i] = parts[i].Name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *CachedPartsInOrderIntoTheStatus) partsOf(ctx context.Context, thing *thingapi.Thing) ([]thingapi.Part, error) {
	list := &thingapi.PartList{}
	opts := []client.ListOption{client.InNamespace(thing.Namespace), client.MatchingLabels{"thing": thing.Name}}
	if err := r.List(ctx, list, opts...); err != nil { // want "unstablewrite: list order .*Thing"
		return nil, err
	}
	return list.Items, nil
}

// CachedPodsInOrderIntoAConfigMap writes the addresses of pods in the order in
// which the cache lists them, which is a map's.
type CachedPodsInOrderIntoAConfigMap struct {
	client.Client
}

func (r *CachedPodsInOrderIntoAConfigMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order .*ConfigMap"
		return ctrl.Result{}, err
	}
	var seeds []string
	for _, pod := range pods.Items {
		seeds = append(seeds, pod.Status.PodIP+":7000")
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"seeds": strings.Join(seeds, ",")}
		return nil
	})
	return ctrl.Result{}, err
}

// CachedListFilteredAndMappedByLo filters and maps a cached list; both keep its
// order.
type CachedListFilteredAndMappedByLo struct {
	client.Client
}

func (r *CachedListFilteredAndMappedByLo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	services := &corev1.ServiceList{}
	if err := r.List(ctx, services); err != nil { // want "unstablewrite: list order .*Ingress"
		return ctrl.Result{}, err
	}
	public := lo.Filter(services.Items, func(s corev1.Service, _ int) bool { return s.Labels["public"] == "true" })
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ingress, func() error {
		ingress.Spec.Rules = lo.Map(public, func(s corev1.Service, _ int) networkingv1.IngressRule {
			return networkingv1.IngressRule{Host: s.Name + ".example.com"}
		})
		return nil
	})
	return ctrl.Result{}, err
}

// HashOverCachedSecrets hashes the resource versions of listed secrets in the
// cache's order.
type HashOverCachedSecrets struct {
	client.Client
}

func (r *HashOverCachedSecrets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secrets corev1.SecretList
	if err := r.List(ctx, &secrets, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order .*Deployment"
		return ctrl.Result{}, err
	}
	h := fnv.New64a()
	for i := range secrets.Items {
		fmt.Fprintln(h, secrets.Items[i].ResourceVersion)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "secrets-hash", strconv.FormatUint(h.Sum64(), 16))
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// ListOfAClientInANamedField keeps its client in a named field, lists into a
// pointer and returns that.
type ListOfAClientInANamedField struct {
	kube client.Client
}

func (r *ListOfAClientInANamedField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	endpoints, err := r.endpoints(ctx, req.Namespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	var backends []string
	for i := 0; i < len(endpoints.Items); i++ {
		backends = append(backends, endpoints.Items[i].Name)
	}
	ingress := &networkingv1.Ingress{}
	if err := r.kube.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := ingress.DeepCopy()
	metav1.SetMetaDataAnnotation(&ingress.ObjectMeta, "backends", strings.Join(backends, " "))
	return ctrl.Result{}, r.kube.Patch(ctx, ingress, client.MergeFrom(base))
}

func (r *ListOfAClientInANamedField) endpoints(ctx context.Context, namespace string) (*discoveryv1.EndpointSliceList, error) {
	list := &discoveryv1.EndpointSliceList{}
	return list, r.kube.List(ctx, list, client.InNamespace(namespace)) // want "unstablewrite: list order .*Ingress"
}

// NodesOfAListerInOrder takes nodes from an informer's lister as they come.
type NodesOfAListerInOrder struct {
	client.Client
	Nodes corelisters.NodeLister
}

func (r *NodesOfAListerInOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	nodes, err := r.Nodes.List(labels.Everything()) // want "unstablewrite: list order .*DaemonSet"
	if err != nil {
		return ctrl.Result{}, err
	}
	var env []corev1.EnvVar
	for i, node := range nodes {
		env = append(env, corev1.EnvVar{Name: fmt.Sprintf("PEER_%d", i), Value: node.Name})
	}
	var ds appsv1.DaemonSet
	if err := r.Get(ctx, req.NamespacedName, &ds); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ds.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &ds)
}

// CachedListOfAClientThatAMethodReturns gets its client from a method of what it embeds.
type CachedListOfAClientThatAMethodReturns struct{ base }

type base struct{ client client.Client }

func (b *base) Client() client.Client { return b.client }

func (r *CachedListOfAClientThatAMethodReturns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Client().Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.Client().List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order .*Thing"
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for _, pod := range pods.Items {
		thing.Status.Members = append(thing.Status.Members, pod.Name)
	}
	return ctrl.Result{}, r.Client().Status().Update(ctx, &thing)
}
