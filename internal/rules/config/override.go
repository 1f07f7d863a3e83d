package config

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Overrides are options that take precedence over the options file.
type Overrides struct{ assignments []assignment }

// FromSettings returns the overrides in a document that another program decoded,
// such as the settings of golangci-lint: maps, slices and scalars, with the keys
// of the file.
func FromSettings(settings any) (*Overrides, error) {
	if settings == nil {
		return new(Overrides), nil
	}
	data, err := yaml.Marshal(settings)
	if err != nil {
		return nil, err
	}
	found, err := parse("", data)
	return &Overrides{found}, err
}

// Off returns the rules that the overrides switch off.
func (ov *Overrides) Off() map[string]bool {
	opts := Default()
	for _, a := range ov.assignments {
		a.apply(opts)
	}
	return opts.Off
}

// Switch switches a rule on or off.
func (ov *Overrides) Switch(rule string, on bool) {
	for _, option := range All() {
		if option.Name == rulesSection+"."+rule {
			ov.set(option, strconv.FormatBool(on))
		}
	}
}

// String returns a text that is different for different overrides.
func (ov *Overrides) String() string {
	var b strings.Builder
	for _, a := range ov.assignments {
		fmt.Fprintf(&b, "%s=%q\n", a.option.Name, a.values)
	}
	return b.String()
}

// Flags defines a flag for each option that has one.
func (ov *Overrides) Flags(fs *flag.FlagSet) {
	for _, option := range All() {
		if !option.Switch {
			fs.Var(&value{ov, option}, option.Name, option.Usage)
		}
	}
}

// A value is the value of a flag.
type value struct {
	overrides *Overrides
	option    Option
}

func (v *value) String() string {
	if v.overrides == nil { // package flag wants to know the zero value
		return ""
	}
	return v.option.Default()
}

func (v *value) Set(s string) error { return v.overrides.set(v.option, s) }

// set sets an option to a value in the syntax of a command line.
func (ov *Overrides) set(option Option, s string) error {
	a := assignment{option: option, values: []string{s}}
	if a.option.List {
		a.values = nil
		for v := range strings.SplitSeq(s, ",") {
			if v = strings.TrimSpace(v); v != "" {
				a.values = append(a.values, v)
			}
		}
	}
	if err := a.apply(Default()); err != nil {
		return err
	}
	ov.assignments = append(ov.assignments, a)
	return nil
}
