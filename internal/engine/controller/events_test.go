package controller

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/library"
)

const (
	crt       = "sigs.k8s.io/controller-runtime/pkg/"
	service   = "k8s.io/api/core/v1.Service"
	configMap = "k8s.io/api/core/v1.ConfigMap"
	thing     = "example.com/api/v1.Thing"
)

// an returns an argument that is a single object.
func an(obj flow.Object) flow.Arg { return flow.Arg{Objects: []flow.Object{obj}} }

// of returns an argument that is an object of this type and comes from no parameter.
func of(typeName string) flow.Arg { return an(flow.Object{Param: -1, Type: typeName}) }

// result returns an argument that is the object made by the call with this ID.
func result(id int) flow.Arg { return an(flow.Object{ID: id, Param: -1}) }

// inField returns an argument that is a field of the receiver.
func inField(name string) flow.Arg { return an(flow.Object{Path: access.Fields(name)}) }

func constant(s string) flow.Arg { return flow.Arg{Const: s} }

// TestReach tests which events of a watched kind a handler lets through.
func TestReach(t *testing.T) {
	t.Parallel()
	mapped := flow.Event{Callee: crt + "handler.EnqueueRequestsFromMapFunc", Made: 1}
	withFunc := func(name string) flow.Event {
		ev := mapped
		ev.Args = []flow.Arg{{Funcs: []flow.Func{{Name: name, Param: -1}}}}
		return ev
	}
	owner := func(options flow.Arg) flow.Event {
		return flow.Event{
			Callee: crt + "handler.EnqueueRequestForOwner", Made: 1,
			Args: []flow.Arg{{}, {}, of(thing), options},
		}
	}
	literal := func(parts ...flow.Part) flow.Arg {
		return an(flow.Object{Param: -1, Type: crt + "handler.EnqueueRequestForOwner", Parts: parts})
	}
	tests := []struct {
		name    string
		events  []flow.Event
		handler flow.Arg
		want    Reach
	}{
		{"own type", nil, of("example.com/x.handler"), Everything},
		{"unknown", nil, flow.Arg{Unknown: true}, Everything},
		{"none", nil, flow.Arg{}, Everything},
		{"map function", []flow.Event{withFunc("mapThings")}, result(1), Everything},
		{"map function that returns nothing", []flow.Event{withFunc("nothing")}, result(1), Nothing},
		{"unknown map function", []flow.Event{mapped}, result(1), Everything},
		{"any owner", []flow.Event{owner(flow.Arg{})}, result(1), Owned},
		{
			"controller only",
			[]flow.Event{owner(result(2)), {Callee: crt + "handler.OnlyControllerOwner", Made: 2}},
			result(1), Controlled,
		},
		{
			"wrapped",
			[]flow.Event{
				owner(flow.Arg{}),
				{Callee: crt + "handler.WithLowPriorityWhenUnchanged", Made: 3, Args: []flow.Arg{result(1)}},
			},
			result(3), Owned,
		},
		{"literal", nil, literal(flow.Part{Path: access.Fields("OwnerType"), Arg: of(thing)}), Owned},
		{
			"literal, controller only", nil,
			literal(flow.Part{Path: access.Fields("OwnerType"), Arg: of(thing)}, flow.Part{Path: access.Fields("IsController"), Arg: constant("true")}),
			Controlled,
		},
		{"functions", nil, an(flow.Object{Param: -1, Type: crt + "handler.Funcs", Parts: []flow.Part{{Path: access.Fields("CreateFunc")}}}), Everything},
		{"no functions", nil, of(crt + "handler.Funcs"), Nothing},
		{
			"one of two",
			[]flow.Event{owner(flow.Arg{})},
			flow.Arg{Objects: []flow.Object{{ID: 1, Param: -1}, {Param: -1, Type: crt + "handler.Funcs"}}},
			Owned,
		},
	}
	for _, tt := range tests {
		if got, _ := reachOf(newTree(tt.events), tt.handler, stubs{}); got != tt.want {
			t.Errorf("%s: reach %d, want %d", tt.name, got, tt.want)
		}
	}
}

