package library

import (
	"go/types"
	"slices"
	"strings"
)

// Slots of the calls that wait.
const (
	// ContextArg is the context or the stop channel that ends the wait.
	ContextArg Slot = 100 + iota
	// CarrierArg is a value that may carry the context: options, a backoff
	// policy, a request. See [CarriedContext].
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
}

// A Policy names the way in which a library's retries pace themselves, as far
// as their total can be computed from constants.
type Policy int

const (
	NoPolicy Policy = iota
	// AvastOptions: retry.Attempts, Delay and MaxDelay among the options.
	AvastOptions
	// CenkaltiBackOff: a constant backoff with a maximum of retries.
	CenkaltiBackOff
)

// WaitOf returns how fn waits, and whether it is known to.
func WaitOf(fn *types.Func) (Wait, bool) {
	w, ok := waits[waitName(fn)]
	return w, ok
}

// TimerOf reports whether fn returns a channel on which the time is sent, and
// which argument is the duration.
func TimerOf(fn *types.Func) (duration int, ok bool) {
	duration, ok = timers[waitName(fn)]
	return duration, ok
}

// IgnoresContext reports whether fn, though it takes a context, may well
// succeed after it is done: the reader of a manager's client reads a cache.
func IgnoresContext(fn *types.Func) bool { return ignoreContext[waitName(fn)] }

// CarriedContext returns the argument of fn that is the context which the
// result of fn, or its receiver, carries from then on.
func CarriedContext(fn *types.Func) (arg int, ok bool) {
	arg, ok = carriers[waitName(fn)]
	return arg, ok
}

// CarriesOn reports whether fn's result carries no other context than its
// arguments do: the policies and options of the retry libraries.
func CarriesOn(fn *types.Func) bool { return fn != nil && CarriesType(fn) }

// CarriesType reports whether obj is declared by a library whose values carry
// contexts only in ways that [CarriedContext] knows.
func CarriesType(obj types.Object) bool {
	if obj.Pkg() == nil {
		return false
	}
	path := obj.Pkg().Path()
	return slices.ContainsFunc(carrierPackages, func(p string) bool {
		return path == p || strings.HasPrefix(path, p+"/")
	})
}

// MakesPermanent reports whether fn wraps an error so that its library's
// retries give up.
func MakesPermanent(fn *types.Func) bool { return permanent[waitName(fn)] }

// A Meaning is what a function means for contexts and their errors.
type Meaning int

const (
	NoMeaning Meaning = iota
	// NeverDone returns a context that is never done.
	NeverDone
	// Detaches returns one that outlives its parent.
	Detaches
	// Cancels and Expires return a context, and a function that cancels it; the
	// latter also after a time.
	Cancels
	Expires
	// OfChannel returns a context that is done when the channel is closed.
	OfChannel
	// Cause returns the error of a context.
	Cause
	// AsksIs and AsksAs compare an error with another, or with a type.
	AsksIs
	AsksAs
	// AsksText asks whether a text contains another.
	AsksText
	// AsksInterrupted asks whether a wait ended early, for whatever reason.
	AsksInterrupted
	// NewError returns an error that wraps none, WrapsError one that is not nil
	// if its argument is not, FormatsError one that may wrap variadic arguments.
	NewError
	WrapsError
	FormatsError
	// TakesKey takes a key from a workqueue, or says that the queue is shut down.
	TakesKey
	// RunsOnce runs its argument once in the life of the process.
	RunsOnce
)

// MeaningOf returns what fn means for contexts and their errors.
func MeaningOf(fn *types.Func) Meaning { return meanings[Name(fn)] }

// StartsFunc reports whether a process calls fn while it starts: it binds the
// port on which it will serve.
func StartsFunc(fn *types.Func) bool { return startUp[Name(fn)] }

// StartsType reports whether a process deals with values of the type while it
// starts: with the definitions of the resources that its controllers will watch.
func StartsType(t types.Type) bool { return startUp[TypeName(t)] }

