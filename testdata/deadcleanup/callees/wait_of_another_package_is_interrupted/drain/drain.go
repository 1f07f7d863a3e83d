// Package drain marks pods and waits until they have drained.
package drain

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Drainer struct {
	Client  client.Client
	Drained func(ctx context.Context, pod string) bool
}

func (d *Drainer) Mark(ctx context.Context, pods []string) error {
	return each(ctx, pods, func(ctx context.Context, pod string) error { return d.patch(ctx, pod, `"true"`) })
}

func (d *Drainer) Release(ctx context.Context, pods []string) error {
	return each(ctx, pods, func(ctx context.Context, pod string) error { return d.patch(ctx, pod, "null") })
}

func (d *Drainer) Drain(ctx context.Context, pods []string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	group, each := errgroup.WithContext(ctx)
	for _, pod := range pods {
		group.Go(func() error { return d.drain(each, pod) })
	}
	return group.Wait()
}

func (d *Drainer) drain(ctx context.Context, pod string) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
			if d.Drained(ctx, pod) {
				return nil
			}
		}
	}
}

func (d *Drainer) patch(ctx context.Context, name, value string) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}
	body := `{"metadata":{"annotations":{"draining":` + value + `}}}`
	return d.Client.Patch(ctx, pod, client.RawPatch(types.MergePatchType, []byte(body)))
}

func each(ctx context.Context, pods []string, do func(ctx context.Context, pod string) error) error {
	errs := make([]error, len(pods))
	var group sync.WaitGroup
	for i, pod := range pods {
		group.Go(func() { errs[i] = do(ctx, pod) })
	}
	group.Wait()
	return errors.Join(errs...)
}
