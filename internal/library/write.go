package library

// A Verb is what a write does to the cluster.
type Verb int

const (
	Create Verb = iota + 1
	Update
	// Patch is a patch whose kind is in the argument [PatchArg]: one of type
	// apply creates what does not exist, any other changes what does.
	Patch
	Apply
	CreateOrUpdate
	CreateOrPatch
	Delete
	DeleteAllOf
)

func (v Verb) String() string {
	return [...]string{"", "create", "update", "patch", "apply", "create or update", "create or patch", "delete", "delete all of"}[v]
}

// A KindSource says where the kind of what is written can be read.
type KindSource int

const (
	// OfObject: the dynamic type of the [ObjectArg] argument; of an unstructured
	// object its GVK, of an apply configuration the kind it configures.
	OfObject KindSource = iota
	// OfResult: the method's result, for clientset methods that take a name
	// and bytes.
	OfResult
	// OfResource: the GVK of the [ObjectArg] argument if there is one, else the
	// resource that the dynamic client in the receiver was made for.
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
	// WithStatus: it writes the status in the same call.
	WithStatus bool
	// Own is set for a function that the user names: it writes to the cluster
	// that the operator watches, whatever the client is that it does so with.
	Own bool
	// Type is the [TypeName] of what a generated clientset's method writes,
	// as far as its signature shows. The records leave it empty.
	Type string
}
