// Command thing-operator reconciles Things. See --help for its flags.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"go.uber.org/zap/zapcore"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/controller"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
)

const (
	program = "thing-operator"

	// promisedEnd is the time within which the process is gone after a signal. Of it, reconciles have the shutdownTimeout to
	// end, and the leader's lease, for which the API server must answer, the releaseTimeout to be given back. What is left
	// is for the end of the process itself.
	promisedEnd     = 2 * time.Second
	shutdownTimeout = 1500 * time.Millisecond
	releaseTimeout  = 300 * time.Millisecond

	// reachTimeout bounds the question to the API server with which the manager starts.
	reachTimeout = 10 * time.Second

	// drainRequestTimeout bounds one question to a pod. A reconcile waits for the answer, so it is short.
	drainRequestTimeout = time.Second
)

func main() {
	if err := run(ctrl.SetupSignalHandler(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	metricsAddress string
	metricsSecure  bool
	probeAddress   string
	pprofAddress   string
	namespaces     namespaces
	leaderElect    bool
	leaderElectNS  string
	enableHTTP2    bool
	concurrency    int
	qps            float64
	burst          int
	syncPeriod     time.Duration
	zap            zap.Options
}

func parse(arguments []string) (options, *flag.FlagSet, error) {
	var o options
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors become one line in main
	flags.StringVar(&o.metricsAddress, "metrics-bind-address", "0", "Address of the metrics, such as :8443; 0 serves none.")
	flags.BoolVar(&o.metricsSecure, "metrics-secure", true, "Serve metrics over HTTPS, to clients that the cluster authenticates and authorizes. With false they are plain HTTP, for everybody.")
	flags.StringVar(&o.probeAddress, "health-probe-bind-address", ":8081", "Address of /healthz and /readyz; 0 serves none.")
	flags.StringVar(&o.pprofAddress, "pprof-bind-address", "0", "Address of /debug/pprof, such as 127.0.0.1:6060; 0 serves none. Whoever reaches it learns what is in the memory.")
	flags.Var(&o.namespaces, "watch-namespaces", "Namespaces of the Things to reconcile, separated by commas; by default all. The operator then needs its rights in these only.")
	flags.BoolVar(&o.leaderElect, "leader-elect", false, "Elect a leader, so that of several replicas one is active. The lease is released at the end.")
	flags.StringVar(&o.leaderElectNS, "leader-election-namespace", "", "Namespace of the leader's lease; by default the one that the operator runs in.")
	flags.BoolVar(&o.enableHTTP2, "enable-http2", false, "Serve metrics over HTTP/2 too.")
	flags.IntVar(&o.concurrency, "max-concurrent-reconciles", 64, "How many Things are reconciled at once.")
	flags.Float64Var(&o.qps, "kube-api-qps", 200, "Requests a second to the API server; -1 leaves the limit to the API server.")
	flags.IntVar(&o.burst, "kube-api-burst", 400, "Requests to the API server above the rate, for a moment.")
	flags.DurationVar(&o.syncPeriod, "sync-period", 10*time.Hour, "How often all Things are reconciled even if nothing happens.")
	config.RegisterFlags(flags)
	o.zap.TimeEncoder = zapcore.ISO8601TimeEncoder
	o.zap.StacktraceLevel = zapcore.PanicLevel // an error of the API server is no riddle of ours
	o.zap.BindFlags(flags)

	if err := flags.Parse(arguments); err != nil {
		return o, flags, err
	}
	switch {
	case flags.NArg() > 0:
		return o, flags, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.concurrency < 1:
		return o, flags, fmt.Errorf("invalid value %d for flag -max-concurrent-reconciles: must be at least 1", o.concurrency)
	case o.syncPeriod <= 0:
		return o, flags, fmt.Errorf("invalid value %s for flag -sync-period: must be above 0", o.syncPeriod)
	}
	return o, flags, nil
}

// namespaces are those to watch; none means all.
type namespaces []string

func (n *namespaces) String() string { return strings.Join(*n, ",") }

func (n *namespaces) Set(list string) error {
	*n = strings.Split(list, ",")
	for _, name := range *n {
		if len(validation.IsDNS1123Label(name)) != 0 {
			return fmt.Errorf("%q is no name of a namespace", name)
		}
	}
	return nil
}

func run(ctx context.Context, arguments []string, stdout io.Writer) error {
	o, flags, err := parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "%s reconciles Things (thing.example.com) into Deployments, Services and ConfigMaps.\n\nFlags:\n", program)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; see --help", err)
	}
	logger := zap.New(zap.UseFlagOptions(&o.zap))
	ctrl.SetLogger(logger)
	klog.SetLogger(logger)

	cluster, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("no cluster configured: %w", oneLine(err))
	}
	cluster.QPS, cluster.Burst = float32(o.qps), o.burst
	cluster.UserAgent = program
	if err := reach(ctx, cluster); err != nil {
		return err
	}

	mgr, err := newManager(cluster, o)
	if err != nil {
		return err
	}
	dieInTime(ctx)
	if err := mgr.Start(ctx); err != nil {
		return fmt.Errorf("the manager ended: %w", err)
	}
	return nil
}

