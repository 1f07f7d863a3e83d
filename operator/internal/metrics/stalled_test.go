package metrics_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
)

func TestStalledThingsAreCountedByReason(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	things := fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		thing("fine", metav1.ConditionFalse, v1alpha1.ReasonAsExpected),
		thing("first", metav1.ConditionTrue, v1alpha1.ReasonRefused),
		thing("second", metav1.ConditionTrue, v1alpha1.ReasonRefused),
		thing("third", metav1.ConditionTrue, v1alpha1.ReasonNameTaken),
		&v1alpha1.Thing{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "new"}},
	).Build()
	elected := make(chan struct{})
	counted := metrics.StalledThings(things, elected, "thing")
	if found := testutil.CollectAndCount(counted); found != 0 {
		t.Errorf("a replica that does not lead reports %d series", found)
	}

	close(elected)
	const want = `
# HELP thing_operator_stalled_things Things whose condition Stalled is true, by its reason.
# TYPE thing_operator_stalled_things gauge
thing_operator_stalled_things{controller="thing",reason="NameTaken"} 1
thing_operator_stalled_things{controller="thing",reason="Refused"} 2
thing_operator_stalled_things{controller="thing",reason="RolloutStuck"} 0
`
	if err := testutil.CollectAndCompare(counted, strings.NewReader(want)); err != nil {
		t.Error(err)
	}

	failing := interceptor.NewClient(things, interceptor.Funcs{
		List: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) error {
			return errors.New("no cache")
		},
	})
	if found := testutil.CollectAndCount(metrics.StalledThings(failing, elected, "thing")); found != 0 {
		t.Errorf("without Things to read there are %d series", found)
	}
}

func thing(name string, stalled metav1.ConditionStatus, reason string) *v1alpha1.Thing {
	return &v1alpha1.Thing{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Status: v1alpha1.ThingStatus{Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionStalled, Status: stalled, Reason: reason},
		}},
	}
}
