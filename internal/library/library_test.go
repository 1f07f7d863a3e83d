package library_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// gone lists names that the libraries in testdata/go.mod do not have, or have
// only as an alias, and the last version that had them. The name of a type also
// covers its methods.
var gone = map[string]string{
	"k8s.io/client-go/util/workqueue.Interface":             "not generic up to 0.30",
	"k8s.io/client-go/util/workqueue.RateLimitingInterface": "not generic up to 0.30",
	"k8s.io/client-go/util/workqueue.RateLimiter":           "not generic up to 0.30",

	"k8s.io/utils/pointer.To": "moved to k8s.io/utils/ptr",

	"k8s.io/client-go/tools/events.EventRecorder": "declared there up to 0.36",

	crt + "builder.Builder":                           "not generic up to 0.18",
	crt + "controller.Options":                        "not generic up to 0.18",
	crt + "handler.Funcs":                             "not generic up to 0.18",
	crt + "source.Func":                               "not generic up to 0.18",
	crt + "source.Informer":                           "not generic up to 0.18",
	crt + "predicate.Funcs":                           "not generic up to 0.18",
	crt + "ratelimiter.RateLimiter":                   "declared there up to 0.18",
	crt + "predicate.AnnotationChangedPredicate":      "not generic up to 0.18",
	crt + "predicate.LabelChangedPredicate":           "not generic up to 0.18",
	crt + "predicate.GenerationChangedPredicate":      "not generic up to 0.18",
	crt + "predicate.ResourceVersionChangedPredicate": "not generic up to 0.18",
	crt + "predicate.Predicate":                       "not generic up to 0.18",
	crt + "event.UpdateEvent":                         "not generic up to 0.18",
	crt + "event.CreateEvent":                         "not generic up to 0.18",
	crt + "event.DeleteEvent":                         "not generic up to 0.18",
	crt + "event.GenericEvent":                        "not generic up to 0.18",
	crt + "controller.Controller":                     "not generic up to 0.18",
	crt + "source.NewKindWithCache":                   "up to 0.14",
	crt + "client.StatusWriter":                       "not an alias up to 0.13",
	crt + "client.Object":                             "declared there up to 0.24",
	crt + "cache.Informers":                           "declared there up to 0.24",
	crt + "client.FieldIndexer":                       "declared there up to 0.24",
}

const crt = "sigs.k8s.io/controller-runtime/pkg/"

// elsewhere lists modules that testdata/go.mod does not require, and why.
var elsewhere = map[string]string{
	"github.com/banzaicloud/k8s-objectmatcher":      "moved to github.com/cisco-open",
	"github.com/cert-manager/cert-manager":          "heavy, and only few of its functions have records",
	"github.com/cisco-open/k8s-objectmatcher":       "only few of its functions have records",
	"github.com/crossplane/crossplane-runtime":      "only one of its functions has a record",
	"github.com/dustin/go-humanize":                 "only one of its functions has a record",
	"github.com/fluxcd/pkg":                         "only its setters of conditions have records",
	"github.com/openshift/library-go":               "heavy, and only two of its functions have records",
	"github.com/openstack-k8s-operators/lib-common": "only its setters of conditions have records",
	"github.com/imdario/mergo":                      "moved to dario.cat/mergo",
	"github.com/pborman/uuid":                       "github.com/google/uuid is what operators use",
	"github.com/pkg/errors":                         "archived, and still in many operators",
	"gopkg.in/yaml.v2":                              "archived; sigs.k8s.io/yaml is what operators use",
	"k8s.io/component-helpers":                      "only few of its functions have records",
	"k8s.io/kubectl":                                "heavy, and only its drain has records",
	"knative.dev/pkg":                               "heavy, and only few of its functions have records",
	"resty.dev/v3":                                  "no release yet",
	"sigs.k8s.io/cluster-api":                       "its patch helper is used by many providers; requiring it would double the fixture module",
	"sigs.k8s.io/multicluster-runtime":              "its builder mirrors controller-runtime's; not released for this version of it",
}

// TestRecordsAgreeWithLibraries looks up each name of the records in the real
// libraries, because a misspelt name would silently have no effect.
func TestRecordsAgreeWithLibraries(t *testing.T) {
	t.Parallel()
	names := library.Names()
	lib := load(t, names)
	for _, name := range names {
		if _, ok := moduleElsewhere(name); ok {
			continue
		}
		problem := lib.check(name)
		reason, isGone := goneSince(name)
		switch {
		case isGone && problem == "":
			t.Errorf("%s exists, though it is listed as gone: %s", name, reason)
		case !isGone && problem != "":
			t.Errorf("%s: %s", name, problem)
		}
	}
	for goner := range gone {
		if !slices.ContainsFunc(names, func(name string) bool { return name == goner || receiver(name) == goner }) {
			t.Errorf("%s is listed as gone, but no record knows it", goner)
		}
	}
}

