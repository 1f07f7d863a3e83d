// Golangci is golangci-lint with operatorvet inside, built from modules alone:
//
//	go build -o bin/golangci-lint .
//
// The version of golangci-lint is that in go.mod, or another one for which there
// is a file:
//
//	go build -modfile=v2.12.2.mod -o bin/golangci-lint .
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/operatorvet/operatorvet/plugin"
)

func main() {
	err := run()
	if err != nil {
		fmt.Fprintf(os.Stderr, "The command is terminated due to an error: %v\n", err)
		os.Exit(exitcodes.Failure)
	}
}

func run() error {
	info, err := buildInfo()
	if err != nil {
		return err
	}
	return commands.Execute(info)
}

// buildInfo describes this build. golangci-lint reuses cached results of builds
// with the same version. So the version must differ between any two builds: it
// ends in a hash of the executable.
func buildInfo() (commands.BuildInfo, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return commands.BuildInfo{}, errors.New("built without modules")
	}
	hash, err := executableHash()
	if err != nil {
		return commands.BuildInfo{}, err
	}
	for _, dep := range info.Deps {
		if dep.Path == "github.com/golangci/golangci-lint/v2" {
			return commands.BuildInfo{
				GoVersion: info.GoVersion,
				Version:   fmt.Sprintf("%s+operatorvet.%s", strings.TrimPrefix(dep.Version, "v"), hash),
				Commit:    fmt.Sprintf("(unknown, mod sum: %q)", dep.Sum),
				Date:      "(unknown)",
			}, nil
		}
	}
	return commands.BuildInfo{}, errors.New("built without golangci-lint")
}

func executableHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%.6x", hash.Sum(nil)), nil
}
