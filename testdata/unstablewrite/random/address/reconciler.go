// Package controller identifies things by addresses or by their content.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// HashOfTheSpecAsAnnotation hashes a spec, which changes when the spec does.
type HashOfTheSpecAsAnnotation struct {
	client.Client
}

func (r *HashOfTheSpecAsAnnotation) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := json.Marshal(thing.Spec)
	if err != nil {
		return ctrl.Result{}, err
	}
	h := fnv.New32a()
	h.Write(raw)
	hash := utilrand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))

	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		metav1.SetMetaDataAnnotation(&deploy.ObjectMeta, "things.example.com/hash", hash)
		return nil
	})
	return ctrl.Result{}, err
}

// AddressOfAnObjectAsAnIdentifier uses a pointer's address as an identifier;
// each read gives another one.
type AddressOfAnObjectAsAnIdentifier struct {
	client.Client
}

func (r *AddressOfAnObjectAsAnIdentifier) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Hash = fmt.Sprintf("%s-%p", thing.Name, thing) // want "unstablewrite: .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// HashOfAPrintedStructWithPointers hashes what fmt prints of a struct; the
// pointer inside is printed as an address.
type HashOfAPrintedStructWithPointers struct {
	client.Client
}

func (r *HashOfAPrintedStructWithPointers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%v", thing.Spec))) // want "unstablewrite: .*Deployment"
	metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "spec-hash", hex.EncodeToString(sum[:8]))
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
