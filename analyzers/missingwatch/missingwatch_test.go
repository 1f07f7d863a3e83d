package missingwatch

import (
	"strings"
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
)

var (
	thing     = library.GroupKind{Group: "example.com/api", Kind: "Thing"}
	configMap = library.GroupKind{Kind: "ConfigMap"}
)

const thingType = "example.com/api/v1.Thing"

// made returns a write that creates a ConfigMap with these owner references.
func made(owners ...flow.Owner) controller.Write {
	return controller.Write{
		Event:   &flow.Event{At: place.Place{File: "example.com/controller/thing.go", Line: 7}},
		Kind:    configMap,
		Name:    "corev1.ConfigMap",
		Verb:    library.Create,
		Creates: true,
		Object:  flow.Object{Param: -1, Owners: owners},
	}
}

// with returns the write changed by edit.
func with(w controller.Write, edit func(*controller.Write)) controller.Write {
	edit(&w)
	return w
}

func owns(reach controller.Reach) controller.Watch {
	return controller.Watch{Kind: configMap, Reach: reach, Owners: []library.GroupKind{thing}, ByOwns: true}
}

// TestFindings checks the findings for a controller of Things, given its watches
// besides For and its writes.
func TestFindings(t *testing.T) {
	t.Parallel()
	controllerRef := flow.Owner{Controller: true, Type: thingType, Param: -1}
	plainRef := flow.Owner{Type: thingType, Param: -1}
	otherRef := flow.Owner{Controller: true, Type: "k8s.io/api/apps/v1.Deployment", Param: -1}
	update := func(w *controller.Write) { w.Verb, w.Creates = library.Update, false }
	object := func(id int) func(*controller.Write) { return func(w *controller.Write) { w.Object.ID = id } }

	tests := []struct {
		name    string
		watches []controller.Watch
		writes  []controller.Write
		want    []string
	}{
		{"not watched", nil, []controller.Write{made(controllerRef)}, []string{"does not watch it"}},
		{"one finding for two writes", nil, []controller.Write{made(controllerRef), made()}, []string{"does not watch it"}},
		{"owned", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(controllerRef)}, nil},
		{"handler enqueues nothing", []controller.Watch{owns(controller.Nothing)}, []controller.Write{made(controllerRef)}, []string{"does not watch it"}},
		{"only updated", nil, []controller.Write{with(made(), update)}, nil},
		{"own kind", nil, []controller.Write{with(made(), func(w *controller.Write) { w.Kind = thing })}, nil},
		{"unknown kind", nil, []controller.Write{with(made(), func(w *controller.Write) { w.Kind = library.GroupKind{} })}, nil},
		{"status", nil, []controller.Write{with(made(), func(w *controller.Write) { w.Sub = true })}, nil},
		{"other cluster", nil, []controller.Write{with(made(), func(w *controller.Write) { w.Elsewhere = true })}, nil},
		{"ephemeral", nil, []controller.Write{with(made(), func(w *controller.Write) { w.Ephemeral = true })}, nil},

		{"owned without reference", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made()}, []string{"sets no controller reference"}},
		{"owned with a plain reference", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(plainRef)}, []string{"sets no controller reference"}},
		{"owned by another kind", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(otherRef)}, []string{"sets no controller reference"}},
		{"owned by an unknown kind", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(flow.Owner{Controller: true, Param: -1})}, nil},
		{"every owner", []controller.Watch{owns(controller.Owned)}, []controller.Write{made(plainRef)}, nil},
		{"every owner without reference", []controller.Watch{owns(controller.Owned)}, []controller.Write{made()}, []string{"sets no owner reference"}},
		{"one of two writes sets it", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(), made(controllerRef)}, []string{"sets no controller reference"}},
		{"one of two writes sets it, the other is shared", []controller.Watch{owns(controller.Controlled)}, []controller.Write{with(made(), func(w *controller.Write) { w.Object.Constant = true }), made(controllerRef)}, nil},
		{"an update sets it", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(), with(made(controllerRef), update)}, nil},
		{"an update sets that of another object again", []controller.Watch{owns(controller.Controlled)}, []controller.Write{
			with(made(), object(1)), with(made(controllerRef), object(2)), with(with(made(controllerRef), update), object(2)),
		}, []string{"sets no controller reference"}},
		{"handed on", nil, []controller.Write{made(controllerRef), with(made(otherRef), update)}, nil},
		{"of another from the start", nil, []controller.Write{made(otherRef), with(made(otherRef), update)}, []string{"does not watch it"}},
		{"owner references unknown", []controller.Watch{owns(controller.Controlled)}, []controller.Write{with(made(), func(w *controller.Write) { w.Object.OwnersUnknown = true })}, nil},
		{"watched otherwise as well", []controller.Watch{owns(controller.Controlled), {Kind: configMap, Reach: controller.Everything}}, []controller.Write{made()}, nil},
		{"another write may be of the kind", []controller.Watch{owns(controller.Controlled)}, []controller.Write{made(), with(made(), func(w *controller.Write) { w.Kind = library.GroupKind{} })}, []string{"sets no controller reference"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := &controller.Controller{
				Primary: []library.GroupKind{thing},
				Watches: append([]controller.Watch{{Kind: thing, Reach: controller.Everything}}, tt.watches...),
				Writes:  tt.writes,
			}
			got, _ := findings(c, nil)
			if len(got) != len(tt.want) {
				t.Fatalf("found %v, want %d findings", got, len(tt.want))
			}
			for i, f := range got {
				if !strings.Contains(f.message, tt.want[i]) {
					t.Errorf("found %q, want %q", f.message, tt.want[i])
				}
			}
			c.Open = true
			if got, _ := findings(c, nil); got != nil {
				t.Errorf("with a watch of an unknown kind: found %v", got)
			}
		})
	}
}