// NeverCloses reports whether the package variable is a channel that nobody ever
// closes.
func NeverCloses(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == pollWait && obj.Name() == "NeverStop"
}

// A Successor is the function of the same package that does the same until a
// context, its first argument, is done.
type Successor struct {
	Name string
	// Condition is the index of the function argument, which has to take the
	// context, too. Before it comes Immediate, if that is not empty.
	Condition int
	Immediate string
	// Timeout is the index of the time after which it ends, or -1.
	Timeout int
	// Endless: nothing ends the function itself.
	Endless bool
}

// SuccessorOf returns what to call instead of fn, which takes no context.
func SuccessorOf(fn *types.Func) (Successor, bool) {
	s, ok := successors[waitName(fn)]
	return s, ok
}

var successors = map[string]Successor{
	pollWait + ".Poll":                  {Name: "PollUntilContextTimeout", Condition: 2, Immediate: "false", Timeout: 1},
	pollWait + ".PollImmediate":         {Name: "PollUntilContextTimeout", Condition: 2, Immediate: "true", Timeout: 1},
	pollWait + ".PollInfinite":          {Name: "PollUntilContextCancel", Condition: 1, Immediate: "false", Timeout: -1},
	pollWait + ".PollImmediateInfinite": {Name: "PollUntilContextCancel", Condition: 1, Immediate: "true", Timeout: -1},
	pollWait + ".ExponentialBackoff":    {Name: "ExponentialBackoffWithContext", Condition: 1, Timeout: -1},
	pollWait + ".Forever":               {Name: "UntilWithContext", Condition: 0, Timeout: -1, Endless: true},
}

// RequestWithContext reports whether fn makes an HTTP request without a context,
// and NewRequestWithContext of its package one with.
func RequestWithContext(fn *types.Func) bool {
	switch waitName(fn) {
	case "net/http.NewRequest", retryHTTP + ".NewRequest":
		return true
	}
	return false
}

