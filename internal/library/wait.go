package library

import (
	"go/types"
	"time"
)

// Slots of the calls that wait.
const (
	// ContextArg is the context or the stop channel that ends the wait.
	ContextArg Slot = 100 + iota
	// CarrierArg is a value that may carry the context: options, a backoff
	// policy or a request. See [CarriedArg].
	CarrierArg
	// CallbackArg is a function that the wait calls in each round. A function that
	// does not wait calls it before it returns.
	CallbackArg
	// RetryIfArg is a function that takes an error and says whether to retry.
	RetryIfArg
	// IntervalArg is the time between two rounds, TimeoutArg the time for all
	// rounds. BackoffArg is a wait.Backoff, which determines both.
	IntervalArg
	TimeoutArg
	BackoffArg
)

// Ends is a set of the ways in which the callback of a poll or retry can end it.
type Ends int

const (
	// OnError: the callback's last result is an error that is not nil.
	OnError Ends = 1 << iota
	// OnTrue: its first result is true.
	OnTrue
	// OnPermanent: its error is one that the library does not retry.
	OnPermanent
	// OnFalsePredicate: the [RetryIfArg] returns false.
	OnFalsePredicate
)

// conditionEnds is how the condition of a poll ends it.
const conditionEnds = OnError | OnTrue

// A Wait describes a library function that waits: it sleeps once, or it polls or
// retries in a loop of its own. A wait that has neither a [ContextArg] nor a
// [CarrierArg] cannot be interrupted.
type Wait struct {
	// Loop is set for polls and retries, not for a single sleep.
	Loop bool
	Args Slots
	Ends Ends
	// Policy says how a retry without a [BackoffArg] spaces its rounds.
	Policy Policy
	// Remedy is what the message recommends instead.
	Remedy string
	// Timer is the function of the same package that takes the arguments of a
	// sleep and returns a channel that receives when the time is over.
	Timer string
}

// A Policy says how a library's retries space their rounds, as far as constants
// determine the total.
type Policy int

const (
	// AvastOptions: retry.Attempts, Delay and MaxDelay in the options.
	AvastOptions Policy = iota + 1
	// CenkaltiBackOff: a constant backoff with a maximum number of retries.
	CenkaltiBackOff
)

// A Backoff is the value of a wait.Backoff.
type Backoff struct {
	Duration, Cap  time.Duration
	Factor, Jitter float64
	Steps          int
}

// A Meaning is what a function means for contexts and their errors.
type Meaning int

const (
	// NeverDone returns a context that is never done.
	NeverDone Meaning = iota + 1
	// Detaches returns a context that outlives its parent.
	Detaches
	// Cancels and Expires return a context and a function that cancels it. With
	// Expires the context also ends after a time.
	Cancels
	Expires
	// OfChannel returns a context that is done when the channel is closed.
	OfChannel
	// ContextOf returns the context that its receiver carries.
	ContextOf
	// Cause returns the error of a context.
	Cause
	// AsksIs and AsksAs compare an error with another error, or with a type.
	AsksIs
	AsksAs
	// AsksText tests whether a text contains another.
	AsksText
	// Reflects returns what its first argument is, or stands for, and ReflectsField the field of that
	// which the second argument names.
	Reflects
	ReflectsField
	// JoinsTexts returns the texts of its first argument one after the other, and SplitsText
	// returns all parts of its first argument, a text.
	JoinsTexts
	SplitsText
	// Encodes returns a form of its argument in which objects are sent.
	Encodes
	// AsksNotFound tests whether an error says that an object does not exist.
	AsksNotFound
	// AsksInterrupted tests whether a wait ended early, for whatever reason.
	AsksInterrupted
	// NewError returns an error that wraps none. WrapsError returns an error
	// that wraps its argument, and nil for nil. MarksError returns an error that
	// wraps its argument and is never nil. FormatsError returns an error that
	// may wrap variadic arguments and is never nil. JoinsErrors returns an error
	// that wraps those arguments that are not nil.
	NewError
	WrapsError
	MarksError
	FormatsError
	JoinsErrors
	// DropsNotFound returns its argument, or nil if that says that an object
	// does not exist.
	DropsNotFound
	// TakesKey takes a key from a workqueue, or reports that the queue is shut
	// down. SplitsKey returns the parts of its argument, a key.
	TakesKey
	SplitsKey
	// CountsFailures returns how often in a row the work for a key has failed.
	CountsFailures
	// ServesUntilDone takes a context and returns a nil error only when that is done.
	ServesUntilDone
	// RunsOnce runs its argument once in the lifetime of the process.
	RunsOnce
	// Joins waits until other goroutines have signalled with its receiver. Signals
	// does that.
	Joins
	Signals
)

// MakesError reports whether functions with this meaning never return a nil
// error.
func (m Meaning) MakesError() bool { return m == NewError || m == MarksError || m == FormatsError }

// A Successor is a function of the same package that does the same until its
// first argument, a context, is done.
type Successor struct {
	Name string
	// Condition is the index of the function argument, which must take the
	// context too, or -1. If Immediate is not empty it is inserted before that
	// argument.
	Condition int
	Immediate string
	// Timeout is the index of the argument that limits the total time, or -1.
	Timeout int
	// Endless: nothing ends the function itself.
	Endless bool
}

// RestyVersion is a major version of the HTTP client resty.
type RestyVersion int

const (
	RestyV1 RestyVersion = iota + 1
	RestyV2
	RestyV3
)

// RestyOf returns the version of resty if the package is one, else 0.
func RestyOf(pkg *types.Package) RestyVersion {
	if pkg != nil {
		if e := table[pkg.Path()]; e != nil {
			return e.resty
		}
	}
	return 0
}

// RestyMethod returns the version of resty if fn is a method of its client or
// request, else 0.
func RestyMethod(fn *types.Func) RestyVersion {
	if fn == nil || fn.Signature().Recv() == nil {
		return 0
	}
	switch named := NamedOf(fn.Signature().Recv().Type()); {
	case named == nil:
	case named.Obj().Name() == "Client", named.Obj().Name() == "Request":
		return RestyOf(fn.Pkg())
	}
	return 0
}
