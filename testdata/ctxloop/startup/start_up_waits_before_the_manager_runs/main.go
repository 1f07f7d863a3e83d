// Command waits while it starts, with the context of its signals in hand: until
// the manager runs there is nothing that the end of the process would leave
// half done.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		return err
	}
	for range 30 {
		if exists("/certs/tls.crt") {
			return mgr.Start(ctx)
		}
		time.Sleep(2 * time.Second)
	}
	return errors.New("no certificate")
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
