package test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/yaml"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// The operator uses every right that its roles give it. Since none of its requests
// is denied either, in this or any other test, they are exactly what it needs.
func TestRolesAreWhatTheOperatorNeeds(t *testing.T) {
	// It needs to list where the API server cannot send a watch all that there is.
	t.Setenv("KUBE_FEATURE_WatchListClient", "false")
	freeLease(t) // to be created
	mark := auditMark(t)
	operator := startOperator(t, elected...)
	thing := withDrain(newThing(newNamespace(t), "whole-life"), testcluster.Drain{Takes: time.Second})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	for _, output := range outputsOf(thing) {
		fetch(t, output)
		want := essence(output)
		if err := cluster.Client.Delete(t.Context(), output); err != nil {
			t.Fatal(err)
		}
		waitEssence(t, output, want)
	}
	waitConverged(t, thing)
	settle(t)
	for range 2 { // an event that repeats itself is patched
		configMap := fetch(t, outputsOf(thing)["ConfigMap"])
		want := essence(configMap)
		if err := cluster.Client.Delete(t.Context(), configMap); err != nil {
			t.Fatal(err)
		}
		waitEssence(t, configMap, want)
	}
	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	operator.Kill() // so that there is something to sweep
	operator = startOperator(t)
	waitConverged(t, thing)
	operator.terminate(t) // ends the watches, which are logged then

	granted := rightsOf(t, "../config/rbac/role.yaml").Union(rightsOf(t, "../config/rbac/leader_election_role.yaml"))
	testcluster.Eventually(t, patience, func() error {
		used := sets.New[string]()
		for _, request := range requestsSince(t, mark) {
			used.Insert(right(request.Verb, request.Group, request.Resource, request.Subresource))
			if request.Code == http.StatusCreated { // a patch may need the right to create, too
				used.Insert(right("create", request.Group, request.Resource, request.Subresource))
			}
		}
		if unused := granted.Difference(used); len(unused) != 0 {
			return fmt.Errorf("the roles give what the operator never uses: %v", sets.List(unused))
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
