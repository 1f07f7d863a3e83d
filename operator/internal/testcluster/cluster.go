package testcluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// startTimeout bounds each program's start; envtest's 20 s are short for a
// machine that runs other tests too.
const startTimeout = 2 * time.Minute

// Options say what a cluster is made of.
type Options struct {
	// CRDs are files and folders with the custom resource definitions to install.
	CRDs []string
	// Scheme knows the types that Client is to read and write; client-go's if nil.
	Scheme *runtime.Scheme
}

// Cluster is a running control plane.
type Cluster struct {
	// Config is the administrator's, without a limit on its rate of requests.
	Config *rest.Config
	// Client reads and writes as the administrator, uncached.
	Client client.Client
	// Kubelet runs the pods.
	Kubelet *Kubelet
	// Audit knows each write, and each request of the users made by User.
	Audit *AuditLog

	env      *envtest.Environment
	dir      string // logs, kubeconfigs
	programs []*Process
}

// Start starts a cluster; the caller stops it.
func Start(ctx context.Context, options Options) (_ *Cluster, err error) {
	binaries, err := Binaries(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "testcluster")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, Audit: &AuditLog{path: filepath.Join(dir, "audit.log")}}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	if err := c.startControlPlane(binaries, options); err != nil {
		return nil, err
	}
	if c.Client, err = client.New(c.Config, client.Options{Scheme: options.Scheme}); err != nil {
		return nil, err
	}
	return c, c.startWorkloads(ctx, binaries)
}

// startControlPlane starts etcd and the API server and installs the CRDs.
func (c *Cluster) startControlPlane(binaries string, options Options) error {
	policy := filepath.Join(c.dir, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o644); err != nil {
		return err
	}
	log, err := os.Create(c.logPath("kube-apiserver"))
	if err != nil {
		return err
	}
	c.env = &envtest.Environment{
		BinaryAssetsDirectory:    binaries,
		ControlPlaneStartTimeout: startTimeout,
		CRDDirectoryPaths:        options.CRDs,
		ErrorIfCRDPathMissing:    true,
	}
	server := c.env.ControlPlane.GetAPIServer()
	server.Out, server.Err = log, log
	server.Configure().
		Set("audit-log-path", c.Audit.path).
		Set("audit-log-mode", "blocking"). // what happened is in the file
		Set("audit-log-maxsize", "1000000").
		Set("audit-policy-file", policy).
		// envtest's range has room for 250 services.
		Set("service-cluster-ip-range", "10.96.0.0/12").
		// Nobody here makes service accounts, or takes the taint off new nodes.
		Set("disable-admission-plugins", "ServiceAccount", "TaintNodesByCondition")
	// The programs inherit it; see controlplane/main.go.
	if err := os.Setenv("TESTCLUSTER_EXIT_WITH_PARENT", "1"); err != nil {
		return err
	}
	config, err := c.env.Start()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, tail(log.Name()))
	}
	c.Config = rest.CopyConfig(config)
	c.Config.QPS = -1
	return nil
}

// startWorkloads starts what makes Deployments ready.
func (c *Cluster) startWorkloads(ctx context.Context, binaries string) error {
	manager, err := c.User("system:kube-controller-manager", "system:masters")
	if err != nil {
		return err
	}
	if err := c.startProgram(binaries, "kube-controller-manager", manager,
		"--controllers=deployment-controller,replicaset-controller,endpointslice-controller,garbage-collector-controller,namespace-controller",
		"--leader-elect=false", "--secure-port=0", "--use-service-account-credentials=false",
		"--kube-api-qps=1000", "--kube-api-burst=2000",
		"--concurrent-deployment-syncs=20", "--concurrent-replicaset-syncs=20",
	); err != nil {
		return err
	}
	scheduler, err := c.User("system:kube-scheduler", "system:masters")
	if err != nil {
		return err
	}
	if err := c.startProgram(binaries, "kube-scheduler", scheduler,
		"--leader-elect=false", "--secure-port=0", "--kube-api-qps=1000", "--kube-api-burst=2000",
	); err != nil {
		return err
	}
	kubelet, err := c.User("kubelet", "system:masters")
	if err != nil {
		return err
	}
	c.Kubelet, err = startKubelet(ctx, kubelet)
	return err
}

func (c *Cluster) startProgram(binaries, name string, user *rest.Config, args ...string) error {
	kubeconfig, err := c.writeKubeconfig(name, user)
	if err != nil {
		return err
	}
	program, err := startProcess(c.logPath(name), nil, filepath.Join(binaries, name), append(args, "--kubeconfig="+kubeconfig)...)
	if err != nil {
		return err
	}
	c.programs = append(c.programs, program)
	return nil
}

// Stop ends everything and removes the cluster's files.
func (c *Cluster) Stop() error {
	if c.Kubelet != nil {
		c.Kubelet.stop()
	}
	for _, program := range c.programs {
		program.Kill() // they keep nothing
	}
	var err error
	if c.env != nil {
		err = c.env.Stop()
	}
	return errors.Join(err, os.RemoveAll(c.dir))
}

// Namespace makes a namespace for the test and asks for its deletion at the end.
func (c *Cluster) Namespace(t testing.TB) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: namespacePrefix(t.Name())}}
	if err := c.Client.Create(t.Context(), namespace); err != nil {
		t.Fatalf("creating a namespace: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Client.Delete(context.Background(), namespace); err != nil {
			t.Errorf("deleting namespace %s: %v", namespace.Name, err)
		}
	})
	return namespace.Name
}

// namespacePrefix makes of a test's name what a namespace may be called.
func namespacePrefix(test string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, test)
	return name[:min(len(name), 50)] + "-"
}

// User returns the access of a user, who without groups may do nothing until
// bound to a role.
func (c *Cluster) User(name string, groups ...string) (*rest.Config, error) {
	user, err := c.env.AddUser(envtest.User{Name: name, Groups: groups}, &rest.Config{QPS: -1})
	if err != nil {
		return nil, fmt.Errorf("adding user %s: %w", name, err)
	}
	return user.Config(), nil
}

// StartManager starts an operator's program as a process that reaches the API
// server through config, which it finds in KUBECONFIG.
func (c *Cluster) StartManager(name string, config *rest.Config, program string, args ...string) (*Process, error) {
	kubeconfig, err := c.writeKubeconfig(name, config)
	if err != nil {
		return nil, err
	}
	return startProcess(c.logPath(name), []string{"KUBECONFIG=" + kubeconfig}, program, args...)
}

// Kubeconfig returns the path of the administrator's kubeconfig.
func (c *Cluster) Kubeconfig() (string, error) {
	return c.writeKubeconfig("admin", c.Config)
}

// writeKubeconfig writes the file from which another process reads config.
func (c *Cluster) writeKubeconfig(name string, config *rest.Config) (string, error) {
	path := filepath.Join(c.dir, name+".kubeconfig")
	return path, clientcmd.WriteToFile(kubeconfig(config), path)
}

func (c *Cluster) logPath(name string) string {
	return filepath.Join(c.dir, name+".log")
}
