package testcluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const nodeName = "node"

// Behaviour says what becomes of a pod. The zero value is ready at once and
// stops at once.
type Behaviour struct {
	// ReadyAfter is how long the pod takes to become ready.
	ReadyAfter time.Duration
	// NeverReady lets it run without ever becoming ready.
	NeverReady bool
	// CrashLoop lets its containers fail again and again.
	CrashLoop bool
	// StopAfter is how long the pod takes to stop when it is deleted.
	StopAfter time.Duration
	// Drain gives it a drain end point.
	Drain Drain
}

// Kubelet is the one node of a cluster. It runs no container: it says in the
// pods' status that they run, as the script for their namespace wants it.
type Kubelet struct {
	client *kubernetes.Clientset
	stop   func() // ends everything and waits for it
	pods   sync.WaitGroup

	mu      sync.Mutex
	scripts map[string]func(*corev1.Pod) Behaviour // by namespace
	running map[types.UID]*runningPod
	drains  []DrainRequest
	nextIP  uint32
}

// runningPod is a pod in the kubelet's care.
type runningPod struct {
	pod       *corev1.Pod
	terminate func() // begins its end
	drain     *drainServer
}

// startKubelet registers the node and cares for its pods until stopped.
func startKubelet(ctx context.Context, config *rest.Config) (*Kubelet, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if _, err := client.CoreV1().Nodes().Create(ctx, node(), metav1.CreateOptions{}); err != nil {
		return nil, fmt.Errorf("registering the node: %w", err)
	}
	k := &Kubelet{client: client, scripts: map[string]func(*corev1.Pod) Behaviour{}, running: map[types.UID]*runningPod{}}

	// The caller's context bounds the start, not the life.
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	assigned := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", "", fields.OneTermEqualSelector("spec.nodeName", nodeName))
	pods := cache.NewSharedInformer(assigned, &corev1.Pod{}, 0)
	if _, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { k.observe(running, obj.(*corev1.Pod)) },
		UpdateFunc: func(_, obj any) { k.observe(running, obj.(*corev1.Pod)) },
		DeleteFunc: func(obj any) {
			if pod, ok := obj.(*corev1.Pod); ok { // an older state of it will do nothing more
				k.forget(pod.UID)
			}
		},
	}); err != nil {
		cancel()
		return nil, err
	}
	k.pods.Go(func() { pods.Run(running.Done()) })
	k.stop = func() {
		cancel()
		k.pods.Wait()
	}
	return k, nil
}

// node is one with room for everything.
func node() *corev1.Node {
	room := corev1.ResourceList{
		corev1.ResourcePods:   resource.MustParse("100000"),
		corev1.ResourceCPU:    resource.MustParse("100000"),
		corev1.ResourceMemory: resource.MustParse("1000Ti"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName},
		Status: corev1.NodeStatus{
			Capacity:    room,
			Allocatable: room,
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady"}},
		},
	}
}

// Script says how the pods of a namespace behave. It is asked when a pod
// starts, when it is deleted, and at every request to its drain end point, so a
// script may change its mind.
func (k *Kubelet) Script(namespace string, script func(*corev1.Pod) Behaviour) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.scripts[namespace] = script
}

func (k *Kubelet) behaviour(pod *corev1.Pod) Behaviour {
	k.mu.Lock()
	script := k.scripts[pod.Namespace]
	k.mu.Unlock()
	if script == nil {
		return Behaviour{}
	}
	return script(pod)
}

// observe takes a new pod into care and sees to the end of a deleted one.
func (k *Kubelet) observe(ctx context.Context, pod *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known := k.running[pod.UID]
	if known == nil {
		life, terminate := context.WithCancel(ctx)
		known = &runningPod{pod: pod, terminate: terminate}
		k.running[pod.UID] = known
		k.pods.Go(func() { k.run(ctx, life, known) })
	}
	if pod.DeletionTimestamp != nil {
		known.terminate()
	}
}

// forget ends the care for a pod that is gone.
func (k *Kubelet) forget(uid types.UID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.running[uid]; known != nil {
		known.terminate()
		delete(k.running, uid)
	}
}

