// Package controller writes an order where all is well: no step failed or asks to
// be called again, and what the operator itself must have is there. It also writes
// one under conditions that hold only for a while.
package controller

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// args returns the settings of a thing in no particular order. Callers sort them.
func args(config map[string]string) []string {
	var all []string
	for name, value := range config {
		all = append(all, "--"+name+"="+value)
	}
	return all
}

// Steps runs steps that may fail or ask to be called again.
type Steps struct {
	client.Client
	Steps []func(context.Context) error
}

func (r *Steps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	if delay, err := r.claim(ctx, &thing); err != nil || delay > 0 {
		return ctrl.Result{RequeueAfter: delay}, err
	}
	var errs []error
	for _, step := range r.Steps {
		if err := step(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return ctrl.Result{}, errors.Join(errs...)
	}
	var all []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.args in Update"
		all = append(all, "--"+name+"="+value)
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: all}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// claim asks to be called again while the thing is claimed.
func (r *Steps) claim(ctx context.Context, thing *thingapi.Thing) (time.Duration, error) {
	if err := r.Update(ctx, thing); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return time.Second, nil
		}
		return 0, err
	}
	return 0, nil
}

// Connections has the connections of the process.
type Connections struct {
	mu    sync.Mutex
	named map[string]func() error
}

// Get returns the connection with the name.
func (c *Connections) Get(name string) (func() error, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn, ok := c.named[name]
	return conn, ok
}

// Connected fails without a connection.
type Connected struct {
	client.Client
	Connections *Connections
}

func (r *Connected) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	if _, ok := r.Connections.Get("main"); !ok {
		return ctrl.Result{}, errors.New("not connected")
	}
	var all []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.args in Update"
		all = append(all, "--"+name+"="+value)
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: all}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// Compared compares a pointer with a value, which never equal each other.
type Compared struct{ client.Client }

func (r *Compared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	labels := map[string]string{"thing": thing.Name}
	if reflect.DeepEqual(&labels, pod.Labels) {
		return ctrl.Result{}, nil
	}
	var all []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.args in Update"
		all = append(all, "--"+name+"="+value)
	}
	pod.Labels = labels
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: all}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// Changed compares values that are equal in the end.
type Changed struct{ client.Client }

func (r *Changed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	labels := map[string]string{"thing": thing.Name}
	if reflect.DeepEqual(labels, pod.Labels) {
		return ctrl.Result{}, nil
	}
	pod.Labels = labels
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: args(thing.Spec.Config)}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// Once refuses to do twice what the pod says that it did.
type Once struct{ client.Client }

func (r *Once) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	if _, done := pod.Annotations["done"]; done {
		return ctrl.Result{}, errors.New("done already")
	}
	if delay := rest(&pod); delay > 0 {
		return ctrl.Result{RequeueAfter: delay}, nil
	}
	pod.Annotations = map[string]string{"done": "true"}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: args(thing.Spec.Config)}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// rest returns how long to wait once the pod has been given its name.
func rest(pod *corev1.Pod) time.Duration {
	if pod.Labels["thing"] == pod.Name {
		return time.Hour
	}
	return 0
}

// relation says whose a pod is.
type relation int

const (
	ours relation = iota
	nobodys
	others
)

func relationOf(pod *corev1.Pod, thing *thingapi.Thing) relation {
	switch owner := metav1.GetControllerOf(pod); {
	case owner == nil:
		return nobodys
	case owner.UID == thing.UID:
		return ours
	}
	return others
}

// Refused fails for pods of others, and for pods of nobody that are not offered.
type Refused struct{ client.Client }

func (r *Refused) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	switch relationOf(&pod, &thing) {
	case others:
		return ctrl.Result{}, errors.New("the pod belongs to others")
	case nobodys:
		if pod.Labels["offered"] != "true" {
			return ctrl.Result{}, errors.New("the pod is not offered")
		}
		pod.Labels["thing"] = thing.Name
	case ours:
	}
	var all []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.args in Update"
		all = append(all, "--"+name+"="+value)
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: all}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// LeftAlone does nothing with pods of others. A pod that it changes may become one.
type LeftAlone struct{ client.Client }

func (r *LeftAlone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	switch relationOf(&pod, &thing) {
	case others:
		return ctrl.Result{}, nil
	case nobodys:
		pod.Labels["thing"] = thing.Name
	case ours:
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: args(thing.Spec.Config)}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}
