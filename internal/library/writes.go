package library

import (
	"go/types"
	"strings"
)

// A Verb is what a write does to the cluster.
type Verb int

const (
	Create Verb = iota + 1
	Update
	// Patch is a patch whose kind is in the argument [PatchArg]: one of type
	// apply creates what does not exist, any other changes what does.
	Patch
	Apply
	CreateOrUpdate
	CreateOrPatch
	Delete
	DeleteAllOf
)

func (v Verb) String() string {
	return [...]string{"", "create", "update", "patch", "apply", "create or update", "create or patch", "delete", "delete all of"}[v]
}

// A KindSource says where the kind of what is written can be read.
type KindSource int

const (
	// OfObject: the dynamic type of the [ObjectArg] argument; of an unstructured
	// object its GVK, of an apply configuration the kind it configures.
	OfObject KindSource = iota
	// OfResult: the method's result, for clientset methods that take a name
	// and bytes.
	OfResult
	// OfResource: the GVK of the [ObjectArg] argument if there is one, else the
	// resource that the dynamic client in the receiver was made for.
	OfResource
)

// A Write describes a function that writes to the cluster.
type Write struct {
	Verb Verb
	// Sub is "" for a write of the object itself, "status" for its status, and
	// "*" for a sub-resource that is chosen elsewhere (often the status).
	Sub  string
	Kind KindSource
	Args Slots
	// Own is set for a function that the user names: it writes to the cluster
	// that the operator watches, whatever the client is that it does so with.
	Own bool
	// Type is the [TypeName] of what a generated clientset's method writes,
	// as far as its signature shows. The tables leave it empty.
	Type string
}

// WriteOf returns what fn writes, and whether it is a known write.
func WriteOf(fn *types.Func) (Write, bool) {
	name := Name(fn)
	if w, ok := writes[name]; ok {
		return w, true
	}
	w, ok := clientsetWrite(name)
	if !ok || !hasClientsetShape(fn) {
		return Write{}, false
	}
	w.Type = TypeName(fn.Signature().Results().At(0).Type())
	return w, true
}

// WriteNamed is like [WriteOf] for a function that is known by name alone, and
// of which WriteOf was asked before: it does not look at signatures.
func WriteNamed(name string) (Write, bool) {
	if w, ok := writes[name]; ok {
		return w, true
	}
	if strings.HasPrefix(name, ownWrite) {
		return Write{Verb: Apply, Args: Slots{ObjectArg: 0}, Own: true}, true
	}
	w, ok := clientsetWrite(name)
	if ok && strings.HasPrefix(name, "("+clientgo+"/kubernetes/typed/") {
		recv, _, _ := strings.Cut(name[1:], ").")
		recv = strings.TrimPrefix(recv, clientgo+"/kubernetes/typed/")
		w.Type = "k8s.io/api/" + strings.TrimSuffix(recv, "Interface")
	}
	return w, ok
}

