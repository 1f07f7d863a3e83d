package text_test

import (
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/text"
)

func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"time.Now":                     "time.Now",
		"error":                        "error",
		"k8s.io/api/core/v1.ConfigMap": "core/v1.ConfigMap",
		"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update":      "(client.Writer).Update",
		"github.com/cenkalti/backoff/v4.Retry":                           "backoff/v4.Retry",
		"k8s.io/api/core/v1.Pod, or k8s.io/api/apps/v1beta1.StatefulSet": "core/v1.Pod, or apps/v1beta1.StatefulSet",
	} {
		if got := text.Name(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestHeading checks that a heading is written only with a line below it.
func TestHeading(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	w := text.NewWriter(&b)
	w.Headingf("empty").Headingf("empty, too")
	of := w.Headingf("package %s", "p")
	of.Headingf("func f").Linef("waits")
	of.Headingf("func g")
	of.Linef("says %d", 1).Linef("because")
	const want = "package p\n  func f\n    waits\n  says 1\n    because\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
