// Package fixture has handlers that a workqueue loop calls with the parts of its keys. The values
// and the writes are in another package.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/reconcilers/parts_of_a_key/configs"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/reconcilers/parts_of_a_key/worker"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ByAFactory has a syncer made that writes.
type ByAFactory struct {
	client.Client
	factory configs.Factory
}

// New returns a handler.
func New(c client.Client) *ByAFactory {
	return &ByAFactory{Client: c, factory: configs.FactoryFunc(configs.NewSyncer)}
}

// Sync is called with the parts of a key.
func (h *ByAFactory) Sync(ctx context.Context, namespace, name string) error {
	config := &corev1.ConfigMap{}
	if err := h.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, config); err != nil {
		return client.IgnoreNotFound(err)
	}
	return h.factory.New(h.Client, config).Sync(ctx) // want "unstablewrite: time.Now .*ConfigMap data"
}

// OfTheStatus only has the status written.
type OfTheStatus struct{ client.Client }

// Sync is called with the parts of a key.
func (h *OfTheStatus) Sync(ctx context.Context, namespace, name string) error {
	pod := &corev1.Pod{}
	if err := h.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, pod); err != nil {
		return client.IgnoreNotFound(err)
	}
	return configs.Report(ctx, h.Client, pod)
}

// Start runs the workers.
func Start(ctx context.Context, c client.Client, workers []*worker.Worker) {
	handlers := []worker.Handler{New(c), &OfTheStatus{c}}
	for i, w := range workers {
		w.Handler = handlers[i]
		go w.Run(ctx)
	}
}
