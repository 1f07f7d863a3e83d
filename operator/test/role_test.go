package test

import (
	"fmt"
	"os"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/yaml"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// The operator uses every right that its role gives it. Since no request of it is
// refused either, in this or any other test, the role is exactly what it needs.
func TestRoleIsWhatTheOperatorNeeds(t *testing.T) {
	mark := auditMark(t)
	operator := startOperator(t, elected...)
	thing := withDrain(newThing(cluster.Namespace(t), "whole-life"), testcluster.Drain{Takes: 200 * time.Millisecond})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	for _, output := range outputsOf(thing) {
		if err := cluster.Client.Delete(t.Context(), output); err != nil {
			t.Fatal(err)
		}
	}
	waitConverged(t, thing)
	change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Config = config("colour", "red") })
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitConverged(t, thing)
	if err := cluster.Client.Delete(t.Context(), thing); err != nil {
		t.Fatal(err)
	}
	waitGone(t, thing)
	operator.terminate(t) // ends the watches, which are logged then

	granted := rightsOf(t, "../config/rbac/role.yaml").Union(rightsOf(t, "../config/rbac/leader_election_role.yaml"))
	testcluster.Eventually(t, patience, func() error {
		used := sets.New[string]()
		for _, request := range requestsSince(t, mark) {
			used.Insert(right(request.Verb, request.Group, request.Resource, request.Subresource))
		}
		if unused := granted.Difference(used); len(unused) != 0 {
			return fmt.Errorf("the role gives what the operator never uses: %v", sets.List(unused))
		}
		return nil
	})
}

// rightsOf is what a role gives, a right for each verb and resource.
func rightsOf(t *testing.T, manifest string) sets.Set[string] {
	t.Helper()
	content, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole // a Role has the same rules
	if err := yaml.Unmarshal(content, &role); err != nil {
		t.Fatal(err)
	}
	rights := sets.New[string]()
	for _, rule := range role.Rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					rights.Insert(right(verb, group, resource, ""))
				}
			}
		}
	}
	return rights
}

func right(verb, group, resource, subresource string) string {
	if subresource != "" {
		resource += "/" + subresource
	}
	if group != "" {
		resource += "." + group
	}
	return verb + " " + resource
}
