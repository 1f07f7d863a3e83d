package flow

import (
	"go/types"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// Paths that are needed often. They are constant.
var (
	// of an API object
	objectMeta      = access.Fields("ObjectMeta")
	opaqueMeta      = objectMeta.Mark(access.Opaque)
	ownerReferences = objectMeta.Field("OwnerReferences")
	metaKind        = access.Fields("TypeMeta", "Kind")
	metaAPIVersion  = access.Fields("TypeMeta", "APIVersion")

	// of an unstructured object, and of its map
	untyped       = access.Fields("Object")
	kindKey       = access.Entry("kind")
	apiVersionKey = access.Entry("apiVersion")

	// of a GroupVersionKind
	groupField   = access.Fields("Group")
	versionField = access.Fields("Version")
	kindField    = access.Fields("Kind")

	// of an owner reference, which has a Kind as well
	controllerField = access.Fields("Controller")
	nameField       = access.Fields("Name")
	uidField        = access.Fields("UID")
)

// partPaths returns the paths that library.Parts lists for the type of this name,
// and the fields in which a type of the module holds a reconciler behind an
// interface.
func (a *analysisState) partPaths(typeName string) []access.Path {
	paths, ok := a.parted[typeName]
	if ok {
		return paths
	}
	for _, part := range library.Parts(typeName) {
		paths = append(paths, access.Fields(strings.Split(part, ".")...))
	}
	if len(paths) == 0 && typeName != "" {
		paths = heldReconcilers(a.typeOf(typeName))
	}
	a.parted[typeName] = paths
	return paths
}

// heldReconcilers returns the fields of a struct that hold a reconciler behind an
// interface.
func heldReconcilers(t types.Type) []access.Path {
	if t == nil {
		return nil
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var paths []access.Path
	for field := range s.Fields() {
		if !types.IsInterface(field.Type()) {
			continue
		}
		method, _, _ := types.LookupFieldOrMethod(field.Type(), false, field.Pkg(), "Reconcile")
		if fn, ok := method.(*types.Func); ok && fn.Signature().Results().Len() == 2 && library.TypeOf(fn.Signature().Results().At(0).Type()).Is == library.Result {
			paths = append(paths, access.Fields(field.Name()))
		}
	}
	return paths
}
