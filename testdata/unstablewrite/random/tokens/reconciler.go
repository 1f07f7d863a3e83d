// Package controller draws tokens and ids.
package controller

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiluuid "k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	crcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// UUIDDerivedFromTheName derives a UUID from the object's own UID, the same on
// each pass.
type UUIDDerivedFromTheName struct {
	client.Client
}

func (r *UUIDDerivedFromTheName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	id := uuid.NewSHA1(uuid.NameSpaceDNS, []byte(thing.UID))
	cm.Data = map[string]string{"cluster-id": id.String()}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// UUIDInTheDataOfAConfigMap renders a new cluster id whenever it renders the
// config.
type UUIDInTheDataOfAConfigMap struct {
	client.Client
}

func (r *UUIDInTheDataOfAConfigMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{
		"cluster.yaml": fmt.Sprintf("name: %s\nid: %s\n", thing.Name, uuid.New().String()), // want "unstablewrite: uuid\\.New .*ConfigMap"
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// RandomTokenFromLoInAnArgument passes a random token as an argument.
type RandomTokenFromLoInAnArgument struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *RandomTokenFromLoInAnArgument) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	sts, err := r.Clientset.AppsV1().StatefulSets(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	main := &sts.Spec.Template.Spec.Containers[0]
	main.Args = []string{"--token", lo.RandomString(16, lo.AlphanumericCharset)} // want "unstablewrite: lo\\.RandomString .*StatefulSet"
	_, err = r.Clientset.AppsV1().StatefulSets(req.Namespace).Update(ctx, sts, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

// RenewedWhereTwoGeneratedValuesDiffer renews a token if two that it has just
// made differ, which they always do.
type RenewedWhereTwoGeneratedValuesDiffer struct {
	client.Client
}

func (r *RenewedWhereTwoGeneratedValuesDiffer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	token := uuid.NewString() // want "unstablewrite: uuid.NewString reaches Secret .*in Update"
	if differs(token, uuid.NewString()) {
		secret.StringData = map[string]string{"token": token}
		if err := r.Update(ctx, &secret); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func differs(a, b string) bool { return a != b }

// TraceIdOfEachPassInTheStatus gives each pass an id and stores it in the
// status.
type TraceIdOfEachPassInTheStatus struct {
	client.Client
}

func (r *TraceIdOfEachPassInTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pass := string(utiluuid.NewUUID()) // want "unstablewrite: uuid\\.NewUUID .*Thing"
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("pass", pass))

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	log.FromContext(ctx).Info("reconciling")
	thing.Status.Phase = "reconciled-by-" + pass
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// IDOfTheReconcile tells which reconcile has written last.
type IDOfTheReconcile struct {
	client.Client
}

func (r *IDOfTheReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm.Data = map[string]string{"written-by": string(crcontroller.ReconcileIDFromContext(ctx))} // want "unstablewrite: controller\\.ReconcileIDFromContext reaches ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}
