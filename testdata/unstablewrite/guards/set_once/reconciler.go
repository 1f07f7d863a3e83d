// Package controller stamps what has no stamp yet, or asks a question that
// proves nothing.
package controller

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CreatedAtAnnotationIfThereIsNone stamps an annotation once.
type CreatedAtAnnotationIfThereIsNone struct {
	client.Client
}

const firstSeen = "things.example.com/first-seen"

func (r *CreatedAtAnnotationIfThereIsNone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, ok := service.Annotations[firstSeen]; !ok {
		if service.Annotations == nil {
			service.Annotations = make(map[string]string)
		}
		service.Annotations[firstSeen] = time.Now().Format(time.RFC3339)
	}
	service.Spec.PublishNotReadyAddresses = true
	return ctrl.Result{}, r.Update(ctx, &service)
}

// EarlyReturnWhenTheTimeIsSet leaves early when the time is there already.
type EarlyReturnWhenTheTimeIsSet struct {
	client.Client
}

func (r *EarlyReturnWhenTheTimeIsSet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.Status.LastSync.IsZero() {
		return ctrl.Result{}, nil
	}
	thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// StartTimeInTheStatusIfItIsNil sets a time in the status while it is nil.
type StartTimeInTheStatusIfItIsNil struct {
	client.Client
}

func (r *StartTimeInTheStatusIfItIsNil) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.LastSync == nil {
		now := metav1.Now()
		thing.Status.LastSync = &now
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// MutateReturnsEarlyWhenTheKeyIsThere leaves the mutate function early when the
// data is there.
type MutateReturnsEarlyWhenTheKeyIsThere struct {
	client.Client
}

func (r *MutateReturnsEarlyWhenTheKeyIsThere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		if _, ok := secret.Data["key.pem"]; ok {
			return nil
		}
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		der, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			return err
		}
		secret.Data = map[string][]byte{"key.pem": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})}
		return nil
	})
	return ctrl.Result{}, err
}

// StampedAgainOnlyAfterAnInterval renews a stamp once per interval; in between
// it leaves early.
type StampedAgainOnlyAfterAnInterval struct {
	client.Client
}

const resync = 10 * time.Minute

func (r *StampedAgainOnlyAfterAnInterval) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if last := thing.Status.LastSync; last != nil && time.Since(last.Time) < resync {
		return ctrl.Result{RequeueAfter: resync - time.Since(last.Time)}, nil
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{RequeueAfter: resync}, r.Status().Update(ctx, &thing)
}

// StampGuardedByATestThatIsAlwaysTrue asks whether the stamp differs from the
// stored one, which it always does.
type StampGuardedByATestThatIsAlwaysTrue struct {
	client.Client
}

func (r *StampGuardedByATestThatIsAlwaysTrue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	updated := cm.DeepCopy()
	metav1.SetMetaDataAnnotation(&updated.ObjectMeta, "checked-at", time.Now().Format(time.RFC3339)) // want "unstablewrite: time\\.Now .*ConfigMap"
	if !equality.Semantic.DeepEqual(&cm, updated) {
		return ctrl.Result{}, r.Update(ctx, updated)
	}
	return ctrl.Result{}, nil
}

// AnnotationsOfANewObject gives a Service the annotations that its caller wants when it
// is new. It keeps its labels as they are wanted.
type AnnotationsOfANewObject struct {
	client.Client
}

func (r *AnnotationsOfANewObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	wanted := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	wanted.Annotations = map[string]string{"made-at": time.Now().Format(time.RFC3339)}
	if err := r.apply(ctx, wanted); err != nil {
		return ctrl.Result{}, err
	}
	wanted.Labels = map[string]string{"seen-at": time.Now().Format(time.RFC3339Nano)} // want "unstablewrite: time\\.Now .*Service"
	return ctrl.Result{}, r.apply(ctx, wanted)
}

func (r *AnnotationsOfANewObject) apply(ctx context.Context, wanted *corev1.Service) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: wanted.Name, Namespace: wanted.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		if service.CreationTimestamp.IsZero() {
			service.Annotations = wanted.Annotations
		}
		service.Labels = wanted.Labels
		return nil
	})
	return err
}
