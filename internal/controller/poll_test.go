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
		func IsNotFound(error) bool
		func get() error
		func work() error { return nil }
		func some() (Result, error) { return Result{RequeueAfter: wait}, nil }
		func none() (Result, error) { _ = work(); return Result{}, nil }
		func Reconcile() (Result, error) {`
	for body, want := range map[string]Poll{
		`return Result{RequeueAfter: 5}, nil`:                  PollsOften,
		`return Result{RequeueAfter: wait}, nil`:               Polls,
		`return Result{RequeueAfter: 0}, nil`:                  Waits,
		`return Result{}, nil`:                                 Waits,
		`return Result{Requeue: true}, nil`:                    Waits,
		`defer work(); return Result{RequeueAfter: wait}, nil`: Polls,
		`return some()`:                                        Polls,
		`return none()`:                                        Waits,
		`if err := work(); err != nil { return Result{}, err }; return Result{RequeueAfter: 5}, nil`:         PollsOften,
		`if wait == 0 { return Result{}, nil }; _ = work(); return Result{RequeueAfter: 5}, nil`:             PollsOften,
		`_ = work(); if wait == 0 { return Result{}, nil }; return Result{RequeueAfter: 5}, nil`:             Waits,
		`err := work(); if IsNotFound(err) { return Result{}, nil }; return Result{RequeueAfter: wait}, nil`: Polls,
		`if wait == 0 { return Result{RequeueAfter: wait}, nil }; return Result{RequeueAfter: 5}, nil`:       Polls,
		`return Result{RequeueAfter: 600000000000}, nil`:                                                     Polls,
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
		if got := pollOf(pkg.Func("Reconcile"), func(fn *ssa.Function) bool { return fn.Name() == "work" }); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
