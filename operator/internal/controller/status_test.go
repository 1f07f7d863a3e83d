package controller

import (
	"errors"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

// available is a Deployment of so many pods, all of which run its template and are available.
func available(pods int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{UID: "uid", Generation: 2},
		Spec:       appsv1.DeploymentSpec{Replicas: &pods},
		Status:     appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: pods, UpdatedReplicas: pods, ReadyReplicas: pods, AvailableReplicas: pods},
	}
}

func TestWhatTheConditionsSay(t *testing.T) {
	t.Parallel()
	drains := web()
	drains.Spec.Drain = &thingv1alpha1.DrainSpec{}
	paused := web()
	paused.Spec.Paused = true
	stuck := available(3)
	stuck.Status.AvailableReplicas = 2
	stuck.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionFalse, Message: "stuck"}}
	unobserved := stuck.DeepCopy()
	unobserved.Generation++
	for name, row := range map[string]struct {
		thing                       *thingv1alpha1.Thing
		deployment                  *appsv1.Deployment
		pods                        podOrder
		failure                     error
		ready, reconciling, stalled string // status and reason
	}{
		"in place":           {web(), available(3), podOrder{}, nil, "True Available", "False Available", "False AsExpected"},
		"no Deployment yet":  {web(), &appsv1.Deployment{}, podOrder{}, nil, "False RollingOut", "True RollingOut", "False AsExpected"},
		"pods drain":         {drains, available(4), podOrder{}, nil, "True Available", "True Draining", "False AsExpected"},
		"a pod is untold":    {web(), available(3), podOrder{untold: []corev1.Pod{{}}}, nil, "True Available", "True Retrying", "False AsExpected"},
		"a request failed":   {web(), available(3), podOrder{}, errors.New("timeout"), "True Available", "True Retrying", "False AsExpected"},
		"a name is taken":    {web(), &appsv1.Deployment{}, podOrder{}, errNameTaken, "False NameTaken", "False NameTaken", "True NameTaken"},
		"a rollout is stuck": {web(), stuck, podOrder{}, nil, "False RolloutStuck", "False RolloutStuck", "True RolloutStuck"},
		"a new one is not":   {web(), unobserved, podOrder{}, nil, "False RollingOut", "True RollingOut", "False AsExpected"},
		"paused":             {paused, available(3), podOrder{}, nil, "Unknown Paused", "False Paused", "False AsExpected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status := statusOf(row.thing, row.deployment, row.pods, row.failure)
			for kind, want := range map[string]string{
				thingv1alpha1.ConditionReady: row.ready, thingv1alpha1.ConditionReconciling: row.reconciling, thingv1alpha1.ConditionStalled: row.stalled,
			} {
				got := meta.FindStatusCondition(status.Conditions, kind)
				if said := string(got.Status) + " " + got.Reason; said != want {
					t.Errorf("%s is %s, want %s", kind, said, want)
				}
			}
			// The next reconcile finds the same, and so has nothing to write.
			time.Sleep(time.Millisecond)
			next := row.thing.DeepCopy()
			next.Status = *status
			if again := statusOf(next, row.deployment, row.pods, row.failure); !equality.Semantic.DeepEqual(status, again) {
				t.Errorf("the same state is told as %+v, then as %+v", status, again)
			}
		})
	}
}

// A scale-in waits for a rollout, unless this does not go on by itself.
func TestARolloutComesBeforeAScaleIn(t *testing.T) {
	t.Parallel()
	thing := web()
	thing.Spec.Drain = &thingv1alpha1.DrainSpec{}
	rolls := available(5)
	rolls.Status.UpdatedReplicas = 1
	halts := rolls.DeepCopy()
	halts.Spec.Paused = true
	for name, row := range map[string]struct {
		deployment *appsv1.Deployment
		excess     int
		rolling    bool
	}{
		"at rest":           {available(5), 2, false},
		"small enough":      {available(3), 0, false},
		"rolling":           {rolls, 2, true},
		"a rollout on halt": {halts, 0, true},
	} {
		if got := excess(thing, row.deployment); got != row.excess || rolling(row.deployment) != row.rolling {
			t.Errorf("%s: %d pods are to drain, rolling is %t; want %d, %t", name, got, rolling(row.deployment), row.excess, row.rolling)
		}
	}
}
