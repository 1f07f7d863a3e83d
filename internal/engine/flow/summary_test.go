package flow

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
)

func TestSummaryString(t *testing.T) {
	t.Parallel()
	s := &Summary{
		Events: []Event{
			{Callee: "(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update", At: place.Place{File: "example.com/a/apply.go", Line: 41, Column: 9}},
			{Callee: "(sigs.k8s.io/controller-runtime/pkg/client.Writer).Create"},
		},
		Changes: []Change{{Param: 1, Path: access.Fields("Data").Join(access.Entry("at"))}},
		Objects: []Obj{{ID: 1}},
	}
	const want = `events 2: (client.Writer).Update apply.go:41; changes 1: 1.Data["at"]; objects 1`
	if got := s.String(); got != want {
		t.Errorf("summary is %q, want %q", got, want)
	}
	if got := new(Summary).String(); got != "" {
		t.Errorf("a summary that says nothing is %q", got)
	}
}