// WaitNames lists, sorted, the names of all functions in the tables about
// waits, so that a test can look each up in the real libraries.
func WaitNames() []string {
	var all []string
	for name := range waits {
		all = append(all, name)
	}
	for name := range timers {
		all = append(all, name)
	}
	for name := range ignoreContext {
		all = append(all, name)
	}
	for name := range carriers {
		all = append(all, name)
	}
	for name := range permanent {
		all = append(all, name)
	}
	for name := range meanings {
		all = append(all, name)
	}
	for name := range startUp {
		all = append(all, name)
	}
	for name, s := range successors {
		all = append(all, name, name[:strings.LastIndexByte(name, '.')+1]+s.Name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

const (
	pollWait   = "k8s.io/apimachinery/pkg/util/wait"
	retryUtil  = clientgo + "/util/retry"
	flowctl    = clientgo + "/util/flowcontrol"
	toolsCache = clientgo + "/tools/cache"
	clock      = "k8s.io/utils/clock"
	xRate      = "golang.org/x/time/rate"
	cenkalti   = "github.com/cenkalti/backoff"
	avast      = "github.com/avast/retry-go"
	retryHTTP  = "github.com/hashicorp/go-retryablehttp"
	sethvargo  = "github.com/sethvargo/go-retry"
	restyV1    = "gopkg.in/resty.v1"
	restyV2    = "github.com/go-resty/resty/v2"
	restyV3    = "resty.dev/v3"

	apiExtensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"
)

// samePaths maps the paths of other versions, and former paths, of a library to
// the one in the tables, where the functions of both mean the same to us.
var samePaths = map[string]string{
	cenkalti:                  cenkalti + "/v4",
	cenkalti + "/v3":          cenkalti + "/v4",
	"github.com/cenk/backoff": cenkalti + "/v4",
	avast:                     avast + "/v4",
	avast + "/v3":             avast + "/v4",
}

// waitName returns the name of fn in the tables of this file.
func waitName(fn *types.Func) string {
	name := Name(fn)
	if name == "" {
		return ""
	}
	path := fn.Pkg().Path()
	if same, ok := samePaths[path]; ok {
		return strings.Replace(name, path, same, 1)
	}
	return name
}

// Ways of ending, and what to use instead.
const (
	conditionEnds = OnError | OnTrue

	useTimeout = "wait.PollUntilContextTimeout"
	useCancel  = "wait.PollUntilContextCancel"
	useRequest = "a request with context"
)

var waits = map[string]Wait{
	"time.Sleep":                           {Args: Slots{IntervalArg: 0}},
	"(" + clock + ".Clock).Sleep":          {Args: Slots{IntervalArg: 1}},
	"(" + clock + ".RealClock).Sleep":      {Args: Slots{IntervalArg: 1}},
	"(" + flowctl + ".RateLimiter).Accept": {},
	"(" + flowctl + ".RateLimiter).Wait":   {Args: Slots{ContextArg: 1}},
	"(" + xRate + ".Limiter).Wait":         {Args: Slots{ContextArg: 1}},
	"(" + xRate + ".Limiter).WaitN":        {Args: Slots{ContextArg: 1}},

	toolsCache + ".WaitForCacheSync":      {Loop: true, Args: Slots{ContextArg: 0}},
	toolsCache + ".WaitForNamedCacheSync": {Loop: true, Args: Slots{ContextArg: 1}},

	// Polls that sleep without a context.
	pollWait + ".Poll":                  {Loop: true, Args: Slots{IntervalArg: 0, TimeoutArg: 1, CallbackArg: 2}, Ends: conditionEnds, Remedy: useTimeout},
	pollWait + ".PollImmediate":         {Loop: true, Args: Slots{IntervalArg: 0, TimeoutArg: 1, CallbackArg: 2}, Ends: conditionEnds, Remedy: useTimeout},
	pollWait + ".PollInfinite":          {Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: useCancel},
	pollWait + ".PollImmediateInfinite": {Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: useCancel},
	pollWait + ".ExponentialBackoff":    {Loop: true, Args: Slots{BackoffArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: "wait.ExponentialBackoffWithContext"},
	pollWait + ".Forever":               {Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1}, Remedy: "wait.UntilWithContext"},
	retryUtil + ".OnError":              {Loop: true, Args: Slots{BackoffArg: 0, RetryIfArg: 1, CallbackArg: 2}, Ends: OnFalsePredicate, Remedy: "a predicate that asks it"},
	retryUtil + ".RetryOnConflict":      {Loop: true, Args: Slots{BackoffArg: 0, CallbackArg: 1}, Ends: OnError, Remedy: "wait.ExponentialBackoffWithContext"},

	// Polls that a context or a channel ends.
	pollWait + ".PollUntilContextCancel":           {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 3}, Ends: conditionEnds},
	pollWait + ".PollUntilContextTimeout":          {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 4}, Ends: conditionEnds},
	pollWait + ".PollWithContext":                  {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 3}, Ends: conditionEnds},
	pollWait + ".PollImmediateWithContext":         {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 3}, Ends: conditionEnds},
	pollWait + ".PollUntilWithContext":             {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds},
	pollWait + ".PollImmediateUntilWithContext":    {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds},
	pollWait + ".PollInfiniteWithContext":          {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds},
	pollWait + ".PollImmediateInfiniteWithContext": {Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds},
	pollWait + ".PollUntil":                        {Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1, ContextArg: 2}, Ends: conditionEnds},
	pollWait + ".PollImmediateUntil":               {Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1, ContextArg: 2}, Ends: conditionEnds},
	pollWait + ".ExponentialBackoffWithContext":    {Loop: true, Args: Slots{ContextArg: 0, BackoffArg: 1, CallbackArg: 2}, Ends: conditionEnds},
	"(" + pollWait + ".DelayFunc).Until":           {Loop: true, Args: Slots{ContextArg: 1, CallbackArg: 4}, Ends: conditionEnds},

	// Endless repetition, which the callback has no means to end.
	pollWait + ".Until":                      {Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 2}},
	pollWait + ".UntilWithContext":           {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}},
	pollWait + ".NonSlidingUntil":            {Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 2}},
	pollWait + ".NonSlidingUntilWithContext": {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}},
	pollWait + ".JitterUntil":                {Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 4}},
	pollWait + ".JitterUntilWithContext":     {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}},
	pollWait + ".BackoffUntil":               {Loop: true, Args: Slots{CallbackArg: 0, ContextArg: 3}},
	pollWait + ".BackoffUntilWithContext":    {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1}},

	// Retries whose context is in the policy, among the options, or in the
	// request. What the retried function makes of a context is not looked at:
	// its error is retried like any other.
	cenkalti + "/v4.Retry":                  {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"},
	cenkalti + "/v4.RetryWithData":          {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"},
	cenkalti + "/v4.RetryNotify":            {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"},
	cenkalti + "/v4.RetryNotifyWithData":    {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"},
	cenkalti + "/v4.RetryNotifyWithTimer":   {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"},
	cenkalti + "/v5.Retry":                  {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1}, Ends: OnPermanent},
	avast + "/v4.Do":                        {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: Last}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"},
	avast + "/v4.DoWithData":                {Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: Last}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"},
	"(" + avast + "/v5.Retrier).Do":         {Loop: true, Args: Slots{CarrierArg: 0, CallbackArg: 1}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"},
	"(" + avast + "/v5.RetrierWithData).Do": {Loop: true, Args: Slots{CarrierArg: 0, CallbackArg: 1}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"},
	sethvargo + ".Do":                       {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}},
	sethvargo + ".DoValue":                  {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}},
	sethvargo + ".Constant":                 {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}},
	sethvargo + ".Exponential":              {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}},
	sethvargo + ".Fibonacci":                {Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}},
	"(" + retryHTTP + ".Client).Do":         {Loop: true, Args: Slots{CarrierArg: 1}, Remedy: useRequest},
	"(" + retryHTTP + ".Client).Get":        {Loop: true, Remedy: useRequest},
	"(" + retryHTTP + ".Client).Head":       {Loop: true, Remedy: useRequest},
	"(" + retryHTTP + ".Client).Post":       {Loop: true, Remedy: useRequest},
	"(" + retryHTTP + ".Client).PostForm":   {Loop: true, Remedy: useRequest},
	retryHTTP + ".Get":                      {Loop: true, Remedy: useRequest},
	retryHTTP + ".Head":                     {Loop: true, Remedy: useRequest},
	retryHTTP + ".Post":                     {Loop: true, Remedy: useRequest},
	retryHTTP + ".PostForm":                 {Loop: true, Remedy: useRequest},
}

