// Package controller stamps a pod template to restart the pods, with and
// without a guard.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// RestartStampedWhenTheHashChanges stamps the pod template when the hash of the
// data differs from the stored one.
type RestartStampedWhenTheHashChanges struct {
	client.Client
}

func (r *RestartStampedWhenTheHashChanges) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := json.Marshal(cm.Data)
	if err != nil {
		return ctrl.Result{}, err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(raw))
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	template := &deploy.Spec.Template
	if template.Annotations["config-hash"] != hash {
		metav1.SetMetaDataAnnotation(&template.ObjectMeta, "config-hash", hash)
		metav1.SetMetaDataAnnotation(&template.ObjectMeta, "restarted-at", time.Now().Format(time.RFC3339))
	}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// RestartHelperCalledOnAChange restarts pods by a stamp, in a helper that it
// calls only when the hash of the configuration is new.
type RestartHelperCalledOnAChange struct {
	client.Client
}

func (r *RestartHelperCalledOnAChange) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := json.Marshal(thing.Spec.Config)
	if err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256(raw)
	hash := hex.EncodeToString(sum[:])
	if thing.Status.Hash == hash {
		return ctrl.Result{}, nil
	}
	if err := r.restart(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Hash = hash
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *RestartHelperCalledOnAChange) restart(ctx context.Context, req ctrl.Request) error {
	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return err
	}
	if sts.Spec.Template.Annotations == nil {
		sts.Spec.Template.Annotations = make(map[string]string)
	}
	sts.Spec.Template.Annotations["kubectl.kubernetes.io/restartedAt"] = time.Now().Format(time.RFC3339)
	return r.Update(ctx, &sts)
}

// RestartFlagCapturedByTheMutateFunction decides outside whether a restart is
// due and stamps inside the mutate function.
type RestartFlagCapturedByTheMutateFunction struct {
	client.Client
}

func (r *RestartFlagCapturedByTheMutateFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	restart := false
	if thing.Status.ObservedGeneration != thing.Generation {
		restart = true
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Replicas = thing.Spec.Replicas
		if restart {
			metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "restarted-at", time.Now().Format(time.RFC3339))
		}
		return nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// OldStampKeptUnlessSomethingChanged writes the stored stamp again unless the
// hash is new.
type OldStampKeptUnlessSomethingChanged struct {
	client.Client
}

func (r *OldStampKeptUnlessSomethingChanged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var existing corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &existing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(existing.Data["source"])))
	stamp := existing.Annotations["changed-at"]
	if existing.Annotations["hash"] != hash {
		stamp = time.Now().Format(time.RFC3339)
	}
	desired := corev1ac.ConfigMap(existing.Name, existing.Namespace).
		WithAnnotations(map[string]string{"hash": hash, "changed-at": stamp})
	return ctrl.Result{}, r.Apply(ctx, desired, client.FieldOwner("thing"), client.ForceOwnership)
}

// RestartAnnotationInEachMutate means to restart the pods when the secret
// changes, but stamps the template whenever it runs.
type RestartAnnotationInEachMutate struct {
	client.Client
}

const restartedAt = "things.example.com/restartedAt"

func (r *RestartAnnotationInEachMutate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: secret.Labels["app"], Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, deploy, func() error {
		template := &deploy.Spec.Template
		if template.Annotations == nil {
			template.Annotations = make(map[string]string)
		}
		template.Annotations[restartedAt] = time.Now().UTC().String() // want "unstablewrite: time\\.Now .*Deployment"
		return nil
	})
	return ctrl.Result{}, err
}
