package test

import (
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// Many Things cost no more each than one does, and nothing while they are idle.
// What make measure shows of a thousand is held here with fewer.
func TestManyThingsCostNoMoreThanOneEach(t *testing.T) {
	const count = 100
	start := auditMark(t)
	operator := startOperator(t)
	settle(t)
	mark := auditMark(t)
	createThings(t, newNamespace(t), 1)
	settle(t)
	one := len(requestsSince(t, mark))
	if one == 0 {
		t.Fatal("the operator has made a Thing ready without a request")
	}

	mark = auditMark(t)
	createThings(t, newNamespace(t), count)
	settle(t)
	// Twice, for the status of pods, which may be seen in more steps.
	if all := len(requestsSince(t, mark)); all > 2*count*one {
		t.Errorf("%d requests for %d Things, %d for the first", all, count, one)
	}

	mark, before := auditMark(t), operator.reconciles(t)
	time.Sleep(5 * time.Second)
	// A watch ends after some minutes and is begun anew.
	if requests := requestsSince(t, mark, func(r testcluster.Request) bool { return r.Verb != "watch" }); len(requests) != 0 {
		t.Errorf("%d requests while idle: %v; the first: %v", len(requests), testcluster.Count(requests), requests[0])
	}
	if idle := operator.reconciles(t) - before; idle != 0 {
		t.Errorf("%d reconciles while idle", idle)
	}

	operator.terminate(t) // ends the watches, which are logged then
	watched := map[string]bool{}
	for _, request := range requestsSince(t, start) {
		if request.Verb != "list" && request.Verb != "watch" || request.Resource == "things" {
			continue
		}
		watched[request.Resource] = true
		if request.Selector == "" {
			t.Errorf("the operator asks for all %s of the cluster: %v", request.Resource, request)
		}
	}
	for _, resource := range []string{"configmaps", "services", "deployments", "pods"} {
		if !watched[resource] {
			t.Errorf("no watch of %s is in the audit log", resource)
		}
	}
}

// status.specHash tells two renderings apart, and nothing else: neither repairs
// nor a new process nor labels of the Thing change it.
func TestSpecHashChangesWithTheSpecOnly(t *testing.T) {
	operator := startOperator(t)
	thing := createThings(t, newNamespace(t), 1)[0]
	first := thing.Status.SpecHash
	if first == "" {
		t.Fatal("no specHash")
	}
	hashAfter := func(what string, act func()) string {
		t.Helper()
		act()
		waitConverged(t, thing)
		settle(t)
		t.Logf("%s: %s", what, fetch(t, thing).Status.SpecHash)
		return thing.Status.SpecHash
	}
	image := thing.Spec.Image
	second := hashAfter("another image", func() {
		change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Image = image + "2" })
	})
	if second == first || second == "" {
		t.Errorf("after a new image the specHash is %q, before it was %q", second, first)
	}
	for what, act := range map[string]func(){
		"a repair": func() {
			configMap := fetch(t, outputsOf(thing)["ConfigMap"])
			want := essence(configMap)
			if err := cluster.Client.Delete(t.Context(), configMap); err != nil {
				t.Fatal(err)
			}
			waitEssence(t, configMap, want)
		},
		"labels of the Thing": func() {
			change(t, thing, func(thing *v1alpha1.Thing) { thing.Labels = map[string]string{"a": "b"} })
		},
		"a restart": func() {
			operator.terminate(t)
			operator = startOperator(t)
		},
	} {
		if hash := hashAfter(what, act); hash != second {
			t.Errorf("after %s the specHash is %q, before it was %q", what, hash, second)
		}
	}
	back := hashAfter("the first image", func() {
		change(t, thing, func(thing *v1alpha1.Thing) { thing.Spec.Image = image })
	})
	if back != first {
		t.Errorf("with the first spec again the specHash is %q, it was %q", back, first)
	}
}
