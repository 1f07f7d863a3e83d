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
