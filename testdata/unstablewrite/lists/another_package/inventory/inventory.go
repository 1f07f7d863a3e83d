// Package inventory looks things up in the cluster.
package inventory

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Subjects returns the service accounts of a namespace as subjects.
func Subjects(ctx context.Context, c client.Client, namespace string) ([]rbacv1.Subject, error) {
	var accounts corev1.ServiceAccountList
	if err := c.List(ctx, &accounts, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	subjects := make([]rbacv1.Subject, 0, len(accounts.Items))
	for _, account := range accounts.Items {
		subjects = append(subjects, rbacv1.Subject{Kind: "ServiceAccount", Name: account.Name, Namespace: account.Namespace})
	}
	return subjects, nil
}
