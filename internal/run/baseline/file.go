package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/operatorvet/operatorvet/internal/run/replace"
)

// version is the version of the file's format.
const version = 1

type file struct {
	Version  int     `json:"version"`
	Findings []entry `json:"findings"`
}

type entry struct {
	Key
	Count int `json:"count,omitempty"` // if more than one
}

// Read reads a baseline from a file.
func Read(name string) (Baseline, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s%w", name, err)
	}
	return b, nil
}

// parse returns errors that begin with the line, if it is known, and a colon.
func parse(data []byte) (Baseline, error) {
	at := func(offset int64) string {
		line := 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
		return ":" + strconv.Itoa(line)
	}
	// First the version alone: what else a later one has is not known here.
	var head struct{ Version *int }
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, &head); {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%s: not a baseline: %v", at(syntax.Offset), err)
	case errors.As(err, &typ):
		return nil, fmt.Errorf("%s: not a baseline: %v", at(typ.Offset), err)
	case err != nil:
		return nil, fmt.Errorf(": not a baseline: %v", err)
	case head.Version == nil:
		return nil, errors.New(": not a baseline: it has no version")
	case *head.Version != version:
		return nil, fmt.Errorf(": version %d; this operatorvet knows version %d", *head.Version, version)
	}

	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var f file
	if err := dec.Decode(&f); err != nil {
		if errors.As(err, &typ) {
			return nil, fmt.Errorf("%s: %v", at(typ.Offset), err)
		}
		return nil, fmt.Errorf("%s: %v", at(dec.InputOffset()), err)
	}
	b := make(Baseline)
	for i, e := range f.Findings {
		if e.Rule == "" || e.Package == "" || e.Message == "" || e.Count < 0 {
			return nil, fmt.Errorf(": findings[%d]: wants rule, package, message, and a count above zero, if any", i)
		}
		b[e.Key] += max(e.Count, 1)
	}
	return b, nil
}

// Write writes the baseline to a file, whole or not at all. The same baseline
// makes the same bytes.
func (b Baseline) Write(name string) error {
	f := file{Version: version, Findings: []entry{}}
	for _, k := range b.Keys() {
		e := entry{Key: k}
		if b[k] > 1 {
			e.Count = b[k]
		}
		f.Findings = append(f.Findings, e)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(f); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // a link stays one
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	return replace.File(name, buf.Bytes(), mode)
}
