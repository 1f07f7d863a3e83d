package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

// listTimeout bounds how long a scrape waits for the Things, should the cache not have them yet.
const listTimeout = time.Second

// StalledThings counts the Things whose condition Stalled is true, by reason, at each scrape. It reads what their status
// says, so it is right after a restart, and a Thing that goes is no longer counted.
//
// The reader must be the manager's cached one: each scrape reads all Things. Replicas that do not lead report nothing, so
// that a sum over replicas is right.
func StalledThings(things client.Reader, elected <-chan struct{}, controller string) prometheus.Collector {
	return &stalledThings{
		things:  things,
		elected: elected,
		description: prometheus.NewDesc("thing_operator_stalled_things", "Things whose condition Stalled is true, by its reason.",
			[]string{"reason"}, prometheus.Labels{"controller": controller}),
	}
}

type stalledThings struct {
	things      client.Reader
	elected     <-chan struct{}
	description *prometheus.Desc
}

func (d *stalledThings) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- d.description
}

func (d *stalledThings) Collect(collected chan<- prometheus.Metric) {
	select {
	case <-d.elected:
	default:
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), listTimeout)
	defer cancel()
	var things thingv1alpha1.ThingList
	if err := d.things.List(ctx, &things, client.UnsafeDisableDeepCopy); err != nil { // they are only read
		log.Log.WithName("metrics").Error(err, "Stalled Things are not counted")
		return // an error here would cost all other metrics of this scrape, too
	}
	counts := map[string]int{ // a reason that is known is told when it is zero, so that a graph shows its end
		thingv1alpha1.ReasonRefused:      0,
		thingv1alpha1.ReasonNameTaken:    0,
		thingv1alpha1.ReasonRolloutStuck: 0,
	}
	for i := range things.Items {
		conditions := things.Items[i].Status.Conditions
		if meta.IsStatusConditionTrue(conditions, thingv1alpha1.ConditionStalled) {
			counts[meta.FindStatusCondition(conditions, thingv1alpha1.ConditionStalled).Reason]++
		}
	}
	for reason, count := range counts {
		collected <- prometheus.MustNewConstMetric(d.description, prometheus.GaugeValue, float64(count), reason)
	}
}
