package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// tells reports whether the instruction uses its operands only to tell people of them,
// in a log, an event or an error:
//
//	log.Info("label is set", "label", pauseLabel)
//	recorder.Event(thing, "Warning", "Paused", fmt.Sprintf("label %s is set", pauseLabel))
func tells(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.MakeInterface:
		return onlyTold(instr, 0)
	case *ssa.Store:
		at := origin.Of(instr.Addr)
		return at.Kind == origin.Element && origin.Of(at.X).Kind == origin.Local && onlyTold(at.X, 0)
	case ssa.CallInstruction:
		fn := callee.Static(instr.Common())
		if fn == nil {
			return false
		}
		if library.TraitsOfPackage(fn.Pkg()).Has(library.Tells) {
			return true
		}
		known := library.Of(fn)
		return known.Meaning == library.FormatsError || known.Meaning == library.NewError
	}
	return false
}

// isSentence reports whether the call passes a constant format with a space and without a
// brace, and what to format by it:
//
//	conditions.Paused("annotation %s is set", pauseAnnotation)
//
// The key of a label has no space, and a patch has a brace.
func isSentence(call *ssa.CallCommon) bool {
	sig, args := call.Signature(), callee.Args(call)
	if !sig.Variadic() || len(args) < 2 {
		return false
	}
	format, ok := constants.String(args[len(args)-2])
	list, isList := types.Unalias(sig.Params().At(sig.Params().Len() - 1).Type()).(*types.Slice)
	return ok && isList && types.IsInterface(list.Elem()) && strings.Contains(format, " ") && !strings.Contains(format, "{")
}

// maxTold bounds the steps from a value to where it is told.
const maxTold = 6

// onlyTold reports whether nothing is done with v but that people are told of it. It may
// be an array of variadic arguments.
func onlyTold(v ssa.Value, depth int) bool {
	refs := v.Referrers()
	if refs == nil || depth == maxTold {
		return false
	}
	return !slices.ContainsFunc(*refs, func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.IndexAddr: // to fill the array
			return false
		case *ssa.Slice:
			return !onlyTold(ref, depth+1)
		case *ssa.MakeInterface:
			return !onlyTold(ref, depth+1)
		case *ssa.Store:
			at := origin.Of(ref.Addr)
			return at.Kind != origin.Element || origin.Of(at.X).Kind != origin.Local || !onlyTold(at.X, depth+1)
		case *ssa.Call:
			if tells(ref) || isSentence(&ref.Call) {
				return false
			}
			fn := callee.Static(&ref.Call)
			formats := fn != nil && library.TraitsOfPackage(fn.Pkg()).Has(library.Prints) && library.IsString(ref.Type())
			return !formats || !onlyTold(ref, depth+1)
		}
		return true
	})
}