type stubs struct{}

func (stubs) filter(*flow.Event, flow.Arg, string) Filter { return Filter{} }

func (stubs) needs(*tree, flow.Arg, string, []string) []selection.Need { return nil }

func (stubs) leavesQueue(string) bool { return false }

func (stubs) startsItself(typeName string) bool { return typeName == "example.com/x.source" }

func (stubs) returnsNothing(fn flow.Func) bool { return fn.Name == "nothing" }

// TestSources tests the kinds of the objects and sources that Watches and
// WatchesRawSource take.
func TestSources(t *testing.T) {
	t.Parallel()
	onObject := "(" + crt + "builder.TypedBuilder).Watches"
	raw := "(" + crt + "builder.TypedBuilder).WatchesRawSource"
	kind := flow.Event{Callee: crt + "source.Kind", Made: 1, Args: []flow.Arg{{}, of(service), of("example.com/x.handler")}}
	informer := flow.Event{Callee: "(" + crt + "cache.Informers).GetInformer", Made: 1, Args: []flow.Arg{{}, {}, of(service)}}
	tests := []struct {
		name string
		made []flow.Event
		step flow.Event
		open bool
	}{
		{"object", nil, flow.Event{Callee: onObject, Args: []flow.Arg{{}, of(service), of("example.com/x.handler")}}, false},
		{"object of unknown kind", nil, flow.Event{Callee: onObject, Args: []flow.Arg{{}, of(""), {}}}, true},
		{"source of a kind", []flow.Event{kind}, flow.Event{Callee: raw, Args: []flow.Arg{{}, result(1)}}, false},
		{
			"literal source given to Watches", nil,
			flow.Event{Callee: onObject, Args: []flow.Arg{{}, an(flow.Object{
				Param: -1, Type: crt + "source.Kind", Parts: []flow.Part{{Path: access.Fields("Type"), Arg: of(service)}},
			}), {}}},
			false,
		},
		{
			"informer", []flow.Event{informer},
			flow.Event{Callee: raw, Args: []flow.Arg{{}, an(flow.Object{
				Param: -1, Type: crt + "source.Informer", Parts: []flow.Part{{Path: access.Fields("Informer"), Arg: result(1)}},
			})}},
			false,
		},
		{
			"channel", []flow.Event{{Callee: crt + "source.Channel", Made: 1}},
			flow.Event{Callee: raw, Args: []flow.Arg{{}, result(1)}}, true,
		},
		{"own source given to Watches", nil, flow.Event{Callee: onObject, Args: []flow.Arg{{}, of("example.com/x.source"), {}}}, true},
		{"own source", nil, flow.Event{Callee: raw, Args: []flow.Arg{{}, of("example.com/x.source")}}, true},
	}
	for _, tt := range tests {
		var w watches
		w.add(newTree(tt.made), &tt.step, library.Named(tt.step.Callee).Watch, stubs{})
		if w.open != tt.open {
			t.Errorf("%s: open %t, want %t", tt.name, w.open, tt.open)
		}
		if !tt.open && (len(w.list) != 1 || w.list[0].Kind.Kind != "Service") {
			t.Errorf("%s: watches %v, want Service", tt.name, w.list)
		}
	}
}

