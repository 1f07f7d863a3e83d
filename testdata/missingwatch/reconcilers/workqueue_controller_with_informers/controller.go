// Package fixture is a controller without a builder: an informer of the written
// kind fills its queue.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Controller keeps a ConfigMap in each labelled Namespace.
type Controller struct {
	kube  kubernetes.Interface
	queue workqueue.TypedRateLimitingInterface[string]
}

// New returns a controller that hears of Namespaces and ConfigMaps.
func New(kube kubernetes.Interface, factory informers.SharedInformerFactory) (*Controller, error) {
	c := &Controller{
		kube:  kube,
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
	}
	enqueue := func(obj any) {
		if m, ok := obj.(metav1.Object); ok {
			c.queue.Add(m.GetNamespace())
		}
	}
	_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, obj any) { enqueue(obj) },
		DeleteFunc: enqueue,
	})
	return c, err
}

func (c *Controller) processNext(ctx context.Context) bool {
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

func (c *Controller) sync(ctx context.Context, namespace string) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "defaults", Namespace: namespace}}
	_, err := c.kube.CoreV1().ConfigMaps(namespace).Create(ctx, config, metav1.CreateOptions{})
	return client.IgnoreAlreadyExists(err)
}

var _ = (*Controller).processNext
