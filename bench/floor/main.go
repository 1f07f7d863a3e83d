// Floor loads and type-checks the packages that operatorvet would, and runs no
// rules. Any such tool takes at least this long.
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
