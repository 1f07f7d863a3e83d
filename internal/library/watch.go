package library

// A Role is what a call does for a controller under construction, or which value
// it makes for one.
type Role int

const (
	// NewBuilder makes a builder. The roles down to Build are its methods. They
	// return their receiver, so a builder is one object throughout.
	NewBuilder Role = iota + 1
	For
	Owns
	Watches // of an object, or up to controller-runtime 0.14 of a source
	WatchesMetadata
	WatchesSource
	WithOptions
	WithEventFilter
	Labelled // the name for metrics and logs
	Complete
	Build // returns a controller, to which watches can be added

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

	// EnqueueOwner makes a handler that enqueues the owners of a type, or with
	// an option only the controller.
	EnqueueOwner
	// ControllerOnly makes that option.
	ControllerOnly
	// EnqueueMapped makes a handler that enqueues the results of a function.
	EnqueueMapped
	// WrapHandler makes a handler that does what another handler does.
	WrapHandler

	// AdaptReconciler makes a reconciler from one that takes objects.
	AdaptReconciler

	// ManagerClient, ManagerCache and ManagerConfig return the client, the cache
	// or the configuration of a manager or cluster.
	ManagerClient
	ManagerCache
	ManagerConfig
	// NewManager makes a manager.
	NewManager
	// NewCluster makes a cluster.Cluster from a configuration.
	NewCluster
	// NewClient makes a client from a configuration.
	NewClient
	// WrapClient makes a client that works through another client.
	WrapClient
	// DryClient makes a client that writes nothing.
	DryClient
	// SubClient makes the client of a sub-resource.
	SubClient
	// ResourceClient makes a dynamic client for a resource, or restricts it.
	ResourceClient
	// RawPatch makes a patch from its type and bytes.
	RawPatch

	// DynamicWatch starts a watch of a kind that is only known at run time.
	DynamicWatch
)

// Makes reports whether the result of a call in this role is a value to follow,
// because it may be an argument of another call.
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
