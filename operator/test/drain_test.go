package test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// A drain holds up nothing: what somebody breaks meanwhile is repaired, and the
// drain goes on.
func TestDriftDuringADrainIsRepaired(t *testing.T) {
	startOperator(t)
	thing := drainForEver(t, newThing(newNamespace(t), "drifting"), 3, 1)
	for kind, tamper := range map[string]func(client.Object){
		"ConfigMap":  func(output client.Object) { output.(*corev1.ConfigMap).Data = map[string]string{"tampered": "yes"} },
		"Service":    nil,
		"Deployment": func(output client.Object) { output.SetLabels(nil) },
	} {
		output := fetch(t, outputsOf(thing)[kind])
		want := essence(output)
		if tamper != nil {
			change(t, output, tamper)
		} else if err := cluster.Client.Delete(t.Context(), output); err != nil {
			t.Fatal(err)
		}
		waitEssence(t, output, want)
	}
	notWithdrawn(t, thing)
}

// The status speaks of the spec that pods drain for, in the words of kstatus.
func TestStatusIsCurrentDuringADrain(t *testing.T) {
	startOperator(t)
	thing := drainForEver(t, newThing(newNamespace(t), "telling"), 3, 2)
	testcluster.Eventually(t, patience, func() error {
		fetch(t, thing)
		if err := inCondition(thing, v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonDraining); err != nil {
			return err
		}
		draining := thing.Status.Draining
		if draining == nil || len(draining.Pods) != 1 || draining.SinceGeneration != thing.Generation || draining.Until == nil || time.Until(draining.Until.Time) < 50*time.Minute {
			return fmt.Errorf("draining: %+v", draining)
		}
		return inCondition(thing, v1alpha1.ConditionStalled, metav1.ConditionFalse, v1alpha1.ReasonAsExpected)
	})
	// It goes on being so: a pod that stays dies and is replaced.
	for _, pod := range podsOf(t, thing) {
		if !drain.Marked(&pod) {
			cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
				return testcluster.Behaviour{NeverReady: true, Drain: testcluster.Drain{Port: drainPort, Never: true}}
			})
			if err := cluster.Client.Delete(t.Context(), &pod); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	testcluster.Eventually(t, patience, func() error {
		if ready := fetch(t, thing).Status.ReadyReplicas; ready != 2 {
			return fmt.Errorf("%d pods are ready by the status, want 2", ready)
		}
		return inCondition(thing, v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonRollingOut)
	})
}

// Many Things that drain do not keep the workers from others, whether or not their
// pods answer.
func TestDrainsOccupyNoWorker(t *testing.T) {
	startOperator(t, "--max-concurrent-reconciles=2")
	namespace, deaf := newNamespace(t), newNamespace(t)
	for i := range 6 {
		drainForEver(t, newThing(namespace, fmt.Sprintf("draining-%d", i)), 2, 1)
	}
	thing := withDrain(newThing(deaf, "deaf"), testcluster.Drain{Hang: true})
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)

	other := createThings(t, newNamespace(t), 1)[0]
	service := fetch(t, outputsOf(other)["Service"])
	want := essence(service)
	if err := cluster.Client.Delete(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	waitEssence(t, service, want)
}

// Neither a new process nor a new spec gives a pod that drains more time.
func TestTheClockOfADrainGoesOn(t *testing.T) {
	operator := startOperator(t)
	thing := drainForEver(t, newThing(newNamespace(t), "clock"), 4, 3)
	first := marks(t, thing)
	if len(first) != 1 {
		t.Fatalf("marks: %v", first)
	}
	operator.Kill()
	startOperator(t)
	scale(t, thing, 2)
	waitDraining(t, thing, 2)
	testcluster.Eventually(t, patience, func() error {
		now := marks(t, thing)
		for pod, mark := range first {
			if now[pod] != mark {
				return fmt.Errorf("pod %s was marked %s, and now %s", pod, mark, now[pod])
			}
		}
		if len(now) != 2 {
			return fmt.Errorf("marks: %v", now)
		}
		return nil
	})
	notWithdrawn(t, thing)
	time.Sleep(time.Second)
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Drain.Timeout = &metav1.Duration{Duration: time.Second} })
	waitConverged(t, thing) // they have had it
	notWithdrawn(t, thing)
}

