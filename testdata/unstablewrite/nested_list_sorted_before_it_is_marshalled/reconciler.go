// Package controller fills a configuration in map order and sorts it before it
// is marshalled.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

type Reconciler struct {
	client.Client
}

type server struct {
	Name string `json:"name"`
}

type config struct {
	HTTP struct {
		Servers []server `json:"servers"`
	} `json:"http"`
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cfg config
	for name := range thing.Spec.Config {
		cfg.HTTP.Servers = append(cfg.HTTP.Servers, server{Name: name})
	}
	sort.Slice(cfg.HTTP.Servers, func(i, j int) bool { return cfg.HTTP.Servers[i].Name < cfg.HTTP.Servers[j].Name })
	raw, err := yaml.Marshal(cfg)
	if err != nil {
		return ctrl.Result{}, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"config.yaml": string(raw)}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