// reach asks the API server for Things, so that a cluster that cannot be reached or knows no Things is told in one line
// and not in minutes of retries.
func reach(ctx context.Context, cluster *rest.Config) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	httpClient, err := rest.HTTPClientFor(cluster)
	if err != nil {
		return fmt.Errorf("no cluster configured: %w", oneLine(err))
	}
	mapper, err := apiutil.NewDynamicRESTMapper(cluster, httpClient)
	if err != nil {
		return fmt.Errorf("no cluster configured: %w", oneLine(err))
	}
	found := make(chan error, 1)
	go func() { // discovery takes no context
		_, err := mapper.RESTMapping(schema.GroupKind{Group: thingv1alpha1.GroupVersion.Group, Kind: "Thing"}, thingv1alpha1.GroupVersion.Version)
		found <- err
	}()
	select {
	case <-ctx.Done():
		return fmt.Errorf("cannot reach the cluster at %s: %w", cluster.Host, context.Cause(ctx))
	case err := <-found:
		switch {
		case meta.IsNoMatchError(err):
			return fmt.Errorf("the cluster at %s knows no Things: apply config/crd first", cluster.Host)
		case err != nil:
			return fmt.Errorf("cannot reach the cluster at %s: %w", cluster.Host, oneLine(err))
		}
		return nil
	}
}

func newManager(cluster *rest.Config, o options) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), thingv1alpha1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	own := metrics.New(ctrlmetrics.Registry, controller.Name)
	// All that the manager makes of it writes through the transport that counts: the client, the recorder of events, the
	// election of a leader.
	cluster = rest.CopyConfig(cluster)
	cluster.Wrap(own.CountWrites(scheme))
	shutdown := shutdownTimeout
	mgr, err := ctrl.NewManager(cluster, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cacheOptions(o),
		Metrics:                       metricsOptions(o),
		HealthProbeBindAddress:        o.probeAddress,
		PprofBindAddress:              o.pprofAddress,
		LeaderElection:                o.leaderElect,
		LeaderElectionID:              "thing-operator.thing.example.com",
		LeaderElectionNamespace:       o.leaderElectNS,
		LeaderElectionReleaseOnCancel: true, // the process ends when the manager does
		GracefulShutdownTimeout:       &shutdown,
	})
	if err != nil {
		return nil, fmt.Errorf("making the manager: %w", oneLine(err))
	}
	reconciler := &controller.ThingReconciler{
		Client:    mgr.GetClient(),
		APIReader: mgr.GetAPIReader(),
		Drainer: &drain.Drainer{
			Client:     mgr.GetClient(),
			FieldOwner: controller.FieldManager,
			HTTP:       drain.NewHTTPClient(drainRequestTimeout),
		},
		Events:  mgr.GetEventRecorder(program),
		Metrics: own,
	}
	return mgr, errors.Join(
		reconciler.SetupWithManager(mgr, o.concurrency),
		ctrlmetrics.Registry.Register(metrics.StalledThings(mgr.GetClient(), mgr.Elected(), controller.Name)),
		mgr.AddHealthzCheck("ping", healthz.Ping),
		mgr.AddReadyzCheck("caches", cachesSynced(mgr)),
	)
}

// cacheOptions keep the cache to the objects that the operator has made, whatever else the cluster is full of.
//
// Reads do not wait until the cache has seen our own writes (client.CacheOptions.EnableReadYourWritesConsistency). It is
// wrong with several namespaces, as its documentation says. It tells nothing of what others write, or a request whose
// answer was lost, so what must not rest on an old state is read from the API server all the same. And a List would wait
// for the writes of all other Things. What an old state of an output costs otherwise is an apply that changes nothing.
func cacheOptions(o options) cache.Options {
	managed := labels.SelectorFromSet(controller.ManagedLabels())
	watched := make(map[string]cache.Config, len(o.namespaces))
	for _, namespace := range o.namespaces {
		watched[namespace] = cache.Config{}
	}
	return cache.Options{
		SyncPeriod:        &o.syncPeriod,
		DefaultNamespaces: watched, // if empty, all
		ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}:  {Label: managed},
			&corev1.Service{}:    {Label: managed},
			&appsv1.Deployment{}: {Label: managed},
			&corev1.Pod{}:        {Label: managed, Transform: cache.TransformStripManagedFields()},
		},
	}
}

func metricsOptions(o options) metricsserver.Options {
	serve := metricsserver.Options{BindAddress: o.metricsAddress, SecureServing: o.metricsSecure}
	if o.metricsSecure {
		serve.FilterProvider = filters.WithAuthenticationAndAuthorization
	}
	if !o.enableHTTP2 {
		serve.TLSOpts = append(serve.TLSOpts, func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} })
	}
	return serve
}

// cachesSynced is ready once the watches have shown everything, leader or not.
func cachesSynced(mgr ctrl.Manager) healthz.Checker {
	return func(request *http.Request) error {
		ctx, cancel := context.WithTimeout(request.Context(), time.Second)
		defer cancel()
		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the caches are not synced")
		}
		return nil
	}
}

// dieInTime ends the process if the orderly end takes too long.
func dieInTime(ctx context.Context) {
	const orderly = shutdownTimeout + releaseTimeout
	context.AfterFunc(ctx, func() {
		time.AfterFunc(orderly, func() {
			fmt.Fprintf(os.Stderr, "%s: gave up the orderly end after %s\n", program, orderly)
			os.Exit(1)
		})
	})
}

// oneLine keeps an error to one line.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
