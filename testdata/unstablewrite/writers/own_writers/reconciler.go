// Package controller writes through helpers and interfaces of its own.
package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type store interface {
	Save(ctx context.Context, obj client.Object) error
}

type clusterStore struct {
	client client.Client
}

func (s *clusterStore) Save(ctx context.Context, obj client.Object) error {
	return s.client.Update(ctx, obj)
}

// WrittenThroughAnOwnWriterInterface writes through an interface of its own
// with one implementation.
type WrittenThroughAnOwnWriterInterface struct {
	client.Client
	store store
}

func NewReconciler(c client.Client) *WrittenThroughAnOwnWriterInterface {
	return &WrittenThroughAnOwnWriterInterface{Client: c, store: &clusterStore{client: c}}
}

func (r *WrittenThroughAnOwnWriterInterface) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var claim corev1.PersistentVolumeClaim
	if err := r.Get(ctx, req.NamespacedName, &claim); err != nil {
		return ctrl.Result{}, err
	}
	var zones []string
	for zone := range thing.Spec.Labels { // want "unstablewrite: map order .*PersistentVolumeClaim"
		zones = append(zones, zone)
	}
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, "things.example.com/zones", strings.Join(zones, ";"))
	return ctrl.Result{}, r.store.Save(ctx, &claim)
}

// GenericHelperWritesWhatItIsGiven writes through a generic function; the kind
// is known at the call only.
type GenericHelperWritesWhatItIsGiven struct {
	client.Client
}

func (r *GenericHelperWritesWhatItIsGiven) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, modify(ctx, r.Client, slice, func(es *discoveryv1.EndpointSlice) {
		es.AddressType = discoveryv1.AddressTypeIPv4
		es.Endpoints = endpoints(thing.Spec.Config)
	})
}

func modify[T client.Object](ctx context.Context, c client.Client, obj T, change func(T)) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
		return err
	}
	change(obj)
	return c.Update(ctx, obj)
}

func endpoints(addresses map[string]string) []discoveryv1.Endpoint {
	out := make([]discoveryv1.Endpoint, 0, len(addresses))
	for host, address := range addresses { // want "unstablewrite: map order .*EndpointSlice"
		out = append(out, discoveryv1.Endpoint{Hostname: &host, Addresses: []string{address}})
	}
	return out
}

// SliceOfObjectsAppliedInALoop builds all objects first and applies them in a
// loop through its own helper.
type SliceOfObjectsAppliedInALoop struct {
	client.Client
}

func (r *SliceOfObjectsAppliedInALoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, obj := range objects(&thing) {
		if err := r.apply(ctx, obj); err != nil {
			return ctrl.Result{}, fmt.Errorf("apply %s: %w", obj.GetName(), err)
		}
	}
	return ctrl.Result{}, nil
}

func (r *SliceOfObjectsAppliedInALoop) apply(ctx context.Context, obj client.Object) error {
	return r.Patch(ctx, obj, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

func objects(thing *thingapi.Thing) []client.Object {
	return []client.Object{service(thing), networkPolicy(thing)}
}

func service(thing *thingapi.Thing) *corev1.Service {
	s := &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	s.Spec.Ports = []corev1.ServicePort{{Port: thing.Spec.Port}}
	return s
}

func networkPolicy(thing *thingapi.Thing) *networkingv1.NetworkPolicy {
	np := &networkingv1.NetworkPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	for cidr := range thing.Spec.Config { // want "unstablewrite: map order "
		np.Spec.Egress = append(np.Spec.Egress, networkingv1.NetworkPolicyEgressRule{
			To: []networkingv1.NetworkPolicyPeer{{IPBlock: &networkingv1.IPBlock{CIDR: cidr}}},
		})
	}
	return np
}
