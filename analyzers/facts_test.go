package analyzers_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// maxFact is the maximum size of an encoded fact. The facts of all dependencies
// are read for each package.
const maxFact = 16 << 10

// encodedFacts returns each fact of the analysis in its encoded form, by
// analyzer, object and type.
func encodedFacts(t *testing.T, graph *checker.Graph) map[string][]byte {
	t.Helper()
	facts := make(map[string][]byte)
	add := func(act *checker.Action, of string, fact analysis.Fact) {
		facts[fmt.Sprintf("%s %T of %s", act.Analyzer.Name, fact, of)] = encode(t, of, fact)
	}
	for act := range graph.All() {
		for _, f := range act.AllObjectFacts() {
			if f.Object.Pkg() != act.Package.Types {
				continue // inherited
			}
			path, err := objectpath.For(f.Object)
			if err != nil {
				continue // nobody outside the package can refer to it
			}
			add(act, f.Object.Pkg().Path()+" "+string(path), f.Fact)
		}
		for _, f := range act.AllPackageFacts() {
			if f.Package == act.Package.Types {
				add(act, f.Package.Path(), f.Fact)
			}
		}
	}
	return facts
}

// TestFactsAreTheSameEachTime checks that each run encodes facts to the same
// bytes. The go command recognises unchanged facts by their bytes, and the
// caches of golangci-lint do too.
func TestFactsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	first := encodedFacts(t, analyzeGraph(t))
	c, err := fixture.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := fixture.Analyze(analyzers.All(), c.Packages)
	if err != nil {
		t.Fatal(err)
	}
	second := encodedFacts(t, graph)
	if len(first) != len(second) {
		t.Errorf("%d facts, then %d", len(first), len(second))
	}
	largest, total := "", 0
	for key, data := range first {
		if !bytes.Equal(data, second[key]) {
			t.Errorf("%s differs:\n%q\n%q", key, data, second[key])
		}
		if len(data) > maxFact {
			t.Errorf("%s takes %d bytes", key, len(data))
		}
		if len(data) > len(first[largest]) {
			largest = key
		}
		total += len(data)
	}
	t.Logf("%d facts, %d bytes; the largest, of %d bytes: %s", len(first), total, len(first[largest]), largest)
}

// TestFactsSurviveEncoding checks that decoding an encoded fact yields the same
// fact.
func TestFactsSurviveEncoding(t *testing.T) {
	t.Parallel()
	check := func(of any, fact analysis.Fact) {
		encoded := encode(t, of, fact)
		decoded := reflect.New(reflect.TypeOf(fact).Elem()).Interface()
		if err := gob.NewDecoder(bytes.NewReader(encoded)).Decode(decoded); err != nil {
			t.Errorf("%T of %v: %v", fact, of, err)
			return
		}
		if !bytes.Equal(encoded, encode(t, of, decoded.(analysis.Fact))) {
			t.Errorf("%T of %v: %+v became %+v", fact, of, fact, decoded)
		}
	}
	for act := range analyzeGraph(t).All() {
		for _, f := range act.AllObjectFacts() {
			check(f.Object, f.Fact)
		}
		for _, f := range act.AllPackageFacts() {
			check(f.Package, f.Fact)
		}
	}
}

func encode(t *testing.T, of any, fact analysis.Fact) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(fact); err != nil {
		t.Fatalf("%T of %v: %v", fact, of, err)
	}
	return buf.Bytes()
}

// TestFactTypesAreConcrete checks that no fact contains an interface. Its values
// would have to be registered with gob under a name that all tools in a binary
// share.
func TestFactTypesAreConcrete(t *testing.T) {
	t.Parallel()
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, fact := range a.FactTypes {
			if path := interfaceIn(reflect.TypeOf(fact).Elem(), nil); path != "" {
				t.Errorf("%s: %T%s is an interface", a.Name, fact, path)
			}
		}
		for _, req := range a.Requires {
			visit(req)
		}
	}
	for _, rule := range analyzers.All() {
		visit(rule)
	}
}

// interfaceIn returns the path to an interface within the type, or "".
func interfaceIn(typ reflect.Type, outer []reflect.Type) string {
	if slices.Contains(outer, typ) {
		return ""
	}
	outer = append(outer, typ)
	switch typ.Kind() {
	case reflect.Interface:
		return " "
	case reflect.Struct:
		for i := range typ.NumField() {
			if !typ.Field(i).IsExported() {
				continue // not encoded
			}
			if path := interfaceIn(typ.Field(i).Type, outer); path != "" {
				return "." + typ.Field(i).Name + path
			}
		}
	case reflect.Map:
		if path := interfaceIn(typ.Key(), outer); path != "" {
			return "[key]" + path
		}
		fallthrough
	case reflect.Slice, reflect.Array, reflect.Pointer:
		if path := interfaceIn(typ.Elem(), outer); path != "" {
			return "[]" + path
		}
	}
	return ""
}
