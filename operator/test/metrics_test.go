package test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// The operator counts as many writes as the API server, kind by kind: none goes
// past the count, whichever client sends it.
func TestWritesAreCountedAsTheAPIServerDoes(t *testing.T) {
	mark := auditMark(t)
	operator := startOperator(t, elected...)
	thing := withDrain(newThing(newNamespace(t), "counted"), testcluster.Drain{Takes: 200 * time.Millisecond})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	configMap := fetch(t, outputsOf(thing)["ConfigMap"])
	want := essence(configMap)
	if err := cluster.Client.Delete(t.Context(), configMap); err != nil { // the repair is told in an event
		t.Fatal(err)
	}
	waitEssence(t, configMap, want)
	scale(t, thing, 1)
	waitConverged(t, thing)
	settle(t)

	testcluster.Eventually(t, patience, func() error {
		answered := map[string]int{}
		for _, request := range writesSince(t, mark) {
			kind, err := cluster.Client.RESTMapper().KindFor(schema.GroupVersionResource{Group: request.Group, Resource: request.Resource})
			if err != nil {
				t.Fatal(err)
			}
			answered[request.Verb+" "+kind.Kind]++
		}
		for _, write := range []string{"patch Deployment", "patch Pod", "patch Thing", "create Event"} {
			if answered[write] == 0 {
				return fmt.Errorf("the test has made the operator send no %s: %v", write, answered)
			}
		}
		counted := operator.counts(t, "thing_operator_writes_total", "verb", "kind")
		if counted["update Lease"] == 0 {
			return fmt.Errorf("no update of the leader's lease is counted: %v", counted)
		}
		delete(counted, "create Lease")
		delete(counted, "update Lease") // goes on meanwhile
		if diff := cmp.Diff(answered, counted); diff != "" {
			return fmt.Errorf("(-answered by the API server, +counted by the operator)\n%s", diff)
		}
		return nil
	})
	if drains := operator.counts(t, "thing_operator_drains_total", "result"); drains["drained"] == 0 {
		t.Errorf("no drain is counted: %v", drains)
	}
}

func TestPreemptionsAreCounted(t *testing.T) {
	operator := startOperator(t)
	thing := withDrain(newThing(newNamespace(t), "pre-empted"), testcluster.Drain{Hang: true})
	thing.Spec.Replicas = new(int32(2))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	round := 0
	testcluster.Eventually(t, patience, func() error {
		round++
		change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("round", fmt.Sprint(round)) })
		time.Sleep(300 * time.Millisecond)
		if counted := operator.counts(t, "thing_operator_preemptions_total", "reason"); counted["newer_spec"] == 0 {
			return fmt.Errorf("after %d specs no pre-emption is counted: %v", round, counted)
		}
		return nil
	})
}

func TestStalledThingsAreCountedByReason(t *testing.T) {
	operator := startOperator(t)
	thing := newThing(newNamespace(t), "taken")
	foreign := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name}}
	create(t, foreign)
	create(t, thing)
	waitStalled(t, operator, map[string]int{v1alpha1.ReasonNameTaken: 1})

	if err := cluster.Client.Delete(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("colour", "red") }) // it looks again at once
	waitConverged(t, thing)
	waitStalled(t, operator, map[string]int{})
}

// An operator that lacks a right degrades all Things. It is no error of a reconcile,
// so this is where it shows.
func TestLackOfARightDegradesThingsCountably(t *testing.T) {
	const count = 3
	content, err := os.ReadFile("../config/rbac/role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	role := &rbacv1.ClusterRole{}
	if err := yaml.Unmarshal(content, role); err != nil {
		t.Fatal(err)
	}
	role.Name = "thing-operator-without-services"
	rights := role.Rules
	role.Rules = nil
	for _, rule := range rights {
		if slices.Contains(rule.Resources, "services") {
			rule.Verbs = []string{"get", "list", "watch"}
			whole := rule.DeepCopy()
			whole.Resources, whole.Verbs = []string{"configmaps"}, []string{"create", "patch"}
			role.Rules = append(role.Rules, *whole)
		}
		role.Rules = append(role.Rules, rule)
	}
	create(t, role)
	t.Cleanup(func() {
		if err := cluster.Client.Delete(context.Background(), role); err != nil {
			t.Error(err)
		}
	})
	user, err := cluster.User("without-services")
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Bind(t.Context(), "without-services", rbacv1.RoleRef{Kind: "ClusterRole", Name: role.Name}, ""); err != nil {
		t.Fatal(err)
	}
	waitAllowed(t, "without-services", "", "patch", v1alpha1.GroupVersion.Group, "things/status")
	operator := startOperatorAs(t, user)
	namespace := newNamespace(t)
	things := make([]*v1alpha1.Thing, count)
	for i := range things {
		things[i] = newThing(namespace, fmt.Sprintf("thing-%d", i))
		create(t, things[i])
	}
	waitStalled(t, operator, map[string]int{v1alpha1.ReasonRefused: count})

	change(t, role, func(role *rbacv1.ClusterRole) { role.Rules = rights })
	waitAllowed(t, "without-services", "", "patch", "", "services")
	for _, thing := range things {
		change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("colour", "red") }) // it looks again at once
	}
	waitConverged(t, things...)
	waitStalled(t, operator, map[string]int{})
}

// waitStalled waits until that many Things are counted as stalled, by reason.
func waitStalled(t *testing.T, operator *operator, want map[string]int) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if diff := cmp.Diff(want, operator.counts(t, "thing_operator_stalled_things", "reason")); diff != "" {
			return fmt.Errorf("(-want +got)\n%s", diff)
		}
		return nil
	})
}
