// Package volume releases a volume through a client such as gRPC's generator
// makes.
package volume

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type VolumesClient interface {
	Release(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error)
}

type volumesClient struct {
	cc grpc.ClientConnInterface
}

func NewVolumesClient(cc grpc.ClientConnInterface) VolumesClient {
	return &volumesClient{cc}
}

func (c *volumesClient) Release(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error) {
	out := new(emptypb.Empty)
	err := c.cc.Invoke(ctx, "/volumes.Volumes/Release", in, out, opts...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func Serve(ctx context.Context, volumes VolumesClient) error {
	<-ctx.Done()
	_, err := volumes.Release(ctx, new(emptypb.Empty)) // want "deadcleanup: VolumesClient.Release runs on ctx, which is done here"
	return err
}
