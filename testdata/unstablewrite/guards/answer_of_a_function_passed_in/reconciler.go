// Package controller updates through a helper that asks a function of its caller whether
// two objects are equal.
package controller

import (
	"context"
	"reflect"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// equality says whether the current object is as desired.
type equality func(current, desired *corev1.ConfigMap) bool

func update(ctx context.Context, c client.Client, desired *corev1.ConfigMap, equal equality) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current := &corev1.ConfigMap{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(desired), current); err != nil {
			return err
		}
		if equal(current, desired) {
			return nil
		}
		current.Data = desired.Data
		current.Labels = desired.Labels
		return c.Update(ctx, current)
	})
}

func sameData(current, desired *corev1.ConfigMap) bool {
	return reflect.DeepEqual(current.Data, desired.Data)
}

func sameLabels(current, desired *corev1.ConfigMap) bool {
	return reflect.DeepEqual(current.Labels, desired.Labels)
}

// DataCompared asks whether the data are equal. They never are.
type DataCompared struct {
	client.Client
}

func (r *DataCompared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var keys []string
	for key := range thing.Labels { // want "unstablewrite: map order reaches ConfigMap data\\[keys\\] in Update"
		keys = append(keys, key)
	}
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       map[string]string{"keys": strings.Join(keys, ",")},
	}
	return ctrl.Result{}, update(ctx, r.Client, cm, sameData)
}

// LabelsCompared asks whether the labels are equal. In the end they are.
type LabelsCompared struct {
	client.Client
}

func (r *LabelsCompared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var keys []string
	for key := range thing.Labels {
		keys = append(keys, key)
	}
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: map[string]string{"thing": thing.Name}},
		Data:       map[string]string{"keys": strings.Join(keys, ",")},
	}
	return ctrl.Result{}, update(ctx, r.Client, cm, sameLabels)
}
