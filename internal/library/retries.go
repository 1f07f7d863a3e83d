package library

// retries has the records of libraries that retry, and of HTTP clients that do.
// The context of a retry is in the policy, among the options, or in the request.
// It does not matter whether the retried function observes a context: its error
// is retried like any other.
var retries = []Package{
	{Path: cenkalti + "/v4", Also: []string{cenkalti, cenkalti + "/v3", "github.com/cenk/backoff"}, Traits: CarriesContext, Funcs: map[string]Func{
		"Retry":                {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"}},
		"RetryWithData":        {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"}},
		"RetryNotify":          {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"}},
		"RetryNotifyWithData":  {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"}},
		"RetryNotifyWithTimer": {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: 1}, Ends: OnPermanent, Policy: CenkaltiBackOff, Remedy: "backoff.WithContext"}},
		"WithContext":          {Args: Slots{CarriedArg: 1}},
		"Permanent":            {Permanent: true},
	}},
	{Path: cenkalti + "/v5", Traits: CarriesContext, Funcs: map[string]Func{
		"Retry":     {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1}, Ends: OnPermanent}},
		"Permanent": {Permanent: true},
	}},

	{Path: avast + "/v4", Also: []string{avast, avast + "/v3"}, Traits: CarriesContext, Funcs: map[string]Func{
		"Do":            {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: Last}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"}},
		"DoWithData":    {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, CarrierArg: Last}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"}},
		"Context":       {Args: Slots{CarriedArg: 0}},
		"Unrecoverable": {Permanent: true},
	}},
	{Path: avast + "/v5", Traits: CarriesContext, Funcs: map[string]Func{
		"Retrier.Do":         {Wait: &Wait{Loop: true, Args: Slots{CarrierArg: 0, CallbackArg: 1}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"}},
		"RetrierWithData.Do": {Wait: &Wait{Loop: true, Args: Slots{CarrierArg: 0, CallbackArg: 1}, Ends: OnPermanent, Policy: AvastOptions, Remedy: "retry.Context"}},
		"Context":            {Args: Slots{CarriedArg: 0}},
		"Unrecoverable":      {Permanent: true},
	}},

	{Path: "github.com/sethvargo/go-retry", Funcs: each(Func{Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 2}}},
		"Do", "DoValue", "Constant", "Exponential", "Fibonacci")},

	{Path: retryHTTP, Traits: CarriesContext,
		Funcs: map[string]Func{
			"Client.Do":             {Wait: &Wait{Loop: true, Args: Slots{CarrierArg: 1}, Remedy: "a request with context"}},
			"Client.Get":            {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Client.Head":           {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Client.Post":           {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Client.PostForm":       {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Get":                   {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Head":                  {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"Post":                  {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"PostForm":              {Wait: &Wait{Loop: true, Remedy: "a request with context"}},
			"NewRequest":            {Successor: &Successor{Name: "NewRequestWithContext", Condition: -1, Timeout: -1}},
			"NewRequestWithContext": {Act: &Act{Request: true, Method: 1}, Args: Slots{CarriedArg: 0}, IgnoresContext: true},
			"Request.WithContext":   {Args: Slots{CarriedArg: 1}},
		},
		Types: map[string]Type{
			"Client": {Is: RetryClient},
		},
	},

	{Path: "gopkg.in/resty.v1", Resty: RestyV1, Traits: CarriesContext, Funcs: methods("Request", restyRequest)},
	{Path: "github.com/go-resty/resty/v2", Resty: RestyV2, Traits: CarriesContext, Funcs: methods("Request", restyRequest)},
	{Path: "github.com/go-resty/resty/v2", Funcs: map[string]Func{
		"Request.Send": {Executes: true},
	}},
	{Path: "resty.dev/v3", Resty: RestyV3, Traits: CarriesContext, Funcs: methods("Request", restyRequest)},
	{Path: "resty.dev/v3", Funcs: map[string]Func{
		"Request.Send": {Executes: true},
	}},
}

// restyRequest has the methods of resty's requests.
var restyRequest = map[string]Func{
	"Get":        {Executes: true},
	"Head":       {Executes: true},
	"Options":    {Executes: true},
	"Execute":    {Executes: true},
	"Post":       {Executes: true, Act: &Act{}},
	"Put":        {Executes: true, Act: &Act{}},
	"Patch":      {Executes: true, Act: &Act{}},
	"Delete":     {Executes: true, Act: &Act{}},
	"SetContext": {Args: Slots{CarriedArg: 1}},
}
