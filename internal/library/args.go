package library

// A Slot is the part that an argument plays in a call that a record describes.
type Slot int

const (
	// ClientArg is what carries out a write, or what a client or builder is
	// made from.
	ClientArg Slot = iota
	// ObjectArg is the object written or watched.
	ObjectArg
	// MutateArg is a function: it brings the object of a write into the desired
	// state, or maps an object to requests.
	MutateArg
	// PatchArg is the client.Patch, or the patch type beside the bytes.
	PatchArg
	// BodyArg is the serialised content, or the object that is the content of a
	// sub-resource.
	BodyArg
	// OptionsArg is a structure of options, or the variadic ones.
	OptionsArg
	// HandlerArg is what turns an object's events into requests.
	HandlerArg
	// SourceArg is where events come from.
	SourceArg
	// CacheArg is the cache that a source reads.
	CacheArg
	// ReconcilerArg is what a controller calls.
	ReconcilerArg
	// OwnerArg is the object that an owner reference refers to, or an object of
	// the type that a handler looks for in owner references.
	OwnerArg
	// RefArg is an owner reference, or a list of them.
	RefArg
	// PredicateArg drops events.
	PredicateArg
	// ConfigArg says which cluster a client talks to.
	ConfigArg
	// ControllerArg is the value of an owner reference's Controller field.
	ControllerArg
	// GVKArg and KindArg say of which kind an object is, ResourceArg which
	// resource a client is for.
	GVKArg
	KindArg
	ResourceArg

	// SortedArg is put in an order that does not depend on the order before.
	SortedArg
	// RandomArg is filled with random bytes: those of the ReaderArg, if there is one.
	RandomArg
	ReaderArg
	// BoundArg is the upper bound of a random number.
	BoundArg
	// DurationArg is the time after which a timer fires.
	DurationArg
	// CarriedArg is the context that the result of the function, or its receiver,
	// carries from then on.
	CarriedArg
	// ReturnedArg is what the function returns, or what its result writes through to.
	ReturnedArg
	// AbsorberArg takes in what the other arguments are.
	AbsorberArg
	// EncodedArg is the text of a value, DecodedArg where to put it.
	EncodedArg
	DecodedArg
)

// Slots tells which argument plays which part. Arguments are counted from 0,
// and a method's receiver is argument 0.
type Slots map[Slot]int

// Last is the last argument, for functions whose number of parameters differs
// between versions of a library.
const Last = -1

// Of returns the index of the argument that plays the part s in a call with n
// arguments, and whether there is one.
func (slots Slots) Of(s Slot, n int) (int, bool) {
	i, ok := slots[s]
	if i == Last {
		i = n - 1
	}
	return i, ok && 0 <= i && i < n
}
