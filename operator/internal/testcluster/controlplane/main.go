// Command controlplane is the Kubernetes control plane of the tests in one
// binary: kube-apiserver, kube-controller-manager, kube-scheduler and etcd, told
// apart by the name under which it is started. Linked together they share nearly
// all of their code, so they are smaller and quicker to link than four binaries.
//
// It is a module of its own, because Kubernetes requires its own versions of
// the libraries that the operator uses in newer ones. Package testcluster
// builds it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
	_ "time/tzdata" // time zones of CronJobs

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if os.Getenv("TESTCLUSTER_EXIT_WITH_PARENT") != "" {
		go exitWithParent()
	}
	switch name := filepath.Base(os.Args[0]); name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		run(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		run(controllermanager.NewControllerManagerCommand())
	case "kube-scheduler":
		run(scheduler.NewSchedulerCommand())
	default:
		fmt.Fprintf(os.Stderr, "%s: start it as etcd, kube-apiserver, kube-controller-manager or kube-scheduler\n", name)
		os.Exit(2)
	}
}

// run does not return.
func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

// exitWithParent keeps a test that was killed, and so could stop nothing, from
// leaving its servers behind. The signal that Linux offers for this goes by the
// parent's thread instead of its process, and other systems have none.
func exitWithParent() {
	parent := os.Getppid()
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	os.Exit(1)
}
