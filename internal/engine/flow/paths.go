package flow

import (
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

// partPaths returns the paths that library.Parts lists for the type of this name.
func partPaths(typeName string) []access.Path {
	var paths []access.Path
	for _, part := range library.Parts(typeName) {
		paths = append(paths, access.Fields(strings.Split(part, ".")...))
	}
	return paths
}
