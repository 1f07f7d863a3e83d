// Package controller reconciles without a type that has a Reconcile method.
package controller

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ReconcileFunctionWithoutAType hands a function literal to the builder.
//
// It adds the controller to mgr.
func ReconcileFunctionWithoutAType(mgr ctrl.Manager) error {
	c := mgr.GetClient()
	run := func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		var thing thingapi.Thing
		if err := c.Get(ctx, req.NamespacedName, &thing); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		thing.Status.Hash = uuid.NewString() // want "unstablewrite: uuid\\.NewString .*Thing"
		return reconcile.Result{}, c.Status().Update(ctx, &thing)
	}
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(reconcile.Func(run))
}

// KeyOfAWorkqueueSyncedByHand is written with client-go alone: a worker takes
// keys from a queue and updates a Service in map order.
type KeyOfAWorkqueueSyncedByHand struct {
	clientset kubernetes.Interface
	services  corelisters.ServiceLister
	queue     workqueue.TypedRateLimitingInterface[string]
}

func (c *KeyOfAWorkqueueSyncedByHand) runWorker(ctx context.Context) {
	for c.processNextItem(ctx) {
	}
}

func (c *KeyOfAWorkqueueSyncedByHand) processNextItem(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *KeyOfAWorkqueueSyncedByHand) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	service, err := c.services.Services(namespace).Get(name)
	if err != nil {
		return err
	}
	service = service.DeepCopy()
	service.Spec.LoadBalancerSourceRanges = nil
	for cidr := range allowed(service) { // want "unstablewrite: map order .*Service"
		service.Spec.LoadBalancerSourceRanges = append(service.Spec.LoadBalancerSourceRanges, cidr)
	}
	_, err = c.clientset.CoreV1().Services(namespace).Update(ctx, service, metav1.UpdateOptions{})
	return err
}

func allowed(service *corev1.Service) map[string]bool {
	ranges := map[string]bool{}
	for _, cidr := range strings.Fields(service.Annotations["things.example.com/allow"]) {
		ranges[cidr] = true
	}
	return ranges
}

// Run starts the worker.
func (c *KeyOfAWorkqueueSyncedByHand) Run(ctx context.Context) {
	go c.runWorker(ctx)
	<-ctx.Done()
	c.queue.ShutDown()
}
