// Package marks marks nodes.
package marks

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

type Marks struct {
	Clients kubernetes.Interface
}

func (m *Marks) Remove(ctx context.Context, node string) error {
	return m.patch(ctx, node, "null")
}

func (m *Marks) patch(ctx context.Context, node, value string) error {
	body := `{"metadata":{"annotations":{"mark":` + value + `}}}`
	_, err := m.Clients.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(body), metav1.PatchOptions{})
	return err
}