var writes = map[string]Write{
	"(" + crtClient + ".Writer).Create":      {Verb: Create, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + crtClient + ".Writer).Update":      {Verb: Update, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + crtClient + ".Writer).Patch":       {Verb: Patch, Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}},
	"(" + crtClient + ".Writer).Apply":       {Verb: Apply, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}, // from 0.22
	"(" + crtClient + ".Writer).Delete":      {Verb: Delete, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + crtClient + ".Writer).DeleteAllOf": {Verb: DeleteAllOf, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},

	"(" + crtClient + ".SubResourceWriter).Create": {Verb: Create, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, BodyArg: 3, OptionsArg: 4}},
	"(" + crtClient + ".SubResourceWriter).Update": {Verb: Update, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + crtClient + ".SubResourceWriter).Patch":  {Verb: Patch, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}},
	"(" + crtClient + ".SubResourceWriter).Apply":  {Verb: Apply, Sub: "*", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}}, // from 0.23
	"(" + crtClient + ".StatusWriter).Update":      {Verb: Update, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + crtClient + ".StatusWriter).Patch":       {Verb: Patch, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, PatchArg: 3, OptionsArg: 4}}, // up to 0.13

	controllerutil + ".CreateOrUpdate": {Verb: CreateOrUpdate, Args: Slots{ClientArg: 1, ObjectArg: 2, MutateArg: 3}},
	controllerutil + ".CreateOrPatch":  {Verb: CreateOrPatch, Args: Slots{ClientArg: 1, ObjectArg: 2, MutateArg: 3}},

	// Cluster-api's helper patches what it was made from: an object that
	// exists, its status in the same call.
	"(" + capi + "/util/patch.Helper).Patch":                    {Verb: Patch, Args: Slots{ObjectArg: 2, OptionsArg: 3}},
	"(" + capi + "/util/deprecated/v1beta1/patch.Helper).Patch": {Verb: Patch, Args: Slots{ObjectArg: 2, OptionsArg: 3}},

	"(" + dynamic + ".ResourceInterface).Create":           {Verb: Create, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + dynamic + ".ResourceInterface).Update":           {Verb: Update, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + dynamic + ".ResourceInterface).UpdateStatus":     {Verb: Update, Sub: "status", Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"(" + dynamic + ".ResourceInterface).Patch":            {Verb: Patch, Kind: OfResource, Args: Slots{ClientArg: 0, PatchArg: 3, BodyArg: 4, OptionsArg: 5}},
	"(" + dynamic + ".ResourceInterface).Apply":            {Verb: Apply, Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 3, OptionsArg: 4}},
	"(" + dynamic + ".ResourceInterface).ApplyStatus":      {Verb: Apply, Sub: "status", Kind: OfResource, Args: Slots{ClientArg: 0, ObjectArg: 3, OptionsArg: 4}},
	"(" + dynamic + ".ResourceInterface).Delete":           {Verb: Delete, Kind: OfResource, Args: Slots{ClientArg: 0, OptionsArg: 3}},
	"(" + dynamic + ".ResourceInterface).DeleteCollection": {Verb: DeleteAllOf, Kind: OfResource, Args: Slots{ClientArg: 0, OptionsArg: 2}},
}

// clientsetWrites are the methods of client-gen's typed clients, which look the
// same in every generated clientset.
var clientsetWrites = map[string]Write{
	"Create":           {Verb: Create, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"Update":           {Verb: Update, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"UpdateStatus":     {Verb: Update, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"Patch":            {Verb: Patch, Kind: OfResult, Args: Slots{ClientArg: 0, PatchArg: 3, BodyArg: 4, OptionsArg: 5}},
	"Apply":            {Verb: Apply, Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"ApplyStatus":      {Verb: Apply, Sub: "status", Args: Slots{ClientArg: 0, ObjectArg: 2, OptionsArg: 3}},
	"Delete":           {Verb: Delete, Kind: OfResult, Args: Slots{ClientArg: 0, OptionsArg: 3}},
	"DeleteCollection": {Verb: DeleteAllOf, Kind: OfResult, Args: Slots{ClientArg: 0, OptionsArg: 2}},
}

// clientsetWrite looks a name up in the table of clientset methods. Client-gen
// puts the client of a kind into a package "…/typed/<group>/<version>", as an
// interface "<Kind>Interface" implemented by an unexported structure.
func clientsetWrite(name string) (Write, bool) {
	recv, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ").")
	if !ok || !strings.Contains(recv, "/typed/") {
		return Write{}, false
	}
	w, ok := clientsetWrites[method]
	return w, ok
}

// hasClientsetShape reports whether fn's parameters are those of a generated
// clientset since client-go 0.18: a context, what to write, and metav1 options.
// Deletions are never outputs; they need no closer look, and have no object to
// tell their kind.
func hasClientsetShape(fn *types.Func) bool {
	sig := fn.Signature()
	n := sig.Params().Len()
	if n < 3 || sig.Results().Len() != 2 || TypeName(sig.Params().At(0).Type()) != "context.Context" {
		return false
	}
	last := n - 1
	if sig.Variadic() {
		last-- // Patch(ctx, name, type, data, options, subresources...)
	}
	opts := TypeName(sig.Params().At(last).Type())
	return strings.HasPrefix(opts, metav1+".") && strings.HasSuffix(opts, "Options")
}
