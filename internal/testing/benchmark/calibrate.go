package benchmark

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"strings"
	"time"
)

// calibration is some Go source. A change of it invalidates all earlier
// measurements.
var calibration = func() string {
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range 100 {
		b.WriteString(strings.ReplaceAll(`
type tree0 struct {
	left, right *tree0
	keys        map[string][]int
}

func (t *tree0) insert(key string, value int) *tree0 {
	if t == nil {
		return &tree0{keys: map[string][]int{key: {value}}}
	}
	if values, ok := t.keys[key]; ok && len(values) < 16 {
		t.keys[key] = append(values, value)
		return t
	}
	for k := range t.keys {
		if k < key {
			t.left = t.left.insert(key, value)
			return t
		}
	}
	t.right = t.right.insert(key+"x", value<<1)
	return t
}

func sum0(t *tree0, f func(int) float64) (total float64) {
	if t == nil {
		return 0
	}
	for _, values := range t.keys {
		for _, v := range values {
			total += f(v)
		}
	}
	return total + sum0(t.left, f) + sum0(t.right, f)
}
`, "0", fmt.Sprint(i)))
	}
	return b.String()
}()

// calibrate returns the processor time to parse and type-check the source. Like
// the analyzers, that allocates much and follows pointers.
func calibrate() time.Duration {
	runtime.GC()
	began := processorTime()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", calibration, parser.SkipObjectResolution)
	if err == nil {
		info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
		_, err = new(types.Config).Check("p", fset, []*ast.File{file}, info)
	}
	if err != nil {
		panic(err)
	}
	return processorTime() - began
}
