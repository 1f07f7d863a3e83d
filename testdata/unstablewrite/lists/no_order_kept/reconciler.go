// Package controller uses cached lists in ways that do not depend on their
// order.
package controller

import (
	"context"
	"fmt"
	"strconv"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CachedListCounted counts ready pods and remembers whether all are.
type CachedListCounted struct {
	client.Client
}

func (r *CachedListCounted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	ready, all := int32(0), true
	for _, pod := range pods.Items {
		if pod.Status.Phase == corev1.PodRunning {
			ready++
		} else {
			all = false
		}
	}
	thing.Status.ReadyReplicas = ready
	thing.Status.Phase = "Progressing"
	if all {
		thing.Status.Phase = "Ready"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// CachedListKeyedByName makes maps of a cached list.
type CachedListKeyedByName struct {
	client.Client
}

func (r *CachedListKeyedByName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var nodes corev1.NodeList
	if err := r.List(ctx, &nodes); err != nil {
		return ctrl.Result{}, err
	}
	zones := lo.SliceToMap(nodes.Items, func(n corev1.Node) (string, string) {
		return n.Name, n.Labels[corev1.LabelTopologyZone]
	})
	ready := make(map[string]string, len(nodes.Items))
	for _, node := range nodes.Items {
		ready[node.Name+".ready"] = strconv.FormatBool(!node.Spec.Unschedulable)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Labels = zones
		cm.Data = ready
		return nil
	})
	return ctrl.Result{}, err
}

// CachedListSearchedForOneName searches a cached list for one object and copies
// from it.
type CachedListSearchedForOneName struct {
	client.Client
}

func (r *CachedListSearchedForOneName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var parts thingapi.PartList
	if err := r.List(ctx, &parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	for _, part := range parts.Items {
		if part.Name == thing.Spec.TargetRef {
			thing.Status.Phase = fmt.Sprintf("backed by %s of size %d", part.Name, part.Spec.Size)
			break
		}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ExactlyOneItemExpected uses the first item of a cached list after it made
// sure that there is only one.
type ExactlyOneItemExpected struct {
	client.Client
}

func (r *ExactlyOneItemExpected) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var parts thingapi.PartList
	if err := r.List(ctx, &parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if len(parts.Items) != 1 {
		return ctrl.Result{}, fmt.Errorf("%d parts, want one", len(parts.Items))
	}
	thing.Status.Phase = "Uses " + parts.Items[0].Name
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ItemsOfACachedListUpdatedEach labels each item of a cached list by itself.
type ItemsOfACachedListUpdatedEach struct {
	client.Client
}

func (r *ItemsOfACachedListUpdatedEach) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var claims corev1.PersistentVolumeClaimList
	if err := r.List(ctx, &claims, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	for i := range claims.Items {
		claim := &claims.Items[i]
		base := claim.DeepCopy()
		metav1.SetMetaDataLabel(&claim.ObjectMeta, "things.example.com/volume", claim.Spec.VolumeName)
		if err := r.Patch(ctx, claim, client.MergeFrom(base)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
