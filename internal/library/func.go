package library

// A Func says all that is known of one function or method. Its zero value is a
// function of which nothing is known. Records are shared: nobody changes one.
type Func struct {
	// Write, Watch and Owner say what it does to the cluster, to a controller
	// under construction, and to owner references; nil if it does no such thing.
	Write *Write
	Watch *Watch
	Owner *Owner
	// Combination is how it makes one predicate of others.
	Combination Combination

	// Effect is what it does to the content of the objects that it is given or
	// returns, Field the field of their metadata that this is about.
	Effect Effect
	Field  string
	// Source says in which way its results differ from call to call.
	Source Source
	// OrdersResult: it returns a sequence in an order of its own, whatever the
	// order of its argument.
	OrdersResult bool
	// Unordered: it builds something without an order, such as a set, or does
	// not care about the order of its arguments.
	Unordered bool

	// Condition is what it tests. Equality is set if it compares two values, its
	// last two arguments apart from options.
	Condition Condition
	Equality  bool

	// Wait says how it waits, nil if it does not.
	Wait *Wait
	// Successor is what to call instead with a context, nil if there is nothing.
	Successor *Successor
	// Meaning is what it means for contexts and their errors, Canceller which of
	// its results are a context and what cancels it.
	Meaning   Meaning
	Canceller *Canceller
	// IgnoresContext: though it takes a context, it may well succeed after that
	// is done: the reader of a manager's client reads a cache.
	IgnoresContext bool
	// Permanent: it wraps an error so that its library's retries give up.
	Permanent bool
	// Time is what it computes of times and durations.
	Time TimeUse

	// Act is the effect that it has outside of the process; see [ActOf].
	Act *Act
	// Executes: it executes the request that its receiver is.
	Executes bool
	// Group is what it does with a group of goroutines whose context ends with
	// the first error.
	Group Group
	// StartsGoroutine: it runs its argument in a goroutine of its own.
	StartsGoroutine bool
	// ReadsShared: it reads a variable that other goroutines write.
	ReadsShared bool
	// NeverReturns: it ends the process, the goroutine or the test.
	NeverReturns bool
	// StartsUp: a process calls it while it starts, to bind the port on which it
	// will serve.
	StartsUp bool

	// Args are the arguments whose part matters by itself. What belongs to a
	// write, a watch, a wait or an owner reference is there.
	Args Slots

	generated bool // by client-gen: see [Of]
}

// Role returns what a call of the function does for a controller under
// construction, 0 if nothing.
func (f *Func) Role() Role {
	if f.Watch == nil {
		return 0
	}
	return f.Watch.Role
}

// An Effect says what a function does to the content of objects.
type Effect int

const (
	// ReadsObject fills its last object argument with an object that the API
	// server has, ReadsList with a list of objects.
	ReadsObject Effect = iota + 1
	ReadsList
	// ReadsClientset returns objects that the API server has.
	ReadsClientset
	// SetsCondition sets one in a list of conditions, and renews its time only
	// if its status changes. FindsCondition returns one of the list.
	SetsCondition
	FindsCondition
	// SetsMetadata and GetsMetadata are the accessors of a [Func.Field];
	// SetsMetadataEntry sets one entry of such a map.
	SetsMetadata
	GetsMetadata
	SetsMetadataEntry
	// SetsGVK, SetsKind and SetsAPIVersion say of what kind an object is.
	SetsGVK
	SetsKind
	SetsAPIVersion
	// SetsContent replaces the content of an unstructured object.
	SetsContent
	// SetsNested sets what lies at a path below a map.
	SetsNested
	// SetsField sets a field of an apply configuration, or appends to it, and
	// returns its receiver.
	SetsField
	// Decodes fills the [DecodedArg] with what the [EncodedArg] says.
	Decodes
	// Converts returns an object as an unstructured map.
	Converts
	// PointsTo returns a pointer to a copy of its argument.
	PointsTo
	// AddsKind makes a GroupVersionKind of a group and version and a kind,
	// ParsesKind of the text of an API version and a kind.
	AddsKind
	ParsesKind
	// RangesMap calls its argument with the entries of a map, in no order.
	RangesMap
	// Shuffles puts what it swaps into a random order.
	Shuffles
)

// A Source says in which way a function's result differs from call to call.
type Source int

const (
	// Clock: the time of the call.
	Clock Source = iota + 1
	// Random: random bits, fresh keys, certificates, salted hashes.
	Random
	// MapOrder: a sequence of a map's keys or entries, or of a set's members,
	// in the order of Go's map iteration.
	MapOrder
	// ListOrder: a sequence in the order of a cache's store, which is a map.
	ListOrder
)

