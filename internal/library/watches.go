package library

// A Role is what a call does for a controller under construction, or what kind
// of value it makes for one.
type Role int

const (
	// NewBuilder makes a builder; the roles up to Build are its methods. They
	// return their receiver, so a builder is one object throughout.
	NewBuilder Role = iota + 1
	For
	Owns
	Watches // of an object, or up to controller-runtime 0.14 of a source
	WatchesMetadata
	WatchesSource
	WithOptions
	WithEventFilter
	Labelled // what it is called, in metrics and logs
	Complete
	Build // its result is a controller, which may get further watches

	// NewController makes a controller from options.
	NewController
	// ControllerWatch adds a watch to a controller.
	ControllerWatch

	// KindSourceOf makes a source of the events of a kind.
	KindSourceOf
	// OpaqueSource makes a source of events of unknown origin.
	OpaqueSource
	// InformerOf gets the informer of a kind from a cache.
	InformerOf

	// EnqueueOwner makes a handler that enqueues owners: all of a type, or
	// with an option the controller alone.
	EnqueueOwner
	// ControllerOnly makes that option.
	ControllerOnly
	// EnqueueMapped makes a handler that enqueues what a function returns.
	EnqueueMapped
	// WrapHandler makes a handler that does what another one does.
	WrapHandler

	// AdaptReconciler makes a reconciler from one that takes objects.
	AdaptReconciler

	// ManagerClient, ManagerCache and ManagerConfig return what a manager, or
	// another cluster's handle of the same interface, works with.
	ManagerClient
	ManagerCache
	ManagerConfig
	// NewManager makes a manager.
	NewManager
	// NewCluster makes the handle of a cluster from its configuration.
	NewCluster
	// NewClient makes a client from a configuration.
	NewClient
	// WrapClient makes a client that works through another one.
	WrapClient
	// DryClient makes a client that writes nothing.
	DryClient
	// SubClient makes the client of a sub-resource.
	SubClient
	// ResourceClient makes a dynamic client for a resource, or narrows it.
	ResourceClient
	// RawPatch makes a patch from its type and bytes.
	RawPatch

	// DynamicWatch starts a watch of a kind that is only known at run time.
	DynamicWatch
)

// Makes reports whether what a call in this role returns is worth following:
// an argument elsewhere may be this very value.
func (r Role) Makes() bool {
	switch r {
	case NewBuilder, Build, NewController, KindSourceOf, OpaqueSource, InformerOf,
		EnqueueOwner, ControllerOnly, EnqueueMapped, WrapHandler, AdaptReconciler,
		ManagerClient, ManagerCache, ManagerConfig, NewManager, NewCluster, NewClient,
		WrapClient, DryClient, SubClient, ResourceClient, RawPatch:
		return true
	}
	return false
}

// ReturnsReceiver reports whether a call in this role returns its receiver.
func (r Role) ReturnsReceiver() bool {
	switch r {
	case For, Owns, Watches, WatchesMetadata, WatchesSource, WithOptions, WithEventFilter, Labelled:
		return true
	}
	return false
}

// A Watch describes a function that makes or extends a controller.
type Watch struct {
	Role Role
	Args Slots
}

// WatchNamed returns what the function of this name does for a controller, and
// whether it is known to do something.
func WatchNamed(name string) (Watch, bool) {
	w, ok := watches[name]
	return w, ok
}

