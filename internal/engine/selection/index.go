package selection

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// An Index is an index of a cache: of the objects of a type, by a field. The zero value of
// either is not known.
type Index struct{ Type, Field string }

// MayBe reports whether two indexes may be the same.
func (x Index) MayBe(y Index) bool {
	return (x.Type == y.Type || x.Type == "" || y.Type == "") && (x.Field == y.Field || x.Field == "" || y.Field == "")
}

// An IndexFunc is an index that a package adds to a cache. OfSpec is set if the values of
// the field are only what the specs of the objects say.
type IndexFunc struct {
	Index
	OfSpec bool
}

// known returns the needs without those of which an index is not known to have what is in
// specs. What an index has is then given by a spec.
func (p *Package) known(needs []Need) []Need {
	var known []Need
	for _, need := range needs {
		if slices.ContainsFunc(need.Indexes, func(x Index) bool { return !p.isOfSpec(x) }) {
			continue
		}
		need.Given = need.Given || len(need.Indexes) > 0
		need.Indexes = nil
		known = append(known, need)
	}
	return known
}

// isOfSpec reports whether the index is known, and has what is in specs.
func (p *Package) isOfSpec(x Index) bool {
	found := false
	for _, f := range p.indexes {
		if x.MayBe(f.Index) {
			if !f.OfSpec {
				return false
			}
			found = true
		}
	}
	return found
}

// indexesOf returns the indexes that functions add.
func (p *Package) indexesOf(funcs []*ssa.Function) []IndexFunc {
	var indexes []IndexFunc
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok {
					indexes = append(indexes, p.added(call)...)
				}
			}
		}
	}
	return indexes
}

// added returns the index that a call adds.
func (p *Package) added(call *ssa.Call) []IndexFunc {
	known := library.Of(callee.Static(&call.Call))
	if known.Effect != library.IndexesField {
		return nil
	}
	args := callee.Args(&call.Call)
	obj, _ := known.Args.Of(library.ObjectArg, len(args))
	key, _ := known.Args.Of(library.KeyArg, len(args))
	fn, _ := known.Args.Of(library.MutateArg, len(args))
	var index IndexFunc
	if typ := unboxed(args[obj]).Type(); !types.IsInterface(typ) {
		index.Type = library.TypeName(typ)
	}
	index.Field, _ = constants.String(args[key])
	reader := specReader{p: p}
	index.OfSpec = reader.isOfSpec(indexer(args[fn]))
	return []IndexFunc{index}
}

// indexer returns the function that v is, or nil.
func indexer(v ssa.Value) *ssa.Function {
	switch o := origin.Of(v); o.Kind {
	case origin.Func:
		return v.(*ssa.Function)
	case origin.Renamed:
		return indexer(o.X)
	case origin.Closure:
		return indexer(o.X)
	case origin.Result:
		if body := callee.Body(&o.Call.Call); body != nil {
			if made := origin.Returned(body, 0); len(made) == 1 && origin.Of(made[0]).Kind != origin.Result {
				return indexer(made[0])
			}
		}
	}
	return nil
}

// exported returns the exported functions that get an object. Other packages may use what
// is known of them.
func exported(funcs []*ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range funcs {
		if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() && getsObject(fn) {
			out = append(out, fn)
		}
	}
	return out
}

// funcsOfSpec returns the names of those of the functions that return strings which only
// depend on the spec of an object, sorted.
func (p *Package) funcsOfSpec(funcs []*ssa.Function) []string {
	var names []string
	for _, fn := range funcs {
		reader := specReader{p: p}
		if returnsText(fn.Signature) && reader.isOfSpec(fn) {
			names = append(names, decision.NameOf(fn))
		}
	}
	slices.Sort(names)
	return names
}

func getsObject(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return isObject(p.Type()) })
}

// returnsText reports whether all results are strings or lists of strings.
func returnsText(sig *types.Signature) bool {
	for res := range sig.Results().Variables() {
		t := types.Unalias(res.Type()).Underlying()
		if slice, ok := t.(*types.Slice); ok {
			t = slice.Elem().Underlying()
		}
		if !library.IsString(t) {
			return false
		}
	}
	return sig.Results().Len() > 0
}

// A specReader finds out what functions read of the objects that they get.
type specReader struct {
	p    *Package
	seen []*ssa.Function
	spec bool // a spec is read
}

// isOfSpec reports whether the function reads nothing but specs of objects, and their
// namespaces, and has no texts of its own.
func (r *specReader) isOfSpec(fn *ssa.Function) bool { return fn != nil && r.reads(fn) && r.spec }

// reads reports whether the function reads nothing else.
func (r *specReader) reads(fn *ssa.Function) bool {
	if slices.Contains(r.seen, fn) {
		return true
	}
	r.seen = append(r.seen, fn)
	if len(fn.Blocks) == 0 || len(r.seen) > decision.MaxCalls {
		return false
	}
	for _, b := range fn.Blocks {
		if _, panics := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); panics {
			continue
		}
		for _, instr := range b.Instrs {
			if !r.mayDo(instr) {
				return false
			}
		}
	}
	return true
}

// mayDo reports whether an instruction reads nothing of an object but its spec and its
// namespace, and gives away no constant text.
func (r *specReader) mayDo(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		return r.mayCall(instr)
	case *ssa.Store:
		return !isText(instr.Val)
	case *ssa.Return:
		return !slices.ContainsFunc(instr.Results, isText)
	case ssa.Value:
		return r.mayTake(origin.Of(instr))
	}
	return true
}

// mayTake reports whether a field may be taken.
func (r *specReader) mayTake(o origin.Origin) bool {
	if o.Kind != origin.Field {
		return true
	}
	of := types.NewPointer(library.Deref(o.X.Type()))
	switch name := o.FieldName(); {
	case library.TypeOf(of).Is == library.ObjectMeta:
		return name == "Namespace"
	case isObject(of):
		r.spec = r.spec || name == "Spec"
		return name == "Spec" || name == "ObjectMeta"
	}
	return true
}

// mayCall reports whether a call gets no object, or does the same as an instruction may.
func (r *specReader) mayCall(call *ssa.Call) bool {
	if !slices.ContainsFunc(callee.Args(&call.Call), func(v ssa.Value) bool { return isObject(unboxed(v).Type()) }) {
		return true
	}
	if body := callee.Body(&call.Call); body != nil {
		return r.reads(body)
	}
	fn := callee.Static(&call.Call)
	if r.p.ofSpec[library.Name(fn)] {
		r.spec = true
		return true
	}
	return fn != nil && fn.Name() == "GetNamespace"
}

// isText reports whether v is a constant text.
func isText(v ssa.Value) bool {
	text, ok := constants.String(unboxed(v))
	return ok && text != ""
}