// The end of the operator is none of the drain: the pods go on draining, and the
// next one scales them in when they have.
func TestTheNextOperatorGoesOnWithADrain(t *testing.T) {
	operator := startOperator(t)
	var drained atomic.Bool
	thing := withDrain(newThing(newNamespace(t), "going-on"), testcluster.Drain{})
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{Drain: testcluster.Drain{Port: drainPort, Never: !drained.Load()}}
	})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	victims := cluster.Kubelet.Draining(thing.Namespace)
	operator.terminate(t)
	drained.Store(true)
	startOperator(t)
	waitConverged(t, thing)
	waitUnmarked(t, thing)
	notWithdrawn(t, thing)
	if pods := podsOf(t, thing); len(pods) != 1 || slices.Contains(victims, pods[0].Name) {
		t.Errorf("of the pods, %v of which had drained, stays %v", victims, drain.Names(pods))
	}
}

// A pod that stays and cannot be told so does not keep the status from being
// current.
func TestAReleaseThatFailsIsToldAndTriedAgain(t *testing.T) {
	for name, broken := range map[string]testcluster.Drain{
		"the pod answers 503": {Port: drainPort, Refuse: true},
		"the pod is deaf":     {Port: drainPort, Hang: true},
	} {
		t.Run(name, func(t *testing.T) {
			startOperator(t)
			var answers atomic.Bool
			answers.Store(true)
			thing := withDrain(newThing(newNamespace(t), "untold"), testcluster.Drain{})
			cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
				if !answers.Load() {
					return testcluster.Behaviour{Drain: broken}
				}
				return testcluster.Behaviour{Drain: testcluster.Drain{Port: drainPort, Never: true}}
			})
			thing.Spec.Replicas = new(int32(3))
			create(t, thing)
			waitConverged(t, thing)
			scale(t, thing, 2)
			waitDraining(t, thing, 1)
			answers.Store(false)
			scale(t, thing, 4)
			testcluster.Eventually(t, patience, func() error {
				if fetch(t, thing); thing.Status.ReadyReplicas != 4 {
					return fmt.Errorf("%d pods are ready by the status, want 4", thing.Status.ReadyReplicas)
				}
				return inCondition(thing, v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonRetrying)
			})
			mark := auditMark(t)
			time.Sleep(5 * time.Second)
			if writes := writesSince(t, mark); len(writes) > 1 {
				t.Errorf("while it tries again it writes: %v", testcluster.Count(writes))
			}
			answers.Store(true)
			waitUnmarked(t, thing)
			testcluster.Eventually(t, patience, func() error {
				return inCondition(fetch(t, thing), v1alpha1.ConditionReconciling, metav1.ConditionFalse, v1alpha1.ReasonAvailable)
			})
		})
	}
}

// What a rollout replaces does not drain. So a scale-in waits until it is over, and
// then the pods that go drain, and no others.
func TestAScaleInWaitsForARollout(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "rolling"), testcluster.Drain{})
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{ReadyAfter: 300 * time.Millisecond, Drain: testcluster.Drain{Port: drainPort, Takes: 100 * time.Millisecond}}
	})
	thing.Spec.Replicas = new(int32(4))
	create(t, thing)
	waitConverged(t, thing)
	change(t, thing, func(thing *v1alpha1.Thing) {
		thing.Spec.Image, thing.Spec.Replicas = "registry.example.com/thing:2", new(int32(2))
	})
	waitConverged(t, thing)
	onlyVictimsOfTheLastTemplateDrained(t, thing, 2)
}

// A rollout that begins while pods drain replaces them: they are told to serve
// until it does, and others drain after it.
func TestARolloutEndsADrain(t *testing.T) {
	startOperator(t)
	var drained atomic.Bool
	thing := withDrain(newThing(newNamespace(t), "rolled"), testcluster.Drain{})
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{ReadyAfter: time.Second, Drain: testcluster.Drain{Port: drainPort, Never: !drained.Load()}}
	})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 2)
	waitDraining(t, thing, 1)
	victim := cluster.Kubelet.Draining(thing.Namespace)[0]
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Image = "registry.example.com/thing:2" })
	testcluster.Eventually(t, patience, func() error {
		if !slices.ContainsFunc(cluster.Kubelet.DrainRequests(thing.Namespace), func(r testcluster.DrainRequest) bool {
			return r.Pod == victim && r.Method == http.MethodDelete
		}) {
			return fmt.Errorf("pod %s was not told to stay", victim)
		}
		return nil
	})
	drained.Store(true)
	waitConverged(t, thing)
	waitUnmarked(t, thing)
}