var watches = merge(
	builderMethods(crtBuilder+".Builder"),           // a structure up to 0.18
	builderMethods(crtBuilder+".TypedBuilder"),      // from 0.19 on
	builderMethods(multicluster+"/builder.Builder"), // wraps controller-runtime's
	builderMethods(multicluster+"/builder.TypedBuilder"),
	map[string]Watch{
		crtBuilder + ".ControllerManagedBy":                            {Role: NewBuilder, Args: Slots{ClientArg: 0}},
		crtBuilder + ".TypedControllerManagedBy":                       {Role: NewBuilder, Args: Slots{ClientArg: 0}},
		multicluster + "/builder.ControllerManagedBy":                  {Role: NewBuilder, Args: Slots{ClientArg: 0}},
		multicluster + "/builder.TypedControllerManagedBy":             {Role: NewBuilder, Args: Slots{ClientArg: 0}},
		crtController + ".New":                                         {Role: NewController, Args: Slots{OptionsArg: Last}},
		crtController + ".NewTyped":                                    {Role: NewController, Args: Slots{OptionsArg: Last}},
		crtController + ".NewUnmanaged":                                {Role: NewController, Args: Slots{OptionsArg: Last}}, // no manager from 0.21 on
		crtController + ".NewTypedUnmanaged":                           {Role: NewController, Args: Slots{OptionsArg: Last}},
		"(" + crtController + ".Controller).Watch":                     {Role: ControllerWatch, Args: Slots{SourceArg: 1, HandlerArg: 2, PredicateArg: 3}}, // handler and predicates up to 0.17
		"(" + crtController + ".TypedController).Watch":                {Role: ControllerWatch, Args: Slots{SourceArg: 1}},
		crtSource + ".NewKindWithCache":                                {Role: KindSourceOf, Args: Slots{ObjectArg: 0, CacheArg: 1}}, // up to 0.14
		crtSource + ".Kind":                                            {Role: KindSourceOf, Args: Slots{CacheArg: 0, ObjectArg: 1, HandlerArg: 2, PredicateArg: 3}},
		crtSource + ".TypedKind":                                       {Role: KindSourceOf, Args: Slots{CacheArg: 0, ObjectArg: 1, HandlerArg: 2, PredicateArg: 3}},
		crtSource + ".Channel":                                         {Role: OpaqueSource, Args: Slots{HandlerArg: 1}},
		crtSource + ".TypedChannel":                                    {Role: OpaqueSource, Args: Slots{HandlerArg: 1}},
		"(" + crtCache + ".Informers).GetInformer":                     {Role: InformerOf, Args: Slots{CacheArg: 0, ObjectArg: 2}}, // up to 0.24
		"(" + crtCache + ".Informers).GetInformerForKind":              {Role: InformerOf, Args: Slots{CacheArg: 0, GVKArg: 2}},
		"(" + crtCacheAPI + ".Informers).GetInformer":                  {Role: InformerOf, Args: Slots{CacheArg: 0, ObjectArg: 2}},
		"(" + crtCacheAPI + ".Informers).GetInformerForKind":           {Role: InformerOf, Args: Slots{CacheArg: 0, GVKArg: 2}},
		crtHandler + ".EnqueueRequestForOwner":                         {Role: EnqueueOwner, Args: Slots{OwnerArg: 2, OptionsArg: 3}},
		crtHandler + ".TypedEnqueueRequestForOwner":                    {Role: EnqueueOwner, Args: Slots{OwnerArg: 2, OptionsArg: 3}},
		crtHandler + ".OnlyControllerOwner":                            {Role: ControllerOnly},
		crtHandler + ".EnqueueRequestsFromMapFunc":                     {Role: EnqueueMapped, Args: Slots{MutateArg: 0}},
		crtHandler + ".TypedEnqueueRequestsFromMapFunc":                {Role: EnqueueMapped, Args: Slots{MutateArg: 0}},
		crtHandler + ".WithLowPriorityWhenUnchanged":                   {Role: WrapHandler, Args: Slots{HandlerArg: 0}},
		crtReconcile + ".AsReconciler":                                 {Role: AdaptReconciler, Args: Slots{ClientArg: 0, ReconcilerArg: 1}},
		"(" + crtCluster + ".Cluster).GetClient":                       {Role: ManagerClient, Args: Slots{ClientArg: 0}},
		"(" + crtCluster + ".Cluster).GetCache":                        {Role: ManagerCache, Args: Slots{ClientArg: 0}},
		"(" + crtCluster + ".Cluster).GetConfig":                       {Role: ManagerConfig, Args: Slots{ClientArg: 0}},
		crtManager + ".New":                                            {Role: NewManager, Args: Slots{ConfigArg: 0}},
		crtCluster + ".New":                                            {Role: NewCluster, Args: Slots{ConfigArg: 0}},
		crtClient + ".New":                                             {Role: NewClient, Args: Slots{ConfigArg: 0, OptionsArg: 1}},
		crtClient + ".NewWithWatch":                                    {Role: NewClient, Args: Slots{ConfigArg: 0, OptionsArg: 1}},
		clientgo + "/kubernetes.NewForConfig":                          {Role: NewClient, Args: Slots{ConfigArg: 0}},
		clientgo + "/kubernetes.NewForConfigOrDie":                     {Role: NewClient, Args: Slots{ConfigArg: 0}},
		clientgo + "/kubernetes.NewForConfigAndClient":                 {Role: NewClient, Args: Slots{ConfigArg: 0}},
		dynamic + ".NewForConfig":                                      {Role: NewClient, Args: Slots{ConfigArg: 0}},
		dynamic + ".NewForConfigOrDie":                                 {Role: NewClient, Args: Slots{ConfigArg: 0}},
		crtClient + ".NewNamespacedClient":                             {Role: WrapClient, Args: Slots{ClientArg: 0}},
		crtClient + ".WithFieldOwner":                                  {Role: WrapClient, Args: Slots{ClientArg: 0}},
		crtClient + ".WithFieldValidation":                             {Role: WrapClient, Args: Slots{ClientArg: 0}},
		crtClient + ".NewDryRunClient":                                 {Role: DryClient, Args: Slots{ClientArg: 0}},
		crtClient + ".RawPatch":                                        {Role: RawPatch, Args: Slots{PatchArg: 0, BodyArg: 1}},
		"(" + crtClient + ".StatusClient).Status":                      {Role: SubClient, Args: Slots{ClientArg: 0}},
		"(" + crtClient + ".SubResourceClientConstructor).SubResource": {Role: SubClient, Args: Slots{ClientArg: 0, ResourceArg: 1}},
		"(" + dynamic + ".Interface).Resource":                         {Role: ResourceClient, Args: Slots{ClientArg: 0, ResourceArg: 1}},
		"(" + dynamic + ".NamespaceableResourceInterface).Namespace":   {Role: ResourceClient, Args: Slots{ClientArg: 0}},

		"(" + capi + "/controllers/external.ObjectTracker).Watch":     {Role: DynamicWatch, Args: Slots{ObjectArg: 2, HandlerArg: 3}},
		"(" + capi + "/controllers/clustercache.ClusterCache).Watch":  {Role: DynamicWatch},
		"(" + capi + "/controllers/remote.ClusterCacheTracker).Watch": {Role: DynamicWatch},
	},
)

