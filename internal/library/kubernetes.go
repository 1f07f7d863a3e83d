package library

// kubernetes has the records of the libraries k8s.io/... apart from client-go:
// the API types, apimachinery, utils.
var kubernetes = []Package{
	{Path: "k8s.io/api", Traits: Pure},
	{Path: "k8s.io/api/batch/v1", Types: map[string]Type{
		"Job": {Parts: []string{"ObjectMeta.GenerateName", "Spec.TTLSecondsAfterFinished"}},
	}},
	{Path: "k8s.io/api/core/v1", Types: map[string]Type{
		"Pod": {Parts: []string{"ObjectMeta.GenerateName"}},
		// See https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/secret-v1/.
		"Secret":  {WriteOnly: []string{"StringData"}},
		"Event":   {AboutTime: true},
		"Binding": {AboutTime: true},
	}},
	{Path: "k8s.io/api/authentication/v1", Types: each(Type{AboutTime: true}, "TokenRequest", "TokenReview")},
	{Path: "k8s.io/api/authorization/v1", Types: each(Type{AboutTime: true}, "SelfSubjectAccessReview", "SubjectAccessReview")},
	{Path: "k8s.io/api/certificates/v1", Types: each(Type{AboutTime: true}, "CertificateSigningRequest")},
	{Path: "k8s.io/api/coordination/v1", Types: each(Type{AboutTime: true}, "Lease")},
	{Path: "k8s.io/api/coordination/v1alpha2", Types: each(Type{AboutTime: true}, "LeaseCandidate")},
	{Path: "k8s.io/api/coordination/v1beta1", Types: each(Type{AboutTime: true}, "Lease")},
	{Path: "k8s.io/api/events/v1", Types: each(Type{AboutTime: true}, "Event")},
	{Path: "k8s.io/api/events/v1beta1", Types: each(Type{AboutTime: true}, "Event")},
	{Path: "k8s.io/api/policy/v1", Types: each(Type{AboutTime: true}, "Eviction")},

	{Path: "k8s.io/apiextensions-apiserver", Traits: Pure},
	{Path: apiExtensions + "v1", Types: map[string]Type{
		"CustomResourceDefinition": {StartsUp: true},
	}},
	{Path: apiExtensions + "v1beta1", Types: map[string]Type{
		"CustomResourceDefinition": {StartsUp: true},
	}},

	{Path: apimachinery, Traits: Pure},
	{Path: apimachinery + "/pkg/api/errors", Funcs: map[string]Func{
		"IsNotFound":      {Meaning: AsksNotFound, Condition: AbsenceCondition},
		"IsAlreadyExists": {Condition: StableCondition},
		"IsConflict":      {Condition: StableCondition},

		"IsBadRequest":                 {Condition: RefusalCondition},
		"IsForbidden":                  {Condition: RefusalCondition},
		"IsInternalError":              {Condition: RefusalCondition},
		"IsInvalid":                    {Condition: RefusalCondition},
		"IsMethodNotSupported":         {Condition: RefusalCondition},
		"IsNotAcceptable":              {Condition: RefusalCondition},
		"IsRequestEntityTooLargeError": {Condition: RefusalCondition},
		"IsResourceExpired":            {Condition: RefusalCondition},
		"IsServerTimeout":              {Condition: RefusalCondition},
		"IsServiceUnavailable":         {Condition: RefusalCondition},
		"IsTimeout":                    {Condition: RefusalCondition},
		"IsTooManyRequests":            {Condition: RefusalCondition},
		"IsUnauthorized":               {Condition: RefusalCondition},
		"IsUnexpectedObjectError":      {Condition: RefusalCondition},
		"IsUnexpectedServerError":      {Condition: RefusalCondition},
		"IsUnsupportedMediaType":       {Condition: RefusalCondition},
	}},
	{Path: ConditionsPackage, Funcs: map[string]Func{
		"SetStatusCondition":    {Effect: SetsCondition},
		"RemoveStatusCondition": {Effect: RemovesCondition},
		"FindStatusCondition":   {Effect: FindsCondition},
		"IsStatusConditionTrue": {Effect: AsksCondition},
		"IsNoMatchError":        {Condition: StableCondition},
		"ExtractList":           {Effect: ListsItems, Args: Slots{ObjectArg: 0}},
		"Accessor":              {Args: Slots{ReturnedArg: 0}},
		"CommonAccessor":        {Args: Slots{ReturnedArg: 0}},
	}},
	{Path: fieldsets,
		Funcs: map[string]Func{
			"OneTermEqualSelector": {Effect: SelectsField, Args: Slots{KeyArg: 0, ValueArg: 1}},
			"SelectorFromSet":      {Effect: SelectsFields, Args: Slots{ValueArg: 0}},
			"Set.AsSelector":       {Effect: SelectsFields, Args: Slots{ValueArg: 0}},
		},
		Types: map[string]Type{
			"Set": {Is: FieldValues},
		},
	},
	{Path: metav1, Short: "metav1", Traits: Pure | TellsTime,
		Funcs: map[string]Func{
			"Now":                           {Source: Clock},
			"NowMicro":                      {Source: Clock},
			"Time.IsZero":                   {Time: AsksZero, Condition: AbsenceCondition},
			"Time.Before":                   {Time: IsEarlier, KeepsReceiver: true},
			"Time.Equal":                    {Condition: EqualityCondition, KeepsReceiver: true},
			"MicroTime.Before":              {Time: IsEarlier, KeepsReceiver: true},
			"MicroTime.Equal":               {Condition: EqualityCondition, KeepsReceiver: true},
			"NewControllerRef":              {Owner: &Owner{Effect: MakesControllerRef, Args: Slots{OwnerArg: 0, GVKArg: 1}}},
			"GetControllerOf":               {Effect: GetsMetadata, Field: "OwnerReferences"},
			"GetControllerOfNoCopy":         {Effect: GetsMetadata, Field: "OwnerReferences"},
			"IsControlledBy":                {Condition: OwnerCondition},
			"Object.SetOwnerReferences":     {Owner: &Owner{Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}}},
			"ObjectMeta.SetOwnerReferences": {Owner: &Owner{Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}}},
			"SetMetaDataAnnotation":         {Effect: SetsMetadataEntry, Field: "Annotations"},
			"SetMetaDataLabel":              {Effect: SetsMetadataEntry, Field: "Labels"},
		},
		Types: map[string]Type{
			"Time":                  {Is: MetaTime},
			"Condition":             {Is: StatusCondition},
			"TypeMeta":              {Is: TypeMeta},
			"ObjectMeta":            {Is: ObjectMeta},
			"ListMeta":              {Is: ListMeta},
			"PartialObjectMetadata": {AnyKind: true},
			"CreateOptions":         {Parts: []string{"DryRun"}},
			"UpdateOptions":         {Parts: []string{"DryRun"}},
			"PatchOptions":          {Parts: []string{"DryRun"}},
			"ApplyOptions":          {Parts: []string{"DryRun"}},
		},
	},
	{Path: unstructured,
		Funcs: map[string]Func{
			"Unstructured.SetOwnerReferences": {Owner: &Owner{Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}}},
			"SetNestedField":                  {Effect: SetsNested},
			"SetNestedMap":                    {Effect: SetsNested},
			"SetNestedSlice":                  {Effect: SetsNested},
			"SetNestedStringMap":              {Effect: SetsNested},
			"SetNestedStringSlice":            {Effect: SetsNested},
		},
		Types: map[string]Type{
			"Unstructured":     {Is: Unstructured, AnyKind: true},
			"UnstructuredList": {Is: Unstructured},
		},
	},
	{Path: apiruntime, Funcs: map[string]Func{
		"ObjectTyper.ObjectKinds":              {OfKind: true},
		"Scheme.ObjectKinds":                   {OfKind: true},
		"UnstructuredConverter.ToUnstructured": {Effect: Converts},
		"unstructuredConverter.ToUnstructured": {Effect: Converts},
	}},
	{Path: schema,
		Funcs: map[string]Func{
			"GroupVersion.WithKind":       {Effect: AddsKind},
			"FromAPIVersionAndKind":       {Effect: ParsesKind},
			"ObjectKind.GroupVersionKind": {OfKind: true},
		},
		Types: map[string]Type{
			"GroupVersionResource": {Parts: []string{"Group", "Version", "Resource"}},
			"GroupVersionKind":     {Parts: []string{"Group", "Version", "Kind"}},
			"GroupVersion":         {Parts: []string{"Group", "Version"}},
		},
	},
	{Path: apimachinery + "/pkg/labels", Funcs: map[string]Func{
		"Selector.Matches": {Condition: SelectionCondition},
	}},
	{Path: "k8s.io/component-helpers/scheduling/corev1", Funcs: map[string]Func{
		"MatchNodeSelectorTerms": {Condition: SelectionCondition},
	}},
	{Path: "k8s.io/component-helpers/scheduling/corev1/nodeaffinity", Funcs: each(Func{Condition: SelectionCondition},
		"LazyErrorNodeSelector.Match", "NodeSelector.Match", "RequiredNodeAffinity.Match")},
	{Path: apimachinery + "/pkg/api/resource", Funcs: each(Func{Sums: true}, "Quantity.Add", "Quantity.Sub")},
	{Path: apirand, Funcs: map[string]Func{
		"String":      {Source: Random},
		"Int":         {Source: Random},
		"Perm":        {Source: Random},
		"Intn":        {Source: Random, Args: Slots{BoundArg: Last}},
		"IntnRange":   {Source: Random, Args: Slots{BoundArg: Last}},
		"Int63nRange": {Source: Random, Args: Slots{BoundArg: Last}},
	}},
	{Path: apisets, Traits: Pure | Unordered},
	{Path: apisets, Funcs: each(Func{Source: MapOrder}, "Set.UnsortedList", "String.UnsortedList", "Int.UnsortedList", "Int32.UnsortedList",
		"Int64.UnsortedList", "Byte.UnsortedList")},
	{Path: apisets, Funcs: each(Func{Effect: Counts}, "Set.Len", "String.Len", "Int.Len", "Int32.Len", "Int64.Len", "Byte.Len")},
	{Path: apisets, Funcs: each(Func{OrdersResult: true}, "List", "String.List", "Int.List", "Int32.List", "Int64.List")},
	{Path: apimachinery + "/pkg/util/uuid", Funcs: map[string]Func{
		"NewUUID": {Source: Random},
	}},
	{Path: apimachinery + "/pkg/util/yaml", Traits: Pure, Funcs: map[string]Func{
		"Unmarshal":                {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
		"YAMLToJSONDecoder.Decode": {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
		"YAMLOrJSONDecoder.Decode": {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
	}},
	{Path: apimachinery + "/third_party/forked/golang/reflect", Funcs: map[string]Func{
		"Equalities.DeepEqual":      {Condition: EqualityCondition, Equality: true},
		"Equalities.DeepDerivative": {Condition: EqualityCondition, Equality: true},
	}},

	{Path: pollWait,
		Funcs: map[string]Func{
			// Polls that sleep without a context.
			"Poll": {
				Wait:      &Wait{Loop: true, Args: Slots{IntervalArg: 0, TimeoutArg: 1, CallbackArg: 2}, Ends: conditionEnds, Remedy: "wait.PollUntilContextTimeout"},
				Successor: &Successor{Name: "PollUntilContextTimeout", Condition: 2, Immediate: "false", Timeout: 1},
			},
			"PollImmediate": {
				Wait:      &Wait{Loop: true, Args: Slots{IntervalArg: 0, TimeoutArg: 1, CallbackArg: 2}, Ends: conditionEnds, Remedy: "wait.PollUntilContextTimeout"},
				Successor: &Successor{Name: "PollUntilContextTimeout", Condition: 2, Immediate: "true", Timeout: 1},
			},
			"PollInfinite": {
				Wait:      &Wait{Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: "wait.PollUntilContextCancel"},
				Successor: &Successor{Name: "PollUntilContextCancel", Condition: 1, Immediate: "false", Timeout: -1},
			},
			"PollImmediateInfinite": {
				Wait:      &Wait{Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: "wait.PollUntilContextCancel"},
				Successor: &Successor{Name: "PollUntilContextCancel", Condition: 1, Immediate: "true", Timeout: -1},
			},
			"ExponentialBackoff": {
				Wait:      &Wait{Loop: true, Args: Slots{BackoffArg: 0, CallbackArg: 1}, Ends: conditionEnds, Remedy: "wait.ExponentialBackoffWithContext"},
				Successor: &Successor{Name: "ExponentialBackoffWithContext", Condition: 1, Timeout: -1},
			},
			"Forever": {
				Wait:      &Wait{Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1}, Remedy: "wait.UntilWithContext"},
				Successor: &Successor{Name: "UntilWithContext", Condition: 0, Timeout: -1, Endless: true},
			},

			// Polls that a context or a channel ends.
			"PollUntilContextCancel":           {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 3}, Ends: conditionEnds}},
			"PollUntilContextTimeout":          {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 4}, Ends: conditionEnds}},
			"PollWithContext":                  {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 3}, Ends: conditionEnds}},
			"PollImmediateWithContext":         {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, TimeoutArg: 2, CallbackArg: 3}, Ends: conditionEnds}},
			"PollUntilWithContext":             {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds}},
			"PollImmediateUntilWithContext":    {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds}},
			"PollInfiniteWithContext":          {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds}},
			"PollImmediateInfiniteWithContext": {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, IntervalArg: 1, CallbackArg: 2}, Ends: conditionEnds}},
			"PollUntil":                        {Wait: &Wait{Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1, ContextArg: 2}, Ends: conditionEnds}},
			"PollImmediateUntil":               {Wait: &Wait{Loop: true, Args: Slots{IntervalArg: 0, CallbackArg: 1, ContextArg: 2}, Ends: conditionEnds}},
			"ExponentialBackoffWithContext":    {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, BackoffArg: 1, CallbackArg: 2}, Ends: conditionEnds}},
			"DelayFunc.Until":                  {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 1, CallbackArg: 4}, Ends: conditionEnds}},

			// Endless repetition, which the callback cannot end.
			"Until":                      {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 2}}},
			"UntilWithContext":           {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}}},
			"NonSlidingUntil":            {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 2}}},
			"NonSlidingUntilWithContext": {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}}},
			"Jitter":                     {Source: Random},
			"JitterUntil":                {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, IntervalArg: 1, ContextArg: 4}}},
			"JitterUntilWithContext":     {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1, IntervalArg: 2}}},
			"BackoffUntil":               {Wait: &Wait{Loop: true, Args: Slots{CallbackArg: 0, ContextArg: 3}}},
			"BackoffUntilWithContext":    {Wait: &Wait{Loop: true, Args: Slots{ContextArg: 0, CallbackArg: 1}}},

			"Backoff.Step":           {Time: NextStep},
			"ContextForChannel":      {Meaning: OfChannel},
			"Interrupted":            {Meaning: AsksInterrupted},
			"Group.Start":            {StartsGoroutine: true},
			"Group.StartWithChannel": {StartsGoroutine: true},
			"Group.StartWithContext": {StartsGoroutine: true},
		},
		Types: map[string]Type{
			"ConditionFunc": {Is: PollCondition},
		},
		Vars: map[string]Var{
			"NeverStop":      {Is: NeverStop},
			"ErrWaitTimeout": {Is: WaitTimeout},
		},
	},

	{Path: "k8s.io/apiserver", Traits: Pure},
	{Path: "k8s.io/apiserver/pkg/storage/names", Funcs: map[string]Func{
		"NameGenerator.GenerateName": {Source: Random},
	}},

	{Path: "k8s.io/klog", Traits: Pure | Tells},
	{Path: "k8s.io/klog/v2", Funcs: each(Func{NeverReturns: true}, "Fatal", "Fatalf", "Fatalln", "Exit", "Exitf", "FlushAndExit")},

	{Path: "k8s.io/component-base/featuregate", Funcs: each(Func{Condition: StableCondition}, "FeatureGate.Enabled", "featureGate.Enabled")},
	{Path: "k8s.io/utils", Traits: Pure},
	{Path: "k8s.io/utils/clock", Funcs: map[string]Func{
		"PassiveClock.Now":     {Source: Clock},
		"PassiveClock.Since":   {Source: Clock},
		"RealClock.Now":        {Source: Clock},
		"RealClock.Since":      {Source: Clock},
		"Clock.Sleep":          {Wait: &Wait{Args: Slots{IntervalArg: 1}}},
		"RealClock.Sleep":      {Wait: &Wait{Args: Slots{IntervalArg: 1}}},
		"Clock.After":          {Args: Slots{DurationArg: 1}},
		"Clock.NewTimer":       {Args: Slots{DurationArg: 1}},
		"Clock.Tick":           {Args: Slots{DurationArg: 1}},
		"WithTicker.NewTicker": {Args: Slots{DurationArg: 1}},
		"RealClock.After":      {Args: Slots{DurationArg: 1}},
		"RealClock.NewTimer":   {Args: Slots{DurationArg: 1}},
		"RealClock.NewTicker":  {Args: Slots{DurationArg: 1}},
		"RealClock.Tick":       {Args: Slots{DurationArg: 1}},
	}},
	{Path: "k8s.io/utils/pointer", Funcs: each(Func{Effect: PointsTo}, "Bool", "BoolPtr", "String", "StringPtr", "To")},
	{Path: "k8s.io/utils/ptr", Funcs: map[string]Func{
		"Deref": {Effect: PointedTo},
		"To":    {Effect: PointsTo},
	}},
	{Path: "k8s.io/utils/set", Traits: Pure | Unordered, Funcs: map[string]Func{
		"Set.UnsortedList": {Source: MapOrder},
		"Set.SortedList":   {OrdersResult: true},
	}},

	{Path: "sigs.k8s.io/yaml", Traits: Pure, Funcs: map[string]Func{
		"Unmarshal": {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
	}},
}
