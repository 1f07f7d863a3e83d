// Package controller uses the order of a map where the cluster does not store
// it.
package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// OrderEndsInLogsAndErrors collects names in map order for a log line and an
// error; neither is written to the cluster.
type OrderEndsInLogsAndErrors struct {
	client.Client
}

func (r *OrderEndsInLogsAndErrors) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unknown []string
	for key := range thing.Spec.Config {
		if strings.Contains(key, " ") {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) > 0 {
		log.FromContext(ctx).Info("keys with spaces", "keys", unknown)
		thing.Status.Phase = "Invalid"
		return ctrl.Result{}, errors.Join(fmt.Errorf("bad keys: %v", unknown), r.Status().Update(ctx, &thing))
	}
	thing.Status.Phase = "Valid"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// OrderInTheMessageOfAnEvent names keys in an event; events are no managed
// state.
type OrderInTheMessageOfAnEvent struct {
	client.Client
	Recorder record.EventRecorder
}

func (r *OrderInTheMessageOfAnEvent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unused []string
	for key := range thing.Spec.Config {
		if strings.HasPrefix(key, "_") {
			unused = append(unused, key)
		}
	}
	if len(unused) > 0 {
		r.Recorder.Eventf(&thing, corev1.EventTypeWarning, "Unused", "at %s: %s", time.Now(), strings.Join(unused, ", "))
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// OrderUsedOnlyInAQuery makes a selector from a map, for reading.
type OrderUsedOnlyInAQuery struct {
	client.Client
}

func (r *OrderUsedOnlyInAQuery) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	selector := &metav1.LabelSelector{}
	for key, value := range thing.Spec.Labels {
		selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{value},
		})
	}
	matching, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return ctrl.Result{}, err
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.MatchingLabelsSelector{Selector: matching}); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = int32(len(pods.Items))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ObjectsCollectedFromAMapAndAppliedEach collects objects in map order and
// applies them one by one: the order of the slice decides only who is written
// first.
type ObjectsCollectedFromAMapAndAppliedEach struct {
	client.Client
}

func (r *ObjectsCollectedFromAMapAndAppliedEach) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var objects []client.Object
	for name, value := range thing.Spec.Config {
		cm := &corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-" + name, Namespace: thing.Namespace},
			Data:       map[string]string{name: value},
		}
		objects = append(objects, cm)
	}
	for _, obj := range objects {
		if err := r.Patch(ctx, obj, client.Apply, client.FieldOwner("thing"), client.ForceOwnership); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// ObjectsWrittenOneByOneFromAMap writes an object for each entry of a map; the
// order of the writes is not stored anywhere.
type ObjectsWrittenOneByOneFromAMap struct {
	client.Client
}

func (r *ObjectsWrittenOneByOneFromAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for name, size := range thing.Spec.Config {
		part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-" + name, Namespace: thing.Namespace}}
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, part, func() error {
			part.Spec.ThingName = thing.Name
			part.Spec.Settings = map[string]string{"name": name, "size": size}
			return nil
		}); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
