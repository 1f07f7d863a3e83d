package library

// A Slot is the role of an argument in a call that a record describes.
type Slot int

const (
	// ClientArg is the client that carries out a write, or the value that a
	// client or builder is made from.
	ClientArg Slot = iota
	// ObjectArg is the object written or watched.
	ObjectArg
	// MutateArg is a function. It brings the object of a write into the desired
	// state, or it maps an object to requests.
	MutateArg
	// PatchArg is the client.Patch, or the patch type beside the bytes.
	PatchArg
	// BodyArg is the serialised content, or the object that is the content of a
	// sub-resource.
	BodyArg
	// OptionsArg is a struct of options, or the variadic options.
	OptionsArg
	// HandlerArg turns an object's events into requests.
	HandlerArg
	// SourceArg is the source of events.
	SourceArg
	// CacheArg is the cache that a source reads.
	CacheArg
	// ReconcilerArg is the reconciler that a controller calls.
	ReconcilerArg
	// OwnerArg is the object that an owner reference refers to. For a handler it
	// is an object of the owners' type.
	OwnerArg
	// RefArg is an owner reference, or a list of them.
	RefArg
	// PredicateArg drops events.
	PredicateArg
	// ConfigArg says which cluster a client talks to.
	ConfigArg
	// ControllerArg is the value of an owner reference's Controller field.
	ControllerArg
	// GVKArg and KindArg are the kind of an object. ResourceArg is the resource
	// that a client is for.
	GVKArg
	KindArg
	ResourceArg

	// KeyArg is the name of a field, and ValueArg its value.
	KeyArg
	ValueArg

	// SortedArg is sorted: its order afterwards does not depend on the order
	// before.
	SortedArg
	// RandomArg is filled with random bytes. They come from the ReaderArg, if
	// there is one.
	RandomArg
	ReaderArg
	// BoundArg is the upper bound of a random number.
	BoundArg
	// DurationArg is the time after which a timer fires.
	DurationArg
	// CarriedArg is the context that the result of the function, or its
	// receiver, carries from then on.
	CarriedArg
	// ReturnedArg is the value that the function returns, or to which its result
	// writes through.
	ReturnedArg
	// AbsorberArg takes in the values of the other arguments.
	AbsorberArg
	// RenderedArg is the data that a template renders. The template may call its methods.
	RenderedArg
	// EncodedArg is an encoded value. DecodedArg is where the decoded value
	// goes.
	EncodedArg
	DecodedArg
)

// Slots has the index of the argument in each role. Arguments are counted from
// 0, and a method's receiver is argument 0.
type Slots map[Slot]int

// Last is the last argument, for functions whose number of parameters differs
// between versions of a library.
const Last = -1

// Of returns the index of the argument with role s in a call with n arguments,
// and whether there is one.
func (slots Slots) Of(s Slot, n int) (int, bool) {
	i, ok := slots[s]
	if i == Last {
		i = n - 1
	}
	return i, ok && 0 <= i && i < n
}