// run is the life of a pod; life ends when it is to terminate, ctx with the kubelet.
func (k *Kubelet) run(ctx, life context.Context, running *runningPod) {
	pod := running.pod
	if err := k.begin(life, running); err != nil {
		// It stays pending, which the test will see.
		fmt.Fprintf(os.Stderr, "testcluster: pod %s/%s does not start: %v\n", pod.Namespace, pod.Name, err)
	}
	<-life.Done()
	if sleep(ctx, k.behaviour(pod).StopAfter) {
		k.remove(ctx, pod)
	}
	if running.drain != nil {
		running.drain.stop()
	}
}

// begin brings a pod to the state in which it stays.
func (k *Kubelet) begin(life context.Context, running *runningPod) error {
	behaviour := k.behaviour(running.pod)
	address, err := k.address(running, behaviour.Drain)
	if err != nil {
		return err
	}
	ready := !behaviour.NeverReady && !behaviour.CrashLoop
	if !ready || behaviour.ReadyAfter > 0 {
		k.report(life, running.pod, podStatus(running.pod, address, false, behaviour.CrashLoop))
	}
	if ready && sleep(life, behaviour.ReadyAfter) {
		k.report(life, running.pod, podStatus(running.pod, address, true, false))
	}
	return nil
}

// address returns the pod's IP address: one where its drain end point listens,
// or one that nobody reaches.
func (k *Kubelet) address(running *runningPod, drain Drain) (string, error) {
	k.mu.Lock()
	k.nextIP++
	n := k.nextIP
	k.mu.Unlock()
	if drain.Port == 0 {
		return fmt.Sprintf("10.%d.%d.%d", 128+n>>16, n>>8&0xff, n&0xff), nil
	}
	server, err := k.startDrainServer(running.pod, drain.Port)
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	running.drain = server
	k.mu.Unlock()
	return server.ip, nil
}

// sleep reports whether d has passed; it has not when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return ctx.Err() == nil
	}
}

// report writes the pod's status until it is written or life ends.
func (k *Kubelet) report(life context.Context, pod *corev1.Pod, status corev1.PodStatus) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		panic(err) // a status marshals
	}
	k.insist(life, func(ctx context.Context) error {
		_, err := k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
		return err
	})
}

// remove ends a pod that has stopped.
func (k *Kubelet) remove(ctx context.Context, pod *corev1.Pod) {
	now := int64(0)
	k.insist(ctx, func(ctx context.Context) error {
		return k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
			GracePeriodSeconds: &now,
			Preconditions:      &metav1.Preconditions{UID: &pod.UID},
		})
	})
}

// insist tries until it succeeds, the pod is gone or another one has its name.
func (k *Kubelet) insist(ctx context.Context, try func(context.Context) error) {
	_ = wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		err := try(ctx)
		return err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err), nil
	})
}

// podStatus is what the kubelet of a real node would say.
func podStatus(pod *corev1.Pod, address string, ready, crashing bool) corev1.PodStatus {
	now := metav1.Now()
	condition := func(kind corev1.PodConditionType, holds bool) corev1.PodCondition {
		status := corev1.ConditionFalse
		if holds {
			status = corev1.ConditionTrue
		}
		return corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: now}
	}
	status := corev1.PodStatus{
		Phase:     corev1.PodRunning,
		StartTime: &now,
		HostIP:    "127.0.0.1",
		HostIPs:   []corev1.HostIP{{IP: "127.0.0.1"}},
		PodIP:     address,
		PodIPs:    []corev1.PodIP{{IP: address}},
		Conditions: []corev1.PodCondition{
			condition(corev1.PodInitialized, true),
			condition(corev1.ContainersReady, ready),
			condition(corev1.PodReady, ready),
		},
	}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, containerStatus(container, now, ready, crashing))
	}
	return status
}

func containerStatus(container corev1.Container, now metav1.Time, ready, crashing bool) corev1.ContainerStatus {
	started := !crashing
	status := corev1.ContainerStatus{
		Name: container.Name, Image: container.Image, ImageID: container.Image, ContainerID: "test://" + container.Name,
		Ready: ready, Started: &started,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
	}
	if crashing {
		status.RestartCount = 5
		status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
		status.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: 1, Reason: "Error", StartedAt: now, FinishedAt: now,
		}}
	}
	return status
}
