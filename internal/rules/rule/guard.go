package rule

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Guard turns a panic in the analyzer's Run into an error of the package under
// analysis. Users get one line about it, and the findings in their other
// packages. Guard returns its argument.
//
// Rules from [New] are guarded. Analyzers whose results the rules read call
// Guard themselves:
//
//	var Analyzer = rule.Guard(&analysis.Analyzer{…})
func Guard(a *analysis.Analyzer) *analysis.Analyzer {
	name, run := a.Name, a.Run
	a.Run = func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if r := recover(); r != nil {
				result = nil
				err = fmt.Errorf("internal error in %s at %s: %s (%s)", name, pass.Pkg.Path(), oneLine(fmt.Sprint(r)), origin())
			}
		}()
		return run(pass)
	}
	return a
}

// origin returns the file and line of the call that panicked. It must be called
// by the deferred function that recovers.
func origin() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		switch {
		case frame.Function == "runtime.gopanic":
			panicking = true
		case panicking && !inRuntime:
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return "origin unknown"
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
