// Package queue breaks out of its loop when it is told to stop, which is the only
// way out, and then writes down how far it has come.
package queue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Queue struct {
	client.Client
	Items chan string
}

func (q *Queue) Drain(ctx context.Context, progress *corev1.ConfigMap) {
	last := ""
loop:
	for {
		select {
		case item := <-q.Items:
			last = item
		case <-ctx.Done():
			break loop
		}
	}
	progress.Data["last"] = last
	if err := q.Update(ctx, progress); err != nil { // want "deadcleanup: Writer.Update runs on ctx, which is done here"
		log.Log.Error(err, "Progress is lost")
	}
}
