package test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

func TestScaleInDrainsThePodsThatGo(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "shrinking"), testcluster.Drain{Takes: 300 * time.Millisecond})
	thing.Spec.Replicas = new(int32(4))
	create(t, thing)
	waitConverged(t, thing)
	before := podsOf(t, thing)

	scale(t, thing, 2)
	waitConverged(t, thing)
	waitUnmarked(t, thing)
	stayed := map[string]bool{}
	for _, pod := range podsOf(t, thing) {
		stayed[pod.Name] = true
	}
	asked := map[string]bool{}
	for _, request := range cluster.Kubelet.DrainRequests(thing.Namespace) {
		asked[request.Pod] = true
	}
	for _, pod := range before {
		if stayed[pod.Name] == asked[pod.Name] {
			t.Errorf("pod %s: stays: %t, was asked to drain: %t", pod.Name, stayed[pod.Name], asked[pod.Name])
		}
	}
}

// A scale-out need not wait for a drain that never ends.
func TestNewSpecPreemptsAHangingDrain(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "hanging"), testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)

	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	scale(t, thing, 4)
	waitConverged(t, thing)
	waitUnmarked(t, thing)
	if pods := podsOf(t, thing); len(pods) != 4 {
		t.Errorf("%d pods after the scale-out", len(pods))
	}
}

// What changes no spec is no reason to begin a drain anew.
func TestStatusEventsPreemptNothing(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "steady"), testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 1)

	for round := range 5 {
		change(t, thing, func(thing *v1alpha1.Thing) {
			thing.Labels = map[string]string{"somebody.example.com/round": fmt.Sprint(round)}
		})
	}
	settle(t)
	for _, request := range cluster.Kubelet.DrainRequests(thing.Namespace) {
		if request.Method == "DELETE" {
			t.Errorf("the drain of %s was withdrawn", request.Pod)
		}
	}
}

// A Thing that goes does not wait for its pods to drain.
func TestDeletionEndsAHangingDrain(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "leaving"), testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 1)
	if err := cluster.Client.Delete(t.Context(), thing); err != nil {
		t.Fatal(err)
	}
	waitGone(t, thing)
}

// A process that was killed can undo nothing; the next one finds out by itself
// what it has left behind.
func TestInterruptionsLeaveNothingBehind(t *testing.T) {
	interrupt(t, 20)
}

// interrupt interrupts that many scale-ins at random points, every other one by
// killing the operator, and fails the test if something is left behind.
func interrupt(t *testing.T, times int) {
	t.Helper()
	operator := startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "interrupted"), testcluster.Drain{Takes: 400 * time.Millisecond})
	thing.Spec.Replicas = new(int32(4))
	create(t, thing)
	waitConverged(t, thing)

	for i := range times {
		scale(t, thing, 1+rand.IntN(3))
		time.Sleep(rand.N(600 * time.Millisecond))
		if i%2 == 0 {
			operator.Kill()
			scale(t, thing, 4)
			operator = startOperator(t)
		} else {
			scale(t, thing, 4)
		}
		waitConverged(t, thing)
		waitUnmarked(t, thing)
	}
}

// SIGTERM ends the operator while pods drain, and leaves these to the next one.
func TestSIGTERMEndsEveryWait(t *testing.T) {
	thing := withDrain(newThing(newNamespace(t), "waiting"), testcluster.Drain{Never: true})
	if took := terminateInDrain(t, thing); took > 10*time.Second {
		t.Errorf("the operator was down only %s after SIGTERM", took)
	}
}

// A pod that does not answer cannot hold up the operator's end. It stays on the list
// until somebody has told it to stay.
func TestSIGTERMEndsRequestsThatHang(t *testing.T) {
	operator := startOperator(t)
	var deaf atomic.Bool
	thing := withDrain(newThing(newNamespace(t), "deaf"), testcluster.Drain{})
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{Drain: testcluster.Drain{Port: drainPort, Never: true, Hang: deaf.Load()}}
	})
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 1)
	deaf.Store(true)
	if took := operator.terminate(t); took > 10*time.Second {
		t.Errorf("the operator was down only %s after SIGTERM", took)
	}
	if draining := cluster.Kubelet.Draining(thing.Namespace); len(draining) != 1 {
		t.Errorf("draining: %v", draining)
	}

	deaf.Store(false)
	scale(t, thing, 2)
	startOperator(t)
	waitUnmarked(t, thing)
	waitConverged(t, thing)
}

// The timeout is the judge of pods that do not drain.
func TestDrainTimeoutEndsTheWait(t *testing.T) {
	startOperator(t)
	for name, script := range map[string]testcluster.Drain{
		"never drained": {Never: true},
		"refuses":       {Refuse: true},
		"hangs":         {Hang: true},
	} {
		t.Run(name, func(t *testing.T) {
			thing := withDrain(newThing(newNamespace(t), "stubborn"), script)
			thing.Spec.Drain.Timeout = &metav1.Duration{Duration: time.Second}
			thing.Spec.Replicas = new(int32(2))
			create(t, thing)
			waitConverged(t, thing)
			scale(t, thing, 1)
			waitConverged(t, thing)
		})
	}
}

// terminateInDrain runs an operator that a hanging drain of the Thing keeps waiting,
// ends it, and returns how long that took. It leaves the Thing with three pods and
// a spec of one.
func terminateInDrain(t *testing.T, thing *v1alpha1.Thing) time.Duration {
	t.Helper()
	operator := startOperator(t, elected...)
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	took := operator.terminate(t)

	var leases coordinationv1.LeaseList
	if err := cluster.Client.List(t.Context(), &leases, client.InNamespace(operatorNamespace)); err != nil {
		t.Fatal(err)
	}
	if len(leases.Items) == 0 {
		t.Error("the operator had no lease")
	}
	for _, lease := range leases.Items {
		if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
			t.Errorf("lease %s is still held by %s", lease.Name, *holder)
		}
	}
	if draining := cluster.Kubelet.Draining(thing.Namespace); len(draining) != 2 || len(marks(t, thing)) != 2 {
		t.Errorf("after the end of the operator %v drain, and %v are marked; want 2", draining, marks(t, thing))
	}
	return took
}

// scale changes the Thing's size.
func scale(t *testing.T, thing *v1alpha1.Thing, replicas int) {
	t.Helper()
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Replicas = new(int32(replicas)) })
}

// waitGone waits until nothing is left of a deleted Thing.
func waitGone(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		for kind, output := range outputsOf(thing) {
			if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(output), output); client.IgnoreNotFound(err) != nil {
				return err
			} else if err == nil {
				return fmt.Errorf("the %s is still there", kind)
			}
		}
		if pods := podsOf(t, thing); len(pods) != 0 {
			return fmt.Errorf("%d pods are still there", len(pods))
		}
		return nil
	})
}
