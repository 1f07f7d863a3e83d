package facts_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/internal/rules/facts"
)

type waits struct{ Text string }

func (*waits) AFact() {}

type writes struct{ Kinds []string }

func (*writes) AFact() {}

func TestFactsByType(t *testing.T) {
	t.Parallel()
	all := []facts.Fact{
		{Of: "p.G", Fact: &waits{"g"}},
		{Fact: &writes{[]string{"Pod"}}},
		{Of: "p.F", Fact: &waits{"f"}},
	}
	encoded, err := facts.Encode(all)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	if again, err := facts.Encode(all); err != nil || !reflect.DeepEqual(again, encoded) {
		t.Errorf("in another order %v, %v", again, err)
	}
	about := facts.Decode(encoded)
	if got := about.Objects(reflect.TypeFor[*waits]()); !slices.Equal(got, []string{"p.F", "p.G"}) {
		t.Errorf("objects %q", got)
	}
	var w waits
	if !facts.Set(&w, about.Get("p.G", reflect.TypeFor[*waits]())) || w.Text != "g" {
		t.Errorf("got %+v", w)
	}
	if about.Get("p.H", reflect.TypeFor[*waits]()) != nil || about.Get("p.F", reflect.TypeFor[*writes]()) != nil {
		t.Error("facts that there are not")
	}
	if (*facts.About)(nil).Get("", reflect.TypeFor[*writes]()) != nil {
		t.Error("a fact about nothing")
	}
	// What cannot be decoded is unknown, and the facts of other types are not.
	i := slices.IndexFunc(encoded, func(of facts.OfType) bool { return of.Type == "*facts_test.waits" })
	encoded[i].Values = encoded[i].Values[:1]
	about = facts.Decode(encoded)
	if about.Get("p.F", reflect.TypeFor[*waits]()) != nil || about.Get("", reflect.TypeFor[*writes]()) == nil {
		t.Error("damage to one type concerns another")
	}
}
