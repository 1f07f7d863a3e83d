// Package controller writes through typed clientsets.
package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ArgsFromAMapOfFlags renders extra flags in map order and updates through a
// typed clientset.
type ArgsFromAMapOfFlags struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *ArgsFromAMapOfFlags) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	daemonSets := r.Clientset.AppsV1().DaemonSets(req.Namespace)
	ds, err := daemonSets.Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	ds.Spec.Template.Spec.Containers[0].Args = buildArgs(&thing)
	_, err = daemonSets.Update(ctx, ds, metav1.UpdateOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}

func buildArgs(thing *thingapi.Thing) []string {
	args := []string{"serve", fmt.Sprintf("--port=%d", thing.Spec.Port)}
	for flag, value := range thing.Spec.Config { // want "unstablewrite: map order .*DaemonSet"
		args = append(args, fmt.Sprintf("--%s=%s", flag, value))
	}
	return args
}

// PodConditionUpdatedByTheClientset sets a readiness gate of a pod by
// UpdateStatus of the typed clientset, each time with a new time.
type PodConditionUpdatedByTheClientset struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *PodConditionUpdatedByTheClientset) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pod = pod.DeepCopy()
	for i := range pod.Status.Conditions {
		condition := &pod.Status.Conditions[i]
		if condition.Type == "things.example.com/registered" {
			condition.Status = corev1.ConditionTrue
			condition.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now .*Pod"
		}
	}
	_, err := r.Clientset.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

// TypedClientsetAppliesATime applies a label with the time through the typed
// clientset.
type TypedClientsetAppliesATime struct {
	Clientset kubernetes.Interface
}

func (r *TypedClientsetAppliesATime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := corev1ac.ConfigMap(req.Name, req.Namespace).
		WithData(map[string]string{"mode": "active"}).
		WithAnnotations(map[string]string{
			"things.example.com/applied": strconv.FormatInt(time.Now().UnixMilli(), 36), // want "unstablewrite: time\\.Now .*ConfigMap"
		})
	_, err := r.Clientset.CoreV1().ConfigMaps(req.Namespace).Apply(ctx, config, metav1.ApplyOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}

// MarshalledObjectPatchedByTheClientset marshals a desired object and applies
// the bytes through a typed clientset.
type MarshalledObjectPatchedByTheClientset struct {
	Clientset kubernetes.Interface
}

func (r *MarshalledObjectPatchedByTheClientset) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string]string{"generated": time.Now().Format(time.RFC1123)}, // want "unstablewrite: time\\.Now "
	}
	raw, err := json.Marshal(cm)
	if err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Clientset.CoreV1().ConfigMaps(req.Namespace).
		Patch(ctx, req.Name, types.ApplyPatchType, raw, metav1.PatchOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}
