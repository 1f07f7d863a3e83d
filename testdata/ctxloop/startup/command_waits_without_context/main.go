// Command waits in main, in init and in functions of a command line, which no
// context reaches, and before its manager runs, when there is nothing to stop.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

var token = flag.String("token", "/var/run/token", "file that must exist")

func init() {
	for os.Getenv("WAIT_FOR_DEBUGGER") != "" {
		time.Sleep(10 * time.Second)
	}
}

func main() {
	flag.Parse()
	if flag.Arg(0) == "wait" {
		if err := awaitFile(*token); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for i := 0; i < 30; i++ {
		if _, err := os.Stat(*token); err == nil {
			break
		}
		time.Sleep(2 * time.Second)
	}
	ctx := ctrl.SetupSignalHandler()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		os.Exit(1)
	}
	if err := mgr.Start(ctx); err != nil {
		os.Exit(1)
	}
}

func awaitFile(name string) error {
	return wait.PollImmediate(5*time.Second, 10*time.Minute, func() (bool, error) {
		_, err := os.Stat(name)
		return err == nil, nil
	})
}
