// Package others cleans up by commands, services and clients of other kinds.
package others

import (
	"context"
	"os/exec"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
)

// CommandOfCleanUpOnDoneContext unmounts with a command that is killed before
// it starts.
func CommandOfCleanUpOnDoneContext(ctx context.Context, path string) error {
	if err := exec.CommandContext(ctx, "mount", path).Run(); err != nil {
		return err
	}
	<-ctx.Done()
	return exec.CommandContext(ctx, "umount", path).Run() // want "deadcleanup: exec.CommandContext runs on ctx, which is done here"
}

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

// ServiceIsCalledOnDoneContext releases a volume through a client such as
// gRPC's generator makes.
func ServiceIsCalledOnDoneContext(ctx context.Context, volumes VolumesClient) error {
	<-ctx.Done()
	_, err := volumes.Release(ctx, new(emptypb.Empty)) // want "deadcleanup: VolumesClient.Release runs on ctx, which is done here"
	return err
}

// DynamicClientWritesOnDoneContext deletes a resource whose type it does not
// know.
func DynamicClientWritesOnDoneContext(ctx context.Context, resources dynamic.ResourceInterface, name string) error {
	<-ctx.Done()
	return resources.Delete(ctx, name, metav1.DeleteOptions{}) // want "deadcleanup: ResourceInterface.Delete runs on ctx, which is done here"
}
