// Package controller adds rules to the hosts that they are for. The hosts of one rule are a
// set of pointers.
package controller

import (
	"context"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type host struct {
	name    string
	aliases []string
	paths   []string
}

func (h *host) add(ing *networkingv1.Ingress) { h.paths = append(h.paths, ing.Spec.Rules[0].Host) }

// matching returns the hosts that the ingress is for. It makes those that are not there yet.
func matching(hosts map[string]*host, ing *networkingv1.Ingress) map[*host]bool {
	found := make(map[*host]bool)
	for _, rule := range ing.Spec.Rules {
		h, ok := hosts[rule.Host]
		if !ok {
			h = &host{name: rule.Host}
			hosts[rule.Host] = h
		}
		found[h] = true
	}
	return found
}

// Listed has the paths of a host in the order of the ingresses in the cache.
type Listed struct{ client.Client }

func (r *Listed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var list networkingv1.IngressList
	if err := r.List(ctx, &list); err != nil { // want "unstablewrite: list order reaches ConfigMap data"
		return ctrl.Result{}, err
	}
	hosts := make(map[string]*host)
	for i := range list.Items {
		ing := &list.Items[i]
		for h := range matching(hosts, ing) {
			h.add(ing)
		}
	}
	return ctrl.Result{}, write(ctx, r.Client, req, hosts)
}

// Sorted sorts the paths of each host.
type Sorted struct{ client.Client }

func (r *Sorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var list networkingv1.IngressList
	if err := r.List(ctx, &list); err != nil {
		return ctrl.Result{}, err
	}
	hosts := make(map[string]*host)
	for i := range list.Items {
		ing := &list.Items[i]
		for h := range matching(hosts, ing) {
			h.add(ing)
		}
	}
	for _, h := range hosts {
		sort.Strings(h.paths)
	}
	return ctrl.Result{}, write(ctx, r.Client, req, hosts)
}

// Once adds something to each host of a set once: the order of the set does not matter.
type Once struct{ client.Client }

func (r *Once) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ing networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ing); err != nil {
		return ctrl.Result{}, err
	}
	hosts := make(map[string]*host)
	for h := range matching(hosts, &ing) {
		h.aliases = append(h.aliases, "www."+h.name)
		for _, alias := range h.aliases {
			h.paths = append(h.paths, alias+"/")
		}
		h.add(&ing)
	}
	return ctrl.Result{}, write(ctx, r.Client, req, hosts)
}

// Members only asks whether a host is in a set.
type Members struct{ client.Client }

func (r *Members) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ing networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ing); err != nil {
		return ctrl.Result{}, err
	}
	hosts := make(map[string]*host)
	set := matching(hosts, &ing)
	for _, rule := range ing.Spec.Rules {
		if h := hosts[rule.Host]; set[h] {
			h.paths = append(h.paths, rule.Host)
		}
	}
	return ctrl.Result{}, write(ctx, r.Client, req, hosts)
}

func write(ctx context.Context, c client.Client, req ctrl.Request, hosts map[string]*host) error {
	var cm corev1.ConfigMap
	if err := c.Get(ctx, req.NamespacedName, &cm); err != nil {
		return err
	}
	cm.Data = make(map[string]string)
	for name, h := range hosts {
		cm.Data[name] = strings.Join(h.paths, ",")
	}
	return c.Update(ctx, &cm)
}
