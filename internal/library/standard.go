package library

// standard has the records of the standard library and of the repositories
// golang.org/x.
var standard = []Package{
	{Path: "bufio", Funcs: map[string]Func{
		"NewWriter": {Args: Slots{ReturnedArg: 0}},
	}},
	{Path: "bytes", Funcs: map[string]Func{
		"Equal": {Condition: EqualityCondition, Equality: true},
	}},
	{Path: "compress/gzip", Funcs: map[string]Func{
		"NewWriter": {Args: Slots{ReturnedArg: 0}},
	}},
	{Path: "context",
		Funcs: map[string]Func{
			"Background":        {Meaning: NeverDone},
			"TODO":              {Meaning: NeverDone},
			"WithoutCancel":     {Meaning: Detaches},
			"WithCancel":        {Meaning: Cancels, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"WithCancelCause":   {Meaning: Cancels, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"WithTimeout":       {Meaning: Expires, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"WithTimeoutCause":  {Meaning: Expires, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"WithDeadline":      {Meaning: Expires, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"WithDeadlineCause": {Meaning: Expires, Canceller: &Canceller{Context: 0, Cancel: 1}},
			"Cause":             {Meaning: Cause},
		},
		Types: map[string]Type{
			"CancelCauseFunc": {Is: CancelFunc},
			"CancelFunc":      {Is: CancelFunc},
			"Context":         {Is: Context},
		},
		Vars: map[string]Var{
			"Canceled": {Is: Canceled},
		},
	},
	{Path: "crypto/ecdh", Funcs: map[string]Func{
		"Curve.GenerateKey": {Source: Random},
	}},
	{Path: "crypto/ecdsa", Funcs: map[string]Func{
		"GenerateKey": {Source: Random},
	}},
	{Path: "crypto/ed25519", Funcs: map[string]Func{
		"GenerateKey": {Source: Random},
	}},
	{Path: "crypto/elliptic", Funcs: map[string]Func{
		"GenerateKey": {Source: Random},
	}},
	{Path: "crypto/mlkem", Funcs: each(Func{Source: Random}, "GenerateKey768", "GenerateKey1024")},
	{Path: "hash/maphash", Funcs: map[string]Func{"MakeSeed": {Source: Random}}},
	{Path: "crypto/rand",
		Funcs: map[string]Func{
			"Int":   {Source: Random},
			"Prime": {Source: Random},
			"Text":  {Source: Random},
			"Read":  {Args: Slots{RandomArg: 0}},
		},
		Vars: map[string]Var{
			"Reader": {Is: RandomReader},
		},
	},
	{Path: "crypto/rsa", Funcs: map[string]Func{
		"GenerateKey": {Source: Random},
	}},
	{Path: "crypto/tls", Funcs: map[string]Func{
		"Listen": {StartsUp: true},
	}},
	{Path: "crypto/x509", Funcs: each(Func{Source: Random}, "CreateCertificate", "CreateCertificateRequest")},
	{Path: "database/sql", Traits: Pure | Outside, Funcs: map[string]Func{
		"DB.ExecContext":   {Act: &Act{}},
		"Conn.ExecContext": {Act: &Act{}},
	}},
	{Path: "encoding/base32", Traits: Pure | Immutable},
	{Path: "encoding/base64", Traits: Pure | Immutable, Funcs: map[string]Func{
		"NewEncoder": {Args: Slots{ReturnedArg: 1}},
	}},
	{Path: "encoding/json", Funcs: map[string]Func{
		"Marshal":        {Meaning: Encodes},
		"NewEncoder":     {Args: Slots{ReturnedArg: 0}},
		"Unmarshal":      {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
		"Decoder.Decode": {Effect: Decodes, Args: Slots{EncodedArg: 0, DecodedArg: 1}},
	}},
	{Path: "errors", Funcs: map[string]Func{
		"Is":   {Meaning: AsksIs, Condition: StableCondition},
		"As":   {Meaning: AsksAs, Condition: StableCondition},
		"New":  {Meaning: NewError},
		"Join": {Meaning: JoinsErrors, Effect: Computes},
	}},
	{Path: "fmt", Traits: Pure | Prints, Funcs: map[string]Func{
		"Errorf": {Meaning: FormatsError},
	}},
	{Path: "hash", Funcs: map[string]Func{
		"Hash.Sum": {Args: Slots{AbsorberArg: 1}},
	}},
	{Path: "io",
		Funcs: map[string]Func{
			"ReadFull":                 {Args: Slots{ReaderArg: 0, RandomArg: 1}},
			"Writer.Write":             {Args: Slots{AbsorberArg: 0}},
			"StringWriter.WriteString": {Args: Slots{AbsorberArg: 0}},
			"ByteWriter.WriteByte":     {Args: Slots{AbsorberArg: 0}},
		},
		Types: map[string]Type{
			"Writer": {Is: ByteWriter},
		},
	},
	{Path: "log", Funcs: each(Func{NeverReturns: true}, "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln",
		"Logger.Fatal", "Logger.Fatalf", "Logger.Fatalln", "Logger.Panic", "Logger.Panicf", "Logger.Panicln")},
	{Path: "maps", Funcs: map[string]Func{
		"All":     {Source: MapOrder},
		"Keys":    {Source: MapOrder},
		"Values":  {Source: MapOrder},
		"Collect": {Unordered: true},
		"Insert":  {Unordered: true},
		"Clone":   {Effect: ClonesMap},
		"Copy":    {Unordered: true, Effect: CopiesEntries},
		"Equal":   {Condition: EqualityCondition, Equality: true},
	}},
	{Path: "math/rand", Funcs: each(Func{Source: Random}, "ExpFloat64", "Float32", "Float64", "Int", "Int31", "Int63", "NormFloat64",
		"Perm", "Uint32", "Uint64")},
	{Path: "math/rand", Funcs: each(Func{Source: Random, Args: Slots{BoundArg: Last}}, "Int31n", "Int63n", "Intn")},
	{Path: "math/rand", Funcs: each(Func{Args: Slots{BoundArg: Last}}, "Rand.Int31n", "Rand.Int63n", "Rand.Intn")},
	{Path: "math/rand", Funcs: map[string]Func{
		"Read":    {Args: Slots{RandomArg: 0}},
		"Shuffle": {Effect: Shuffles},
	}},
	{Path: "math/rand/v2", Funcs: each(Func{Source: Random}, "ExpFloat64", "Float32", "Float64", "Int", "Int32", "Int64", "NormFloat64",
		"Perm", "Uint", "Uint32", "Uint64")},
	{Path: "math/rand/v2", Funcs: each(Func{Source: Random, Args: Slots{BoundArg: Last}}, "Int32N", "Int64N", "IntN", "N",
		"Uint32N", "Uint64N", "UintN")},
	{Path: "math/rand/v2", Funcs: each(Func{Args: Slots{BoundArg: Last}}, "Rand.Int32N", "Rand.Int64N", "Rand.IntN",
		"Rand.Uint32N", "Rand.Uint64N", "Rand.UintN")},
	{Path: "math/rand/v2", Funcs: map[string]Func{
		"Shuffle": {Effect: Shuffles},
	}},
	{Path: "net", Traits: Pure | WrapsContext, Funcs: map[string]Func{
		"Listen":              {StartsUp: true},
		"ListenConfig.Listen": {StartsUp: true},
	}},
	{Path: "net/http", Traits: Pure | Outside | Registers | CarriesContext | WrapsContext,
		Funcs: map[string]Func{
			"NewRequest":            {Successor: &Successor{Name: "NewRequestWithContext", Condition: -1, Timeout: -1}},
			"NewRequestWithContext": {Act: &Act{Request: true, Method: 1}, Args: Slots{CarriedArg: 0}, IgnoresContext: true},
			"Request.WithContext":   {Args: Slots{CarriedArg: 1}},
			"Request.Clone":         {Args: Slots{CarriedArg: 1}},
			"Request.Context":       {Meaning: ContextOf},
			"Server.Shutdown":       {Act: &Act{}},
		},
		Types: map[string]Type{
			"Request": {Is: HTTPRequest},
		},
	},
	{Path: "io/fs", Funcs: each(Func{ReadsEnvironment: true}, "FileInfo.Name", "FileInfo.IsDir", "FileInfo.Mode", "FileInfo.Size",
		"FileMode.IsDir", "FileMode.IsRegular", "DirEntry.Name", "DirEntry.IsDir", "DirEntry.Type")},
	{Path: "os", Funcs: map[string]Func{
		"Exit":      {NeverReturns: true},
		"Getenv":    {ReadsEnvironment: true},
		"LookupEnv": {ReadsEnvironment: true},
	}},
	{Path: "os/exec", Traits: Pure | Outside, Funcs: map[string]Func{
		"CommandContext": {Act: &Act{}},
	}},
	{Path: "os/signal", Funcs: map[string]Func{
		"NotifyContext": {Canceller: &Canceller{Context: 0, Cancel: 1}},
	}},
	{Path: "reflect", Funcs: map[string]Func{
		"DeepEqual": {Condition: EqualityCondition, Equality: true},

		"TypeFor":         {Effect: NamesType},
		"TypeOf":          {Args: Slots{ReturnedArg: 0}},
		"Type.Elem":       {Args: Slots{ReturnedArg: 0}},
		"Type.Name":       {OfKind: true},
		"Type.String":     {OfKind: true},
		"New":             {Effect: MakesZero},
		"Value.Interface": {Effect: UnwrapsValue, Meaning: Reflects},

		"Indirect":          {Meaning: Reflects},
		"ValueOf":           {Meaning: Reflects},
		"Value.Elem":        {Meaning: Reflects},
		"Value.FieldByName": {Meaning: ReflectsField},
	}, Types: map[string]Type{
		"Value": {Is: Reflection},
	}},
	{Path: "runtime", Funcs: map[string]Func{
		"Goexit": {NeverReturns: true},
	}},
	{Path: "slices", Funcs: each(Func{Args: Slots{SortedArg: 0}}, "Sort", "SortFunc", "SortStableFunc")},
	{Path: "regexp", Traits: Pure | Immutable},
	{Path: "slices", Funcs: each(Func{OrdersResult: true}, "Sorted", "SortedFunc", "SortedStableFunc")},
	{Path: "slices", Funcs: each(Func{Unordered: true}, "Contains", "ContainsFunc", "Max", "MaxFunc", "Min", "MinFunc")},
	{Path: "slices", Funcs: map[string]Func{
		"Equal":     {Condition: EqualityCondition, Equality: true},
		"Index":     {Condition: SearchCondition},
		"IndexFunc": {Condition: SearchCondition},
	}},
	{Path: "sort", Funcs: each(Func{Args: Slots{SortedArg: 0}}, "Strings", "Ints", "Float64s", "Slice", "SliceStable", "Sort", "Stable",
		"StringSlice.Sort", "IntSlice.Sort", "Float64Slice.Sort")},
	{Path: "sort", Funcs: map[string]Func{
		"Reverse": {Args: Slots{ReturnedArg: 0}},
	}},
	{Path: "strconv", Funcs: each(Func{Effect: Reformats}, "Atoi", "FormatInt", "FormatUint", "Itoa", "ParseInt", "ParseUint")},
	{Path: "strings", Funcs: map[string]Func{
		"Contains":  {Meaning: AsksText},
		"HasPrefix": {Meaning: AsksText, Condition: StableCondition},
		"HasSuffix": {Meaning: AsksText, Condition: StableCondition},
		"EqualFold": {Meaning: AsksText},

		"Fields": {Meaning: SplitsText},
		"Join":   {Meaning: JoinsTexts},
		"Split":  {Meaning: SplitsText},

		"TrimSpace": {Effect: Reformats},

		"Replacer.Replace": {KeepsReceiver: true},
	}},
	{Path: "sync",
		Funcs: map[string]Func{
			"Map.Range":      {Effect: RangesMap},
			"Cond.Broadcast": {Meaning: Signals},
			"Cond.Signal":    {Meaning: Signals},
			"Cond.Wait":      {Meaning: Joins},
			"Once.Do":        {Meaning: RunsOnce, Args: Slots{CallbackArg: 1}},
			"OnceFunc":       {Meaning: RunsOnce},
			"OnceValue":      {Meaning: RunsOnce},
			"OnceValues":     {Meaning: RunsOnce},
			"WaitGroup.Add":  {Meaning: Signals},
			"WaitGroup.Done": {Meaning: Signals},
			"WaitGroup.Go":   {Group: StartsInGroup, StartsGoroutine: true},
			"WaitGroup.Wait": {Meaning: Joins, Group: WaitsForGroup},
		},
		Types: map[string]Type{
			"Mutex":   {Is: Mutex},
			"RWMutex": {Is: Mutex},
		},
	},
	{Path: "sync/atomic", Funcs: each(Func{ReadsShared: true}, "LoadInt32", "LoadInt64", "LoadPointer", "LoadUint32", "LoadUint64",
		"LoadUintptr", "Bool.Load", "Int32.Load", "Int64.Load", "Pointer.Load", "Uint32.Load", "Uint64.Load", "Uintptr.Load", "Value.Load")},
	{Path: "syscall", Funcs: map[string]Func{
		"Exit": {NeverReturns: true},
	}},
	{Path: "testing", Traits: Pure | ForTests, Funcs: each(Func{NeverReturns: true}, "common.Fatal", "common.Fatalf", "common.FailNow",
		"common.Skip", "common.Skipf", "common.SkipNow")},
	{Path: "text/template", Also: []string{"html/template"},
		Funcs: map[string]Func{
			"Template.Execute":         {KeepsReceiver: true, Args: Slots{RenderedArg: 2}},
			"Template.ExecuteTemplate": {KeepsReceiver: true, Args: Slots{RenderedArg: 3}},
		}},
	{Path: "time", Traits: Pure | TellsTime,
		Funcs: map[string]Func{
			"Now":         {Source: Clock},
			"Since":       {Source: Clock, Time: TimeSince},
			"Until":       {Source: Clock, Time: TimeBetween},
			"Time.Sub":    {Time: TimeBetween},
			"Time.Add":    {Time: AddsDuration},
			"Time.Before": {Time: IsEarlier},
			"Time.After":  {Time: IsLater},
			"Sleep":       {Wait: &Wait{Args: Slots{IntervalArg: 0}, Timer: "After"}},
			"After":       {Args: Slots{DurationArg: 0}},
			"Tick":        {Args: Slots{DurationArg: 0}},
			"NewTimer":    {Args: Slots{DurationArg: 0}},
			"NewTicker":   {Args: Slots{DurationArg: 0}},

			"Timer.Reset":  {Args: Slots{DurationArg: 1}},
			"Ticker.Reset": {Args: Slots{DurationArg: 1}},
		},
		Types: map[string]Type{
			"Time":     {Is: Time},
			"Duration": {Is: Duration},
			"Timer":    {Is: Timer},
			"Ticker":   {Is: Timer},
		},
	},
	{Path: "time", Funcs: each(Func{Time: ConvertsDuration}, "Duration.Abs", "Duration.Hours", "Duration.Microseconds", "Duration.Milliseconds",
		"Duration.Minutes", "Duration.Nanoseconds", "Duration.Round", "Duration.Seconds", "Duration.Truncate")},

	{Path: "golang.org/x", Traits: Pure},
	{Path: "golang.org/x/crypto/bcrypt", Funcs: map[string]Func{
		"GenerateFromPassword": {Source: Random},
	}},
	{Path: "golang.org/x/crypto/ssh", Funcs: map[string]Func{
		"Certificate.SignCert": {Args: Slots{RandomArg: 0, ReaderArg: 1}},
	}},
	{Path: "golang.org/x/exp/maps", Funcs: map[string]Func{
		"Clone":  {Effect: ClonesMap},
		"Copy":   {Unordered: true, Effect: CopiesEntries},
		"Keys":   {Source: MapOrder},
		"Values": {Source: MapOrder},
	}},
	{Path: "golang.org/x/exp/rand", Funcs: each(Func{Source: Random}, "ExpFloat64", "Float32", "Float64", "Int", "Int31", "Int31n", "Int63",
		"Int63n", "Intn", "NormFloat64", "Perm", "Uint32", "Uint64")},
	{Path: "golang.org/x/exp/slices", Funcs: each(Func{Args: Slots{SortedArg: 0}}, "Sort", "SortFunc", "SortStableFunc")},
	{Path: "golang.org/x/exp/slices", Funcs: each(Func{Condition: SearchCondition}, "Index", "IndexFunc")},
	{Path: "golang.org/x/sync/errgroup", Funcs: map[string]Func{
		"WithContext": {Canceller: &Canceller{Context: 1, Cancel: 0}},
		"Group.Go":    {Group: StartsInGroup, StartsGoroutine: true},
		"Group.TryGo": {Group: StartsInGroup, StartsGoroutine: true},
		"Group.Wait":  {Group: WaitsForGroup},
	}},
	{Path: "golang.org/x/time/rate", Funcs: map[string]Func{
		"Limiter.Wait":  {Wait: &Wait{Args: Slots{ContextArg: 1}}},
		"Limiter.WaitN": {Wait: &Wait{Args: Slots{ContextArg: 1}}},
	}},
}
