package library

import "strings"

// controllerRuntime has the records of sigs.k8s.io/controller-runtime and its
// relatives, multicluster-runtime and cluster-api.
var controllerRuntime = []Package{
	{Path: crt, Traits: Pure | UsesCluster, Vars: map[string]Var{
		"NewControllerManagedBy": {Func: crtBuilder + ".ControllerManagedBy"},
		"NewManager":             {Func: crtManager + ".New"},
		"CreateOrUpdate":         {Func: controllerutil + ".CreateOrUpdate"},
		"CreateOrPatch":          {Func: controllerutil + ".CreateOrPatch"},
		"SetControllerReference": {Func: controllerutil + ".SetControllerReference"},
		"GetConfig":              {Func: crt + "/pkg/client/config.GetConfig"},
		"GetConfigOrDie":         {Func: crt + "/pkg/client/config.GetConfigOrDie"},
	}},
	{Path: crt + "/pkg", Traits: Pure | UsesCluster | Registers},

	// Multicluster-runtime's builder wraps this one.
	{Path: crtBuilder, Also: []string{multicluster + "/builder"},
		Funcs: map[string]Func{
			"ControllerManagedBy":      {Watch: &Watch{Role: NewBuilder, Args: Slots{ClientArg: 0}}},
			"TypedControllerManagedBy": {Watch: &Watch{Role: NewBuilder, Args: Slots{ClientArg: 0}}},
			"WithPredicates":           {Combination: AllOf}, // an option of For, Owns and Watches
		},
		Types: map[string]Type{
			"Builder":         {Is: Builder},
			"TypedBuilder":    {Is: Builder},
			"Predicates":      {Is: PredicateOption},
			"matchEveryOwner": {Is: EveryOwner},
			"projectAs":       {Is: OnlyMetadata},
		},
	},
	{Path: crtBuilder, Also: []string{multicluster + "/builder"}, Funcs: methods("Builder", builderMethods)},      // a structure up to 0.18
	{Path: crtBuilder, Also: []string{multicluster + "/builder"}, Funcs: methods("TypedBuilder", builderMethods)}, // from 0.19 on

	{Path: crtCache,
		Funcs: map[string]Func{ // up to 0.24
			"Informers.GetInformer":        {Watch: &Watch{Role: InformerOf, Args: Slots{CacheArg: 0, ObjectArg: 2}}},
			"Informers.GetInformerForKind": {Watch: &Watch{Role: InformerOf, Args: Slots{CacheArg: 0, GVKArg: 2}}},
		},
		Types: map[string]Type{
			"Cache": {Is: Cache},
		},
	},
	{Path: crtCacheAPI,
		Funcs: map[string]Func{
			"FieldIndexer.IndexField":      {Effect: IndexesField, Args: Slots{ObjectArg: 2, KeyArg: 3, MutateArg: 4}},
			"Informers.GetInformer":        {Watch: &Watch{Role: InformerOf, Args: Slots{CacheArg: 0, ObjectArg: 2}}},
			"Informers.GetInformerForKind": {Watch: &Watch{Role: InformerOf, Args: Slots{CacheArg: 0, GVKArg: 2}}},
		},
		Types: map[string]Type{
			"Object": {AnyKind: true},
		},
	},

	{Path: crtClient,
		Funcs: map[string]Func{
			"Reader.Get":              {Effect: ReadsObject, IgnoresContext: true, Args: Slots{ObjectArg: 3}, Ask: &Ask{Verb: Get, Args: Slots{ClientArg: 0, ObjectArg: 3}}},
			"Reader.List":             {Effect: ReadsList, IgnoresContext: true, Args: Slots{ObjectArg: 2}, Ask: &Ask{Verb: List, Args: Slots{ClientArg: 0, ObjectArg: 2}}},
			"WithWatch.Watch":         {Ask: &Ask{Verb: Watching, Args: Slots{ClientArg: 0, ObjectArg: 2}}},
			"SubResourceReader.Get":   {Ask: &Ask{Verb: Get, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2}}},
			"FieldIndexer.IndexField": {Effect: IndexesField, Args: Slots{ObjectArg: 2, KeyArg: 3, MutateArg: 4}}, // up to 0.24
			"Writer.Create":           {Write: &Write{Verb: Create, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
			"Writer.Update":           {Write: &Write{Verb: Update, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
			"Writer.Patch":            {Write: &Write{Verb: Patch, Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}}},
			"Writer.Apply":            {Write: &Write{Verb: Apply, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}}, // from 0.22
			"Writer.Delete":           {Write: &Write{Verb: Delete, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
			"Writer.DeleteAllOf":      {Write: &Write{Verb: DeleteAllOf, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},

			"SubResourceWriter.Create": {Write: &Write{Verb: Create, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, BodyArg: 3, OptionsArg: 4}}},
			"SubResourceWriter.Update": {Write: &Write{Verb: Update, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
			"SubResourceWriter.Patch":  {Write: &Write{Verb: Patch, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}}},
			"SubResourceWriter.Apply":  {Write: &Write{Verb: Apply, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}}, // from 0.23
			"StatusWriter.Update":      {Write: &Write{Verb: Update, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
			"StatusWriter.Patch":       {Write: &Write{Verb: Patch, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}}}, // up to 0.13

			"New":                 {Watch: &Watch{Role: NewClient, Args: Slots{ConfigArg: 0, OptionsArg: 1}}},
			"NewWithWatch":        {Watch: &Watch{Role: NewClient, Args: Slots{ConfigArg: 0, OptionsArg: 1}}},
			"NewNamespacedClient": {Watch: &Watch{Role: WrapClient, Args: Slots{ClientArg: 0}}},
			"WithFieldOwner":      {Watch: &Watch{Role: WrapClient, Args: Slots{ClientArg: 0}}},
			"WithFieldValidation": {Watch: &Watch{Role: WrapClient, Args: Slots{ClientArg: 0}}},
			"NewDryRunClient":     {Watch: &Watch{Role: DryClient, Args: Slots{ClientArg: 0}}},
			"StatusClient.Status": {Watch: &Watch{Role: SubClient, Args: Slots{ClientArg: 0}}},
			"SubResourceClientConstructor.SubResource": {Watch: &Watch{Role: SubClient, Args: Slots{ClientArg: 0, ResourceArg: 1}}},
			"Patch.Data":         {Effect: ReadsPatch},
			"StrategicMergeFrom": {MergesByKey: true},
			"RawPatch":           {Watch: &Watch{Role: RawPatch, Args: Slots{PatchArg: 0, BodyArg: 1}}},

			"ApplyConfigurationFromUnstructured": {Args: Slots{ReturnedArg: 0}},
			"ObjectKeyFromObject":                {Effect: GetsKey},
			"IgnoreNotFound":                     {Meaning: DropsNotFound, Condition: StableCondition},
		},
		Types: map[string]Type{
			"Client":         {Is: Client},
			"Reader":         {Is: Reader},
			"Writer":         {Is: Writer},
			"WithWatch":      {Is: Writer},
			"Object":         {AnyKind: true}, // up to 0.24
			"MatchingFields": {Is: FieldValues},
			"CreateOptions":  {Parts: []string{"DryRun"}},
			"UpdateOptions":  {Parts: []string{"DryRun"}},
			"PatchOptions":   {Parts: []string{"DryRun"}},
			"ApplyOptions":   {Parts: []string{"DryRun"}},
			"applyPatch":     {Is: ServerSideApply},
			"dryRunAll":      {Is: DryRun},
		},
		Vars: map[string]Var{
			"Apply": {Type: crtClient + ".applyPatch"},
			"Merge": {Type: crtClient + ".mergePatch"},
		},
	},

	{Path: crtClient + "/apiutil", Funcs: map[string]Func{
		"GVKForObject":       {OfKind: true},
		"IsObjectNamespaced": {OfKind: true},
	}},
	{Path: crtCluster,
		Funcs: map[string]Func{
			"New":               {Watch: &Watch{Role: NewCluster, Args: Slots{ConfigArg: 0}}},
			"Cluster.GetClient": {Watch: &Watch{Role: ManagerClient, Args: Slots{ClientArg: 0}}},
			"Cluster.GetCache":  {Watch: &Watch{Role: ManagerCache, Args: Slots{ClientArg: 0}}},
			"Cluster.GetConfig": {Watch: &Watch{Role: ManagerConfig, Args: Slots{ClientArg: 0}}},
		},
		Types: map[string]Type{
			"Cluster": {Is: Cluster},
		},
	},
	{Path: crt + "/pkg/ratelimiter", Funcs: map[string]Func{
		"RateLimiter.NumRequeues": {Meaning: CountsFailures}, // up to 0.18
	}},
	{Path: crt + "/pkg/internal/controller", Funcs: map[string]Func{
		"ReconcileIDFromContext": {Source: Random}, // a UUID that each reconcile gets
	}},
	{Path: crtController,
		Funcs: map[string]Func{
			"New":                   {Watch: &Watch{Role: NewController, Args: Slots{OptionsArg: Last}}},
			"NewTyped":              {Watch: &Watch{Role: NewController, Args: Slots{OptionsArg: Last}}},
			"NewUnmanaged":          {Watch: &Watch{Role: NewController, Args: Slots{OptionsArg: Last}}}, // no manager from 0.21 on
			"NewTypedUnmanaged":     {Watch: &Watch{Role: NewController, Args: Slots{OptionsArg: Last}}},
			"Controller.Watch":      {Watch: &Watch{Role: ControllerWatch, Args: Slots{SourceArg: 1, HandlerArg: 2, PredicateArg: 3}}}, // handler and predicates up to 0.17
			"TypedController.Watch": {Watch: &Watch{Role: ControllerWatch, Args: Slots{SourceArg: 1}}},
		},
		Vars: map[string]Var{
			"ReconcileIDFromContext": {Func: crt + "/pkg/internal/controller.ReconcileIDFromContext"},
		},
		Types: map[string]Type{
			"Options":      {Parts: []string{"Reconciler"}},
			"TypedOptions": {Parts: []string{"Reconciler"}},
		},
	},
	{Path: controllerutil, Traits: Pure | UsesCluster, Funcs: map[string]Func{
		"CreateOrUpdate":            {Write: &Write{Verb: CreateOrUpdate, Args: Slots{ClientArg: 1, ObjectArg: 2, MutateArg: 3}}},
		"CreateOrPatch":             {Write: &Write{Verb: CreateOrPatch, Args: Slots{ClientArg: 1, ObjectArg: 2, MutateArg: 3}}},
		"SetControllerReference":    {Owner: &Owner{Effect: SetsController, Args: Slots{OwnerArg: 0, ObjectArg: 1}}},
		"SetOwnerReference":         {Owner: &Owner{Effect: SetsOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}}},
		"RemoveOwnerReference":      {Owner: &Owner{Effect: RemovesOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}}},
		"RemoveControllerReference": {Owner: &Owner{Effect: RemovesOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}}},
		"ContainsFinalizer":         {Condition: FinalizerCondition, Finalizer: AsksFinalizer},
		"AddFinalizer":              {Condition: ChangeCondition, Finalizer: AddsFinalizer},
		"RemoveFinalizer":           {Condition: ChangeCondition, Finalizer: RemovesFinalizer},
	}},
	{Path: crtEvent, Types: map[string]Type{
		"UpdateEvent":      {Is: UpdateEvent}, // up to 0.18
		"TypedUpdateEvent": {Is: UpdateEvent},

		"CreateEvent":       {Is: ObjectEvent}, // up to 0.18
		"DeleteEvent":       {Is: ObjectEvent}, // up to 0.18
		"GenericEvent":      {Is: ObjectEvent}, // up to 0.18
		"TypedCreateEvent":  {Is: ObjectEvent},
		"TypedDeleteEvent":  {Is: ObjectEvent},
		"TypedGenericEvent": {Is: ObjectEvent},
	}},
	{Path: crtHandler,
		Funcs: map[string]Func{
			"EnqueueRequestForOwner":          {Watch: &Watch{Role: EnqueueOwner, Args: Slots{OwnerArg: 2, OptionsArg: 3}}},
			"TypedEnqueueRequestForOwner":     {Watch: &Watch{Role: EnqueueOwner, Args: Slots{OwnerArg: 2, OptionsArg: 3}}},
			"OnlyControllerOwner":             {Watch: &Watch{Role: ControllerOnly}},
			"EnqueueRequestsFromMapFunc":      {Watch: &Watch{Role: EnqueueMapped, Args: Slots{MutateArg: 0}}},
			"TypedEnqueueRequestsFromMapFunc": {Watch: &Watch{Role: EnqueueMapped, Args: Slots{MutateArg: 0}}},
			"WithLowPriorityWhenUnchanged":    {Watch: &Watch{Role: WrapHandler, Args: Slots{HandlerArg: 0}}},
		},
		Types: map[string]Type{
			"EnqueueRequestForOwner": {Is: OwnerHandler, Parts: []string{"OwnerType", "IsController"}}, // up to 0.14
			"Funcs":                  {Is: FuncsHandler, Parts: []string{"CreateFunc", "UpdateFunc", "DeleteFunc", "GenericFunc"}},
			"TypedFuncs":             {Is: FuncsHandler, Parts: []string{"CreateFunc", "UpdateFunc", "DeleteFunc", "GenericFunc"}},
		},
	},
	{Path: crtManager,
		Funcs: map[string]Func{
			"New":           {Watch: &Watch{Role: NewManager, Args: Slots{ConfigArg: 0}}},
			"Manager.Start": {Meaning: ServesUntilDone},
		},
		Types: map[string]Type{
			"Manager": {Is: Manager},
		},
	},
	{Path: crt + "/pkg/metrics/filters", Funcs: map[string]Func{
		"WithAuthenticationAndAuthorization": {Ask: &Ask{Rights: asksWhoReads}},
	}},
	{Path: crtPredicate,
		Funcs: map[string]Func{
			"NewPredicateFuncs":      {Effect: MakesFuncs},
			"NewTypedPredicateFuncs": {Effect: MakesFuncs},

			"And": {Combination: AllOf},
			"Or":  {Combination: AnyOf},
			"Not": {Combination: NoneOf},
		},
		Types: map[string]Type{
			"Predicate":                            {Is: Predicate}, // up to 0.18
			"TypedPredicate":                       {Is: Predicate},
			"Funcs":                                {Is: FuncsPredicate, Parts: []string{"CreateFunc", "UpdateFunc", "DeleteFunc"}}, // up to 0.18
			"TypedFuncs":                           {Is: FuncsPredicate, Parts: []string{"CreateFunc", "UpdateFunc", "DeleteFunc"}},
			"GenerationChangedPredicate":           {Passes: Generation}, // up to 0.18
			"TypedGenerationChangedPredicate":      {Passes: Generation},
			"LabelChangedPredicate":                {Passes: Labels},    // up to 0.18
			"ResourceVersionChangedPredicate":      {Passes: AnyChange}, // up to 0.18
			"TypedResourceVersionChangedPredicate": {Passes: AnyChange},
			"TypedLabelChangedPredicate":           {Passes: Labels},
			"AnnotationChangedPredicate":           {Passes: Annotations}, // up to 0.18
			"TypedAnnotationChangedPredicate":      {Passes: Annotations},
		},
	},
	{Path: crtReconcile,
		Funcs: map[string]Func{
			"AsReconciler":  {Watch: &Watch{Role: AdaptReconciler, Args: Slots{ClientArg: 0, ReconcilerArg: 1}}},
			"TerminalError": {Meaning: MarksError},
		},
		Types: map[string]Type{
			"Request": {Is: Request},
			"Result":  {Is: Result},
		},
	},
	{Path: crt + "/pkg/scheme", Types: map[string]Type{
		"Builder": {Is: SchemeBuilder},
	}},
	{Path: crtSource,
		Funcs: map[string]Func{
			"NewKindWithCache": {Watch: &Watch{Role: KindSourceOf, Args: Slots{ObjectArg: 0, CacheArg: 1}}}, // up to 0.14
			"Kind":             {Watch: &Watch{Role: KindSourceOf, Args: Slots{CacheArg: 0, ObjectArg: 1, HandlerArg: 2, PredicateArg: 3}}},
			"TypedKind":        {Watch: &Watch{Role: KindSourceOf, Args: Slots{CacheArg: 0, ObjectArg: 1, HandlerArg: 2, PredicateArg: 3}}},
			"Channel":          {Watch: &Watch{Role: OpaqueSource, Args: Slots{HandlerArg: 1}}},
			"TypedChannel":     {Watch: &Watch{Role: OpaqueSource, Args: Slots{HandlerArg: 1}}},
		},
		Types: map[string]Type{
			"Kind":          {Is: SourceOfKind, Parts: []string{"Type"}},  // up to 0.14
			"Channel":       {Is: OtherSource, Parts: []string{"Source"}}, // up to 0.14
			"Informer":      {Is: OtherSource, Parts: []string{"Informer", "Handler"}},
			"TypedInformer": {Is: OtherSource, Parts: []string{"Informer", "Handler"}},
			"Func":          {Is: OtherSource},
			"TypedFunc":     {Is: OtherSource},
		},
	},

	// Cluster-api's helper patches the object that it was made from. That object
	// exists, and the same call writes its status, with a merge of the conditions.
	{Path: capi + "/util/patch", Also: []string{capi + "/util/deprecated/v1beta1/patch"}, Funcs: map[string]Func{
		"Helper.Patch": {Write: &Write{Verb: Patch, WithStatus: true, MergesConditions: true, Args: Slots{ObjectArg: 2, OptionsArg: 3}}},
	}},
	{Path: capi + "/util", Funcs: map[string]Func{
		"RandomString": {Source: Random},
	}},
	{Path: capi + "/util/annotations", Funcs: map[string]Func{ // set by users, and by tools that move clusters
		"IsPaused":            {Condition: StableCondition},
		"HasPaused":           {Condition: StableCondition},
		"IsExternallyManaged": {Condition: StableCondition},
	}},
	{Path: capi + "/util/paused", Also: []string{capi + "/util/deprecated/v1beta1/paused"}, Funcs: map[string]Func{ // asks IsPaused
		"EnsurePausedCondition": {Condition: StableCondition},
	}},
	{Path: capi + "/controllers/external", Funcs: map[string]Func{
		"ObjectTracker.Watch": {Watch: &Watch{Role: DynamicWatch, Args: Slots{ObjectArg: 2, HandlerArg: 3}}},
	}},
	{Path: capi + "/controllers/clustercache", Funcs: map[string]Func{
		"ClusterCache.Watch": {Watch: &Watch{Role: DynamicWatch}},
	}},
	{Path: capi + "/controllers/remote", Funcs: map[string]Func{
		"ClusterCacheTracker.Watch": {Watch: &Watch{Role: DynamicWatch}},
	}},
}

var builderMethods = map[string]Func{
	"For":                {Watch: &Watch{Role: For, Args: Slots{ObjectArg: 1, OptionsArg: 2}}},
	"Owns":               {Watch: &Watch{Role: Owns, Args: Slots{ObjectArg: 1, OptionsArg: 2}}},
	"Watches":            {Watch: &Watch{Role: Watches, Args: Slots{ObjectArg: 1, SourceArg: 1, HandlerArg: 2, OptionsArg: 3}}},
	"WatchesMetadata":    {Watch: &Watch{Role: WatchesMetadata, Args: Slots{ObjectArg: 1, HandlerArg: 2, OptionsArg: 3}}},
	"WatchesRawSource":   {Watch: &Watch{Role: WatchesSource, Args: Slots{SourceArg: 1, HandlerArg: 2}}}, // handler in 0.15 to 0.17
	"WithOptions":        {Watch: &Watch{Role: WithOptions, Args: Slots{OptionsArg: 1}}},
	"WithEventFilter":    {Watch: &Watch{Role: WithEventFilter, Args: Slots{PredicateArg: 1}}},
	"Named":              {Watch: &Watch{Role: Labelled}},
	"WithLogConstructor": {Watch: &Watch{Role: Labelled}}, // from 0.11 on
	"Complete":           {Watch: &Watch{Role: Complete, Args: Slots{ReconcilerArg: 1}}},
	"Build":              {Watch: &Watch{Role: Build, Args: Slots{ReconcilerArg: 1}}},
}

// SyncPeriod is the field of a manager's options that says how often it reconciles
// all objects, whether an event was seen or not.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/cache#Options.
const SyncPeriod = "SyncPeriod"

// HasSyncPeriod reports whether a type is a manager's options with a [SyncPeriod], or
// was in older versions.
func HasSyncPeriod(path, name string) bool {
	return name == "Options" && (path == crt || path == crtManager || path == crtCache)
}

// Uncached reports whether a field of a library's type lists objects whose kinds the client
// of a manager does not cache, or did in older versions.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#CacheOptions.
func Uncached(typeName, field string) bool {
	switch field {
	case "DisableFor":
		return typeName == crtClient+".CacheOptions"
	case "ClientDisableCacheFor":
		return typeName == crt+".Options" || typeName == crtManager+".Options"
	case "UncachedObjects":
		return typeName == crtClient+".NewDelegatingClientInput" || typeName == crtCluster+".ClientOptions"
	}
	return false
}

// MakesClient reports whether a function of a package makes a client of controller-runtime
// that asks the API server.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#New.
func MakesClient(path, name string) bool {
	return path == crtClient && Named(path+"."+name).Role() == NewClient
}

// RunsAlong reports whether code that uses a name of a package runs with the controllers
// or ends what others do, or waits for it: a runnable of a manager, a group of goroutines,
// a context that is cancelled or has a time limit.
func RunsAlong(path, name string) bool {
	switch path {
	case crtManager:
		return name == "RunnableFunc"
	case "context":
		return Named("context."+name).Canceller != nil
	case "sync":
		return name == "WaitGroup"
	case "golang.org/x/sync/errgroup":
		return true
	}
	return false
}

// IsForOperators reports whether the package at a path is for programs that go on and on
// in a cluster: controllers, informers, workers, leaders, services. A command-line tool
// for a person has no use for it.
func IsForOperators(path string) bool {
	if path == crt || strings.HasPrefix(path, crt+"/") || path == "google.golang.org/grpc" {
		return true
	}
	for elem := range strings.SplitSeq(path, "/") {
		switch elem {
		case "informers", "listers", "workqueue", "leaderelection", "controller", "controllers", "operator", "reconciler":
			return true
		}
	}
	return path == "k8s.io/client-go/tools/cache" || path == "k8s.io/client-go/tools/watch"
}

// IsOfOperators reports whether something with this name, of a client or a server, shows
// that a program changes or watches what is in a cluster, or serves others.
func IsOfOperators(name string) bool {
	switch name {
	case "CreateOptions", "UpdateOptions", "PatchOptions", "DeleteOptions", "ApplyOptions", "Watch", "ListenAndServe", "ListenAndServeTLS", "Serve":
		return true
	}
	return false
}

// IsHTTPRequest reports whether a type is a request that an HTTP server answers, or what a
// web framework, or a webhook for admission, has instead of one.
func IsHTTPRequest(path, name string) bool {
	switch path {
	case "net/http":
		return name == "Request"
	case "github.com/gin-gonic/gin", "github.com/labstack/echo/v4":
		return name == "Context"
	case crt + "/pkg/webhook/admission":
		return name == "Request"
	case "github.com/gofiber/fiber/v2":
		return name == "Ctx"
	case "github.com/emicklei/go-restful/v3":
		return name == "Request"
	}
	return false
}

// HandlesKeys reports whether what is selected by this name belongs to the queue of a
// worker. See https://pkg.go.dev/k8s.io/client-go/util/workqueue.
func HandlesKeys(name string) bool { return name == "AddRateLimited" || name == "Forget" }

// CalledByFrameworks reports whether frameworks call methods of this name while the
// controllers run: a runnable, an HTTP handler, a webhook.
func CalledByFrameworks(method string) bool {
	switch method {
	case "Start", "ServeHTTP", "Handle", "Default", "ValidateCreate", "ValidateUpdate", "ValidateDelete":
		return true
	}
	return false
}