// TestRecordsAreOne checks that each function, type, variable and trait has one
// record, and that no record is empty.
func TestRecordsAreOne(t *testing.T) {
	t.Parallel()
	for _, name := range library.Twice() {
		t.Errorf("%s has two records", name)
	}
	for _, name := range library.Empty() {
		t.Errorf("the record of %s says nothing", name)
	}
}

// goneSince returns why the libraries do not have the name.
func goneSince(name string) (reason string, ok bool) {
	if reason, ok = gone[name]; !ok {
		reason, ok = gone[receiver(name)]
	}
	return reason, ok
}

// TestPartsExist looks up the fields that [library.Parts] names.
func TestPartsExist(t *testing.T) {
	t.Parallel()
	var names []string
	for _, name := range library.Names() {
		if _, isGone := goneSince(name); !isGone && len(library.Parts(name)) > 0 {
			names = append(names, name)
		}
	}
	lib := load(t, names)
	for _, name := range names {
		obj, ok := lib.lookup(name).(*types.TypeName)
		if !ok {
			continue // a structure in older versions, a function today
		}
		for _, path := range library.Parts(name) {
			typ := obj.Type()
			for field := range strings.SplitSeq(path, ".") {
				found, _, _ := types.LookupFieldOrMethod(typ, true, obj.Pkg(), field)
				if found == nil {
					t.Errorf("%s has no %s", name, path)
					break
				}
				typ = found.Type()
			}
		}
	}
}

func moduleElsewhere(name string) (module string, ok bool) {
	for module := range elsewhere {
		if strings.HasPrefix(strings.TrimPrefix(name, "("), module) {
			return module, true
		}
	}
	return "", false
}

// libraries holds the packages that the records name.
type libraries map[string]*types.Package

// load loads the packages of the names from the fixture module, which requires
// the real libraries.
func load(t *testing.T, names []string) libraries {
	t.Helper()
	var paths []string
	for _, name := range names {
		if _, ok := moduleElsewhere(name); !ok {
			path, _, _ := split(name)
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	prog, err := fixture.LoadPackages("../../testdata", slices.Compact(paths)...)
	if err != nil {
		t.Fatal(err)
	}
	lib := make(libraries)
	for _, pkg := range prog.Packages {
		lib[pkg.PkgPath] = pkg.Types
	}
	return lib
}

// split splits a name into the package's path, the name of a function, variable
// or type in it, and the name of a method of the type.
func split(name string) (path, object, method string) {
	if recv, m, ok := strings.Cut(strings.TrimPrefix(name, "("), ")."); ok {
		name, method = recv, m
	}
	dot := strings.LastIndexByte(name, '.')
	return name[:dot], name[dot+1:], method
}

// receiver returns the name of the receiver's type if the name is that of a
// method, else "".
func receiver(name string) string {
	path, object, method := split(name)
	if method == "" {
		return ""
	}
	return path + "." + object
}

func (lib libraries) lookup(name string) types.Object {
	path, object, method := split(name)
	pkg := lib[path]
	if pkg == nil {
		return nil
	}
	obj := pkg.Scope().Lookup(object)
	if obj == nil || method == "" {
		return obj
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, method)
	return found
}

// check returns what is wrong with a name, or "" if the analyzers can meet the
// name.
func (lib libraries) check(name string) string {
	switch obj := lib.lookup(name).(type) {
	case nil:
		return "does not exist"
	case *types.Func:
		if got := library.Name(obj); got != name {
			return "is called " + got
		}
	case *types.TypeName:
		if got := library.TypeName(obj.Type()); got != name {
			return "is an alias of " + got
		}
	}
	return ""
}

// TestBuilderChainsAreKnown checks that each method of the real builder that
// returns the builder has a record. Otherwise the engines would lose the calls
// on its result.
func TestBuilderChainsAreKnown(t *testing.T) {
	t.Parallel()
	const builder = crt + "builder.TypedBuilder"
	obj := load(t, []string{builder}).lookup(builder)
	methods := types.NewMethodSet(types.NewPointer(obj.Type()))
	for method := range methods.Methods() {
		fn := method.Obj().(*types.Func)
		res := fn.Signature().Results()
		if !fn.Exported() || res.Len() != 1 || library.TypeName(res.At(0).Type()) != builder {
			continue
		}
		if !library.Of(fn).Role().ReturnsReceiver() {
			t.Errorf("%s has no record", library.Name(fn))
		}
	}
}
