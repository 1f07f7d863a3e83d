// Package controller marshals a list of scrape jobs made from a map.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

type Reconciler struct {
	client.Client
}

type scrapeJob struct {
	Name   string `json:"name"`
	Target string `json:"target"`
}

type scrapeConfig struct {
	Jobs []scrapeJob `json:"jobs"`
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := render(&thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-scrape", Namespace: thing.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{"scrape.yaml": raw}
		return nil
	})
	return ctrl.Result{}, err
}

func render(thing *thingapi.Thing) ([]byte, error) {
	var config scrapeConfig
	for name, target := range thing.Spec.Config { // want "unstablewrite: map order .*Secret"
		config.Jobs = append(config.Jobs, scrapeJob{Name: name, Target: target})
	}
	return yaml.Marshal(config)
}
