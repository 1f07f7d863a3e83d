package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// An Option is an entry of the options file and of golangci-lint's settings.
// Most options also have a flag.
type Option struct {
	// Name is the path of its key in the file, joined by dots, and the name of
	// its flag.
	Name string
	// Usage says in a few words what the option does. Example is a value for it.
	Usage, Example string
	// Rules has the rules whose findings the option can change.
	Rules []string
	// List is set if the option takes several values: a sequence in the file,
	// separated by commas in a flag.
	List bool
	// Switch is set if the option is on or off.
	Switch bool

	set func(o *Options, values []string) error
	get func(o *Options) string
}

// rulesSection is the section of the file that switches rules on and off.
// Drivers have flags of their own for that.
const rulesSection = "rules"

// All returns all options, in the order of the documentation.
func All() []Option {
	all := []Option{
		{
			Name:    "ctxloop.max-wait",
			Usage:   "longest wait of known `duration` that need not observe the context",
			Example: "10s",
			Rules:   []string{"ctxloop", "deadcleanup"},
			set: func(o *Options, values []string) (err error) {
				o.MaxWait, err = duration(values[0])
				return err
			},
			get: func(o *Options) string { return o.MaxWait.String() },
		},
		{
			Name:    "missingwatch.ignore-kinds",
			Usage:   "`kinds` of objects that need no watch: Kind, group/Kind or group/version/Kind",
			Example: "ConfigMap, apps/Deployment",
			Rules:   []string{"missingwatch"},
			List:    true,
			set: func(o *Options, values []string) (err error) {
				o.IgnoreKinds, err = each(values, kind)
				return err
			},
			get: func(o *Options) string { return join(o.IgnoreKinds) },
		},
		{
			Name:    "unstablewrite.ignore-fields",
			Usage:   "`fields` that may differ on each write, with all below them: path or Kind path, as findings show them",
			Example: "status.lastSeen, Deployment spec.template.metadata.annotations",
			Rules:   []string{"unstablewrite"},
			List:    true,
			set: func(o *Options, values []string) (err error) {
				o.IgnoreFields, err = each(values, field)
				return err
			},
			get: func(o *Options) string { return join(o.IgnoreFields) },
		},
	}
	loops, writes := []string{"ctxloop", "deadcleanup"}, []string{"blindpredicate", "missingwatch", "unstablewrite"}
	for _, f := range []struct {
		name, usage, example string
		rules                []string
		of                   func(o *Options) *Functions
	}{
		{"waits", "that sleep, poll or retry", "example.com/lib/retry.Do", loops, func(o *Options) *Functions { return &o.Waits }},
		{"writes", "that write an object to the cluster", "(*example.com/lib/kube.Client).Apply", writes, func(o *Options) *Functions { return &o.Writes }},
		{"owners", "that make an object the controller of another", "example.com/lib/kube.SetOwner", writes, func(o *Options) *Functions { return &o.Owners }},
	} {
		all = append(all, Option{
			Name:    "functions." + f.name,
			Usage:   "`functions` " + f.usage + ", though their code does not show it: path.Func or (*path.Type).Method",
			Example: f.example,
			Rules:   f.rules,
			List:    true,
			set: func(o *Options, values []string) error {
				names, err := each(values, function)
				set := make(Functions)
				for _, name := range names {
					set[name] = true
				}
				*f.of(o) = set
				return err
			},
			get: func(o *Options) string { return strings.Join(slices.Sorted(maps.Keys(*f.of(o))), ", ") },
		})
	}
	for _, rule := range Rules {
		all = append(all, Option{
			Name:    rulesSection + "." + rule,
			Usage:   "whether the rule runs",
			Example: "false",
			Rules:   []string{rule},
			Switch:  true,
			set: func(o *Options, values []string) error {
				on, err := strconv.ParseBool(values[0])
				o.Off[rule] = !on
				return err
			},
			get: func(o *Options) string { return strconv.FormatBool(!o.Off[rule]) },
		})
	}
	return all
}

// Default returns the default value of the option; "" is an empty list.
func (opt *Option) Default() string { return opt.get(Default()) }

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no duration like 500ms, 5s or 1m30s", s)
	case d < 0:
		return 0, fmt.Errorf("%s is negative", s)
	}
	return d, nil
}

var kindSyntax = regexp.MustCompile(`^(?:([a-z0-9][a-z0-9.-]*)/)?(?:(v[0-9][a-z0-9]*)/)?([A-Z][A-Za-z0-9]*)$`)

// kind reads a kind: with or without a group, and whatever the version.
func kind(s string) (library.GroupKind, error) {
	m := kindSyntax.FindStringSubmatch(s)
	if m == nil {
		return library.GroupKind{}, fmt.Errorf("%q is no kind like ConfigMap, apps/Deployment or apps/v1/Deployment", s)
	}
	group, version := m[1], m[2]
	if version == "" && versionSyntax.MatchString(group) {
		group, version = "", group
	}
	if group == "" && version == "" {
		return library.KindNamed(m[3]), nil
	}
	return library.GroupKind{Group: group, Kind: m[3]}, nil
}

var versionSyntax = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// A Field is a field of the objects of a kind, or of all kinds if Kind is empty.
type Field struct{ Kind, Path string }

func (f Field) String() string { return strings.TrimSpace(f.Kind + " " + f.Path) }

// Covers reports whether the place, "Kind path", is the field or below it.
func (f Field) Covers(place string) bool {
	i := strings.LastIndexByte(place, ' ')
	rest, ok := strings.CutPrefix(place[i+1:], f.Path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && (f.Kind == "" || f.Kind == place[:max(i, 0)])
}

var fieldSyntax = regexp.MustCompile(`^(?:([A-Z][A-Za-z0-9]*) )?([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+|\[[^\[\]]*\])*)$`)

func field(s string) (Field, error) {
	m := fieldSyntax.FindStringSubmatch(s)
	if m == nil {
		return Field{}, fmt.Errorf("%q is no field like status.lastSeen or ConfigMap data", s)
	}
	return Field{Kind: m[1], Path: m[2]}, nil
}

var functionSyntax = regexp.MustCompile(`^(?:\(\*?([^\s()*]+\.[A-Za-z_]\w*)\)|([^\s()*]+))\.([A-Za-z_]\w*)$`)

// function reads the full name of a function, and returns its library.Name.
func function(s string) (string, error) {
	m := functionSyntax.FindStringSubmatch(s)
	switch {
	case m == nil:
		return "", fmt.Errorf("%q is no function like example.com/x/pkg.Func or (*example.com/x/pkg.Type).Method", s)
	case m[1] != "":
		return "(" + m[1] + ")." + m[3], nil
	}
	return s, nil
}

// each reads every value of a list.
func each[T any](values []string, read func(string) (T, error)) ([]T, error) {
	var all []T
	for i, s := range values {
		v, err := read(s)
		if err != nil {
			return nil, &elementError{i, err}
		}
		all = append(all, v)
	}
	return all, nil
}

// An elementError is about one value of a list.
type elementError struct {
	index int
	err   error
}

func (e *elementError) Error() string { return e.err.Error() }
func (e *elementError) Unwrap() error { return e.err }

func join[T fmt.Stringer](values []T) string {
	var all []string
	for _, v := range values {
		all = append(all, v.String())
	}
	return strings.Join(all, ", ")
}
