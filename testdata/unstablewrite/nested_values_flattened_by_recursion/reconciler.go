// Package controller flattens nested values by recursion, in map order on every
// level.
package controller

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(cm.Data["values.yaml"]), &values); err != nil {
		return ctrl.Result{}, err
	}
	var lines []string
	flatten("", values, &lines)
	cm.Data["values.properties"] = strings.Join(lines, "\n")
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func flatten(prefix string, values map[string]any, lines *[]string) {
	for key, value := range values { // want "unstablewrite: map order .*ConfigMap"
		if nested, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", nested, lines)
			continue
		}
		*lines = append(*lines, fmt.Sprintf("%s%s=%v", prefix, key, value))
	}
}