// timers: the index of the duration.
var timers = map[string]int{
	"time.After":                           0,
	"time.Tick":                            0,
	"time.NewTimer":                        0,
	"time.NewTicker":                       0,
	"(" + clock + ".Clock).After":          1,
	"(" + clock + ".Clock).NewTimer":       1,
	"(" + clock + ".Clock).Tick":           1,
	"(" + clock + ".WithTicker).NewTicker": 1,
	"(" + clock + ".RealClock).After":      1,
	"(" + clock + ".RealClock).NewTimer":   1,
	"(" + clock + ".RealClock).NewTicker":  1,
	"(" + clock + ".RealClock).Tick":       1,
}

var ignoreContext = map[string]bool{
	"(" + crtClient + ".Reader).Get":  true,
	"(" + crtClient + ".Reader).List": true,
}

// carriers: the index of the context.
var carriers = map[string]int{
	cenkalti + "/v4.WithContext":              1,
	avast + "/v4.Context":                     0,
	avast + "/v5.Context":                     0,
	retryHTTP + ".NewRequestWithContext":      0,
	"(" + retryHTTP + ".Request).WithContext": 1,
	"net/http.NewRequestWithContext":          0,
	"(net/http.Request).WithContext":          1,
	"(net/http.Request).Clone":                1,
	"(" + restyV1 + ".Request).SetContext":    1,
	"(" + restyV2 + ".Request).SetContext":    1,
	"(" + restyV3 + ".Request).SetContext":    1,
}

