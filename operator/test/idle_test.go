package test

import (
	"fmt"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// The API server itself says that an operator with nothing to do writes nothing,
// however often it is made to look.
func TestIdleMeansNoWrites(t *testing.T) {
	operator := startOperator(t)
	things := createThings(t, newNamespace(t), 100)
	settle(t)
	mark := auditMark(t)
	forced := forceReconciles(t, operator, things, 2)
	if forced < 200 {
		t.Errorf("only %d reconciles were forced", forced)
	}
	if writes := writesSince(t, mark); len(writes) != 0 {
		t.Errorf("%d writes in %d reconciles of Things at their spec: %v; the first: %v", len(writes), forced, testcluster.Count(writes), writes[0])
	}
}

// forceReconciles makes the operator look at each Thing some times for the labels
// that somebody sets on its outputs, once more because it starts anew, and once
// more because it is time to. It returns the number of reconciles.
func forceReconciles(t *testing.T, operator *operator, things []*v1alpha1.Thing, rounds int) int {
	t.Helper()
	forced := 0
	waitReconciles := func(before int) {
		t.Helper()
		testcluster.Eventually(t, patience, func() error {
			if now := operator.reconciles(t); now < before+len(things) {
				return fmt.Errorf("%d reconciles", now-before)
			}
			return nil
		})
		settle(t)
		forced += operator.reconciles(t) - before
	}
	for round := range rounds {
		before := operator.reconciles(t)
		for _, thing := range things {
			for _, output := range outputsOf(thing) {
				label(t, output, fmt.Sprint(round))
			}
		}
		waitReconciles(before)
	}
	operator.terminate(t)
	operator = startOperator(t, "--sync-period=5s")
	waitReconciles(0)
	waitReconciles(operator.reconciles(t)) // for the resync
	return forced
}

// label makes the operator look at an output again.
func label(t *testing.T, output client.Object, value string) {
	t.Helper()
	change(t, output, func(output client.Object) {
		labels := output.GetLabels()
		labels["somebody.example.com/round"] = value
		output.SetLabels(labels)
	})
}
