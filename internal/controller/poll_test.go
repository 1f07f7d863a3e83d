package controller

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

func TestPolls(t *testing.T) {
	t.Parallel()
	const header = `package p
		type Result struct { Requeue bool; RequeueAfter int }
		var wait int
		func get() error
		func work() error { return nil }
		func some() (Result, error) { return Result{RequeueAfter: wait}, nil }
		func none() (Result, error) { _ = work(); return Result{}, nil }
		func Reconcile() (Result, error) {`
	for body, want := range map[string]bool{
		`return Result{RequeueAfter: 5}, nil`:    true,
		`return Result{RequeueAfter: wait}, nil`: true,
		`return Result{RequeueAfter: 0}, nil`:    false,
		`return Result{}, nil`:                   false,
		`return Result{Requeue: true}, nil`:      false,
		`return some()`:                          true,
		`return none()`:                          false,
		`if err := work(); err != nil { return Result{}, err }; return Result{RequeueAfter: 5}, nil`: true,
		`if wait == 0 { return Result{}, nil }; _ = work(); return Result{RequeueAfter: 5}, nil`:     true,
		`_ = work(); if wait == 0 { return Result{}, nil }; return Result{RequeueAfter: 5}, nil`:     false,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", header+body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := &types.Config{Importer: importer.Default()}
		pkg, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage("p", ""), []*ast.File{file}, ssa.BuilderMode(0))
		if err != nil {
			t.Fatal(err)
		}
		if got := polls(pkg.Func("Reconcile")); got != want {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
}
