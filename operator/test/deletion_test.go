package test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// Pods that outlive their Thing serve again, though the operator was not there when
// it was deleted.
func TestAnOrphanedPodIsToldToStay(t *testing.T) {
	operator := startOperator(t)
	thing := drainForEver(t, newThing(newNamespace(t), "orphaned"), 3, 1)
	operator.Kill()
	orphan(t, thing)
	time.Sleep(2 * time.Second)
	if fetch(t, thing); thing.DeletionTimestamp == nil || !slices.Contains(thing.Finalizers, "thing.example.com/draining") {
		t.Fatalf("nothing keeps the deleted Thing while its pods drain: %v", thing.Finalizers)
	}
	startOperator(t)
	waitThingGone(t, thing)
	waitUnmarked(t, thing)
	if pods := podsOf(t, thing); len(pods) != 3 {
		t.Errorf("%d pods are left", len(pods))
	}
}

// A Thing whose pods do not drain goes without the operator.
func TestNothingKeepsAThingAtRest(t *testing.T) {
	operator := startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "resting"), testcluster.Drain{Takes: 100 * time.Millisecond})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitConverged(t, thing)
	testcluster.Eventually(t, patience, func() error {
		if fetch(t, thing); len(thing.Finalizers) != 0 {
			return fmt.Errorf("after the scale-in the Thing has the finalizers %v", thing.Finalizers)
		}
		return nil
	})
	settle(t)
	operator.Kill()
	if err := cluster.Client.Delete(t.Context(), thing); err != nil {
		t.Fatal(err)
	}
	waitThingGone(t, thing)
}

// Pods that cannot be told to stay keep a deleted Thing for a while, not for ever.
func TestAPodThatIsDeafDoesNotKeepAThing(t *testing.T) {
	startOperator(t)
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
	orphan(t, thing)
	waitThingGone(t, thing)
	if left := marks(t, thing); len(left) != 0 {
		t.Errorf("pods are left marked: %v", left)
	}
}

// Somebody may take the finalizer off by hand. The next Thing of the name sweeps up
// what was left.
func TestAFinalizerThatIsTakenOffByHand(t *testing.T) {
	operator := startOperator(t)
	thing := drainForEver(t, newThing(newNamespace(t), "forced"), 3, 1)
	operator.Kill()
	orphan(t, thing)
	testcluster.Eventually(t, patience, func() error { // until the orphans are released
		deployment := fetch(t, outputsOf(thing)["Deployment"])
		if owners := deployment.GetOwnerReferences(); len(owners) != 0 {
			return fmt.Errorf("the Deployment is owned by %v", owners)
		}
		return nil
	})
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Finalizers = nil })
	waitThingGone(t, thing)
	if left := marks(t, thing); len(left) != 2 {
		t.Fatalf("marks: %v", left)
	}
	next := newThing(thing.Namespace, thing.Name)
	next.Spec.Drain, next.Spec.Replicas = thing.Spec.Drain, new(int32(3))
	create(t, next)
	startOperator(t)
	waitConverged(t, next)
	waitUnmarked(t, next)
}

// orphan deletes a Thing as kubectl delete --cascade=orphan does.
func orphan(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	if err := cluster.Client.Delete(t.Context(), thing, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
		t.Fatal(err)
	}
}

func waitThingGone(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		now := &v1alpha1.Thing{}
		if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(thing), now); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the Thing is still there, with the finalizers %v: %v", now.Finalizers, err)
		}
		return nil
	})
}