// onlyVictimsOfTheLastTemplateDrained checks that so many pods were asked to drain,
// all of them of the ReplicaSet that is left.
func onlyVictimsOfTheLastTemplateDrained(t *testing.T, thing *v1alpha1.Thing, count int) {
	t.Helper()
	pods := podsOf(t, thing)
	set := metav1.GetControllerOf(&pods[0]).Name
	asked := map[string]bool{}
	for _, request := range cluster.Kubelet.DrainRequests(thing.Namespace) {
		asked[request.Pod] = true
	}
	for pod := range asked {
		if !strings.HasPrefix(pod, set+"-") {
			t.Errorf("pod %s was asked to drain, which the rollout replaced", pod)
		}
		if slices.Contains(drain.Names(pods), pod) {
			t.Errorf("pod %s was asked to drain, and stays", pod)
		}
	}
	if len(asked) != count {
		t.Errorf("%d pods were asked to drain, want %d", len(asked), count)
	}
}

// Labels make no pod the Thing's.
func TestAPodOfSomebodyElseIsLeftAlone(t *testing.T) {
	startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "own"), testcluster.Drain{Takes: 100 * time.Millisecond})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	foreign := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: "foreign"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "foreign", Image: "foreign"}}},
	}
	foreign.Labels = map[string]string{
		"app.kubernetes.io/name": "thing", "app.kubernetes.io/instance": thing.Name, "app.kubernetes.io/managed-by": "thing-operator",
	}
	create(t, foreign)
	testcluster.Eventually(t, patience, func() error {
		if !drain.Serves(fetch(t, foreign)) {
			return errors.New("the foreign pod does not run")
		}
		return nil
	})
	scale(t, thing, 1)
	waitConverged(t, thing)
	asked := map[string]bool{}
	for _, request := range cluster.Kubelet.DrainRequests(thing.Namespace) {
		asked[request.Pod] = true
	}
	if asked[foreign.Name] || len(asked) != 2 {
		t.Errorf("asked to drain: %v; want two pods of the Thing's", asked)
	}
	if drain.Marked(fetch(t, foreign)) {
		t.Error("the foreign pod is marked")
	}
}

// drainForEver makes a Thing with so many pods and scales it in, which does not end.
func drainForEver(t *testing.T, thing *v1alpha1.Thing, from, to int) *v1alpha1.Thing {
	t.Helper()
	withDrain(thing, testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(from))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, to)
	testcluster.Eventually(t, patience, func() error {
		if now := marks(t, thing); len(now) != from-to {
			return fmt.Errorf("%d pods are marked, want %d", len(now), from-to)
		}
		return nil
	})
	return thing
}

// marks are those of the Thing's pods, by name.
func marks(t *testing.T, thing *v1alpha1.Thing) map[string]string {
	t.Helper()
	marks := map[string]string{}
	for _, pod := range podsOf(t, thing) {
		if drain.Marked(&pod) {
			marks[pod.Name] = pod.Annotations[drain.Annotation]
		}
	}
	return marks
}

// notWithdrawn fails the test if a pod was told to serve again.
func notWithdrawn(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	for _, request := range cluster.Kubelet.DrainRequests(thing.Namespace) {
		if request.Method == http.MethodDelete {
			t.Errorf("the drain of %s was withdrawn", request.Pod)
		}
	}
}

// inCondition says how a condition of the Thing, which must be about its spec,
// differs from what is wanted.
func inCondition(thing *v1alpha1.Thing, kind string, status metav1.ConditionStatus, reason string) error {
	condition := meta.FindStatusCondition(thing.Status.Conditions, kind)
	switch {
	case thing.Status.ObservedGeneration != thing.Generation:
		return fmt.Errorf("generation %d is observed, %d is wanted", thing.Status.ObservedGeneration, thing.Generation)
	case condition == nil || condition.Status != status || condition.Reason != reason || condition.ObservedGeneration != thing.Generation:
		return fmt.Errorf("%s: %+v; want %s for %s", kind, condition, status, reason)
	}
	return nil
}
