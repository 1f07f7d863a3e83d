package library

import "time"

// clientGo has the records of k8s.io/client-go. Functions that its generators
// write for each kind are in [family].
var clientGo = []Package{
	{Path: clientgo, Traits: Pure | UsesCluster},
	{Path: clientgo + "/applyconfigurations/meta/v1", Funcs: map[string]Func{
		"OwnerReference": {Owner: &Owner{Effect: MakesRef}},
		"OwnerReferenceApplyConfiguration.WithController": {Owner: &Owner{Effect: SetsRefController, Args: Slots{RefArg: 0, ControllerArg: 1}}},
		"OwnerReferenceApplyConfiguration.WithKind":       {Owner: &Owner{Effect: SetsRefKind, Args: Slots{RefArg: 0, KindArg: 1}}},
	}},
	{Path: dynamic, Funcs: map[string]Func{
		"NewForConfig":                             {Watch: &Watch{Role: NewClient, Args: Slots{ConfigArg: 0}}},
		"NewForConfigOrDie":                        {Watch: &Watch{Role: NewClient, Args: Slots{ConfigArg: 0}}},
		"Interface.Resource":                       {Watch: &Watch{Role: ResourceClient, Args: Slots{ClientArg: 0, ResourceArg: 1}}},
		"NamespaceableResourceInterface.Namespace": {Watch: &Watch{Role: ResourceClient, Args: Slots{ClientArg: 0}}},
		"ResourceInterface.Get":                    {Effect: ReadsClientset, Ask: &Ask{Verb: Get, Kind: OfResource, Args: Slots{ClientArg: 0}}},
		"ResourceInterface.List":                   {Effect: ReadsClientset, Ask: &Ask{Verb: List, Kind: OfResource, Args: Slots{ClientArg: 0}}},
		"ResourceInterface.Watch":                  {Ask: &Ask{Verb: Watching, Kind: OfResource, Args: Slots{ClientArg: 0}}},
		"ResourceInterface.Create":                 {Write: &Write{Verb: Create, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
		"ResourceInterface.Update":                 {Write: &Write{Verb: Update, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
		"ResourceInterface.UpdateStatus":           {Write: &Write{Verb: Update, Sub: "status", Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
		"ResourceInterface.Patch":                  {Write: &Write{Verb: Patch, Kind: OfResource, Args: Slots{ClientArg: 0, PatchArg: 3, BodyArg: 4, OptionsArg: 5}}},
		"ResourceInterface.Apply":                  {Write: &Write{Verb: Apply, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 3, OptionsArg: 4}}},
		"ResourceInterface.ApplyStatus":            {Write: &Write{Verb: Apply, Sub: "status", Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 3, OptionsArg: 4}}},
		"ResourceInterface.Delete":                 {Write: &Write{Verb: Delete, Kind: OfResource, Args: Slots{ClientArg: 0, OptionsArg: 3}}},
		"ResourceInterface.DeleteCollection":       {Write: &Write{Verb: DeleteAllOf, Kind: OfResource, Args: Slots{ClientArg: 0, OptionsArg: 2}}},
	}},
	{Path: gentype, Funcs: map[string]Func{
		"Client.Create":       {Write: &Write{Verb: Create, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
		"Client.Update":       {Write: &Write{Verb: Update, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
		"Client.UpdateStatus": {Write: &Write{Verb: Update, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	}},
	{Path: clientgo + "/kubernetes", Funcs: each(Func{Watch: &Watch{Role: NewClient, Args: Slots{ConfigArg: 0}}},
		"NewForConfig", "NewForConfigOrDie", "NewForConfigAndClient")},
	{Path: clientgo + "/util/workqueue", Funcs: map[string]Func{
		"ParallelizeUntil": {RunsAtOnce: true},
	}},
	{Path: clientgo + "/listers", Funcs: map[string]Func{
		"ResourceIndexer.List": {Source: ListOrder},
	}},
	{Path: clientgo + "/rest", Funcs: map[string]Func{ // of whatever the request says
		"Interface.Get":    {Ask: &Ask{Verb: Get}},
		"Interface.Post":   {Ask: &Ask{Verb: Create}},
		"Interface.Put":    {Ask: &Ask{Verb: Update}},
		"Interface.Patch":  {Ask: &Ask{Verb: Patch}},
		"Interface.Delete": {Ask: &Ask{Verb: Delete}},
		"Interface.Verb":   {Ask: &Ask{}},
	}},
	{Path: clientgo + "/tools/events", Traits: Pure | UsesCluster | Tells, Funcs: map[string]Func{
		"EventRecorder.Eventf": {Ask: &Ask{Rights: recordsNewer}}, // up to 0.36
	}},
	{Path: clientgo + "/tools/internal/events", Funcs: map[string]Func{
		"EventRecorder.Eventf":                   {Ask: &Ask{Rights: recordsNewer}},
		"AnnotatedEventRecorder.AnnotatedEventf": {Ask: &Ask{Rights: recordsNewer}},
	}},
	{Path: clientgo + "/tools/leaderelection", Funcs: map[string]Func{
		"RunOrDie":         {Ask: &Ask{Rights: electsLeader}},
		"NewLeaderElector": {Ask: &Ask{Rights: electsLeader}},
	}},
	{Path: clientgo + "/tools/remotecommand", Funcs: each(Func{Act: &Act{}}, "Executor.StreamWithContext")},
	{Path: clientgo + "/tools/leaderelection/resourcelock", Funcs: each(Func{Act: &Act{}},
		"Interface.Create", "Interface.Update", "LeaseLock.Create", "LeaseLock.Update")},
	{Path: clientgo + "/tools/record", Traits: Pure | UsesCluster | Tells, Funcs: each(Func{Ask: &Ask{Rights: recordsEvents}},
		"EventRecorder.Event", "EventRecorder.Eventf", "EventRecorder.AnnotatedEventf")},
	{Path: toolsCache, Funcs: each(Func{Source: ListOrder}, "GenericLister.List", "GenericNamespaceLister.List", "Store.List", "Store.ListKeys",
		"Indexer.ByIndex", "Indexer.Index")},
	{Path: toolsCache, Funcs: map[string]Func{
		"SplitMetaNamespaceKey": {Meaning: SplitsKey},
		"ParseObjectName":       {Meaning: SplitsKey},
		"WaitForCacheSync":      {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0}}},
		"WaitForNamedCacheSync": {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 1}}},
	}},
	{Path: clientgo + "/util/cert", Funcs: each(Func{Source: Random}, "GenerateSelfSignedCertKey", "MakeCSR", "NewSelfSignedCACert")},
	{Path: clientgo + "/util/flowcontrol", Funcs: map[string]Func{
		"RateLimiter.Accept": {Wait: &Wait{}},
		"RateLimiter.Wait":   {Wait: &Wait{Args: Slots{ContextArg: 1}}},
	}},
	{Path: clientgo + "/util/keyutil", Funcs: map[string]Func{
		"MakeEllipticPrivateKeyPEM": {Source: Random},
	}},
	{Path: retryUtil,
		Funcs: map[string]Func{
			"OnError":         {Wait: &Wait{Loop: true, Args: Slots{BackoffArg: 0, RetryIfArg: 1, CallbackArg: 2}, Ends: OnFalsePredicate, Remedy: "a predicate that asks it"}},
			"RetryOnConflict": {Wait: &Wait{Loop: true, Args: Slots{BackoffArg: 0, CallbackArg: 1}, Ends: OnError, Remedy: "wait.ExponentialBackoffWithContext"}},
		},
		Vars: map[string]Var{
			"DefaultRetry":   {Backoff: &Backoff{Steps: 5, Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.1}},
			"DefaultBackoff": {Backoff: &Backoff{Steps: 4, Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1}},
		},
	},
	{Path: workqueue, Funcs: map[string]Func{
		"TypedInterface.Get": {Meaning: TakesKey},
		"Interface.Get":      {Meaning: TakesKey}, // not generic up to 0.30

		"TypedRateLimitingInterface.NumRequeues": {Meaning: CountsFailures},
		"RateLimitingInterface.NumRequeues":      {Meaning: CountsFailures},
		"TypedRateLimiter.NumRequeues":           {Meaning: CountsFailures},
		"RateLimiter.NumRequeues":                {Meaning: CountsFailures},
	}},
}
