// Command testcluster builds the control plane of the tests ahead of them, or
// runs it for a person who has no cluster at hand.
//
//	testcluster build            build what is missing; print the folder with the programs
//	testcluster up [CRDS ...]    run a cluster with these CRDs until interrupted; its pods are pretended
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "testcluster: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "build":
		dir, err := testcluster.Binaries(ctx)
		if err != nil {
			return err
		}
		fmt.Println(dir)
		return nil
	case len(args) >= 1 && args[0] == "up":
		return up(ctx, args[1:])
	}
	return fmt.Errorf("usage: testcluster build | testcluster up [CRDS ...]")
}

func up(ctx context.Context, crds []string) error {
	cluster, err := testcluster.Start(ctx, testcluster.Options{CRDs: crds})
	if err != nil {
		return err
	}
	defer cluster.Stop()
	kubeconfig, err := cluster.Kubeconfig()
	if err != nil {
		return err
	}
	fmt.Printf("export KUBECONFIG=%s\n", kubeconfig)
	<-ctx.Done()
	return nil
}
