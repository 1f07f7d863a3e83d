// Package baseline answers which findings of a run were known before, and which
// of the known ones are gone. A team that adopts the rules in an old code base
// wants to see the findings that it adds, not those that it has.
//
// A known finding is recognised by rule, package, function and message, so it
// stays known while lines move. Equal findings in one function are counted.
package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// Key is the part of a finding that does not change when lines move.
type Key struct {
	Package  string `json:"package"`
	Function string `json:"function,omitempty"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Test     bool   `json:"test,omitempty"` // whether it is in a test file
}

// place matches how messages name another place, by file and line or, in the
// file of the finding, by line alone.
var place = regexp.MustCompile(`[^\s()]+\.go:\d+(:\d+)?|\bline \d+`)

// KeyOf returns the key of a finding. The external test of a package counts as
// part of it.
func KeyOf(f driver.Finding) Key {
	k := Key{
		Package:  f.Package,
		Function: f.Function,
		Rule:     f.Rule,
		Message:  place.ReplaceAllLiteralString(f.Message, "…"),
		Test:     strings.HasSuffix(f.Pos.Filename, "_test.go"),
	}
	if k.Test {
		k.Package = strings.TrimSuffix(k.Package, "_test")
	}
	return k
}

// Fingerprint returns a text by which programs recognise a finding in several
// runs. Each of several findings with the same key has another fingerprint.
func (k Key) Fingerprint(n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d", []string{k.Package, k.Function, k.Rule, k.Message}, n))
	return hex.EncodeToString(sum[:16])
}

func (k Key) String() string {
	where := k.Package
	if k.Function != "" {
		where += "." + k.Function
	}
	return fmt.Sprintf("%s in %s: %s", k.Rule, where, k.Message)
}

func compareKeys(a, b Key) int {
	testsLast := func(k Key) int {
		if k.Test {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.Package, b.Package),
		cmp.Compare(testsLast(a), testsLast(b)),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}

// Baseline says how many findings there are of each key.
type Baseline map[Key]int

// Of returns the baseline that accepts the findings and nothing else.
func Of(findings []driver.Finding) Baseline {
	b := make(Baseline)
	for _, f := range findings {
		b[KeyOf(f)]++
	}
	return b
}

// Split returns the findings that the baseline does not accept, and the entries
// that accept nothing. If there are more equal findings than it accepts, the
// last ones are new.
func (b Baseline) Split(findings []driver.Finding) (fresh []driver.Finding, left Baseline) {
	left = maps.Clone(b)
	for _, f := range findings {
		k := KeyOf(f)
		switch left[k] {
		case 0:
			fresh = append(fresh, f)
		case 1:
			delete(left, k)
		default:
			left[k]--
		}
	}
	return fresh, left
}

// Merge returns the union of two baselines without common keys.
func (b Baseline) Merge(other Baseline) Baseline {
	res := maps.Clone(b)
	maps.Copy(res, other)
	return res
}

// Keys returns the keys in the order of the file.
func (b Baseline) Keys() []Key {
	return slices.SortedFunc(maps.Keys(b), compareKeys)
}

// Total returns the number of findings.
func (b Baseline) Total() int {
	total := 0
	for _, n := range b {
		total += n
	}
	return total
}

// View says what a run looks at. A run can only tell that something is gone if
// it looked there.
type View struct {
	Report *driver.Report
	Rules  func(name string) bool // whether the rule ran
	Tests  bool                   // whether test files were looked at
}

// Inside splits the baseline into the part that the view covers and the rest.
func (b Baseline) Inside(v View) (inside, outside Baseline) {
	inside, outside = make(Baseline), make(Baseline)
	for k, n := range b {
		if v.shows(k) {
			inside[k] = n
		} else {
			outside[k] = n
		}
	}
	return inside, outside
}

func (v View) shows(k Key) bool {
	analysed := func(path string) bool {
		_, found := slices.BinarySearch(v.Report.Packages, path)
		return found
	}
	return v.Rules(k.Rule) && (v.Tests || !k.Test) &&
		(analysed(k.Package) || k.Test && analysed(k.Package+"_test") || v.gone(k.Package))
}

// gone reports whether the package belongs to one of the modules that the run
// looked at, but its directory has no Go files or does not exist.
func (v View) gone(path string) bool {
	var module string
	for m := range v.Report.Modules {
		if (path == m || strings.HasPrefix(path, m+"/")) && len(m) > len(module) {
			module = m
		}
	}
	dir := v.Report.Modules[module]
	if module == "" || dir == "" {
		return false
	}
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(path, module))))
	if err != nil {
		return os.IsNotExist(err)
	}
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
}
