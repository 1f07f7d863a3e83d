package library

// An OwnerEffect is what a call does to owner references.
type OwnerEffect int

const (
	// SetsController adds a reference with Controller set.
	SetsController OwnerEffect = iota + 1
	// SetsOwner adds a reference without Controller, or replaces the reference
	// to the same owner with one.
	SetsOwner
	// RemovesOwner removes the reference to an owner.
	RemovesOwner
	// ReplacesRefs replaces the object's owner references with a list.
	ReplacesRefs
	// AppendsRefs adds references to the object's.
	AppendsRefs
	// MakesControllerRef returns a reference with Controller set.
	MakesControllerRef
	// MakesRef returns an empty reference, for the With methods below.
	MakesRef
	// SetsRefController sets the Controller field of its receiver, a reference,
	// and returns the receiver.
	SetsRefController
	// SetsRefKind sets the kind of its receiver, a reference, and returns the
	// receiver.
	SetsRefKind
)

// An Owner describes a function that deals with owner references. A literal of
// type OwnerReference needs no record: its Controller field decides.
type Owner struct {
	Effect OwnerEffect
	Args   Slots
}
