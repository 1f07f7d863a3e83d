package library

// capiConditions are where cluster-api has had its conditions, too.
var capiConditions = []string{
	capi + "/util/conditions/v1beta2",
	capi + "/util/conditions/deprecated/v1beta1",
	capi + "/util/deprecated/v1beta1/conditions",
	capi + "/util/deprecated/v1beta1/conditions/v1beta2",
}

// conditions has the records of functions beside those of package meta that set conditions, or ask for
// them. What sets one renews its time only if something else of it changes.
var conditions = []Package{
	{Path: capi + "/util/conditions", Also: capiConditions, Funcs: each(Func{Effect: SetsConditionOf, Args: Slots{ObjectArg: 0}},
		"MarkFalse", "MarkTrueWithNegativePolarity", "MarkUnknown", "Set")},
	{Path: capi + "/util/conditions", Also: capiConditions, Funcs: map[string]Func{
		"IsTrue":   {Effect: AsksConditionOf},
		"MarkTrue": {Status: ConditionTrue},
	}},
	{Path: capi + "/util/conditions", Also: []string{
		capi + "/util/conditions/deprecated/v1beta1",
		capi + "/util/deprecated/v1beta1/conditions",
	}, Funcs: each(Func{Effect: Computes},
		"FalseCondition", "TrueConditionWithNegativePolarity", "UnknownCondition")},
	{Path: "github.com/crossplane/crossplane-runtime/apis/common/v1", Also: []string{
		"github.com/crossplane/crossplane-runtime/v2/apis/common/v1",
	}, Funcs: map[string]Func{
		"ConditionedStatus.SetConditions": {Effect: SetsConditionOf, Args: Slots{ObjectArg: 0}},
	}},
	{Path: "github.com/fluxcd/pkg/runtime/conditions", Funcs: each(Func{Effect: SetsConditionOf, Args: Slots{ObjectArg: 0}},
		"MarkFalse", "MarkReconciling", "MarkStalled", "MarkUnknown", "Set")},
	{Path: "github.com/fluxcd/pkg/runtime/conditions", Funcs: map[string]Func{
		"IsTrue":   {Effect: AsksConditionOf},
		"MarkTrue": {Effect: SetsConditionOf, Status: ConditionTrue, Args: Slots{ObjectArg: 0}},
	}},
	{Path: "github.com/fluxcd/pkg/runtime/conditions", Funcs: each(Func{Effect: Computes},
		"FalseCondition", "ReconcilingCondition", "StalledCondition", "TrueCondition", "UnknownCondition")},
	{Path: "github.com/openshift/library-go/pkg/operator/v1helpers", Funcs: each(Func{Effect: SetsCondition},
		"SetCondition", "SetOperatorCondition")},
	{Path: "github.com/openstack-k8s-operators/lib-common/modules/common/condition", Funcs: each(Func{Effect: SetsConditionOf, Args: Slots{ObjectArg: 0}},
		"Conditions.MarkFalse", "Conditions.MarkUnknown", "Conditions.Set")},
	{Path: "github.com/openstack-k8s-operators/lib-common/modules/common/condition", Funcs: map[string]Func{
		"Conditions.AllSubConditionIsTrue": {Condition: SuccessCondition},
		"Conditions.MarkTrue":              {Effect: SetsConditionOf, Status: ConditionTrue, Args: Slots{ObjectArg: 0}},
	}},
	{Path: "github.com/openstack-k8s-operators/lib-common/modules/common/condition", Funcs: each(Func{Effect: Computes},
		"FalseCondition", "TrueCondition", "UnknownCondition")},
	{Path: "knative.dev/pkg/apis", Funcs: each(Func{Effect: SetsConditionOf, Args: Slots{ObjectArg: 0}},
		"ConditionManager.MarkFalse", "ConditionManager.MarkTrue", "ConditionManager.MarkTrueWithReason", "ConditionManager.MarkUnknown", "ConditionManager.SetCondition")},
	{Path: "knative.dev/pkg/apis", Funcs: map[string]Func{
		"ConditionSet.Manage": {Args: Slots{ReturnedArg: 1}}, // what sets conditions of it
	}},
}
