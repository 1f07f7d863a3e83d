// Package tasks has the steps of one handler.
package tasks

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_task/pool"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

var steps = make(map[string]func(*Handler) error)

func init() {
	steps["wait"] = WaitForPod
	steps["drain"] = Drain
}

// Handler handles one Thing in one reconcile. Its context is that of the reconcile.
type Handler struct {
	Ctx    context.Context
	Client client.Client
	Thing  *thingapi.Thing
}

var _ pool.Steps = &Handler{}

// Next implements [pool.Steps].
func (h *Handler) Next() (string, pool.Task) {
	step := steps["wait"]
	return string(h.Thing.UID), func() error { return step(h) }
}

// Last implements [pool.Steps].
func (h *Handler) Last() pool.Task { return h.empty }

// Deleted implements [pool.Steps].
func (h *Handler) Deleted() bool { return h.Thing.DeletionTimestamp != nil }

// WaitForPod runs in the pool. No reconcile waits for it.
func WaitForPod(h *Handler) error {
	for !h.ready() {
		time.Sleep(10 * time.Second)
	}
	return nil
}

// Drain runs there, too, and uses a helper.
func Drain(h *Handler) error { return h.drained() }

func (h *Handler) drained() error {
	for range 30 {
		if !h.ready() {
			return nil
		}
		time.Sleep(10 * time.Second)
	}
	return nil
}

// empty runs in the reconcile.
func (h *Handler) empty() error {
	for h.ready() { // want "ctxloop: .*never observes"
		time.Sleep(10 * time.Second)
	}
	return nil
}

func (h *Handler) ready() bool {
	err := h.Client.Get(h.Ctx, client.ObjectKeyFromObject(h.Thing), new(corev1.Pod))
	return err == nil
}
