package controller

import (
	"context"
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
)

// A cache that has not seen yet what we have written is no reason to write it again, and so to tell of a repair.
func TestAnOldCacheIsNoDrift(t *testing.T) {
	t.Parallel()
	thing := web()
	cluster := fake.NewClientBuilder().WithScheme(scheme(t)).WithReturnManagedFields().Build()
	old := false // whether the cache is
	cached := interceptor.NewClient(cluster, interceptor.Funcs{
		Get: func(ctx context.Context, cluster client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
			err := cluster.Get(ctx, key, object, options...)
			if old {
				object.(*corev1.ConfigMap).Data[configFile] = "of before"
				object.SetManagedFields(nil)
				object.SetLabels(nil)
			}
			return err
		},
	})
	r := &ThingReconciler{Client: cached, APIReader: cluster}
	for _, want := range []change{created, unchanged, unchanged} {
		done, err := bring(t.Context(), r, thing, &corev1.ConfigMap{}, corev1ac.ExtractConfigMap, stripConfigMap,
			func() *corev1ac.ConfigMapApplyConfiguration { return render(thing).configMap })
		if err != nil || done != want {
			t.Errorf("with a cache that is old (%t) the ConfigMap is %q, want %q: %v", old, done, want, err)
		}
		old = want == unchanged
	}
}

// A scale-in that finds nobody to drain is none that has drained pods.
func TestAScaleInWithoutVictimsIsNotCounted(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	r := &ThingReconciler{Client: fake.NewClientBuilder().WithScheme(scheme(t)).Build(), Metrics: metrics.New(registry, Name)}
	thing := web()
	thing.Spec.Drain = &thingv1alpha1.DrainSpec{}
	if _, err := r.scaleIn(t.Context(), thing, &appsv1.Deployment{}, nil); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if count := metric.GetCounter().GetValue(); family.GetName() == "thing_operator_drains_total" && count != 0 {
				t.Errorf("%v is %v", metric.GetLabel(), count)
			}
		}
	}
}

func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), thingv1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	return scheme
}