func builderMethods(recv string) map[string]Watch {
	m := "(" + recv + ")."
	return map[string]Watch{
		m + "For":                {Role: For, Args: Slots{ObjectArg: 1, OptionsArg: 2}},
		m + "Owns":               {Role: Owns, Args: Slots{ObjectArg: 1, OptionsArg: 2}},
		m + "Watches":            {Role: Watches, Args: Slots{ObjectArg: 1, SourceArg: 1, HandlerArg: 2, OptionsArg: 3}},
		m + "WatchesMetadata":    {Role: WatchesMetadata, Args: Slots{ObjectArg: 1, HandlerArg: 2, OptionsArg: 3}},
		m + "WatchesRawSource":   {Role: WatchesSource, Args: Slots{SourceArg: 1, HandlerArg: 2}}, // handler in 0.15 to 0.17
		m + "WithOptions":        {Role: WithOptions, Args: Slots{OptionsArg: 1}},
		m + "WithEventFilter":    {Role: WithEventFilter, Args: Slots{PredicateArg: 1}},
		m + "Named":              {Role: Labelled},
		m + "WithLogConstructor": {Role: Labelled}, // from 0.11 on
		m + "Complete":           {Role: Complete, Args: Slots{ReconcilerArg: 1}},
		m + "Build":              {Role: Build, Args: Slots{ReconcilerArg: 1}},
	}
}

func merge(tables ...map[string]Watch) map[string]Watch {
	all := make(map[string]Watch)
	for _, table := range tables {
		for name, w := range table {
			all[name] = w
		}
	}
	return all
}
