// Package controller renders a map into text or a hash.
package controller

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ConfigFileRenderedByRangingOverAMap renders a properties file line by line in
// map order.
type ConfigFileRenderedByRangingOverAMap struct {
	client.Client
}

func (r *ConfigFileRenderedByRangingOverAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"app.properties": properties(thing.Spec.Config)}
		return controllerutil.SetControllerReference(&thing, cm, r.Scheme())
	})
	return ctrl.Result{}, err
}

func properties(config map[string]string) string {
	var b strings.Builder
	b.WriteString("# written by the operator\n")
	for key, value := range config { // want "unstablewrite: map order .*ConfigMap"
		fmt.Fprintf(&b, "%s = %s\n", key, value)
	}
	return b.String()
}

// StringConcatenatedInMapOrder glues labels to a selector string with +=, in
// map order.
type StringConcatenatedInMapOrder struct {
	client.Client
}

func (r *StringConcatenatedInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	service := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, service); err != nil {
		return ctrl.Result{}, err
	}
	selector := ""
	for k, v := range thing.Spec.Labels { // want "unstablewrite: map order .*Service"
		if selector != "" {
			selector += ","
		}
		selector += k + "=" + v
	}
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "things.example.com/selector", selector)
	return ctrl.Result{}, r.Update(ctx, service)
}

// BytesBufferHashedInMapOrder writes a map into a buffer and prints the sum of
// its bytes.
type BytesBufferHashedInMapOrder struct {
	client.Client
}

func (r *BytesBufferHashedInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	buf := new(bytes.Buffer)
	for key, value := range secret.Data { // want "unstablewrite: map order .*StatefulSet"
		buf.WriteString(key)
		buf.Write(value)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(buf.Bytes()))

	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if sts.Spec.Template.Annotations == nil {
		sts.Spec.Template.Annotations = map[string]string{}
	}
	sts.Spec.Template.Annotations["secret-sum"] = sum
	return ctrl.Result{}, r.Update(ctx, &sts)
}

// LinesWrittenByAHelperIntoAWriter lets a helper write a map into whatever
// writer it is given.
type LinesWrittenByAHelperIntoAWriter struct {
	client.Client
}

func writeMap(w io.Writer, m map[string]string) {
	for k, v := range m { // want "unstablewrite: map order .*ConfigMap"
		fmt.Fprintf(w, "%s: %s\n", k, v)
	}
}

func (r *LinesWrittenByAHelperIntoAWriter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	var out bytes.Buffer
	out.WriteString("settings:\n")
	writeMap(&out, thing.Spec.Config)
	cm.Data = map[string]string{"settings.yaml": out.String()}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// HashOfValuesWrittenInMapOrder hashes the data of a ConfigMap in map order;
// the checksum annotation, made to restart pods on changes, restarts them
// always.
type HashOfValuesWrittenInMapOrder struct {
	client.Client
}

func (r *HashOfValuesWrittenInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	before := deploy.DeepCopy()
	if deploy.Spec.Template.Annotations == nil {
		deploy.Spec.Template.Annotations = map[string]string{}
	}
	deploy.Spec.Template.Annotations["checksum/config"] = checksum(cm.Data)
	return ctrl.Result{}, r.Patch(ctx, deploy, client.MergeFrom(before))
}

func checksum(data map[string]string) string {
	h := sha256.New()
	for k, v := range data { // want "unstablewrite: map order .*Deployment"
		h.Write([]byte(k))
		h.Write([]byte(v))
	}
	return hex.EncodeToString(h.Sum(nil))
}
