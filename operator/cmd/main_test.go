package main

import (
	"bytes"
	"context"
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

func TestHelpExplainsEachFlag(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"--help"}, &out); err != nil {
		t.Fatal(err)
	}
	_, flags, err := parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	flags.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(out.String(), "  -"+f.Name) || len(f.Usage) < 20 {
			t.Errorf("--help does not explain %s", f.Name)
		}
	})
}

func TestMistakesAreToldInOneLine(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	listener.Close()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	content := strings.ReplaceAll(`{"apiVersion":"v1","kind":"Config","current-context":"c",
		"contexts":[{"name":"c","context":{"cluster":"c"}}],
		"clusters":[{"name":"c","cluster":{"server":"http://ADDRESS"}}]}`, "ADDRESS", nobody)
	if err := os.WriteFile(kubeconfig, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", kubeconfig)

	for name, row := range map[string]struct {
		arguments []string
		want      string
	}{
		"unknown flag":        {[]string{"--nope"}, "flag provided but not defined: -nope"},
		"wrong value":         {[]string{"--sync-period=soon"}, `invalid value "soon" for flag -sync-period`},
		"value out of range":  {[]string{"--max-concurrent-reconciles=0"}, "must be at least 1"},
		"no namespace":        {[]string{"--watch-namespaces=here,"}, `"" is no name of a namespace`},
		"bad namespace":       {[]string{"--watch-namespaces=Here"}, `"Here" is no name of a namespace`},
		"argument":            {[]string{"now"}, `unexpected argument "now"`},
		"unreachable cluster": {nil, "cannot reach the cluster at http://" + nobody},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			err := run(ctx, row.arguments, &bytes.Buffer{})
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q, want one line that says %q", err, row.want)
			}
		})
	}
}

// What the parts of the end may take is within what the README promises, and what the pod is given.
func TestTheEndIsInTime(t *testing.T) {
	t.Parallel()
	const forTheProcess = 100 * time.Millisecond
	if sum := shutdownTimeout + releaseTimeout + forTheProcess; sum > promisedEnd {
		t.Errorf("the parts of the end take %s, %s is promised", sum, promisedEnd)
	}
	var deployment appsv1.Deployment
	manifest, err := os.ReadFile("../config/manager/manager.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(manifest), "\n---\n") {
		if strings.Contains(document, "kind: Deployment") {
			if err := yaml.UnmarshalStrict([]byte(document), &deployment); err != nil {
				t.Fatal(err)
			}
		}
	}
	grace := deployment.Spec.Template.Spec.TerminationGracePeriodSeconds
	if grace == nil || time.Duration(*grace)*time.Second < promisedEnd {
		t.Errorf("the pod has %v seconds to end, %s is promised", grace, promisedEnd)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "SIGTERM ends the process within two seconds") || promisedEnd != 2*time.Second {
		t.Errorf("the README does not promise %s", promisedEnd)
	}
}
