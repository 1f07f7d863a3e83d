package constants

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer finds the package variables, and the fields of package variables,
// that hold the same constant from their initialisation on. Its result is a
// *[Vars], its fact a *[Fact] about the package.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorconstants",
	Doc:        "find package variables that hold one constant",
	Requires:   []*analysis.Analyzer{ssair.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Vars](),
	FactTypes:  []analysis.Fact{new(Fact)},
})

// A Fact lists the exported variables of a package that hold a constant, sorted.
type Fact struct{ Vars []Var }

// A Var is the constant value of a package variable, or of one field of a struct
// in a package variable. With [constant.Unknown] as its kind, it is a struct whose
// fields are all zero.
type Var struct {
	Name, Field string
	Kind        constant.Kind
	// Value is in the format of [constant.Value.ExactString].
	Value string
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	all := make([]string, len(f.Vars))
	for i, v := range f.Vars {
		all[i] = fmt.Sprintf("%s=%s", strings.TrimSuffix(v.Name+"."+v.Field, "."), v.Value)
	}
	return "constants: " + strings.Join(all, ", ")
}

// Vars has the constants that package variables hold, for the package under
// analysis and the packages that it imports.
type Vars struct {
	pass  *analysis.Pass
	index *origin.Index
	depth int // of the variables in whose values this one is
}

// maxNested bounds the variables that are made of each other.
const maxNested = 4

// within returns an evaluator for the value of a variable, which other variables may
// be part of.
func (vs *Vars) within() Evaluator {
	if vs.depth == maxNested {
		return Evaluator{}
	}
	nested := *vs
	nested.depth++
	return Evaluator{Vars: &nested}
}

func run(pass *analysis.Pass) (any, error) {
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	if pkg.SSA == nil {
		return (*Vars)(nil), nil
	}
	vars := &Vars{pass: pass, index: pkg.Index}
	fact := new(Fact)
	for _, member := range pkg.SSA.Members {
		if g, ok := member.(*ssa.Global); ok && token.IsExported(g.Name()) {
			fact.Vars = append(fact.Vars, vars.describe(g)...)
		}
	}
	if len(fact.Vars) > 0 {
		slices.SortFunc(fact.Vars, func(a, b Var) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Field, b.Field)) })
		pass.ExportPackageFact(fact)
	}
	return vars, nil
}

// describe returns the entries of a variable in the fact.
func (vs *Vars) describe(g *ssa.Global) []Var {
	fields := vs.fields(g)
	if fields != nil && len(fields) == 0 {
		return []Var{{Name: g.Name()}}
	}
	var all []Var
	for field, c := range fields {
		all = append(all, Var{g.Name(), field, c.Kind(), c.ExactString()})
	}
	return all
}

// value returns the constant that a package variable always holds, or nil.
func (vs *Vars) value(g *ssa.Global) constant.Value { return vs.fields(g)[""] }

// Fields returns the constants that the fields of the struct in a package
// variable always hold. A field without an entry is zero. Fields returns nil if
// a field is not constant.
func (vs *Vars) Fields(g *ssa.Global) map[string]constant.Value {
	fields := vs.fields(g)
	if _, scalar := fields[""]; scalar {
		return nil
	}
	return fields
}

// fields returns the value of a variable under the key "", or the values of its
// fields under their names.
func (vs *Vars) fields(g *ssa.Global) map[string]constant.Value {
	switch {
	case vs == nil || g.Pkg == nil || vs.index.Shared(g):
		return nil
	case g.Pkg.Pkg == vs.pass.Pkg:
		return vs.own(g)
	}
	if known := library.VarOf(g.Object()).Backoff; known != nil {
		return ofBackoff(known)
	}
	fact := new(Fact)
	if !vs.pass.ImportPackageFact(g.Pkg.Pkg, fact) || len(vs.index.Global(g))+len(vs.index.Parts(g)) > 0 {
		return nil
	}
	i, ok := slices.BinarySearchFunc(fact.Vars, g.Name(), func(v Var, name string) int { return cmp.Compare(v.Name, name) })
	if !ok {
		return nil
	}
	fields := make(map[string]constant.Value)
	for ; i < len(fact.Vars) && fact.Vars[i].Name == g.Name(); i++ {
		if fact.Vars[i].Kind == constant.Unknown {
			continue
		}
		fields[fact.Vars[i].Field] = fact.Vars[i].constant()
	}
	return fields
}

