package library

import "strings"

// An OwnerEffect is what a call does to owner references.
type OwnerEffect int

const (
	// SetsController adds a reference with Controller set.
	SetsController OwnerEffect = iota + 1
	// SetsOwner adds a reference without Controller, or replaces the one to
	// the same owner by it.
	SetsOwner
	// RemovesOwner removes the reference to an owner.
	RemovesOwner
	// ReplacesRefs makes a list the object's owner references.
	ReplacesRefs
	// AppendsRefs adds references to the object's.
	AppendsRefs
	// MakesControllerRef returns a reference with Controller set.
	MakesControllerRef
	// MakesRef returns an empty reference, for the With methods below.
	MakesRef
	// SetsRefController sets the Controller field of the reference that is the
	// receiver, and returns it.
	SetsRefController
	// SetsRefKind sets the kind of the reference that is the receiver, and
	// returns it.
	SetsRefKind
)

// An OwnerCall describes a function that deals with owner references.
type OwnerCall struct {
	Effect OwnerEffect
	Args   Slots
}

// OwnerNamed returns what the function of this name does to owner references,
// and whether it is known to do something. An OwnerReference literal is no
// function: its Controller field decides.
func OwnerNamed(name string) (OwnerCall, bool) {
	if c, ok := owners[name]; ok {
		return c, true
	}
	// Each generated apply configuration has this method.
	if strings.HasSuffix(name, "ApplyConfiguration).WithOwnerReferences") {
		return OwnerCall{Effect: AppendsRefs, Args: Slots{ObjectArg: 0, RefArg: 1}}, true
	}
	return OwnerCall{}, false
}

const ownerRefConfig = clientgo + "/applyconfigurations/meta/v1.OwnerReference"

var owners = map[string]OwnerCall{
	controllerutil + ".SetControllerReference":    {Effect: SetsController, Args: Slots{OwnerArg: 0, ObjectArg: 1}},
	controllerutil + ".SetOwnerReference":         {Effect: SetsOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}},
	controllerutil + ".RemoveOwnerReference":      {Effect: RemovesOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}},
	controllerutil + ".RemoveControllerReference": {Effect: RemovesOwner, Args: Slots{OwnerArg: 0, ObjectArg: 1}},

	"(" + metav1 + ".Object).SetOwnerReferences":             {Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}},
	"(" + metav1 + ".ObjectMeta).SetOwnerReferences":         {Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}},
	"(" + unstructured + ".Unstructured).SetOwnerReferences": {Effect: ReplacesRefs, Args: Slots{ObjectArg: 0, RefArg: 1}},

	metav1 + ".NewControllerRef":                                {Effect: MakesControllerRef, Args: Slots{OwnerArg: 0, GVKArg: 1}},
	"knative.dev/pkg/kmeta.NewControllerRef":                    {Effect: MakesControllerRef, Args: Slots{OwnerArg: 0}},
	ownerRefConfig:                                              {Effect: MakesRef},
	"(" + ownerRefConfig + "ApplyConfiguration).WithController": {Effect: SetsRefController, Args: Slots{RefArg: 0, ControllerArg: 1}},
	"(" + ownerRefConfig + "ApplyConfiguration).WithKind":       {Effect: SetsRefKind, Args: Slots{RefArg: 0, KindArg: 1}},
}
