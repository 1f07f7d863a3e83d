package library

// An OwnerEffect is what a call does to owner references.
type OwnerEffect int

const (
	// SetsController adds a reference with Controller set.
	SetsController OwnerEffect = iota + 1
	// SetsOwner adds a reference without Controller, or replaces the one to
	// the same owner by it.
	SetsOwner
	// RemovesOwner removes the reference to an owner.
	RemovesOwner
	// ReplacesRefs makes a list the object's owner references.
	ReplacesRefs
	// AppendsRefs adds references to the object's.
	AppendsRefs
	// MakesControllerRef returns a reference with Controller set.
	MakesControllerRef
	// MakesRef returns an empty reference, for the With methods below.
	MakesRef
	// SetsRefController sets the Controller field of the reference that is the
	// receiver, and returns it.
	SetsRefController
	// SetsRefKind sets the kind of the reference that is the receiver, and
	// returns it.
	SetsRefKind
)

// An Owner describes a function that deals with owner references. An
// OwnerReference literal is no function: its Controller field decides.
type Owner struct {
	Effect OwnerEffect
	Args   Slots
}