// TestWrites tests which writes create an object, and in which cluster.
func TestWrites(t *testing.T) {
	t.Parallel()
	client := "(" + crt + "client.Writer)."
	clientset := "(k8s.io/client-go/kubernetes/typed/core/v1.ServiceInterface)."
	dynamic := "(k8s.io/client-go/dynamic."
	services := an(flow.Object{Param: -1, From: "(k8s.io/client-go/kubernetes/typed/core/v1.ServicesGetter).Services"})

	tests := []struct {
		name   string
		made   []flow.Event
		call   flow.Event
		want   string // the verb, the kind and the flags of the write
		silent bool   // no write at all
	}{
		{name: "create", call: flow.Event{Callee: client + "Create", Args: []flow.Arg{inField("Client"), {}, of(service), {}}}, want: "create corev1.Service, creates"},
		{name: "update", call: flow.Event{Callee: client + "Update", Args: []flow.Arg{inField("Client"), {}, of(service), {}}}, want: "update corev1.Service"},
		{name: "patch", call: flow.Event{Callee: client + "Patch", Args: []flow.Arg{inField("Client"), {}, of(service), {Unknown: true}, {}}}, want: "patch corev1.Service"},
		{name: "apply by patch", call: flow.Event{Callee: client + "Patch", Args: []flow.Arg{inField("Client"), {}, of(service), of(crt + "client.applyPatch"), {}}}, want: "patch corev1.Service, creates"},
		{
			name: "apply by raw patch",
			made: []flow.Event{{Callee: crt + "client.RawPatch", Made: 1, Args: []flow.Arg{constant(library.ApplyPatchType), {}}}},
			call: flow.Event{Callee: client + "Patch", Args: []flow.Arg{inField("Client"), {}, of(service), result(1), {}}},
			want: "patch corev1.Service, creates",
		},
		{
			name: "other raw patch",
			made: []flow.Event{{Callee: crt + "client.RawPatch", Made: 1, Args: []flow.Arg{constant("application/merge-patch+json"), {}}}},
			call: flow.Event{Callee: client + "Patch", Args: []flow.Arg{inField("Client"), {}, of(service), result(1), {}}},
			want: "patch corev1.Service",
		},
		{name: "status", call: flow.Event{Callee: "(" + crt + "client.SubResourceWriter).Update", Args: []flow.Arg{inField("Client"), {}, of(service), {}}}, want: "update corev1.Service, sub"},
		{name: "dry run", call: flow.Event{Callee: client + "Create", Args: []flow.Arg{inField("Client"), {}, of(service), of(crt + "client.dryRunAll")}}, silent: true},
		{
			name: "dry client",
			made: []flow.Event{{Callee: crt + "client.NewDryRunClient", Made: 1, Args: []flow.Arg{inField("Client")}}},
			call: flow.Event{Callee: client + "Create", Args: []flow.Arg{result(1), {}, of(service), {}}}, silent: true,
		},
		{
			name: "wrapped client",
			made: []flow.Event{{Callee: crt + "client.NewNamespacedClient", Made: 1, Args: []flow.Arg{inField("Client"), {}}}},
			call: flow.Event{Callee: client + "Create", Args: []flow.Arg{result(1), {}, of(service), {}}},
			want: "create corev1.Service, creates",
		},
		{
			name: "own client",
			made: []flow.Event{{Callee: crt + "client.New", Made: 1}},
			call: flow.Event{Callee: client + "Create", Args: []flow.Arg{result(1), {}, of(service), {}}},
			want: "create corev1.Service, creates, elsewhere",
		},
		{name: "unknown client", call: flow.Event{Callee: client + "Create", Args: []flow.Arg{{Unknown: true}, {}, of(service), {}}}, want: "create corev1.Service, creates, elsewhere"},
		{name: "second client", call: flow.Event{Callee: client + "Create", Args: []flow.Arg{inField("Remote"), {}, of(service), {}}}, want: "create corev1.Service, creates, elsewhere"},
		{name: "clientset", call: flow.Event{Callee: clientset + "Create", Args: []flow.Arg{services, {}, of(service), {}}}, want: "create corev1.Service, creates"},
		{
			name: "clientset in a tree that makes one",
			made: []flow.Event{{Callee: "k8s.io/client-go/kubernetes.NewForConfig", Made: 1}},
			call: flow.Event{Callee: clientset + "Create", Args: []flow.Arg{services, {}, of(service), {}}},
			want: "create corev1.Service, creates, elsewhere",
		},
		{
			name: "clientset dry run",
			call: flow.Event{Callee: clientset + "Create", Args: []flow.Arg{services, {}, of(service), an(flow.Object{
				Param: -1, Type: "k8s.io/apimachinery/pkg/apis/meta/v1.CreateOptions", Parts: []flow.Part{{Path: access.Fields("DryRun")}},
			})}},
			silent: true,
		},
		{
			name: "clientset apply by patch",
			call: flow.Event{Callee: clientset + "Patch", Result: service, Args: []flow.Arg{services, {}, {}, constant(library.ApplyPatchType), {}, {}, {}}},
			want: "patch corev1.Service, creates",
		},
		{
			name: "clientset patch of a sub-resource",
			call: flow.Event{Callee: clientset + "Patch", Result: service, Args: []flow.Arg{services, {}, {}, constant(library.ApplyPatchType), {}, {}, an(flow.Object{Param: -1})}},
			want: "patch corev1.Service, creates, sub",
		},
		{
			name: "dynamic client, kind of the object",
			made: []flow.Event{{Callee: dynamic + "Interface).Resource", Made: 1, Args: []flow.Arg{inField("Dynamic"), {}}}},
			call: flow.Event{Callee: dynamic + "ResourceInterface).Create", Args: []flow.Arg{result(1), {}, an(flow.Object{Param: -1, GVK: "cert-manager.io/v1/Certificate"}), {}, {}}},
			want: "create cert-manager.io/v1 Certificate, creates",
		},
		{
			name: "dynamic client, kind of the resource",
			made: []flow.Event{
				{Callee: dynamic + "Interface).Resource", Made: 1, Args: []flow.Arg{inField("Dynamic"), an(flow.Object{
					Param: -1, Parts: []flow.Part{{Path: access.Fields("Group"), Arg: constant("")}, {Path: access.Fields("Resource"), Arg: constant("services")}},
				})}},
				{Callee: dynamic + "NamespaceableResourceInterface).Namespace", Made: 2, Args: []flow.Arg{result(1), {}}},
			},
			call: flow.Event{Callee: dynamic + "ResourceInterface).Create", Args: []flow.Arg{result(2), {}, of("k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.Unstructured"), {}, {}}},
			want: "create Service, creates",
		},
		{name: "unknown object", call: flow.Event{Callee: client + "Create", Args: []flow.Arg{inField("Client"), {}, {Unknown: true}, {}}}, want: "create , creates"},
		{
			name: "job with a time to live",
			call: flow.Event{Callee: client + "Create", Args: []flow.Arg{inField("Client"), {}, an(flow.Object{
				Param: -1, Type: "k8s.io/api/batch/v1.Job", Parts: []flow.Part{{Path: access.Fields("Spec", "TTLSecondsAfterFinished")}},
			}), {}}},
			want: "create batchv1.Job, creates, ephemeral",
		},
	}
	for _, tt := range tests {
		writes := writesOf(newTree(append(tt.made, tt.call)), func(_ int, path access.Path) bool { return path != access.Fields("Remote") })
		switch {
		case tt.silent && len(writes) == 0:
			continue
		case len(writes) != 1:
			t.Errorf("%s: %d writes", tt.name, len(writes))
			continue
		}
		w := writes[0]
		got := w.Verb.String() + " " + w.Name
		for _, flag := range []struct {
			set  bool
			name string
		}{{w.Creates, "creates"}, {w.Sub, "sub"}, {w.Elsewhere, "elsewhere"}, {w.Ephemeral, "ephemeral"}} {
			if flag.set {
				got += ", " + flag.name
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	for obj, want := range map[[2]string]string{
		{configMap, ""}: "corev1.ConfigMap",
		{"k8s.io/client-go/applyconfigurations/rbac/v1.RoleApplyConfiguration", ""}: "rbacv1.Role",
		{"sigs.k8s.io/gateway-api/apis/v1.HTTPRoute", ""}:                           "v1.HTTPRoute",
		{"example.com/thing-operator/api/v1alpha1.Thing", ""}:                       "v1alpha1.Thing",
		{"example.com/thingapi.Thing", ""}:                                          "thingapi.Thing",
		{"", "monitoring.coreos.com/v1/ServiceMonitor"}:                             "monitoring.coreos.com/v1 ServiceMonitor",
		{"", "/v1/Service"}: "v1 Service",
	} {
		if got := nameOf(flow.Object{Type: obj[0], GVK: obj[1]}); got != want {
			t.Errorf("nameOf(%v) = %q, want %q", obj, got, want)
		}
	}
}
