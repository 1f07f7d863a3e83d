package library

// A Func is the record of one function or method. Its zero value means that
// nothing is known. Records are shared and must not be changed.
type Func struct {
	// Write, Watch and Owner say what the function does to the cluster, to a
	// controller under construction, and to owner references. They are nil if it
	// does no such thing.
	Write *Write
	Watch *Watch
	Owner *Owner
	// Ask says what else the function asks of the API server; see [AskOf].
	Ask *Ask
	// Combination says how the function combines predicates.
	Combination Combination

	// Effect is what the function does to the content of the objects that it
	// takes or returns. Field is the metadata field that is concerned, Status the status
	// that a condition gets.
	Effect Effect
	Field  string
	Status string
	// Source says in which way the function's results differ from call to call.
	Source Source
	// OrdersResult: the result is a sequence in an order that does not depend on
	// the order of the argument.
	OrdersResult bool
	// MergesByKey: the patch that the function makes may merge lists by the keys of
	// their elements.
	MergesByKey bool
	// Unordered: the function builds something without an order, such as a set,
	// or ignores the order of its arguments.
	Unordered bool

	// OfKind: the results say which kind an object has, and nothing of its content.
	OfKind bool

	// KeepsReceiver: the method does not change its receiver, though that is a
	// pointer.
	KeepsReceiver bool

	// Sums: the method adds its argument to the receiver, or takes it away. The order
	// of several calls does not matter.
	Sums bool

	// Condition is what the function tests. Equality is set if it compares two
	// values: its last two arguments apart from options.
	Condition Condition
	Equality  bool

	// Finalizer says whether the function asks for a finalizer or removes one.
	Finalizer FinalizerUse

	// ReadsEnvironment: the function reads an environment variable, or tells of a file.
	ReadsEnvironment bool

	// Wait says how the function waits. It is nil if it does not.
	Wait *Wait
	// Successor is the function to call instead with a context, or nil.
	Successor *Successor
	// Meaning is what the function means for contexts and their errors.
	// Canceller says which of its results are a context and what cancels the
	// context.
	Meaning   Meaning
	Canceller *Canceller
	// IgnoresContext: the function takes a context, but may succeed after the
	// context is done. The reader of a manager's client does, because it reads a
	// cache.
	IgnoresContext bool
	// Permanent: the function wraps an error so that its library's retries stop.
	Permanent bool
	// Time is what the function computes from times and durations.
	Time TimeUse

	// Act is the effect of a call outside the process; see [ActOf].
	Act *Act
	// Executes: the method executes the request that is its receiver.
	Executes bool
	// Group is what the function does with a group of goroutines whose context
	// ends with the first error.
	Group Group
	// StartsGoroutine: the function runs its argument in a new goroutine.
	StartsGoroutine bool
	// RunsAtOnce: the function runs its argument in several goroutines, and waits for them.
	RunsAtOnce bool
	// ReadsShared: the function reads a variable that other goroutines write.
	ReadsShared bool
	// NeverReturns: the function ends the process, the goroutine or the test.
	NeverReturns bool
	// StartsUp: a process calls the function while it starts, to bind the port
	// on which it will serve.
	StartsUp bool

	// Args has the other arguments that matter. Those of a write, a watch, a
	// wait or an owner reference are in Write, Watch, Wait or Owner.
	Args Slots

	generated bool // by client-gen: see [Of]
}

// Role returns the role of a call of the function for a controller under
// construction, or 0.
func (f *Func) Role() Role {
	if f.Watch == nil {
		return 0
	}
	return f.Watch.Role
}

// An Effect says what a function does to the content of objects.
type Effect int

