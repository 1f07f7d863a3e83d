// Package probe runs a Pod for as long as it needs it.
package probe

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// TemporaryPodStaysWhenTheWaitIsInterrupted runs a Pod for as long as it needs
// it. A reconcile that is cut short leaves it running.
type TemporaryPodStaysWhenTheWaitIsInterrupted struct {
	client.Client
}

func (p *TemporaryPodStaysWhenTheWaitIsInterrupted) Probe(ctx context.Context, pod *corev1.Pod) error {
	if err := p.Create(ctx, pod); err != nil {
		return err
	}
	defer func() {
		if err := p.Delete(ctx, pod); err != nil { // want "deadcleanup: Writer.Delete has no effect once ctx has ended the wait at .*probe.go:.*"
			log.FromContext(ctx).Error(err, "The Pod stays")
		}
	}()
	return wait.PollUntilContextTimeout(ctx, 2*time.Second, 5*time.Minute, false, func(ctx context.Context) (bool, error) {
		err := p.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		return pod.Status.Phase == corev1.PodSucceeded, err
	})
}

type FunctionClient interface {
	Evaluate(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error)
}

// TemporaryPodStaysWhenItsServiceIsInterrupted runs a function in a Pod that it
// asks over gRPC. Whoever gives up while the function runs leaves the Pod
// behind.
type TemporaryPodStaysWhenItsServiceIsInterrupted struct {
	client.Client
	Dial func(pod *corev1.Pod) FunctionClient
}

func (e *TemporaryPodStaysWhenItsServiceIsInterrupted) Evaluate(ctx context.Context, pod *corev1.Pod) error {
	if err := e.Create(ctx, pod); err != nil {
		return err
	}
	defer func() {
		if err := e.Delete(ctx, pod); err != nil { // want "deadcleanup: Writer.Delete has no effect once ctx has ended the wait at .*probe.go:.*"
			log.FromContext(ctx).Error(err, "The Pod stays")
		}
	}()
	_, err := e.Dial(pod).Evaluate(ctx, new(emptypb.Empty))
	return err
}

// PollIsEndedByWhatItsConditionAsks polls without a context. Its condition
// fails with the context, so that the poll ends, and the clean-up with it.
type PollIsEndedByWhatItsConditionAsks struct {
	Clients kubernetes.Interface
}

func (p *PollIsEndedByWhatItsConditionAsks) Probe(ctx context.Context, pod *corev1.Pod) error {
	pods := p.Clients.CoreV1().Pods(pod.Namespace)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	defer pods.Delete(ctx, pod.Name, metav1.DeleteOptions{}) // want "deadcleanup: PodInterface.Delete has no effect once ctx has ended the wait at .*probe.go:.*"
	return wait.PollImmediate(2*time.Second, time.Minute, func() (bool, error) {
		now, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return now.Status.Phase == corev1.PodSucceeded, nil
	})
}
