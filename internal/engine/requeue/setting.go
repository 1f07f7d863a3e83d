package requeue

import (
	"go/constant"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// An interval may be a setting of the program: a field of the reconciler, or of what it
// holds. What a user gets who sets nothing counts.
//
//	if r.Config.Interval > 0 {
//		result.RequeueAfter = r.Config.Interval
//	}

// setting returns the default of the setting that v is read from, 0 if there is none or
// if it is not known.
func (p *Package) setting(v ssa.Value) time.Duration {
	field, of := origin.FieldOf(v)
	if field == nil || !p.isLasting(of) {
		return 0
	}
	return p.view.Setting(field)
}

// isLasting reports whether v is the receiver or a package variable, or a part of either:
// no reconcile makes it.
func (p *Package) isLasting(v ssa.Value) bool {
	for range maxSteps {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Global:
			return true
		case origin.Parameter:
			fn := v.Parent()
			return fn.Signature.Recv() != nil && len(fn.Params) > 0 && fn.Params[0] == v
		case origin.Captured:
			from := p.index.Bindings(v.(*ssa.FreeVar))
			if len(from) != 1 {
				return false
			}
			v = from[0]
			continue
		case origin.Local: // a receiver that a literal captures
			if v = origin.StoredOnce(v); v == nil {
				return false
			}
			continue
		case origin.Field, origin.Loaded:
		default:
			return false
		}
		v = o.X
	}
	return false
}

// isUnusual reports whether the path is only taken if somebody changes a setting.
func (p path) isUnusual() bool { return slices.ContainsFunc(p.conds, p.pkg.againstDefault) }

// isUsual reports whether control takes the edge also while no setting is changed.
func (p *Package) isUsual(e cfg.Edge) bool {
	c, ok := cfg.ConditionOf(e)
	return !(ok && p.againstDefault(c.Stripped())) && !p.pathTo(e.From).isUnusual()
}

// againstDefault reports whether a condition compares a setting, and is false while it has
// its default.
func (p *Package) againstDefault(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok {
		return false
	}
	set, y := p.setting(cmp.X), constants.Of(cmp.Y)
	return set > 0 && y != nil && y.Kind() == constant.Int && !constant.Compare(constant.MakeInt64(int64(set)), cmp.Op, y)
}
