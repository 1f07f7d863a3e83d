// Package controller chooses and shuffles.
package controller

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// RandomPodDeleted deletes a pod that it chose at random; a deletion stores
// nothing.
type RandomPodDeleted struct {
	client.Client
}

func (r *RandomPodDeleted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if len(pods.Items) < 2 {
		return ctrl.Result{}, nil
	}
	victim := &pods.Items[rand.Intn(len(pods.Items))]
	return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, victim))
}

// ShuffledHostsAreOnlyTried tries hosts in random order and writes how many
// answered, which does not depend on the order.
type ShuffledHostsAreOnlyTried struct {
	client.Client
	Reachable func(ctx context.Context, host string) bool
}

func (r *ShuffledHostsAreOnlyTried) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	order := rand.Perm(len(thing.Spec.Hosts))
	up := int32(0)
	for _, i := range order {
		if r.Reachable(ctx, thing.Spec.Hosts[i]) {
			up++
		}
	}
	thing.Status.ReadyReplicas = up
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// RandomGeneratorSeededWithTheUID spreads schedules by a generator seeded with
// the UID: the same minute on each pass.
type RandomGeneratorSeededWithTheUID struct {
	client.Client
}

func (r *RandomGeneratorSeededWithTheUID) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	h := fnv.New64a()
	h.Write([]byte(thing.UID))
	minute := rand.New(rand.NewSource(int64(h.Sum64()))).Intn(60)

	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		job.Spec.Schedule = fmt.Sprintf("%d * * * *", minute)
		return nil
	})
	return ctrl.Result{}, err
}

// HostsShuffledToSpreadTheLoad shuffles the servers in the rendered config to
// spread load, and thereby reloads the proxies on each pass.
type HostsShuffledToSpreadTheLoad struct {
	client.Client
}

func (r *HostsShuffledToSpreadTheLoad) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hosts := slices.Clone(thing.Spec.Hosts)
	rand.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] }) // want "unstablewrite: rand\\.Shuffle .*ConfigMap"
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"servers": strings.Join(hosts, "\n")}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
