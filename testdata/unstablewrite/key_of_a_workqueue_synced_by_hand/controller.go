// Package controller is written with client-go alone: a worker takes keys from a
// queue and updates a Service in map order.
package controller

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type Controller struct {
	clientset kubernetes.Interface
	services  corelisters.ServiceLister
	queue     workqueue.TypedRateLimitingInterface[string]
}

func (c *Controller) runWorker(ctx context.Context) {
	for c.processNextItem(ctx) {
	}
}

func (c *Controller) processNextItem(ctx context.Context) bool {
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

func (c *Controller) sync(ctx context.Context, key string) error {
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
func (c *Controller) Run(ctx context.Context) {
	go c.runWorker(ctx)
	<-ctx.Done()
	c.queue.ShutDown()
}