const (
	// ReadsObject fills its last object argument with an object from the API
	// server, ReadsList with a list of objects.
	ReadsObject Effect = iota + 1
	ReadsList
	// ReadsPatch returns the bytes of a patch, its receiver, for an object.
	ReadsPatch
	// ReadsClientset returns objects from the API server.
	ReadsClientset
	// SetsCondition sets a condition in a list, and renews its time only if its
	// status changes. FindsCondition returns a condition of the list, and
	// AsksCondition whether one of them is true. RemovesCondition removes the conditions
	// of a type. AsksConditionOf asks that of an object.
	SetsCondition
	// SetsConditionOf does that with a condition of its ObjectArg, which is an object, its status or
	// its conditions, and makes the condition from its other arguments.
	SetsConditionOf
	FindsCondition
	AsksCondition
	AsksConditionOf
	RemovesCondition
	// SetsMetadata and GetsMetadata are the accessors of a [Func.Field].
	// SetsMetadataEntry sets one entry of a field that is a map.
	SetsMetadata
	GetsMetadata
	SetsMetadataEntry
	// GetsKey returns the namespace and the name of an object.
	GetsKey
	// SetsGVK, SetsKind and SetsAPIVersion set the kind of an object, or a part
	// of it.
	SetsGVK
	SetsKind
	SetsAPIVersion
	// SetsContent replaces the content of an unstructured object.
	SetsContent
	// SetsNested sets the value at a path in nested maps.
	SetsNested
	// SetsField sets a field of an apply configuration, or appends to it, and
	// returns its receiver.
	SetsField
	// Merges copies the content of its second argument into what its first argument points
	// to. It replaces what is there if one of its options Overrides.
	Merges
	Overrides
	// CopiesEntries copies the entries of its second argument, a map, to its first one.
	// ClonesMap returns a map with the entries of its argument.
	CopiesEntries
	ClonesMap
	// Decodes fills the [DecodedArg] with the decoded [EncodedArg].
	Decodes
	// Converts returns an object as an unstructured map.
	Converts
	// PointsTo returns a pointer to a copy of its argument. PointedTo returns what its first
	// argument points to, or its second one if that is nil.
	PointsTo
	PointedTo
	// MakesFuncs returns a predicate that asks its argument, a function, about the object
	// of each event.
	MakesFuncs
	// NamesType returns what stands for its type argument.
	NamesType
	// MakesZero returns a pointer to a new object of the type that its argument
	// stands for: the type of an object. UnwrapsValue returns such an object.
	MakesZero
	UnwrapsValue
	// AddsKind makes a GroupVersionKind from a GroupVersion and a kind.
	// ParsesKind makes one from the text of an API version and a kind.
	AddsKind
	ParsesKind
	// RangesMap calls its argument with each entry of a map, in no particular
	// order.
	RangesMap
	// Shuffles permutes a sequence at random by calls of its function argument.
	Shuffles
	// IndexesField adds an index to a cache: a function of the objects of a type.
	IndexesField
	// SelectsField makes a selector of objects by a field and its value. SelectsFields makes
	// one of its argument, a map.
	SelectsField
	SelectsFields
	// Counts returns the number of members of its receiver, a set.
	Counts
	// ListsItems returns the items of a list of objects.
	ListsItems
	// Computes does what the functions of a package with the trait [Pure] do.
	Computes
	// Reformats computes its first argument in another form, which differs if that does: a
	// number as a text, a text without the space around it.
	Reformats
	// Compares compares its first two arguments, and returns whether they are equal, or a
	// text if they differ. The others are options. Of these, one that Reports tells its
	// argument of each difference, and one that ComparesAll leaves nothing out. One that is
	// Unordered ignores orders. Any other may leave something out.
	Compares
	Reports
	ComparesAll
)

// A Source says in which way a function's result differs from call to call.
type Source int

const (
	// Clock: the result is the time of the call.
	Clock Source = iota + 1
	// Random: the result is random bits, a fresh key, a certificate or a salted
	// hash.
	Random
	// MapOrder: the result is a sequence of a map's keys or entries, or of a
	// set's members, in the order of Go's map iteration.
	MapOrder
	// ListOrder: the result is a sequence in the order of a cache's store, which
	// is a map.
	ListOrder
)

// A TimeUse says what a function computes from times and durations.
type TimeUse int

const (
	// TimeSince is the time since the argument. TimeBetween is the time until
	// the argument, or between two arguments.
	TimeSince TimeUse = iota + 1
	TimeBetween
	// AddsDuration is the sum of a time and a duration.
	AddsDuration
	// IsEarlier and IsLater test whether the first of two times is. AsksZero tests
	// whether a time is zero.
	IsEarlier
	IsLater
	AsksZero
	// NextStep is the next interval of a backoff.
	NextStep
	// ConvertsDuration is a duration in another unit, or rounded.
	ConvertsDuration
)

// Compares reports whether a function tests which of two times is first.
func (u TimeUse) Compares() bool { return u == IsEarlier || u == IsLater }

// A Group says what a function does with a group of goroutines.
type Group int

const (
	// StartsInGroup starts its argument as a goroutine of the group.
	StartsInGroup Group = iota + 1
	// WaitsForGroup waits for all goroutines of the group, and then cancels its
	// context.
	WaitsForGroup
)

// A Canceller has the index of the result that is a context, and of the result
// that cancels it. The latter is a function, or a group whose [WaitsForGroup]
// method cancels the context.
type Canceller struct{ Context, Cancel int }

