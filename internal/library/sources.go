package library

import "strings"

// A Source says in which way a function's result differs from call to call.
type Source int

const (
	// Clock: the time of the call.
	Clock Source = iota + 1
	// Random: random bits, fresh keys, certificates, salted hashes.
	Random
	// MapOrder: a sequence of a map's keys or entries, or of a set's members,
	// in the order of Go's map iteration.
	MapOrder
	// ListOrder: a sequence in the order of a cache's store, which is a map.
	ListOrder
)

// SourceNamed returns in which way the results of the function of this name
// differ from call to call.
func SourceNamed(name string) (Source, bool) {
	if s, ok := sources[name]; ok {
		return s, true
	}
	// Generated listers: List of an XLister or XNamespaceLister.
	if recv, ok := strings.CutSuffix(name, ").List"); ok && strings.HasSuffix(recv, "Lister") && strings.Contains(recv, "/listers/") {
		return ListOrder, true
	}
	return 0, false
}

// RandomBytes returns the index of the argument that the function of this name
// fills with random bytes.
func RandomBytes(name string) (int, bool) {
	switch name {
	case "crypto/rand.Read", "math/rand.Read":
		return 0, true
	case "io.ReadFull": // from crypto/rand.Reader
		return 1, true
	}
	return 0, false
}

const (
	apirand  = "k8s.io/apimachinery/pkg/util/rand"
	apisets  = "k8s.io/apimachinery/pkg/util/sets"
	certutil = clientgo + "/util/cert"
	toolsc   = clientgo + "/tools/cache"
	utilclk  = "k8s.io/utils/clock"
)

var sources = func() map[string]Source {
	m := make(map[string]Source)
	add := func(s Source, format string, names ...string) {
		for _, n := range names {
			m[strings.ReplaceAll(format, "*", n)] = s
		}
	}
	add(Clock, "time.*", "Now", "Since", "Until")
	add(Clock, metav1+".*", "Now", "NowMicro")
	add(Clock, "("+utilclk+".*", "PassiveClock).Now", "PassiveClock).Since", "RealClock).Now", "RealClock).Since")
	add(Clock, "(github.com/jonboulle/clockwork.Clock).*", "Now", "Since", "Until")
	add(Clock, "(github.com/benbjohnson/clock.Clock).*", "Now", "Since", "Until")

	for _, rand := range []string{"math/rand", "golang.org/x/exp/rand"} {
		add(Random, rand+".*", "ExpFloat64", "Float32", "Float64", "Int", "Int31", "Int31n", "Int63", "Int63n", "Intn",
			"NormFloat64", "Perm", "Uint32", "Uint64")
	}
	add(Random, "math/rand/v2.*", "ExpFloat64", "Float32", "Float64", "Int", "Int32", "Int32N", "Int64", "Int64N", "IntN",
		"N", "NormFloat64", "Perm", "Uint", "Uint32", "Uint32N", "Uint64", "Uint64N", "UintN")
	add(Random, "crypto/rand.*", "Int", "Prime", "Text")
	add(Random, apirand+".*", "String", "Int", "Intn", "IntnRange", "Int63nRange", "Perm")
	add(Random, "*", "k8s.io/apimachinery/pkg/util/uuid.NewUUID", "sigs.k8s.io/cluster-api/util.RandomString",
		"(k8s.io/apiserver/pkg/storage/names.NameGenerator).GenerateName")
	add(Random, "github.com/google/uuid.*", "New", "NewString", "NewUUID", "NewRandom", "NewV6", "NewV7")
	for _, uuid := range []string{"github.com/gofrs/uuid", "github.com/gofrs/uuid/v5"} {
		add(Random, uuid+".*", "NewV1", "NewV4", "NewV6", "NewV7")
	}
	add(Random, "github.com/satori/go.uuid.*", "NewV1", "NewV2", "NewV4")
	add(Random, "github.com/*", "rs/xid.New", "segmentio/ksuid.New", "segmentio/ksuid.NewRandom", "oklog/ulid/v2.Make",
		"lithammer/shortuuid/v4.New", "lithammer/shortuuid/v3.New", "dchest/uniuri.New", "dchest/uniuri.NewLen", "samber/lo.RandomString",
		"sethvargo/go-password/password.Generate", "sethvargo/go-password/password.MustGenerate",
		"cert-manager/cert-manager/pkg/util/pki.GenerateRSAPrivateKey", "cert-manager/cert-manager/pkg/util/pki.GenerateECPrivateKey",
		"cert-manager/cert-manager/pkg/util/pki.GeneratePrivateKeyForCertificate")
	add(Random, "(github.com/sethvargo/go-password/password.*).Generate", "Generator", "PasswordGenerator")
	add(Random, "crypto/*", "rsa.GenerateKey", "ecdsa.GenerateKey", "ed25519.GenerateKey", "elliptic.GenerateKey",
		"mlkem.GenerateKey768", "mlkem.GenerateKey1024", "x509.CreateCertificate", "x509.CreateCertificateRequest")
	add(Random, "(crypto/ecdh.Curve).*", "GenerateKey")
	add(Random, "golang.org/x/crypto/bcrypt.*", "GenerateFromPassword")
	add(Random, certutil+".*", "NewSelfSignedCACert", "GenerateSelfSignedCertKey", "MakeCSR")
	add(Random, clientgo+"/util/keyutil.*", "MakeEllipticPrivateKeyPEM")

	add(MapOrder, "maps.*", "Keys", "Values", "All")
	add(MapOrder, "golang.org/x/exp/maps.*", "Keys", "Values")
	add(MapOrder, "github.com/samber/lo.*", "Keys", "UniqKeys", "Values", "UniqValues", "Entries", "ToPairs", "MapToSlice", "FilterMapToSlice",
		"FilterKeys", "FilterValues")
	add(MapOrder, "("+apisets+".*).UnsortedList", "Set", "String", "Int", "Int32", "Int64", "Byte")
	add(MapOrder, "(k8s.io/utils/set.Set).*", "UnsortedList")
	add(MapOrder, "(github.com/deckarep/golang-set*", ".Set).ToSlice", "/v2.Set).ToSlice")

	add(ListOrder, "("+toolsc+".*", "GenericLister).List", "GenericNamespaceLister).List", "Store).List", "Store).ListKeys",
		"Indexer).ByIndex", "Indexer).Index")
	add(ListOrder, "("+clientgo+"/listers.ResourceIndexer).*", "List")
	return m
}()

