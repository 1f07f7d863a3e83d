// Package controller lists past the cache: the API server answers in the order
// of the keys.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// APIReaderListComesSortedByKey lists with the manager's API reader, past the
// cache.
type APIReaderListComesSortedByKey struct {
	client.Client
	APIReader client.Reader
}

func NewReconciler(mgr ctrl.Manager) *APIReaderListComesSortedByKey {
	return &APIReaderListComesSortedByKey{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader()}
}

func (r *APIReaderListComesSortedByKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.APIReader.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for _, pod := range pods.Items {
		thing.Status.Members = append(thing.Status.Members, pod.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ClientsetListComesSortedByKey lists with a typed clientset: the API server
// answers in the order of the keys.
type ClientsetListComesSortedByKey struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *ClientsetListComesSortedByKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pods, err := r.Clientset.CoreV1().Pods(req.Namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + req.Name})
	if err != nil {
		return ctrl.Result{}, err
	}
	var names []string
	for _, pod := range pods.Items {
		names = append(names, pod.Name)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"pods": strings.Join(names, "\n")}
		return nil
	})
	return ctrl.Result{}, err
}

// DynamicListComesSortedByKey lists with the dynamic client, which has no
// cache.
type DynamicListComesSortedByKey struct {
	client.Client
	Dynamic dynamic.Interface
}

var widgets = schema.GroupVersionResource{Group: "widgets.example.com", Version: "v1", Resource: "widgets"}

func (r *DynamicListComesSortedByKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	list, err := r.Dynamic.Resource(widgets).Namespace(req.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	members := make([]string, 0, len(list.Items))
	for _, item := range list.Items {
		members = append(members, item.GetName())
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// UnstructuredListIsReadLive lists unstructured objects, which the manager's
// client reads from the API server unless told otherwise.
type UnstructuredListIsReadLive struct {
	client.Client
}

func (r *UnstructuredListIsReadLive) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	widgets := &unstructured.UnstructuredList{}
	widgets.SetGroupVersionKind(schema.GroupVersionKind{Group: "widgets.example.com", Version: "v1", Kind: "WidgetList"})
	if err := r.List(ctx, widgets, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for _, widget := range widgets.Items {
		thing.Status.Members = append(thing.Status.Members, widget.GetName())
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// LiveListOfAClientThatAMethodReturns gets a client of another cluster from a method.
type LiveListOfAClientThatAMethodReturns struct {
	client.Client
	scope
}

type scope struct{ remote client.Client }

func (s *scope) RemoteClient() client.Client { return s.remote }

func (r *LiveListOfAClientThatAMethodReturns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.RemoteClient().List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for _, pod := range pods.Items {
		thing.Status.Members = append(thing.Status.Members, pod.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