// A TimeUse says what a function computes of times and durations.
type TimeUse int

const (
	// TimeSince is the time that has passed since its argument, TimeBetween that
	// until its argument, or between two of them.
	TimeSince TimeUse = iota + 1
	TimeBetween
	// AddsDuration is the time that comes a duration after another.
	AddsDuration
	// ComparesTimes says which of two times is first, AsksZero whether there is a
	// time at all.
	ComparesTimes
	AsksZero
	// NextStep is the next pause of a backoff.
	NextStep
	// ConvertsDuration is a duration in another unit, or rounded.
	ConvertsDuration
)

// A Group says what a function does with a group of goroutines.
type Group int

const (
	// StartsInGroup starts its argument in the group.
	StartsInGroup Group = iota + 1
	// WaitsForGroup waits for all of the group, and then cancels its context.
	WaitsForGroup
)

// A Canceller says which results of a function are a context, and what cancels
// it: a function, or a group, of which the function that [WaitsForGroup] does.
type Canceller struct{ Context, Cancel int }

// A Type says all that is known of a type.
type Type struct {
	// Is names what values of the type are.
	Is Meant
	// Parts are the paths under an object of the type that say what a call with
	// such an argument does: the reconciler within controller.Options, what makes
	// a Job delete itself. See [Parts].
	Parts []string
	// Passes are the changes that a predicate of the type lets through as an
	// update, 0 if it is no predicate that lets some through and not others.
	Passes Changes
	// AnyKind: what kind an object of the type is, is data.
	AnyKind bool
	// AboutTime: objects of the type are about time, or nobody converges them. A
	// value that differs is what they are for.
	AboutTime bool
	// StartsUp: a process deals with values of the type while it starts, with the
	// definitions of the resources that its controllers will watch.
	StartsUp bool
}

// Meant names what values of a library's type, or what a package variable, are.
type Meant int

const (
	// Context is context.Context, HTTPRequest carries one.
	Context Meant = iota + 1
	HTTPRequest
	// Time is time.Time, MetaTime the API's, Timer a timer or a ticker.
	Time
	MetaTime
	Timer
	// Mutex guards other variables, ByteWriter takes in what is written to it.
	Mutex
	ByteWriter
	// Result is what a reconcile returns.
	Result
	// ObjectMeta is the metadata of an object, StatusCondition one of the API's
	// conditions, Unstructured an object or a list of objects without a Go type.
	ObjectMeta
	StatusCondition
	Unstructured
	// Client reads from a cache and writes, Cache only reads from it, Reader may
	// read from the API server, and Writer may write.
	Client
	Cache
	Reader
	Writer
	// Cluster hands out clients; Manager runs controllers. Builder makes one, and
	// SchemeBuilder the list of an API's types.
	Cluster
	Manager
	Builder
	SchemeBuilder
	// SourceOfKind is a source of the events of a kind, OtherSource of others.
	SourceOfKind
	OtherSource
	// OwnerHandler enqueues owners, FuncsHandler what its functions say.
	OwnerHandler
	FuncsHandler
	// FuncsPredicate is a predicate of functions, which lets through all updates
	// if it has no UpdateFunc. PredicateOption gives predicates to a watch.
	FuncsPredicate
	PredicateOption
	// UpdateEvent is what a predicate is asked about: an object as it was and as
	// it is now.
	UpdateEvent
	// Options of calls: a server-side apply creates what does not exist, a dry run
	// writes nothing, every owner counts rather than the controller alone, a watch
	// is of metadata alone.
	ServerSideApply
	DryRun
	EveryOwner
	OnlyMetadata
	// PollCondition is the condition of a poll without a context.
	PollCondition
	// RetryClient is an HTTP client that retries.
	RetryClient

	// NeverStop is a channel that nobody ever closes.
	NeverStop
	// Canceled is the error of a context that was cancelled, WaitTimeout that of a
	// poll without a context that gave up.
	Canceled
	WaitTimeout
	// RandomReader is a reader of random bytes.
	RandomReader
)

// A Var says all that is known of a package variable.
type Var struct {
	Is Meant
	// Func is the [Name] of the function that the variable holds.
	// Controller-runtime's root package republishes functions this way:
	// ctrl.SetControllerReference is a variable.
	Func string
	// Type is the [TypeName] of what it holds where its declared type is only an
	// interface.
	Type string
	// Backoff is the value of a wait.Backoff.
	Backoff *Backoff
}
