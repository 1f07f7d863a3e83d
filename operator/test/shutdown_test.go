package test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// promisedEnd is the time in which the operator is down after SIGTERM.
const promisedEnd = 2 * time.Second

// SIGTERM ends the process in the promised time, whatever it is at.
func TestSIGTERMEndsTheProcessInThePromisedTime(t *testing.T) {
	t.Run("at rest", func(t *testing.T) {
		endsInTime(t, func(t *testing.T) *operator {
			operator := startOperator(t, elected...)
			operator.waitLeading(t)
			return operator
		})
	})
	t.Run("pods do not answer", func(t *testing.T) {
		var deaf atomic.Bool
		thing := withDrain(newThing(newNamespace(t), "deaf"), testcluster.Drain{})
		cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
			return testcluster.Behaviour{Drain: testcluster.Drain{Port: drainPort, Never: true, Hang: deaf.Load()}}
		})
		thing.Spec.Replicas = new(int32(3))
		create(t, thing)
		endsInTime(t, func(t *testing.T) *operator {
			deaf.Store(false)
			operator := startOperator(t, elected...)
			scale(t, thing, 3)
			waitConverged(t, thing)
			waitUnmarked(t, thing)
			scale(t, thing, 1)
			waitDraining(t, thing, 2)
			deaf.Store(true)
			return operator
		})
	})
	t.Run("the API server does not answer", func(t *testing.T) {
		endsInTime(t, func(t *testing.T) *operator {
			proxy, err := testcluster.StartProxy(operatorRole)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(proxy.Stop)
			operator := startOperatorAs(t, proxy.Config(), elected...)
			operator.waitLeading(t)
			proxy.Inject(testcluster.Faults{OneIn: 1, Kinds: []testcluster.Fault{testcluster.Timeout}, Silence: time.Hour})
			return operator
		})
	})
}

// endsInTime fails the test if an operator is never down in the promised time.
// The machine may delay any one try; what the operator itself takes too long is in
// all of them.
func endsInTime(t *testing.T, start func(*testing.T) *operator) {
	t.Helper()
	var took []time.Duration
	for range 3 {
		operator := start(t)
		d := operator.terminate(t)
		if strings.Contains(operator.Log(), "panic") {
			t.Fatalf("the operator ended with\n%s", operator.Log())
		}
		if d <= promisedEnd {
			t.Logf("down %s after SIGTERM", d)
			return
		}
		took = append(took, d)
	}
	t.Errorf("the operator was down only %v after SIGTERM; %s is promised", took, promisedEnd)
}