// A Type is the record of one type. Its zero value means that nothing is known.
type Type struct {
	// Is says what values of the type are.
	Is Meant
	// Parts has paths of fields in an object of the type that decide what a call
	// with such an argument does: the reconciler in controller.Options, or the
	// field that makes a Job delete itself. See [Parts].
	Parts []string
	// Passes has the changes that a predicate of the type lets through as an
	// update. It is 0 if the type is not such a predicate. An update that changes
	// nothing, such as that of a resync, does not pass.
	Passes Changes
	// AnyKind: the kind of an object of the type is known only at run time.
	AnyKind bool
	// AboutTime: objects of the type are about time, or nobody keeps them in a
	// desired state. Writing a value that differs each time is their purpose.
	AboutTime bool
	// StartsUp: a process uses values of the type while it starts. They define
	// the resources that its controllers will watch.
	StartsUp bool
	// WriteOnly has the fields that the API server takes and never returns.
	WriteOnly []string
}

// Meant says what the values of a type are, or what a package variable is.
type Meant int

const (
	// Context is context.Context. HTTPRequest carries one.
	Context Meant = iota + 1
	HTTPRequest
	// CancelFunc cancels a context.
	CancelFunc
	// Time is time.Time, MetaTime is the API's time type, Duration is
	// time.Duration, Timer is a timer or a ticker.
	Time
	MetaTime
	Duration
	Timer
	// Mutex guards other variables. ByteWriter takes in what is written to it.
	Mutex
	ByteWriter
	// Reflection is a reflect.Value: an object of any type.
	Reflection
	// Result is the result of a reconcile. Request asks for one.
	Result
	Request
	// FieldValues selects objects by the values of fields.
	FieldValues
	// TypeMeta says of which kind an object is. ObjectMeta is its metadata, and ListMeta that
	// of a list of objects. StatusCondition is one of the API's conditions. Unstructured is an
	// object or a list of objects without a Go type.
	TypeMeta
	ObjectMeta
	ListMeta
	StatusCondition
	Unstructured
	// Client reads from a cache and writes. Cache only reads from a cache.
	// Reader may read from the API server. Writer may write.
	Client
	Cache
	Reader
	Writer
	// Cluster hands out clients. Manager runs controllers. Builder makes a
	// controller, and SchemeBuilder makes the list of an API's types.
	Cluster
	Manager
	Builder
	SchemeBuilder
	// SourceOfKind is a source of the events of a kind. OtherSource is a source
	// of other events.
	SourceOfKind
	OtherSource
	// OwnerHandler enqueues owners. FuncsHandler enqueues what its functions
	// decide.
	OwnerHandler
	FuncsHandler
	// Predicate is the interface of predicates.
	Predicate
	// FuncsPredicate is a predicate made of functions. It lets through all
	// updates if it has no UpdateFunc. PredicateOption adds predicates to a
	// watch.
	FuncsPredicate
	PredicateOption
	// UpdateEvent is the argument of a predicate: an object before and after an
	// update. ObjectEvent is another event of an object.
	UpdateEvent
	ObjectEvent
	// Options of calls. A ServerSideApply creates objects that do not exist. A
	// DryRun writes nothing. EveryOwner makes every owner count instead of the
	// controller alone. OnlyMetadata watches metadata alone.
	ServerSideApply
	DryRun
	EveryOwner
	OnlyMetadata
	// PollCondition is the condition function of a poll without a context.
	PollCondition
	// RetryClient is an HTTP client that retries.
	RetryClient

	// NeverStop is a channel that nobody ever closes.
	NeverStop
	// Canceled is the error of a cancelled context. WaitTimeout is the error of
	// a poll without a context that gave up.
	Canceled
	WaitTimeout
	// RandomReader is a reader of random bytes.
	RandomReader
)

// IsTime reports whether the values are points in time.
func (m Meant) IsTime() bool { return m == Time || m == MetaTime }

// A Var is the record of one package variable. Its zero value means that nothing
// is known.
type Var struct {
	Is Meant
	// Func is the [Name] of the function that the variable holds.
	// Controller-runtime's root package republishes functions this way:
	// ctrl.SetControllerReference is a variable.
	Func string
	// Type is the [TypeName] of the variable's value, if its declared type is
	// only an interface.
	Type string
	// Backoff is the value of a wait.Backoff.
	Backoff *Backoff
}

// A FinalizerUse says what a function does with a finalizer of an object.
type FinalizerUse int

const (
	// AsksFinalizer tells whether the object has the finalizer.
	AsksFinalizer FinalizerUse = iota + 1
	// AddsFinalizer adds the finalizer and tells whether the object lacked it.
	AddsFinalizer
	// RemovesFinalizer removes the finalizer and tells whether the object had it.
	RemovesFinalizer
)
