// Package install waits for what a process needs before its controllers can
// run. It has a context in its hands, but who calls it is not to be seen here.
package install

import (
	"context"
	"errors"
	"net"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Step is something to be done before the controllers run.
type Step interface {
	Run(ctx context.Context, kube client.Client) error
}

// Definitions waits until all definitions are there.
type Definitions struct {
	Names   []string
	Timeout time.Duration
}

func (d *Definitions) Run(ctx context.Context, kube client.Client) error {
	timeout := time.After(d.Timeout)
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			missing := 0
			for _, name := range d.Names {
				crd := &apiextensionsv1.CustomResourceDefinition{}
				if err := kube.Get(ctx, client.ObjectKey{Name: name}, crd); apierrors.IsNotFound(err) {
					missing++
				} else if err != nil {
					return err
				}
			}
			if missing == 0 {
				return nil
			}
		case <-timeout:
			return errors.New("no definitions")
		}
	}
}

// Established waits in a helper for one definition.
func Established(ctx context.Context, kube client.Client, name string) error {
	for range 60 {
		if established(ctx, kube, name) {
			return nil
		}
		time.Sleep(5 * time.Second)
	}
	return errors.New("not established")
}

func established(ctx context.Context, kube client.Client, name string) bool {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	return kube.Get(ctx, client.ObjectKey{Name: name}, crd) == nil && len(crd.Status.Conditions) > 0
}

// Serve binds its port, which may still be another process's, and serves.
func Serve(ctx context.Context, addr string) error {
	var ln net.Listener
	err := wait.ExponentialBackoff(wait.Backoff{Steps: 6, Duration: time.Second, Factor: 2}, func() (bool, error) {
		var err error
		ln, err = net.Listen("tcp", addr)
		return err == nil, nil
	})
	if err != nil {
		return err
	}
	go func() {
		for { // want "ctxloop: .*never observes"
			time.Sleep(time.Minute)
			probe(ln.Addr())
		}
	}()
	<-ctx.Done()
	return ln.Close()
}

func probe(net.Addr) {}

// Ready waits for pods, which tells nothing of when it is called.
func Ready(ctx context.Context, kube client.Client, ready func(client.Client) bool) {
	for !ready(kube) { // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
}
