// Package outputs uses the context of an error group.
package outputs

import (
	"context"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// GroupContextEndsWithTheGroup goes on with its own context after it has waited
// for a group.
type GroupContextEndsWithTheGroup struct {
	client.Client
}

func (a *GroupContextEndsWithTheGroup) Apply(ctx context.Context, marker *corev1.ConfigMap, outputs []client.Object) error {
	group, inGroup := errgroup.WithContext(ctx)
	for _, output := range outputs {
		group.Go(func() error { return a.Create(inGroup, output) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return a.Delete(ctx, marker)
}

// GroupContextIsUsedAfterWait applies its outputs side by side. The context of
// the group, which hides the one it was made from, is cancelled as soon as Wait
// returns.
type GroupContextIsUsedAfterWait struct {
	client.Client
}

func (r *GroupContextIsUsedAfterWait) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, name := range []string{"a", "b"} {
		group.Go(func() error {
			return r.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: req.Namespace}})
		})
	}
	if err := group.Wait(); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Update(ctx, node) // want "deadcleanup: SubResourceWriter.Update runs on ctx, which is cancelled at .*outputs.go:.*"
}

// GroupContextIsUsedByDeferredCleanUp defers to clean up on the context of a
// group before it waits for the group.
type GroupContextIsUsedByDeferredCleanUp struct {
	client.Client
}

func (a *GroupContextIsUsedByDeferredCleanUp) Apply(ctx context.Context, marker *corev1.ConfigMap, outputs []client.Object) error {
	group, inGroup := errgroup.WithContext(ctx)
	defer a.forget(inGroup, marker) // want "deadcleanup: GroupContextIsUsedByDeferredCleanUp.forget .Writer.Delete, .*outputs.go:.*. runs on inGroup, which is cancelled at .*outputs.go:.*"
	for _, output := range outputs {
		group.Go(func() error { return a.Create(inGroup, output) })
	}
	return group.Wait()
}

func (a *GroupContextIsUsedByDeferredCleanUp) forget(ctx context.Context, marker *corev1.ConfigMap) {
	if err := a.Delete(ctx, marker); err != nil {
		log.FromContext(ctx).Error(err, "The marker stays")
	}
}
