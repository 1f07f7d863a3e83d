// Package drain takes back what it did in a deferred function, after a wait.
package drain

import (
	"context"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// InterruptedWaitIsUndoneOnADetachedContext takes a node off the exclusion list
// on a context of its own.
type InterruptedWaitIsUndoneOnADetachedContext struct {
	client.Client
	Empty func(ctx context.Context, node string) (bool, error)
}

func (d *InterruptedWaitIsUndoneOnADetachedContext) Drain(ctx context.Context, node *corev1.Node) (err error) {
	if err := d.exclude(ctx, node); err != nil {
		return err
	}
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, d.include(undo, node))
	}()
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return d.Empty(ctx, node.Name)
	})
}

func (d *InterruptedWaitIsUndoneOnADetachedContext) exclude(ctx context.Context, node *corev1.Node) error {
	return d.annotate(ctx, node, "true")
}

func (d *InterruptedWaitIsUndoneOnADetachedContext) include(ctx context.Context, node *corev1.Node) error {
	return d.annotate(ctx, node, "false")
}

func (d *InterruptedWaitIsUndoneOnADetachedContext) annotate(ctx context.Context, node *corev1.Node, value string) error {
	node.Annotations["excluded"] = value
	return d.Update(ctx, node)
}

// UndoDetachesItsContext has an undo that detaches the context by itself.
type UndoDetachesItsContext struct {
	client.Client
	Empty func(ctx context.Context, node string) (bool, error)
}

func (d *UndoDetachesItsContext) Drain(ctx context.Context, node *corev1.Node) (err error) {
	if err := d.exclude(ctx, node); err != nil {
		return err
	}
	defer d.include(ctx, node)
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return d.Empty(ctx, node.Name)
	})
}

func (d *UndoDetachesItsContext) exclude(ctx context.Context, node *corev1.Node) error {
	node.Annotations["excluded"] = "true"
	return d.Update(ctx, node)
}

func (d *UndoDetachesItsContext) include(ctx context.Context, node *corev1.Node) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	node.Annotations["excluded"] = "false"
	return d.Update(ctx, node)
}

// DeferredUndoOfInterruptedWait takes a node off the exclusion list when it is
// done with it, and fails to do so exactly where the drain is cut short.
type DeferredUndoOfInterruptedWait struct {
	HTTP     *http.Client
	Endpoint string
	Shards   func(ctx context.Context, node string) int
}

func (s *DeferredUndoOfInterruptedWait) Drain(ctx context.Context, node string) error {
	if err := s.exclude(ctx, node); err != nil {
		return err
	}
	defer s.include(ctx, node) // want "deadcleanup: DeferredUndoOfInterruptedWait.include .http.NewRequestWithContext, .*drain.go:.*. has no effect once ctx has ended the wait at .*drain.go:.*; run it on context.WithoutCancel with a timeout"
	return s.waitUntilEmpty(ctx, node)
}

func (s *DeferredUndoOfInterruptedWait) exclude(ctx context.Context, node string) error {
	return s.send(ctx, http.MethodPut, node)
}

func (s *DeferredUndoOfInterruptedWait) include(ctx context.Context, node string) error {
	return s.send(ctx, http.MethodDelete, node)
}

func (s *DeferredUndoOfInterruptedWait) send(ctx context.Context, method, node string) error {
	request, err := http.NewRequestWithContext(ctx, method, s.Endpoint+"/excluded/"+node, nil)
	if err != nil {
		return err
	}
	response, err := s.HTTP.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

func (s *DeferredUndoOfInterruptedWait) waitUntilEmpty(ctx context.Context, node string) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for s.Shards(ctx, node) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}

// DeferredUndoOfFailedScaleIn takes back what it has marked if the scale-in
// fails. It fails when a newer spec cancels it, and then nothing is taken back.
type DeferredUndoOfFailedScaleIn struct {
	client.Client
	Drained func(ctx context.Context, pod *corev1.Pod) bool
}

func (r *DeferredUndoOfFailedScaleIn) scaleIn(ctx context.Context, pods []corev1.Pod) (err error) {
	defer func() {
		if err == nil {
			return
		}
		if err := r.annotate(ctx, pods, nil); err != nil { // want "deadcleanup: DeferredUndoOfFailedScaleIn.annotate .Writer.Patch, .*drain.go:.*. has no effect once ctx has ended the wait at .*drain.go:.*"
			log.FromContext(ctx).Error(err, "Marks are left over")
		}
	}()
	if err := r.annotate(ctx, pods, map[string]string{"draining": "true"}); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		for i := range pods {
			if !r.Drained(ctx, &pods[i]) {
				return false, nil
			}
		}
		return true, nil
	})
}

func (r *DeferredUndoOfFailedScaleIn) annotate(ctx context.Context, pods []corev1.Pod, annotations map[string]string) error {
	for i := range pods {
		before := pods[i].DeepCopy()
		pods[i].Annotations = annotations
		if err := r.Patch(ctx, &pods[i], client.MergeFrom(before)); err != nil {
			return err
		}
	}
	return nil
}

// DeferredUndoHasTheOppositeConstant switches the maintenance off again in a
// deferred call.
type DeferredUndoHasTheOppositeConstant struct {
	client.Client
	Ready func(ctx context.Context) bool
}

func (d *DeferredUndoHasTheOppositeConstant) Upgrade(ctx context.Context, configMap *corev1.ConfigMap) error {
	if err := d.maintain(ctx, configMap, true); err != nil {
		return err
	}
	defer d.maintain(ctx, configMap, false) // want "deadcleanup: DeferredUndoHasTheOppositeConstant.maintain .Writer.Update, .*drain.go:.*. has no effect once ctx has ended the wait"
	for !d.Ready(ctx) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}

func (d *DeferredUndoHasTheOppositeConstant) maintain(ctx context.Context, configMap *corev1.ConfigMap, on bool) error {
	configMap.Data["maintenance"] = "off"
	if on {
		configMap.Data["maintenance"] = "on"
	}
	return d.Update(ctx, configMap)
}
