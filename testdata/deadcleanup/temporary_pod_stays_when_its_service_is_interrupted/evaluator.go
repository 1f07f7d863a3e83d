// Package evaluator runs a function in a Pod that it asks over gRPC. Whoever gives
// up while the function runs leaves the Pod behind.
package evaluator

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type FunctionClient interface {
	Evaluate(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error)
}

type Evaluator struct {
	client.Client
	Dial func(pod *corev1.Pod) FunctionClient
}

func (e *Evaluator) Evaluate(ctx context.Context, pod *corev1.Pod) error {
	if err := e.Create(ctx, pod); err != nil {
		return err
	}
	defer func() {
		if err := e.Delete(ctx, pod); err != nil { // want "deadcleanup: Writer.Delete has no effect once ctx has ended the wait at evaluator.go:.*"
			log.FromContext(ctx).Error(err, "The Pod stays")
		}
	}()
	_, err := e.Dial(pod).Evaluate(ctx, new(emptypb.Empty))
	return err
}
