// Package controller prints and marshals maps, and lists made from maps.
package controller

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

// JSONOfAMapHasSortedKeys marshals a map to JSON, whose keys come out sorted.
type JSONOfAMapHasSortedKeys struct {
	client.Client
}

func (r *JSONOfAMapHasSortedKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	settings := map[string]any{"name": thing.Name, "labels": thing.Spec.Labels}
	for k, v := range thing.Spec.Config {
		settings[k] = v
	}
	raw, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return ctrl.Result{}, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"settings.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// YAMLAndHashOfAMap marshals a map to YAML and hashes the bytes; both are the
// same for the same map.
type YAMLAndHashOfAMap struct {
	client.Client
}

func (r *YAMLAndHashOfAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := yaml.Marshal(thing.Spec.Config)
	if err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256(raw)
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "config-hash", hex.EncodeToString(sum[:]))
		return nil
	})
	return ctrl.Result{}, err
}

// MapPrintedByFmt prints a map with fmt, which sorts the keys.
type MapPrintedByFmt struct {
	client.Client
}

func (r *MapPrintedByFmt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, err
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%v %s", thing.Spec.Config, labels.Set(thing.Spec.Labels))
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "config", fmt.Sprint(thing.Spec.Config))
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "config-hash", fmt.Sprintf("%08x", h.Sum32()))
	return ctrl.Result{}, r.Update(ctx, &service)
}

// NestedListSortedBeforeItIsMarshalled fills a configuration in map order and
// sorts it before it is marshalled.
type NestedListSortedBeforeItIsMarshalled struct {
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

func (r *NestedListSortedBeforeItIsMarshalled) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// ListEncodedByAJSONEncoder encodes a list in map order by a json.Encoder.
type ListEncodedByAJSONEncoder struct {
	client.Client
}

type target struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func (r *ListEncodedByAJSONEncoder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	targets := []target{}
	for name, url := range thing.Spec.Config { // want "unstablewrite: map order .*Secret"
		targets = append(targets, target{Name: name, URL: url})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(targets); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{"targets.json": out.Bytes()}
		return nil
	})
	return ctrl.Result{}, err
}

// YAMLOfAListInMapOrder marshals a list of scrape jobs made from a map.
type YAMLOfAListInMapOrder struct {
	client.Client
}

type scrapeJob struct {
	Name   string `json:"name"`
	Target string `json:"target"`
}

type scrapeConfig struct {
	Jobs []scrapeJob `json:"jobs"`
}

func (r *YAMLOfAListInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
