package library

// A Verb is what a write does to the cluster.
type Verb int

const (
	Create Verb = iota + 1
	Update
	// Patch is a patch whose type is the argument [PatchArg]. A patch of type
	// apply creates an object that does not exist. Any other only changes an
	// existing object.
	Patch
	Apply
	CreateOrUpdate
	CreateOrPatch
	Delete
	DeleteAllOf
	// The verbs of an [Ask]. Informing keeps a cache of all objects of a kind.
	Get
	List
	Watching
	Informing
)

func (v Verb) String() string {
	return [...]string{"", "create", "update", "patch", "apply", "create or update", "create or patch", "delete", "delete all of",
		"get", "list", "watch", "list and watch"}[v]
}

// A KindSource says where to read the kind of the written object.
type KindSource int

const (
	// OfObject: the dynamic type of the [ObjectArg]. For an unstructured object
	// that is its GVK, for an apply configuration the kind that it configures.
	OfObject KindSource = iota
	// OfResult: the method's result. This is for clientset methods that take a
	// name and bytes.
	OfResult
	// OfResource: the GVK of the [ObjectArg] if there is one, else the resource
	// of the dynamic client in the receiver.
	OfResource
)

// A Write describes a function that writes to the cluster.
type Write struct {
	Verb Verb
	// Sub is "" for a write of the object itself, "status" for its status, and
	// "*" for a sub-resource that is chosen elsewhere (often the status).
	Sub  string
	Kind KindSource
	Args Slots
	// WithStatus: the same call also writes the status.
	WithStatus bool
	// MergesConditions: of the conditions in the status, it only writes those that have changed in
	// more than the time.
	MergesConditions bool
	// Own is set for a function that the user declares. It writes to the cluster
	// that the operator watches, whichever client it uses.
	Own bool
	// Type is the [TypeName] of the object that a generated clientset's method
	// writes, as far as its signature shows. It is empty in the records.
	Type string
}
