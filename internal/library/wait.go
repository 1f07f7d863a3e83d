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
	// policy, a request. See [CarriedArg].
	CarrierArg
	// CallbackArg is a function that runs in place, in each round.
	CallbackArg
	// RetryIfArg is a function of an error that says whether to go on.
	RetryIfArg
	// IntervalArg is the time between two rounds, TimeoutArg the time for all
	// of them, BackoffArg a wait.Backoff that says both.
	IntervalArg
	TimeoutArg
	BackoffArg
)

// Ends is a set of the ways in which the callback of a poll or retry ends it.
type Ends int

const (
	// OnError: the callback's last result is an error that is not nil.
	OnError Ends = 1 << iota
	// OnTrue: its first result is true.
	OnTrue
	// OnPermanent: its error is one that the library does not retry.
	OnPermanent
	// OnFalsePredicate: the [RetryIfArg] says so.
	OnFalsePredicate
)

// conditionEnds is how the condition of a poll ends it.
const conditionEnds = OnError | OnTrue

// A Wait describes a library function that waits: it sleeps once, or it polls
// or retries in a loop of its own. A wait with neither a [ContextArg] nor a
// [CarrierArg] cannot be interrupted.
type Wait struct {
	// Loop tells polls and retries from a single sleep.
	Loop bool
	Args Slots
	Ends Ends
	// Policy says how a retry without a [BackoffArg] paces itself.
	Policy Policy
	// Remedy is what to use instead, for the message.
	Remedy string
	// Timer is the function of the same package that takes what a sleep does, and
	// returns a channel that receives when the time is over.
	Timer string
}

// A Policy names the way in which a library's retries pace themselves, as far
// as their total can be computed from constants.
type Policy int

const (
	// AvastOptions: retry.Attempts, Delay and MaxDelay among the options.
	AvastOptions Policy = iota + 1
	// CenkaltiBackOff: a constant backoff with a maximum of retries.
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
	// Detaches returns one that outlives its parent.
	Detaches
	// Cancels and Expires return a context, and a function that cancels it; the
	// latter also after a time.
	Cancels
	Expires
	// OfChannel returns a context that is done when the channel is closed.
	OfChannel
	// ContextOf returns the context that its receiver carries.
	ContextOf
	// Cause returns the error of a context.
	Cause
	// AsksIs and AsksAs compare an error with another, or with a type.
	AsksIs
	AsksAs
	// AsksText asks whether a text contains another.
	AsksText
	// AsksNotFound asks whether an error says that an object does not exist.
	AsksNotFound
	// AsksInterrupted asks whether a wait ended early, for whatever reason.
	AsksInterrupted
	// NewError returns an error that wraps none, WrapsError one that is not nil
	// if its argument is not, and MarksError one that wraps its argument and never
	// is nil. FormatsError returns one that may wrap variadic arguments, and never
	// is nil; JoinsErrors one that wraps those that are not.
	NewError
	WrapsError
	MarksError
	FormatsError
	JoinsErrors
	// DropsNotFound returns its argument unless that says that an object does not
	// exist.
	DropsNotFound
	// TakesKey takes a key from a workqueue, or says that the queue is shut down.
	TakesKey
	// RunsOnce runs its argument once in the life of the process.
	RunsOnce
)

// MakesError reports whether what a function of this meaning returns is never
// nil.
func (m Meaning) MakesError() bool { return m == NewError || m == MarksError || m == FormatsError }

// A Successor is the function of the same package that does the same until a
// context, its first argument, is done.
type Successor struct {
	Name string
	// Condition is the index of the function argument, which has to take the
	// context, too, or -1. Before it comes Immediate, if that is not empty.
	Condition int
	Immediate string
	// Timeout is the index of the time after which it ends, or -1.
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

// RestyOf returns the version of resty that the package is, 0 if it is none.
func RestyOf(pkg *types.Package) RestyVersion {
	if pkg != nil {
		if e := table[pkg.Path()]; e != nil {
			return e.resty
		}
	}
	return 0
}

// RestyMethod returns the version of resty whose client or request fn is a method
// of, 0 if it is none.
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
