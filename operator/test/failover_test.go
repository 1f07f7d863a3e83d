package test

import (
	"maps"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// A replica that waits writes nothing. When the one that leads ends, in whichever
// way, it takes over the scale-in that is under way: the same pods go on draining,
// none is told to stay, none is given more time, and no pod that stays is left marked.
func TestAnotherReplicaTakesOverADrain(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *operator){
		"when the leader is asked to end": func(t *testing.T, leader *operator) { leader.terminate(t) },
		"when the leader is killed":       func(_ *testing.T, leader *operator) { leader.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			leader := startOperator(t, elected...)
			leader.waitLeading(t)
			other := startOperator(t, elected...)
			var drained atomic.Bool
			thing := withDrain(newThing(newNamespace(t), "handed-over"), testcluster.Drain{})
			cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
				return testcluster.Behaviour{Drain: testcluster.Drain{Port: drainPort, Never: !drained.Load()}}
			})
			thing.Spec.Replicas = new(int32(4))
			create(t, thing)
			waitConverged(t, thing)
			scale(t, thing, 2)
			waitDraining(t, thing, 2)
			victims, marked := cluster.Kubelet.Draining(thing.Namespace), marks(t, thing)
			if writes := other.counts(t, "thing_operator_writes_total", "verb", "kind"); len(writes) != 0 {
				t.Errorf("the replica that waits has written: %v", writes)
			}

			end(t, leader)
			other.waitLeading(t)
			waitDraining(t, thing, 2)
			if now := marks(t, thing); !maps.Equal(now, marked) {
				t.Errorf("the marks were %v, and are %v now", marked, now)
			}
			drained.Store(true)
			waitConverged(t, thing)
			waitUnmarked(t, thing)

			for _, pod := range podsOf(t, thing) {
				for _, victim := range victims {
					if pod.Name == victim {
						t.Errorf("pod %s drained first, and another one was scaled in", victim)
					}
				}
			}
			notWithdrawn(t, thing)
		})
	}
}
