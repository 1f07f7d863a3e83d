package library

// others has the records of libraries that operators use and that have nothing
// to do with Kubernetes: for errors, identifiers, collections, command lines,
// tests.
var others = []Package{
	{Path: "dario.cat/mergo", Also: []string{"github.com/imdario/mergo"}, Funcs: map[string]Func{
		"Merge":                       {Effect: Merges},
		"WithOverride":                {Effect: Overrides},
		"WithOverwriteWithEmptyValue": {Effect: Overrides},
	}},
	{Path: "github.com/Masterminds", Traits: Pure},
	{Path: "github.com/alecthomas/kingpin", Traits: CommandLine},
	{Path: "gopkg.in/alecthomas/kingpin.v1", Traits: CommandLine},
	{Path: "gopkg.in/alecthomas/kingpin.v2", Traits: CommandLine},
	{Path: "gopkg.in/alecthomas/kingpin.v3-unstable", Traits: CommandLine},
	{Path: "github.com/benbjohnson/clock", Funcs: map[string]Func{
		"Clock.Now":   {Source: Clock},
		"Clock.Since": {Source: Clock},
		"Clock.Until": {Source: Clock},
	}},
	{Path: "github.com/blang/semver", Traits: Pure | Immutable},
	{Path: "github.com/cisco-open/k8s-objectmatcher/patch", Also: []string{"github.com/banzaicloud/k8s-objectmatcher/patch"}, Funcs: map[string]Func{
		"Maker.Calculate":      {Effect: Computes},
		"PatchMaker.Calculate": {Effect: Computes, KeepsReceiver: true},
		"PatchResult.IsEmpty":  {Effect: Computes, KeepsReceiver: true},
	}},
	{Path: "github.com/cert-manager/cert-manager/pkg/util/pki", Funcs: each(Func{Source: Random},
		"GenerateRSAPrivateKey", "GenerateECPrivateKey", "GeneratePrivateKeyForCertificate")},
	{Path: "github.com/coreos/go-semver", Traits: Pure | Immutable},
	{Path: "github.com/dchest/uniuri", Funcs: each(Func{Source: Random}, "New", "NewLen")},
	{Path: "github.com/deckarep/golang-set", Funcs: map[string]Func{
		"Set.ToSlice": {Source: MapOrder},
	}},
	{Path: "github.com/deckarep/golang-set/v2", Funcs: map[string]Func{
		"Set.ToSlice": {Source: MapOrder},
		"Sorted":      {OrdersResult: true},
	}},
	{Path: "github.com/facette/natsort", Funcs: map[string]Func{
		"Sort": {Args: Slots{SortedArg: 0}},
	}},
	{Path: "github.com/ghodss/yaml", Traits: Pure},
	{Path: "github.com/go-co-op/gocron", Traits: Registers},
	{Path: "github.com/go-logr", Traits: Pure | Tells},
	{Path: "github.com/gofrs/uuid", Also: []string{"github.com/gofrs/uuid/v5"}, Funcs: each(Func{Source: Random}, "NewV1", "NewV4", "NewV6", "NewV7")},
	{Path: "github.com/google/go-cmp/cmp", Traits: Pure, Funcs: map[string]Func{
		"Equal": {Condition: EqualityCondition, Equality: true},
	}},
	{Path: "github.com/google/uuid", Traits: Pure, Funcs: each(Func{Source: Random}, "New", "NewRandom", "NewString", "NewUUID", "NewV6", "NewV7")},
	{Path: "github.com/hashicorp/go-version", Traits: Pure | Immutable},
	{Path: "github.com/jonboulle/clockwork", Funcs: map[string]Func{
		"Clock.Now":   {Source: Clock},
		"Clock.Since": {Source: Clock},
		"Clock.Until": {Source: Clock},
	}},
	{Path: "github.com/lithammer/shortuuid/v3", Also: []string{"github.com/lithammer/shortuuid/v4"}, Funcs: map[string]Func{
		"New": {Source: Random},
	}},
	{Path: "github.com/mitchellh/hashstructure", Traits: Pure},
	{Path: "github.com/oklog/ulid/v2", Funcs: map[string]Func{
		"Make": {Source: Random},
	}},
	{Path: "github.com/onsi/ginkgo", Traits: ForTests},
	{Path: "github.com/onsi/gomega", Traits: ForTests},
	{Path: "github.com/pkg/errors", Funcs: map[string]Func{
		"Is":           {Meaning: AsksIs, Condition: StableCondition},
		"As":           {Meaning: AsksAs, Condition: StableCondition},
		"New":          {Meaning: NewError},
		"Errorf":       {Meaning: NewError},
		"Wrap":         {Meaning: WrapsError},
		"Wrapf":        {Meaning: WrapsError},
		"WithMessage":  {Meaning: WrapsError},
		"WithMessagef": {Meaning: WrapsError},
		"WithStack":    {Meaning: WrapsError},
	}},
	{Path: "github.com/robfig/cron", Also: []string{"gopkg.in/robfig/cron.v1", "gopkg.in/robfig/cron.v2", "gopkg.in/robfig/cron.v3"}, Traits: Registers},
	{Path: "github.com/rs/xid", Funcs: map[string]Func{
		"New": {Source: Random},
	}},
	{Path: "github.com/samber/lo", Traits: Pure},
	{Path: "github.com/samber/lo", Funcs: each(Func{Source: MapOrder}, "Entries", "FilterKeys", "FilterMapToSlice", "FilterValues", "Keys",
		"MapToSlice", "ToPairs", "UniqKeys", "UniqValues", "Values")},
	{Path: "github.com/samber/lo", Funcs: each(Func{Unordered: true}, "Associate", "Contains", "ContainsBy", "CountBy", "ElementsMatch", "Every",
		"EveryBy", "KeyBy", "MaxBy", "MinBy", "NoneBy", "SliceToMap", "Some", "SomeBy", "SumBy")},
	{Path: "github.com/samber/lo", Funcs: map[string]Func{
		"RandomString": {Source: Random},
		"ToPtr":        {Effect: PointsTo},
	}},
	{Path: "github.com/satori/go.uuid", Funcs: each(Func{Source: Random}, "NewV1", "NewV2", "NewV4")},
	{Path: "github.com/segmentio/ksuid", Funcs: each(Func{Source: Random}, "New", "NewRandom")},
	{Path: "github.com/sethvargo/go-password/password", Funcs: each(Func{Source: Random}, "Generate", "MustGenerate",
		"Generator.Generate", "PasswordGenerator.Generate")},
	{Path: "github.com/spf13", Traits: Registers},
	{Path: "github.com/spf13/cobra", Traits: Registers | CommandLine},
	{Path: "github.com/stretchr/testify", Traits: ForTests},
	{Path: "github.com/urfave/cli", Traits: CommandLine},
	{Path: "gopkg.in/yaml.v2", Also: []string{"gopkg.in/yaml.v3"}, Traits: Pure, Funcs: map[string]Func{
		"NewEncoder": {Args: Slots{ReturnedArg: 0}},
		"Unmarshal":  {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
	}},
	{Path: "knative.dev/pkg/kmeta", Funcs: map[string]Func{
		"NewControllerRef": {Owner: &Owner{Effect: MakesControllerRef, Args: Slots{OwnerArg: 0}}},
	}},
}