// Sorts returns the index of the argument that the function of this name puts
// in an order that does not depend on the order before.
func Sorts(name string) (int, bool) {
	_, ok := sorters[name]
	return 0, ok
}

// OrdersResult reports whether the function of this name returns a sequence in
// an order of its own, whatever the order of its argument.
func OrdersResult(name string) bool {
	_, ok := orderers[name]
	return ok
}

var sorters = set("sort.Strings", "sort.Ints", "sort.Float64s", "sort.Slice", "sort.SliceStable", "sort.Sort", "sort.Stable",
	"(sort.StringSlice).Sort", "(sort.IntSlice).Sort", "(sort.Float64Slice).Sort",
	"slices.Sort", "slices.SortFunc", "slices.SortStableFunc",
	"golang.org/x/exp/slices.Sort", "golang.org/x/exp/slices.SortFunc", "golang.org/x/exp/slices.SortStableFunc",
	"github.com/facette/natsort.Sort")

var orderers = set("slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc",
	apisets+".List", "("+apisets+".String).List", "("+apisets+".Int).List", "("+apisets+".Int32).List", "("+apisets+".Int64).List",
	"(k8s.io/utils/set.Set).SortedList", "github.com/deckarep/golang-set/v2.Sorted")

// Unordered reports whether the function of this name builds something without
// an order, such as a set, or does not care about the order of its arguments.
func Unordered(name string) bool {
	if _, ok := unordered[name]; ok {
		return true
	}
	return strings.HasPrefix(name, apisets+".New") || strings.HasPrefix(name, "("+apisets+".") || strings.HasPrefix(name, "(k8s.io/utils/set.")
}

var unordered = set("maps.Collect", "maps.Insert", "maps.Copy", "slices.Contains", "slices.ContainsFunc",
	"slices.Max", "slices.Min", "slices.MaxFunc", "slices.MinFunc",
	"github.com/samber/lo.Contains", "github.com/samber/lo.Every", "github.com/samber/lo.Some", "github.com/samber/lo.ElementsMatch",
	"github.com/samber/lo.KeyBy", "github.com/samber/lo.Associate", "github.com/samber/lo.SliceToMap", "github.com/samber/lo.CountBy",
	"github.com/samber/lo.SumBy", "github.com/samber/lo.MaxBy", "github.com/samber/lo.MinBy")

// TimeKinds are the kinds that are about time, or that nobody converges: a
// value that differs is what they are for.
var timeKinds = set("k8s.io/api/coordination/v1.Lease", "k8s.io/api/coordination/v1beta1.Lease", "k8s.io/api/coordination/v1alpha2.LeaseCandidate",
	"k8s.io/api/core/v1.Event", "k8s.io/api/events/v1.Event", "k8s.io/api/events/v1beta1.Event",
	"k8s.io/api/authentication/v1.TokenRequest", "k8s.io/api/authentication/v1.TokenReview",
	"k8s.io/api/authorization/v1.SubjectAccessReview", "k8s.io/api/authorization/v1.SelfSubjectAccessReview",
	"k8s.io/api/certificates/v1.CertificateSigningRequest", "k8s.io/api/policy/v1.Eviction", "k8s.io/api/core/v1.Binding")

// AboutTime reports whether the kind with this type is about time.
func AboutTime(typeName string) bool {
	_, ok := timeKinds[typeName]
	return ok
}

func set(names ...string) map[string]struct{} {
	m := make(map[string]struct{}, len(names))
	for _, n := range names {
		m[n] = struct{}{}
	}
	return m
}