func TestPolls(t *testing.T) {
	t.Parallel()
	config := func(poll controller.Poll) controller.Write {
		return with(made(), func(w *controller.Write) { w.Poll = poll })
	}
	secret := with(made(), func(w *controller.Write) { w.Kind, w.Name = library.GroupKind{Kind: "Secret"}, "corev1.Secret" })
	watched := controller.Watch{Kind: secret.Kind, Reach: controller.Everything}
	const start = "Reconcile creates corev1.ConfigMap (example.com/controller/thing.go:7) but the controller does not watch it; "
	tests := []struct {
		name    string
		poll    controller.Poll
		outputs bool // watches another output
		want    string
	}{
		{"waits for events", controller.Poll{}, true, "drift is never repaired"},
		{"often", controller.Poll{Polls: true, Every: time.Minute}, true, ""},
		{"not often", controller.Poll{Polls: true, Every: time.Hour}, true, "drift waits for the next poll (every 1h0m0s)"},
		{"who knows when", controller.Poll{Polls: true}, true, ""},
		{"when something is due", controller.Poll{Polls: true, Every: time.Minute, Due: true}, true, "drift waits for the next poll"},
		{"by design", controller.Poll{Polls: true}, false, ""},
		{"the manager resyncs often", controller.Poll{Resyncs: true, Resync: 5 * time.Minute}, true, ""},
		{"the manager resyncs, who knows when", controller.Poll{Resyncs: true}, true, ""},
		{"the manager resyncs", controller.Poll{Resyncs: true, Resync: 10 * time.Minute}, true, "drift waits for the next resync (every 10m0s)"},
		{"polls more often than the manager resyncs", controller.Poll{Polls: true, Every: time.Hour, Resyncs: true, Resync: 10 * time.Hour}, true, "drift waits for the next poll (every 1h0m0s)"},
		{"the manager resyncs by default", controller.Poll{ResyncsByDefault: true}, true, "drift waits for the next resync (10 hours by default)"},
		{"polls more often than the manager resyncs by default", controller.Poll{Polls: true, Every: time.Hour, ResyncsByDefault: true}, true, "drift waits for the next poll (every 1h0m0s)"},
		{"if at all", controller.Poll{Perhaps: true}, true, "drift waits for the next poll, if any"},
	}
	for _, tt := range tests {
		c := &controller.Controller{
			Primary: []library.GroupKind{thing},
			Watches: []controller.Watch{{Kind: thing, Reach: controller.Everything}, watched},
			Writes:  []controller.Write{config(tt.poll)},
		}
		if tt.outputs {
			c.Writes = append(c.Writes, secret)
		}
		var got string
		found, _ := findings(c, nil)
		for _, f := range found {
			got += strings.TrimPrefix(f.message, start)
		}
		if got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
}
