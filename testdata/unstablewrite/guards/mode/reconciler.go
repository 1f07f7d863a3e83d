// Package controller writes times under conditions that the write does not turn
// off, and under some that it does.
package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StampedUnlessPaused goes on unless a user has paused the Thing.
type StampedUnlessPaused struct {
	client.Client
}

func (r *StampedUnlessPaused) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Annotations["things.example.com/paused"] != "" {
		return ctrl.Result{}, nil
	}
	thing.Annotations["things.example.com/seen"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// StampedOnceByAnAnnotation goes on unless it has set the annotation itself.
type StampedOnceByAnAnnotation struct {
	client.Client
}

func (r *StampedOnceByAnAnnotation) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Annotations["things.example.com/begun"] != "" {
		return ctrl.Result{}, nil
	}
	thing.Annotations["things.example.com/begun"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// StampedOnceChecked goes on once a check has set the annotation.
type StampedOnceChecked struct {
	client.Client
}

func (r *StampedOnceChecked) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.check(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	if thing.Annotations["things.example.com/checked"] != "true" {
		return ctrl.Result{}, nil
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data["checkedAt"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func (r *StampedOnceChecked) check(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Annotations["things.example.com/checked"] != "" || len(thing.Spec.Hosts) == 0 {
		return nil
	}
	checked := thing.DeepCopy()
	checked.Annotations["things.example.com/checked"] = "true"
	return r.Update(ctx, checked)
}

// MigratedOnce marks the Thing in the function that calls the step.
type MigratedOnce struct {
	client.Client
}

func (r *MigratedOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.migrate(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	thing.Annotations["things.example.com/migrated"] = "true"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func (r *MigratedOnce) migrate(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Annotations["things.example.com/migrated"] == "true" {
		return nil
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, client.ObjectKeyFromObject(thing), &cm); err != nil {
		return err
	}
	cm.Data["migratedAt"] = time.Now().String()
	return r.Update(ctx, &cm)
}

// StampedWhileReady waits until the Deployment has ready replicas.
type StampedWhileReady struct {
	client.Client
}

func (r *StampedWhileReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !ready(&deploy) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data["readyAt"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func ready(deploy *appsv1.Deployment) bool {
	for _, cond := range deploy.Status.Conditions {
		if cond.Type == appsv1.DeploymentAvailable && cond.Status == corev1.ConditionTrue {
			return deploy.Status.ReadyReplicas > 0
		}
	}
	return false
}

// RestartedWhileNotReady restarts the pods of a Deployment without ready ones: the
// write changes what it asks for.
type RestartedWhileNotReady struct {
	client.Client
}

func (r *RestartedWhileNotReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !ready(&deploy) {
		deploy.Spec.Template.Annotations["things.example.com/restartedAt"] = time.Now().String()
		return ctrl.Result{}, r.Update(ctx, &deploy)
	}
	return ctrl.Result{}, nil
}

// StampedInOneMode asks the environment.
type StampedInOneMode struct {
	client.Client
}

func (r *StampedInOneMode) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if stamps() {
		cm.Data["at"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func stamps() bool { return os.Getenv("STAMP") == "true" }

const heldLabel = "things.example.com/held"

// StampedUnlessHeld says in an event why it does nothing.
type StampedUnlessHeld struct {
	client.Client
	Events record.EventRecorder
}

func (r *StampedUnlessHeld) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if v, ok := thing.Labels[heldLabel]; ok && v == "true" {
		r.Events.Event(&thing, corev1.EventTypeNormal, "Held", fmt.Sprintf("label %q is set", heldLabel))
		return ctrl.Result{}, nil
	}
	thing.Annotations["things.example.com/seen"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

const takenLabel = "things.example.com/taken"

// StampedOnceByAPatch has set the label in a patch.
type StampedOnceByAPatch struct {
	client.Client
}

func (r *StampedOnceByAPatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Labels[takenLabel] != "" {
		return ctrl.Result{}, nil
	}
	patch := fmt.Sprintf(`{"metadata":{"labels":{%q:"yes"}}}`, takenLabel)
	if err := r.Patch(ctx, &thing, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		return ctrl.Result{}, err
	}
	thing.Annotations["things.example.com/taken-at"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// StampedUnlessOff goes on unless a user has switched it off, which a function of the
// annotation says.
type StampedUnlessOff struct {
	client.Client
	said []string
}

func (r *StampedUnlessOff) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if isOn(thing.Annotations[offAnnotation]) {
		r.say("annotation %s is set", offAnnotation)
		return ctrl.Result{}, nil
	}
	thing.Annotations["things.example.com/seen"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

const (
	offAnnotation  = "things.example.com/off"
	doneAnnotation = "things.example.com/done"
)

func isOn(value string) bool {
	return strings.EqualFold(value, "yes") || strings.EqualFold(value, "true")
}

func (r *StampedUnlessOff) say(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// StampedUnlessDone goes on unless it has said in an annotation that it is done.
type StampedUnlessDone struct {
	client.Client
}

func (r *StampedUnlessDone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if isOn(thing.Annotations[doneAnnotation]) {
		return ctrl.Result{}, nil
	}
	thing.Annotations[doneAnnotation] = "yes"
	thing.Annotations["things.example.com/doneAt"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// StampedWhenReady has a result with a name, and stores its status when it returns.
type StampedWhenReady struct {
	client.Client
}

func (r *StampedWhenReady) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() { err = errors.Join(err, r.Status().Update(ctx, &deploy)) }()
	result, err = waitUntilReady(&deploy)
	if err != nil || (result != ctrl.Result{}) {
		return result, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data["readyAt"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// StampedOnceForAll waits for long once there is a stamp.
type StampedOnceForAll struct {
	client.Client
}

func (r *StampedOnceForAll) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() { err = errors.Join(err, r.Status().Update(ctx, &deploy)) }()
	result, err = waitForStamp(&deploy)
	if err != nil || (result != ctrl.Result{}) {
		return result, err
	}
	deploy.Annotations["things.example.com/stamp"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

func waitUntilReady(deploy *appsv1.Deployment) (ctrl.Result, error) {
	if !ready(deploy) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, nil
}

func waitForStamp(deploy *appsv1.Deployment) (ctrl.Result, error) {
	if deploy.Annotations["things.example.com/stamp"] != "" {
		return ctrl.Result{RequeueAfter: time.Hour}, nil
	}
	return ctrl.Result{}, nil
}

// StampedOnceSynced goes on once its cache has been filled.
type StampedOnceSynced struct {
	client.Client
	synced chan struct{}
	asked  chan struct{}
}

func newStampedOnceSynced(c client.Client) *StampedOnceSynced {
	return &StampedOnceSynced{Client: c, synced: make(chan struct{}), asked: make(chan struct{}, 1)}
}

// Start fills the cache.
func (r *StampedOnceSynced) Start(context.Context) error {
	close(r.synced)
	r.asked <- struct{}{}
	return nil
}

func (r *StampedOnceSynced) isSynced() bool {
	select {
	case <-r.synced:
		return true
	default:
		return false
	}
}

func (r *StampedOnceSynced) isAsked() bool {
	select {
	case <-r.asked:
		return true
	default:
		return false
	}
}

func (r *StampedOnceSynced) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !r.isSynced() {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	cm.Data["syncedAt"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	if r.isAsked() {
		cm.Data["askedAt"] = time.Now().String()
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// StampedWhereEqual goes on for each Thing whose image is there, and for those that ask for
// none.
type StampedWhereEqual struct {
	client.Client
}

func (r *StampedWhereEqual) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if differs(&thing) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	thing.Annotations["things.example.com/equalAt"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func differs(thing *thingapi.Thing) bool {
	if thing == nil {
		return false
	}
	if thing.Spec.Image == "" {
		return false
	}
	return thing.Status.Hash != thing.Spec.Image
}

// settings are read once, when the process starts. Of state, reconcilers remember
// something.
var (
	settings = struct{ Stamp bool }{Stamp: os.Getenv("STAMP") == "true"}
	state    struct{ stamped bool }
)

// StampedIfSet stamps if the process is set to.
type StampedIfSet struct {
	client.Client
}

func (r *StampedIfSet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !settings.Stamp {
		return ctrl.Result{}, nil
	}
	cm.Data["at"] = time.Now().String() // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// StampedOnceForTheProcess stamps one time while the process runs.
type StampedOnceForTheProcess struct {
	client.Client
}

func (r *StampedOnceForTheProcess) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if state.stamped {
		return ctrl.Result{}, nil
	}
	state.stamped = true
	cm.Data["at"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &cm)
}
