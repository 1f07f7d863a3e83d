package library

// Paths of the libraries that the records describe.
const (
	crt            = "sigs.k8s.io/controller-runtime"
	crtBuilder     = crt + "/pkg/builder"
	crtCache       = crt + "/pkg/cache"
	crtCacheAPI    = crtCache + "/cacheapi"
	crtClient      = crt + "/pkg/client"
	crtCluster     = crt + "/pkg/cluster"
	crtController  = crt + "/pkg/controller"
	controllerutil = crt + "/pkg/controller/controllerutil"
	crtHandler     = crt + "/pkg/handler"
	crtManager     = crt + "/pkg/manager"
	crtPredicate   = crt + "/pkg/predicate"
	crtEvent       = crt + "/pkg/event"
	crtReconcile   = crt + "/pkg/reconcile"
	crtSource      = crt + "/pkg/source"
	multicluster   = "sigs.k8s.io/multicluster-runtime/pkg"
	capi           = "sigs.k8s.io/cluster-api"

	apimachinery = "k8s.io/apimachinery"
	metav1       = apimachinery + "/pkg/apis/meta/v1"
	unstructured = metav1 + "/unstructured"
	apiruntime   = apimachinery + "/pkg/runtime"
	schema       = apiruntime + "/schema"
	fieldsets    = apimachinery + "/pkg/fields"
	pollWait     = apimachinery + "/pkg/util/wait"
	apirand      = apimachinery + "/pkg/util/rand"
	apisets      = apimachinery + "/pkg/util/sets"

	// ConditionsPackage is the package with the functions for lists of
	// conditions.
	ConditionsPackage = apimachinery + "/pkg/api/meta"

	clientgo       = "k8s.io/client-go"
	applyConfigs   = clientgo + "/applyconfigurations/"
	dynamic        = clientgo + "/dynamic"
	gentype        = clientgo + "/gentype"
	workqueue      = clientgo + "/util/workqueue"
	toolsCache     = clientgo + "/tools/cache"
	retryUtil      = clientgo + "/util/retry"
	kubernetesAPIs = "k8s.io/api/"

	apiExtensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"

	cenkalti  = "github.com/cenkalti/backoff"
	avast     = "github.com/avast/retry-go"
	retryHTTP = "github.com/hashicorp/go-retryablehttp"
)
