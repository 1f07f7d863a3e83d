package testcluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOneBuildsAndTheOtherWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}

	tired, cancel := context.WithCancel(t.Context())
	if _, err := lock(tired, path, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting in vain: %v", err)
	}

	waiting, done := make(chan struct{}), make(chan error)
	go func() {
		unlock, err := lock(t.Context(), path, func() { close(waiting) })
		if err == nil {
			unlock()
		}
		done <- err
	}()
	<-waiting
	unlock()
	if err := <-done; err != nil {
		t.Errorf("after the holder is done: %v", err)
	}
}

func TestBuildTakesNoFlagsOfTheUsers(t *testing.T) {
	t.Parallel()
	for goflags, want := range map[string]string{"": "", "-mod=mod -race": "", "-buildvcs=false -p=2": "-p=2"} {
		if got := parallelism(goflags); got != want {
			t.Errorf("parallelism(%q) = %q, want %q", goflags, got, want)
		}
	}
}

func TestVersionIsTheOneThatIsBuilt(t *testing.T) {
	t.Parallel()
	gomod, err := os.ReadFile(filepath.Join("controlplane", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if require := "\tk8s.io/kubernetes " + kubernetesVersion + "\n"; !strings.Contains(string(gomod), require) {
		t.Errorf("controlplane/go.mod does not require%s", require)
	}
}

// Assets without a controller manager, as setup-envtest's are, must not make tests
// pass by leaving out all that needs a pod.
func TestIncompleteAssetsAreNotUsed(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "")
	built, err := Binaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		programs []string
		used     bool
	}{
		"setup-envtest's": {[]string{"etcd", "kube-apiserver"}, false},
		"no scheduler":    {[]string{"etcd", "kube-apiserver", "kube-controller-manager"}, false},
		"all":             {componentNames[:], true},
	} {
		assets := t.TempDir()
		for _, program := range row.programs {
			if err := os.Symlink(filepath.Join(built, program), filepath.Join(assets, program)); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("KUBEBUILDER_ASSETS", assets)
		want := built
		if row.used {
			want = assets
		}
		if got, err := Binaries(t.Context()); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}

	t.Setenv("KUBEBUILDER_ASSETS", filepath.Join(t.TempDir(), "none"))
	if _, err := Binaries(t.Context()); err == nil || !strings.Contains(err.Error(), "KUBEBUILDER_ASSETS") {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
