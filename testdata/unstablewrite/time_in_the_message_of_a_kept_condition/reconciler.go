// Package controller uses SetStatusCondition, which keeps the transition time,
// but puts the time into the message, which is not kept.
package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	message := fmt.Sprintf("last checked at %s", time.Now().Format(time.RFC3339)) // want "unstablewrite: time\\.Now .*Thing"
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type:    "Checked",
		Status:  metav1.ConditionTrue,
		Reason:  "Checked",
		Message: message,
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
