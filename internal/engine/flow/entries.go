package flow

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The entry under one key of a map does not feed a comparison that excludes the
// key:
//
//	for k := range desired {
//		if desired[k] != live[k] && k != "checksum" { changed = true }
//	}

// comparedWith returns the constants that a key is compared with.
func comparedWith(key ssa.Value) []string {
	refs := key.Referrers()
	if refs == nil {
		return nil
	}
	var keys []string
	for _, ref := range *refs {
		if _, k, ok := keyTest(ref); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// keyTest returns the operands of a comparison with a constant string: the value
// and the string.
func keyTest(instr ssa.Instruction) (key ssa.Value, k string, ok bool) {
	test, ok := instr.(*ssa.BinOp)
	if !ok || test.Op != token.EQL && test.Op != token.NEQ {
		return nil, "", false
	}
	key, str, ok := comparedConst(test)
	if !ok {
		return nil, "", false
	}
	k, ok = constants.String(str)
	return key, k, ok
}

// otherEntries returns the labels of a map's entries, except for those under the
// keys.
func (in *interp) otherEntries(m value, keys []string, st *heap) labels {
	ls := m.labels
	for _, r := range m.refs {
		ls = ls.union(st.unkeyed(r.under(access.Elems())).labels)
		for _, p := range st.sortedPaths(r.obj) {
			entry, ok := p.Below(r.path)
			if ok && entry.First().Kind == access.Key && !slices.ContainsFunc(keys, func(k string) bool { return entry == access.Entry(k) }) {
				ls = ls.union(st.get(loc{r.obj, p}).labels)
			}
		}
	}
	return ls
}

// excludedKeys returns the keys that differ, under the conditions, from each
// constant that they are compared with.
func excludedKeys(conditions []cfg.Group) []ssa.Value {
	unequal := make(map[ssa.Value]int)
	var keys []ssa.Value
	for _, g := range conditions {
		if len(g) != 1 {
			continue
		}
		for _, br := range g[0] {
			c, ok := br.Value.(*ssa.BinOp)
			if !ok || (c.Op == token.NEQ) != br.Holds {
				continue
			}
			key, _, ok := keyTest(c)
			if !ok {
				continue
			}
			unequal[key]++
			if unequal[key] == len(comparedWith(key)) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// withoutEntries returns the labels that feed a comparison of entries of maps
// under an excluded key: those of the other entries. For any other condition it
// returns ls.
func (in *interp) withoutEntries(fr *frame, cond ssa.Value, excluded []ssa.Value, ls labels) labels {
	var compared []ssa.Value
	switch o := origin.Of(cond); o.Kind {
	case origin.Computed:
		if o.Y == nil {
			return ls
		}
		compared = []ssa.Value{o.X, o.Y}
	case origin.Result:
		compared = o.Call.Call.Args
	}
	var rest labels
	found := false
	for _, v := range compared {
		v = origin.Through(v, origin.Boxed)
		if l, ok := v.(*ssa.Lookup); ok && slices.Contains(excluded, l.Index) {
			rest, found = rest.union(fr.otherEntries[l]), true
			continue
		}
		rest = rest.union(in.reg(fr, v).labels)
	}
	if !found {
		return ls
	}
	return rest
}

// text returns the constant text that v is, which may be in a package variable that nothing changes:
//
//	var revisionKey = group + "/revision"
func (a *analysisState) text(v ssa.Value) (string, bool) {
	if text, ok := constants.String(v); ok {
		return text, true
	}
	if load := origin.Of(v); load.Kind != origin.Loaded || origin.Of(load.X).Kind != origin.Global || !library.IsString(v.Type()) {
		return "", false
	}
	c := a.constants.Eval(v)
	if c == nil || c.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c), true
}
