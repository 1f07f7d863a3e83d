// Package controller joins what a loop counts.
package controller

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var reserved = map[string]bool{"host": true, "port": true}

// JoinedIfThereAreAny joins the options if there are any.
type JoinedIfThereAreAny struct {
	client.Client
	Options map[string]string
}

func (r *JoinedIfThereAreAny) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	rows := make([]string, len(r.Options))
	n := 0
	for name, value := range r.Options { // want "unstablewrite: map order reaches ConfigMap data"
		if _, taken := reserved[name]; !taken {
			rows[n] = name + "=" + value
			n++
		}
	}
	text := ""
	if n > 0 {
		text = "?" + strings.Join(rows[:n], "&")
	}
	cm.Data = map[string]string{"options": text}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// JoinedIfOneHasChanged joins them if the object has another value of one.
type JoinedIfOneHasChanged struct {
	client.Client
	Options map[string]string
}

func (r *JoinedIfOneHasChanged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var rows []string
	n := 0
	for name, value := range r.Options {
		rows = append(rows, name+"="+value)
		if cm.Data[name] != value {
			cm.Data[name] = value
			n++
		}
	}
	if n > 0 {
		cm.Data["options"] = strings.Join(rows, "&")
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
