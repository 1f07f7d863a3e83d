// Tutorials writes the finished project of one of kubebuilder's tutorials.
package main

import (
	"fmt"
	"os"

	cronjob "sigs.k8s.io/kubebuilder/v4/hack/docs/internal/cronjob-tutorial"
	gettingstarted "sigs.k8s.io/kubebuilder/v4/hack/docs/internal/getting-started"
	multiversion "sigs.k8s.io/kubebuilder/v4/hack/docs/internal/multiversion-tutorial"
)

// tutorial is a part of kubebuilder that writes a project. It exits if it fails.
type tutorial interface {
	GenerateSampleProject()
	UpdateTutorial()
}

func main() {
	if len(os.Args) != 4 {
		usage()
	}
	name, kubebuilder, dir := os.Args[1], os.Args[2], os.Args[3]
	cron := cronjob.NewSample(kubebuilder, dir)
	switch name {
	case "getting-started":
		sample := gettingstarted.NewSample(kubebuilder, dir)
		write(&sample)
	case "cronjob":
		write(&cron)
	case "multiversion":
		sample := multiversion.NewSample(kubebuilder, dir)
		write(&cron)
		write(&sample)
	default:
		usage()
	}
}

func write(t tutorial) {
	t.GenerateSampleProject()
	t.UpdateTutorial()
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: tutorials getting-started|cronjob|multiversion KUBEBUILDER DIR")
	os.Exit(2)
}
