package library

import (
	"go/types"
	"strings"
)

// family returns the record of a function that belongs to a family: functions
// that generators write for each kind, and functions that have the same name and
// meaning in every library.
func family(path, recv, name string) *Func {
	switch name {
	case "DeepEqual", "DeepDerivative", "Equal":
		return equal
	case "Cmp", "Compare", "CompareTo":
		return threeWay
	}
	if recv == "" {
		return unknownFunc
	}
	switch name {
	case "IsZero", "Empty":
		return absent
	case "Get", "List":
		lister := strings.HasSuffix(recv, "Lister") && strings.Contains(path, "/listers/") // an XLister or XNamespaceLister
		switch {
		case name == "List" && lister:
			return lists
		case lister || strings.Contains(path, "/typed/") || strings.HasPrefix(path, dynamic):
			return readsClientset
		}
	}
	if strings.HasSuffix(recv, "ApplyConfiguration") && strings.HasPrefix(name, "With") {
		if name == "WithOwnerReferences" {
			return appendsOwners
		}
		return setsField
	}
	if f := accessors[name]; f != nil && (strings.HasPrefix(path, apimachinery+"/") || path == crtClient && strings.HasPrefix(recv, "Object")) {
		return f
	}
	if f := clientset[name]; f != nil && strings.Contains(path, "/typed/") {
		return f
	}
	return unknownFunc
}

var (
	equal          = &Func{Condition: EqualityCondition}
	threeWay       = &Func{Condition: ThreeWayCondition}
	absent         = &Func{Condition: AbsenceCondition}
	unordered      = &Func{Unordered: true}
	unorderedEqual = &Func{Unordered: true, Condition: EqualityCondition}
	lists          = &Func{Source: ListOrder}
	readsClientset = &Func{Effect: ReadsClientset}
	setsField      = &Func{Effect: SetsField}
	appendsOwners  = &Func{Effect: SetsField, Owner: &Owner{Effect: AppendsRefs, Args: Slots{ObjectArg: 0, RefArg: 1}}}
)

// accessors has the methods of metav1.Object and similar interfaces.
var accessors = func() map[string]*Func {
	m := map[string]*Func{
		"GetGeneration": {Effect: GetsMetadata, Field: "Generation"},

		"SetGroupVersionKind":    {Effect: SetsGVK},
		"SetKind":                {Effect: SetsKind},
		"SetAPIVersion":          {Effect: SetsAPIVersion},
		"SetUnstructuredContent": {Effect: SetsContent},
		"GetObjectKind":          {Args: Slots{ReturnedArg: 0}},
		"GetObjectMeta":          {Args: Slots{ReturnedArg: 0}},
	}
	for _, field := range []string{"Annotations", "CreationTimestamp", "DeletionTimestamp", "Finalizers", "GenerateName", "Labels",
		"Name", "Namespace", "OwnerReferences", "ResourceVersion", "UID"} {
		m["Get"+field] = &Func{Effect: GetsMetadata, Field: field}
		m["Set"+field] = &Func{Effect: SetsMetadata, Field: field}
	}
	return m
}()

// IsMetadata reports whether the field belongs to an object's metadata. An apply
// configuration has such fields at its top level.
func IsMetadata(field string) bool {
	return accessors["Set"+field] != nil && accessors["Get"+field] != nil
}

// clientset has the methods of client-gen's typed clients. They are the same in
// every generated clientset. Client-gen puts the client of a kind into a package
// "…/typed/<group>/<version>", as an interface "<Kind>Interface" that an
// unexported struct implements.
var clientset = map[string]*Func{
	"Create":           {generated: true, Write: &Write{Verb: Create, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	"Update":           {generated: true, Write: &Write{Verb: Update, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	"UpdateStatus":     {generated: true, Write: &Write{Verb: Update, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	"Patch":            {generated: true, Write: &Write{Verb: Patch, Kind: OfResult, Args: Slots{ClientArg: 0, PatchArg: 3, BodyArg: 4, OptionsArg: 5}}},
	"Apply":            {generated: true, Write: &Write{Verb: Apply, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	"ApplyStatus":      {generated: true, Write: &Write{Verb: Apply, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}},
	"Delete":           {generated: true, Write: &Write{Verb: Delete, Kind: OfResult, Args: Slots{ClientArg: 0, OptionsArg: 3}}},
	"DeleteCollection": {generated: true, Write: &Write{Verb: DeleteAllOf, Kind: OfResult, Args: Slots{ClientArg: 0, OptionsArg: 2}}},
}

// hasClientsetShape reports whether fn's parameters are those of a generated
// clientset since client-go 0.18: a context, what to write, and metav1 options.
// Deletions return less and do not match. They are never outputs, and without an
// object their kind is unknown.
func hasClientsetShape(fn *types.Func) bool {
	sig := fn.Signature()
	n := sig.Params().Len()
	if n < 3 || sig.Results().Len() != 2 || TypeOf(sig.Params().At(0).Type()).Is != Context {
		return false
	}
	last := n - 1
	if sig.Variadic() {
		last-- // Patch(ctx, name, type, data, options, subresources...)
	}
	opts := TypeName(sig.Params().At(last).Type())
	return strings.HasPrefix(opts, metav1+".") && strings.HasSuffix(opts, "Options")
}

// IsClientsetGetter reports whether the function of this name is a getter of a
// generated clientset.
func IsClientsetGetter(name string) bool {
	return strings.Contains(name, "/typed/") || strings.Contains(name, clientgo+"/kubernetes.Interface)")
}
