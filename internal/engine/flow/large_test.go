package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestLargeReconcilers analyses reconcilers of many lines. They are analysed whole: the
// time that their last lines write is seen, and that of their first ones, under a
// guard, is not.
func TestLargeReconcilers(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{600, 2000} {
		t.Run(fmt.Sprint(lines), func(t *testing.T) {
			t.Parallel()
			got := enginetest.Text(t, largeReconciler(lines), flow.Analyzer, func(w *text.Writer, p *enginetest.Package) {
				result := p.ResultOf[flow.Analyzer].(*flow.Package)
				for _, fn := range p.Funcs() {
					if fn.Name() == "Reconcile" {
						result.Debug(w.Func(p.Fset, fn), fn)
					}
				}
			})
			if i := strings.Index(got, "in part"); i >= 0 {
				t.Error(strings.TrimSpace(strings.SplitN(got[i:], "\n", 2)[0]))
			}
			if strings.Count(got, `field .Data["last"]: clock time.Now`) != 1 {
				t.Error("the time that the last lines write is not seen")
			}
			if strings.Contains(got, `field .Data["first"]: clock`) {
				t.Error("a time that is written under a guard is taken for one that is written each time")
			}
		})
	}
}

// largeReconciler returns a package with a Reconcile of some lines. It has many steps,
// in each of which it reads a child, changes it under conditions and in loops, and
// writes it, itself or in one of a few helpers. In each step but the first, the status
// gets more.
func largeReconciler(lines int) string {
	var b strings.Builder
	b.WriteString(`package a

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type reconciler struct{ client.Client }

func (r *reconciler) apply(ctx context.Context, owner *corev1.Pod, cm *corev1.ConfigMap) error {
	if err := controllerutil.SetControllerReference(owner, cm, nil); err != nil {
		return err
	}
	found := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(cm), found); apierrors.IsNotFound(err) {
		return r.Create(ctx, cm)
	} else if err != nil {
		return err
	}
	if equality.Semantic.DeepEqual(found.Data, cm.Data) {
		return nil
	}
	found.Data = cm.Data
	return r.Update(ctx, found)
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	started := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, started); err != nil {
		return reconcile.Result{}, err
	}
	if started.Data["first"] == "" {
		started.Data["first"] = time.Now().String()
		if err := r.Update(ctx, started); err != nil {
			return reconcile.Result{}, err
		}
	}
`)
	for i := 0; strings.Count(b.String(), "\n") < lines-8; i++ {
		fmt.Fprintf(&b, step, i)
	}
	b.WriteString(`	last := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	last.Data = map[string]string{"last": time.Now().String()}
	if err := r.Update(ctx, last); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.Status().Update(ctx, pod)
}
`)
	return b.String()
}

// step is a step of a large reconciler. Its number is the only argument.
const step = `
	cm%[1]d := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%%s-%[1]d", pod.Name), Namespace: pod.Namespace}}
	cm%[1]d.Data = map[string]string{"image": pod.Annotations["image-%[1]d"]}
	for k, v := range pod.Annotations {
		if v != "" {
			cm%[1]d.Data[k] = v
		}
	}
	for _, c := range pod.Spec.Containers {
		if c.Name == "" {
			continue
		}
		cm%[1]d.Data[c.Name] = c.Image
	}
	if err := r.apply(ctx, pod, cm%[1]d); err != nil {
		pod.Status.Phase = corev1.PodPhase(err.Error())
		if err := r.Status().Update(ctx, pod); err != nil {
			return reconcile.Result{}, err
		}
		return reconcile.Result{}, err
	}
	secret%[1]d := &corev1.Secret{ObjectMeta: cm%[1]d.ObjectMeta}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret%[1]d, func() error {
		secret%[1]d.StringData = cm%[1]d.Data
		return controllerutil.SetControllerReference(pod, secret%[1]d, nil)
	}); err != nil {
		return reconcile.Result{}, err
	}
	if pod.Annotations["done-%[1]d"] != "true" {
		pod.Annotations["done-%[1]d"] = "true"
		if err := r.Update(ctx, pod); err != nil {
			return reconcile.Result{}, err
		}
	}
`

// TestSourceBehindManyObjects analyses a function that returns more objects than a summary
// has. The time in the last one is seen where all of them are written.
func TestSourceBehindManyObjects(t *testing.T) {
	t.Parallel()
	got := enginetest.Text(t, manyObjects(15), flow.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[flow.Analyzer].(*flow.Package)
		for _, fn := range p.Funcs() {
			if fn.Name() == "apply" {
				result.Debug(w.Func(p.Fset, fn), fn)
			}
		}
	})
	if strings.Count(got, "field .Spec.Containers[].Env[].Value: clock time.Now") != 1 {
		t.Error("the time in the last object is not seen")
	}
}

// manyObjects returns a package that writes this many objects and one more. Each of them has
// parts of its own.
func manyObjects(n int) string {
	return `package a

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func pod(name, value string) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Command:      []string{name},
		Args:         []string{name},
		VolumeMounts: []corev1.VolumeMount{{Name: name}},
		Env:          []corev1.EnvVar{{Name: name, Value: value}},
	}}}}
}

func all(name string) []client.Object {
	var objs []client.Object
` + strings.Repeat("	objs = append(objs, pod(name, name))\n", n) + `	return append(objs, pod(name, time.Now().String()))
}

func apply(ctx context.Context, c client.Client, name string) error {
	for _, obj := range all(name) {
		if err := c.Update(ctx, obj); err != nil {
			return err
		}
	}
	return nil
}
`
}
