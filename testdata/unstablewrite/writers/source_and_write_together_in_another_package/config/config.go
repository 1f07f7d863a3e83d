// Package config keeps the ConfigMap of a Thing.
package config

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Ensure brings the ConfigMap of thing up to date.
func Ensure(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, cm, func() error {
		var lines []string
		for k, v := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
			lines = append(lines, k+"="+v)
		}
		cm.Data = map[string]string{"env": strings.Join(lines, "\n")}
		return nil
	})
	return err
}