// carrierPackages are those whose functions hand contexts on only in the ways
// that the table carriers lists.
var carrierPackages = []string{cenkalti, "github.com/cenk/backoff", avast, retryHTTP, "net/http", restyV1, restyV2, restyV3}

var permanent = map[string]bool{
	cenkalti + "/v4.Permanent":  true,
	cenkalti + "/v5.Permanent":  true,
	avast + "/v4.Unrecoverable": true,
	avast + "/v5.Unrecoverable": true,
}

const (
	pkgErrors = "github.com/pkg/errors"
	workqueue = clientgo + "/util/workqueue"
)

var meanings = map[string]Meaning{
	"context.Background":                     NeverDone,
	"context.TODO":                           NeverDone,
	"context.WithoutCancel":                  Detaches,
	"context.WithCancel":                     Cancels,
	"context.WithCancelCause":                Cancels,
	"context.WithTimeout":                    Expires,
	"context.WithTimeoutCause":               Expires,
	"context.WithDeadline":                   Expires,
	"context.WithDeadlineCause":              Expires,
	"context.Cause":                          Cause,
	pollWait + ".ContextForChannel":          OfChannel,
	"errors.Is":                              AsksIs,
	pkgErrors + ".Is":                        AsksIs,
	"errors.As":                              AsksAs,
	pkgErrors + ".As":                        AsksAs,
	"strings.Contains":                       AsksText,
	"strings.HasPrefix":                      AsksText,
	"strings.HasSuffix":                      AsksText,
	"strings.EqualFold":                      AsksText,
	pollWait + ".Interrupted":                AsksInterrupted,
	"errors.New":                             NewError,
	pkgErrors + ".New":                       NewError,
	pkgErrors + ".Errorf":                    NewError,
	pkgErrors + ".Wrap":                      WrapsError,
	pkgErrors + ".Wrapf":                     WrapsError,
	pkgErrors + ".WithMessage":               WrapsError,
	pkgErrors + ".WithMessagef":              WrapsError,
	pkgErrors + ".WithStack":                 WrapsError,
	"fmt.Errorf":                             FormatsError,
	"errors.Join":                            FormatsError,
	"(" + workqueue + ".TypedInterface).Get": TakesKey,
	"(" + workqueue + ".Interface).Get":      TakesKey,
	"(sync.Once).Do":                         RunsOnce,
	"sync.OnceFunc":                          RunsOnce,
	"sync.OnceValue":                         RunsOnce,
	"sync.OnceValues":                        RunsOnce,
}

// RestyVersion is a major version of the HTTP client resty.
type RestyVersion int

const (
	RestyV1 RestyVersion = iota + 1
	RestyV2
	RestyV3
)

// IsResty reports whether the package is some version of resty.
func IsResty(path string) bool { return restyVersions[path] != 0 }

var restyVersions = map[string]RestyVersion{
	restyV1: RestyV1,
	restyV2: RestyV2,
	restyV3: RestyV3,
}

// RestyMethod returns the version of resty that fn is a method of, 0 if it is
// none, and whether it executes a request.
func RestyMethod(fn *types.Func) (version RestyVersion, executes bool) {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil {
		return 0, false
	}
	version = restyVersions[fn.Pkg().Path()]
	if version == 0 {
		return 0, false
	}
	switch named := NamedOf(fn.Signature().Recv().Type()); named.Obj().Name() {
	case "Client":
		return version, false
	case "Request":
		switch fn.Name() {
		case "Get", "Head", "Post", "Put", "Patch", "Delete", "Options", "Execute", "Send":
			return version, true
		}
		return version, false
	}
	return 0, false
}

// startUp are the functions and types that code deals with before the
// controllers run.
var startUp = map[string]bool{
	"crypto/tls.Listen":                                true,
	"net.Listen":                                       true,
	"(net.ListenConfig).Listen":                        true,
	apiExtensions + "v1.CustomResourceDefinition":      true,
	apiExtensions + "v1beta1.CustomResourceDefinition": true,
}