// ofBackoff returns the fields of a wait.Backoff of a library.
func ofBackoff(b *library.Backoff) map[string]constant.Value {
	return map[string]constant.Value{
		"Steps":    constant.MakeInt64(int64(b.Steps)),
		"Duration": constant.MakeInt64(int64(b.Duration)),
		"Cap":      constant.MakeInt64(int64(b.Cap)),
		"Factor":   constant.MakeFloat64(b.Factor),
		"Jitter":   constant.MakeFloat64(b.Jitter),
	}
}

// own is like fields for a variable of the package under analysis.
func (vs *Vars) own(g *ssa.Global) map[string]constant.Value {
	switch whole, parts := vs.index.Global(g), vs.index.Parts(g); {
	case vs.isZeroLiteral(g, whole, parts):
		return make(map[string]constant.Value)
	case len(whole) == 1 && len(parts) == 0:
		if c := vs.within().Eval(whole[0].Val); c != nil {
			return map[string]constant.Value{"": c}
		}
		// A literal is built in place. Newer versions of x/tools build it
		// elsewhere and copy it.
		if o := origin.Of(whole[0].Val); o.Kind == origin.Loaded {
			switch addr := o.X.(type) {
			case *ssa.Alloc:
				return vs.literal(addr)
			case *ssa.Global:
				return vs.within().Vars.fields(addr)
			}
		}
	case len(whole) == 0:
		return vs.fieldsOf(parts)
	}
	return nil
}

// isZeroLiteral reports whether a package variable is a struct that is declared with a
// literal without fields, and has no other stores. Newer versions of x/tools store the
// zero value. A variable that is declared without a value may be meant for other
// packages to set.
//
//	var Done = ctrl.Result{}
func (vs *Vars) isZeroLiteral(g *ssa.Global, whole, parts []*ssa.Store) bool {
	if _, ok := library.Deref(g.Type()).Underlying().(*types.Struct); !ok || len(parts) > 0 {
		return false
	}
	if len(whole) > 0 {
		return len(whole) == 1 && origin.Of(whole[0].Val).Kind == origin.Constant
	}
	return slices.ContainsFunc(vs.pass.TypesInfo.InitOrder, func(init *types.Initializer) bool {
		return slices.ContainsFunc(init.Lhs, func(v *types.Var) bool { return v == g.Object() })
	})
}

// literal returns the constants of a struct literal that is built at an address.
func (vs *Vars) literal(alloc *ssa.Alloc) map[string]constant.Value {
	var parts []*ssa.Store
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			for _, use := range *ref.Referrers() {
				store, ok := use.(*ssa.Store)
				if !ok {
					return nil // a structure within, or its address is taken
				}
				parts = append(parts, store)
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return vs.fieldsOf(parts)
}

// fieldsOf returns the constants that the stores put into fields. It returns nil
// if a value is not constant or a field has several stores.
func (vs *Vars) fieldsOf(parts []*ssa.Store) map[string]constant.Value {
	var fields map[string]constant.Value
	for _, store := range parts {
		field, _ := origin.FieldOf(store.Addr)
		c := vs.within().Eval(store.Val)
		if _, twice := fields[field.Name()]; c == nil || twice {
			return nil
		}
		if fields == nil {
			fields = make(map[string]constant.Value)
		}
		fields[field.Name()] = c
	}
	return fields
}

func (v Var) constant() constant.Value {
	tok := token.INT
	switch v.Kind {
	case constant.Bool:
		return constant.MakeBool(v.Value == "true")
	case constant.String:
		tok = token.STRING
	case constant.Float:
		// ExactString writes a fraction as "3/2".
		num, denom, fraction := strings.Cut(v.Value, "/")
		if fraction {
			return constant.BinaryOp(constant.MakeFromLiteral(num, token.INT, 0), token.QUO, constant.MakeFromLiteral(denom, token.INT, 0))
		}
		tok = token.FLOAT
	case constant.Int:
	default:
		return nil
	}
	return constant.MakeFromLiteral(v.Value, tok, 0)
}
