package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Scope says that something is done for objects in namespaces only, or for objects of
// the cluster. All objects of one kind have the same scope, so that a controller does the
// one or the other:
//
//	var report client.Object = &v1.ClusterReport{}
//	if ns := policy.GetNamespace(); ns != "" {
//		report = &v1.Report{}
//	}
type Scope uint8

const (
	// AnyScope: the scope does not matter, or nothing is known.
	AnyScope Scope = iota
	// ClusterScope: it is done for objects without a namespace.
	ClusterScope
	// NamespaceScope: it is done for objects with one.
	NamespaceScope
)

// String returns the scope for the output of the debug command.
func (s Scope) String() string {
	switch s {
	case ClusterScope:
		return "for objects without a namespace"
	case NamespaceScope:
		return "for objects with a namespace"
	}
	return ""
}

// within returns the scope of what is done in the scope s, below something in the scope
// outer.
func (s Scope) within(outer Scope) Scope {
	if s == AnyScope {
		return outer
	}
	return s
}

// scopeOf returns the scope in which the block is reached.
func (in *interp) scopeOf(b *ssa.BasicBlock) Scope {
	for _, g := range in.control.Of(b) {
		if s := scopeOfGroup(g); s != AnyScope {
			return s
		}
	}
	return AnyScope
}

// scopeOfGroup returns the scope that each alternative of the group has.
func scopeOfGroup(g cfg.Group) Scope {
	scope := AnyScope
	for i, way := range g {
		found := slices.IndexFunc(way, func(br cfg.Branch) bool { return scopeOfBranch(br) != AnyScope })
		if found < 0 || i > 0 && scopeOfBranch(way[found]) != scope {
			return AnyScope
		}
		scope = scopeOfBranch(way[found])
	}
	return scope
}

// scopeOfBranch returns the scope in which the branch is taken: a namespace is empty, or
// it is not.
func scopeOfBranch(br cfg.Branch) Scope {
	cmp, ok := br.Comparison()
	if !ok || !constants.IsZero(cmp.Y) || !isNamespace(measured(cmp.X)) {
		return AnyScope
	}
	switch cmp.Op {
	case token.EQL:
		return ClusterScope
	case token.NEQ, token.GTR:
		return NamespaceScope
	}
	return AnyScope
}

// isNamespace reports whether v is the namespace of an object or of a request.
func isNamespace(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Result {
		return o.Call.Call.IsInvoke() && o.Call.Call.Method.Name() == "GetNamespace" || isGetNamespace(o.Call.Call.StaticCallee())
	}
	field, of := origin.FieldOf(v)
	if field == nil || field.Name() != "Namespace" {
		return false
	}
	if library.TypeOf(of.Type()).Is == library.ObjectMeta {
		return true
	}
	_, outer := origin.FieldOf(of)
	return outer != nil && library.TypeOf(outer.Type()).Is == library.Request
}

// isGetNamespace reports whether fn is the method that objects have.
func isGetNamespace(fn *ssa.Function) bool {
	return fn != nil && fn.Name() == "GetNamespace" && fn.Signature.Recv() != nil && fn.Signature.Params().Len() == 0
}

// madeIn notes that the object is made in a scope. One object stands for what is made in
// several places.
func (o *object) madeIn(s Scope) {
	if o.scopeSet && o.scope != s {
		s = AnyScope
	}
	o.scope, o.scopeSet = s, true
}
