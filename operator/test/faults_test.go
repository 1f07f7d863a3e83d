package test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// One request in five goes wrong, in every way that there is. That makes the
// operator slower and loses nothing.
func TestFaultsLoseNothing(t *testing.T) {
	proxy, err := testcluster.StartProxy(operatorRole)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Stop)
	startOperatorAs(t, proxy.Config())
	proxy.Inject(testcluster.Faults{OneIn: 5, Kinds: testcluster.AllFaults, Silence: time.Second, Seed: 1})

	namespace := newNamespace(t)
	things := make([]*v1alpha1.Thing, 5)
	for i := range things {
		things[i] = withDrain(newThing(namespace, fmt.Sprintf("thing-%d", i)), testcluster.Drain{Takes: 200 * time.Millisecond})
		create(t, things[i])
	}
	waitConverged(t, things...)
	for _, thing := range things {
		change(t, thing, func(thing *v1alpha1.Thing) {
			thing.Spec.Replicas, thing.Spec.Config = new(int32(3)), config("colour", "red")
		})
	}
	waitConverged(t, things...)
	for _, thing := range things {
		scale(t, thing, 1)
	}
	waitConverged(t, things...)
	for _, thing := range things {
		waitUnmarked(t, thing)
	}
	for _, thing := range things {
		if err := cluster.Client.Delete(t.Context(), thing); err != nil {
			t.Fatal(err)
		}
		waitGone(t, thing)
	}
	injected := proxy.Injected()
	t.Logf("injected: %v", injected)
	for _, fault := range testcluster.AllFaults {
		if injected[fault] == 0 {
			t.Errorf("no request went wrong by %q", fault)
		}
	}
}

// What no retry will mend is said in a condition, not tried for ever.
func TestTerminalErrorIsAConditionAndNoHotLoop(t *testing.T) {
	startOperator(t)
	thing := newThing(newNamespace(t), "taken")
	foreign := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name},
		Data:       map[string]string{"whose": "not yours"},
	}
	create(t, foreign)
	create(t, thing)
	waitStalledBy(t, thing, v1alpha1.ReasonNameTaken)
	settle(t)
	if got := fetch(t, foreign).Data["whose"]; got != "not yours" {
		t.Errorf("somebody else's ConfigMap says %q now", got)
	}

	if err := cluster.Client.Delete(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	// It looks again once a minute; a new spec is quicker.
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("colour", "red") })
	waitConverged(t, thing)
}

// A ConfigMap that somebody has made immutable takes no new configuration. The operator may not delete it, so the user is
// told, and what is deleted comes back as it should be.
func TestAnImmutableConfigMapIsACondition(t *testing.T) {
	startOperator(t)
	thing := newThing(newNamespace(t), "immutable")
	create(t, thing)
	waitConverged(t, thing)
	configMap := outputsOf(thing)["ConfigMap"].(*corev1.ConfigMap)
	change(t, configMap, func(configMap *corev1.ConfigMap) { configMap.Immutable = new(true) })
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("colour", "red") })
	waitStalledBy(t, thing, v1alpha1.ReasonRefused)
	settle(t)

	if err := cluster.Client.Delete(t.Context(), configMap); err != nil {
		t.Fatal(err)
	}
	waitConverged(t, thing)
}

func waitStalledBy(t *testing.T, thing *v1alpha1.Thing, reason string) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		stalled := meta.FindStatusCondition(fetch(t, thing).Status.Conditions, v1alpha1.ConditionStalled)
		if stalled == nil || stalled.Status != metav1.ConditionTrue || stalled.Reason != reason {
			return fmt.Errorf("stalled: %+v", stalled)
		}
		return nil
	})
}

// Pods that do not become ready are a condition, which is written once.
func TestUnreadyPodsAreACondition(t *testing.T) {
	startOperator(t)
	for name, script := range map[string]testcluster.Behaviour{
		"never ready": {NeverReady: true},
		"crash loop":  {CrashLoop: true},
	} {
		t.Run(name, func(t *testing.T) {
			thing := newThing(newNamespace(t), "unready")
			cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour { return script })
			create(t, thing)
			testcluster.Eventually(t, patience, func() error {
				ready := meta.FindStatusCondition(fetch(t, thing).Status.Conditions, v1alpha1.ConditionReady)
				if ready == nil || ready.Status != metav1.ConditionFalse || ready.Reason != v1alpha1.ReasonRollingOut || thing.Status.Replicas != 1 {
					return fmt.Errorf("%d replicas, ready: %+v", thing.Status.Replicas, ready)
				}
				return nil
			})
			settle(t)
		})
	}
}
