// Package volume takes back what it did where a service refuses. Its answer comes
// soon, one way or the other.
package volume

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type VolumesClient interface {
	Resize(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error)
}

type Volumes struct {
	client.Client
	Service VolumesClient
}

func (v *Volumes) Resize(ctx context.Context, claim *corev1.PersistentVolumeClaim) (err error) {
	before := claim.DeepCopy()
	defer func() {
		if err != nil {
			_ = v.Patch(ctx, before, client.MergeFrom(claim))
		}
	}()
	claim.Labels["resizing"] = "true"
	if err := v.Update(ctx, claim); err != nil {
		return err
	}
	_, err = v.Service.Resize(ctx, new(emptypb.Empty))
	return err
}
