package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Read says that the call tree of a function reads a field of API objects of
// one type: their spec, status or data. Without a field it says that the call
// tree allocates an object of the type, to read it or to write it, or that it has a list of
// that type.
type Read struct {
	// Type is the library.TypeName of the object, Field the name of the field.
	Type, Field string
	// At is the first place where it does.
	At place.Place
}

// maxReads bounds the reads of a summary.
const maxReads = 200

// Reads returns the reads in the call tree of fn, a function or function literal
// of the package, sorted.
func (p *Package) Reads(fn *ssa.Function) []Read {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.summary(fn).Reads
}

// ReadsOf returns the reads in the call tree of a function of another package,
// sorted.
func (p *Package) ReadsOf(fn *types.Func) []Read {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.imported(fn).Reads
}

// noteRead notes that v, a field or the address of one, is read.
func (in *interp) noteRead(v ssa.Value, o origin.Origin) {
	named := library.NamedOf(o.X.Type())
	if named == nil || named.Obj().Pkg() == nil {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	switch {
	case !ok || o.Field.Embedded() || !isRead(v):
	case isObject(s):
		in.addRead(Read{Type: library.TypeName(named), Field: o.Field.Name(), At: in.at(v.Pos())})
	case isList(s):
		in.addRead(Read{Type: library.TypeName(named), At: in.at(v.Pos())})
	}
}

// noteAlloc notes that an API object, or a list of them, is allocated.
func (in *interp) noteAlloc(v *ssa.Alloc) {
	named := library.NamedOf(v.Type())
	if named == nil || named.Obj().Pkg() == nil {
		return
	}
	if s, ok := named.Underlying().(*types.Struct); ok && (isObject(s) || isList(s)) {
		in.addRead(Read{Type: library.TypeName(named), At: in.at(v.Pos())})
	}
}

// A readKey identifies a read within a function.
type readKey struct{ typ, field string }

func (in *interp) addRead(r Read) {
	key := readKey{r.Type, r.Field}
	if at, ok := in.reads[key]; !ok || r.At.Compare(at) < 0 {
		in.reads[key] = r.At
	}
}

// sortedReads returns the reads, sorted.
func (in *interp) sortedReads() []Read {
	var all []Read
	for key, at := range in.reads {
		all = append(all, Read{Type: key.typ, Field: key.field, At: at})
	}
	slices.SortFunc(all, func(a, b Read) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Field, b.Field))
	})
	return all[:min(len(all), maxReads)]
}

// isObject reports whether the struct is an API object.
func isObject(s *types.Struct) bool { return embeds(s, library.ObjectMeta) }

// isList reports whether the struct is a list of API objects.
func isList(s *types.Struct) bool { return embeds(s, library.ListMeta) }

func embeds(s *types.Struct, metadata library.Meant) bool {
	for field := range s.Fields() {
		if field.Embedded() && library.TypeOf(field.Type()).Is == metadata {
			return true
		}
	}
	return false
}

// isRead reports whether v, or what it points to, is read rather than only
// assigned to.
func isRead(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if isRead(ref) {
				return true
			}
		case *ssa.Store:
			if ref.Addr != v {
				return true
			}
		default:
			return true
		}
	}
	return false
}
