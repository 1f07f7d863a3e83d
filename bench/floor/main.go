// Floor loads and type-checks what operatorvet would, and runs no rules: the
// least that any such tool takes.
package main

import (
	"fmt"
	"os"

	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
)

func main() {
	_, err := driver.Run(load.Config{Dir: ".", Patterns: os.Args[1:], Tests: true, Deps: load.Auto}, nil, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
