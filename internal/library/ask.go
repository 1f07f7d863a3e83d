package library

import (
	"go/types"
	"strings"
)

// An Ask describes what a function asks of the API server apart from a [Write]: it reads.
// Only the report of the rights that an operator needs has a use for these; see
// [AskOf].
type Ask struct {
	Verb Verb
	// Sub is the sub-resource, "*" for one that is chosen elsewhere.
	Sub string
	// Kind and Args are as in a Write.
	Kind KindSource
	Args Slots
	// Rights are all that the function asks for if no argument says more.
	Rights []Right
}

// A Right is a right to a resource, or to a sub-resource "pods/log".
type Right struct {
	Group, Resource string
	Verbs           []string
	// If says when it is needed, if not always: "if a leader is elected".
	If string
}

// The rights that others need in the name of the program.
var (
	// electsLeader are those of a candidate, in the namespace of the lease.
	electsLeader = []Right{
		{"coordination.k8s.io", "leases", []string{"get", "create", "update"}, ifElected},
		{"", "events", []string{"create"}, ifElected},
	}
	asksWhoReads = []Right{
		{"authentication.k8s.io", "tokenreviews", []string{"create"}, ifProtected},
		{"authorization.k8s.io", "subjectaccessreviews", []string{"create"}, ifProtected},
	}
	recordsEvents = []Right{{Group: "", Resource: "events", Verbs: []string{"create", "patch"}}}
	recordsNewer  = []Right{{Group: "events.k8s.io", Resource: "events", Verbs: []string{"create", "patch"}}}
)

const (
	ifElected   = "if a leader is elected"
	ifProtected = "if only those may read the metrics whom the API server lets"
)

// ElectsLeader returns what a candidate for a manager's leader needs.
func ElectsLeader() []Right { return electsLeader }

// LeaderElection is the field of a manager's options that makes it elect a leader.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/manager#Options.
const LeaderElection = "LeaderElection"

// CachesUnstructured is the field of a client's options that makes it read unstructured
// objects from its cache, too.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#CacheOptions.
const CachesUnstructured = "Unstructured"

// IsManagerOptions and IsCacheOptions report whether a type has one of these fields.
func IsManagerOptions(typeName string) bool {
	return typeName == crtManager+".Options"
}

func IsCacheOptions(typeName string) bool {
	return typeName == crtClient+".CacheOptions"
}

// IsAPIReader reports whether the library's function of this name returns a reader that
// asks the API server.
func IsAPIReader(name string) bool {
	return name == "("+crtCluster+".Cluster).GetAPIReader"
}

// IsOfType reports whether the type that declares the function says of which kind the
// objects are.
func (a *Ask) IsOfType() bool { return a != nil && a.Kind == OfResult }

// AskOf returns what a call of fn asks of the API server apart from a [Write], or nil.
//
// The methods of generated clientsets are known by their names. Those that a generated
// clientset shares with its kind's other methods, such as Delete, have no record of a
// write, since they write no output.
func AskOf(fn *types.Func) *Ask {
	path, recv, name := place(fn)
	return askAt(path, recv, name, func() *Func { return Of(fn) })
}

// AskNamed is like AskOf for a function of which only the [Name] is known.
func AskNamed(name string) *Ask {
	path, recv, fn := split(name)
	return askAt(path, recv, fn, func() *Func { return Named(name) })
}

func askAt(path, recv, name string, record func() *Func) *Ask {
	if strings.Contains(path, "/typed/") && recv != "" {
		return typedAsks[name]
	}
	if strings.Contains(path, "/informers/") && strings.HasSuffix(recv, "Informer") {
		return informs[name]
	}
	return record().Ask
}

// typedAsks has the methods of typed clients, with those that write. A clientset's client
// of a kind has no other way to say for which kind it is than its type.
var typedAsks = map[string]*Ask{
	"Get":                       {Verb: Get, Kind: OfResult},
	"List":                      {Verb: List, Kind: OfResult},
	"Watch":                     {Verb: Watching, Kind: OfResult},
	"Create":                    {Verb: Create, Kind: OfResult},
	"CreateWithEventNamespace":  {Verb: Create, Kind: OfResult},
	"Update":                    {Verb: Update, Kind: OfResult},
	"UpdateWithEventNamespace":  {Verb: Update, Kind: OfResult},
	"UpdateStatus":              {Verb: Update, Sub: "status", Kind: OfResult},
	"Finalize":                  {Verb: Update, Sub: "finalize", Kind: OfResult},
	"UpdateApproval":            {Verb: Update, Sub: "approval", Kind: OfResult},
	"UpdateEphemeralContainers": {Verb: Update, Sub: "ephemeralcontainers", Kind: OfResult},
	"UpdateResize":              {Verb: Update, Sub: "resize", Kind: OfResult},
	"Patch":                     {Verb: Patch, Kind: OfResult, Args: Slots{PatchArg: 3, OptionsArg: 5}},
	"PatchWithEventNamespace":   {Verb: Patch, Kind: OfResult},
	"Apply":                     {Verb: Apply, Kind: OfResult},
	"ApplyStatus":               {Verb: Apply, Sub: "status", Kind: OfResult},
	"Delete":                    {Verb: Delete, Kind: OfResult},
	"DeleteCollection":          {Verb: DeleteAllOf, Kind: OfResult},
	"GetScale":                  {Verb: Get, Sub: "scale", Kind: OfResult},
	"UpdateScale":               {Verb: Update, Sub: "scale", Kind: OfResult},
	"ApplyScale":                {Verb: Apply, Sub: "scale", Kind: OfResult},
	"GetLogs":                   {Verb: Get, Sub: "log", Kind: OfResult},
	"ProxyGet":                  {Verb: Get, Sub: "proxy", Kind: OfResult},
	"Bind":                      {Verb: Create, Sub: "binding", Kind: OfResult},
	"Evict":                     {Verb: Create, Sub: "eviction", Kind: OfResult},
	"EvictV1":                   {Verb: Create, Sub: "eviction", Kind: OfResult},
	"EvictV1beta1":              {Verb: Create, Sub: "eviction", Kind: OfResult},
	"CreateToken":               {Verb: Create, Sub: "token", Kind: OfResult},
}

// informs has the methods of generated informers. Each makes the informer run.
var informs = map[string]*Ask{
	"Informer": {Verb: Informing, Kind: OfResult},
	"Lister":   {Verb: Informing, Kind: OfResult},
}

// AskedType returns the [TypeName] of the objects that a method of a generated clientset
// or informer is for, or "".
func AskedType(fn *types.Func) string {
	path, recv, _ := place(fn)
	for _, dir := range []string{clientgo + "/kubernetes/typed/", clientgo + "/informers/"} {
		if version, ok := strings.CutPrefix(path, dir); ok {
			for _, suffix := range []string{"Interface", "Informer", "Expansion"} {
				recv = strings.TrimSuffix(recv, suffix)
			}
			return kubernetesAPIs + version + "." + recv
		}
	}
	t := fn.Signature().Recv().Type()
	if lister := methodOf(t, "Lister"); lister != nil && strings.HasSuffix(recv, "Informer") {
		t = lister.Signature().Results().At(0).Type()
		if list := methodOf(t, "List"); list != nil {
			if items, ok := list.Signature().Results().At(0).Type().(*types.Slice); ok {
				return TypeName(items.Elem())
			}
		}
		return ""
	}
	for _, name := range []string{"Get", "Create", "Update"} {
		if m := methodOf(t, name); m != nil && m.Signature().Results().Len() == 2 {
			return TypeName(m.Signature().Results().At(0).Type())
		}
	}
	return ""
}

func methodOf(t types.Type, name string) *types.Func {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, _ := m.(*types.Func)
	if fn == nil || fn.Signature().Results().Len() == 0 {
		return nil
	}
	return fn
}

// IsOwnConfig reports whether the library's function of this name returns the
// configuration of the cluster for which the process was started.
func IsOwnConfig(name string) bool {
	switch name {
	case crt + "/pkg/client/config.GetConfig", crt + "/pkg/client/config.GetConfigOrDie", crt + "/pkg/client/config.GetConfigWithContext",
		clientgo + "/rest.InClusterConfig":
		return true
	}
	return false
}

// SplitTypeName splits a [TypeName] into the path of the package and the name of the type.
func SplitTypeName(name string) (path, typ string) {
	path, _, typ = split(name)
	return path, typ
}

// IsClientset reports whether the package with this path is one of a generated clientset,
// or of its listers and informers.
func IsClientset(path string) bool {
	for _, dir := range []string{"/typed/", "/listers/", "/informers/"} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return false
}

// MakesManager reports whether the library's function or variable of this name makes a
// manager or a controller: what uses it is an operator.
func MakesManager(name string) bool {
	switch name {
	case crt + ".NewManager", crt + ".NewControllerManagedBy",
		crtManager + ".New", multicluster + "/manager.New",
		crtBuilder + ".ControllerManagedBy", crtBuilder + ".TypedControllerManagedBy",
		crtController + ".New", crtController + ".NewTyped":
		return true
	}
	return false
}

// BlocksOwner reports whether the library's function or variable of this name makes owner
// references that block the deletion of the owner. Where the API server has the plugin
// OwnerReferencesPermissionEnforcement, that needs the right to update the finalizers of
// the owner.
// See https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement.
func BlocksOwner(name string) bool {
	return name == crt+".SetControllerReference" || name == controllerutil+".SetControllerReference" || name == metav1+".NewControllerRef"
}

// IsPolicyRule reports whether the type is a rule of a role.
func IsPolicyRule(typeName string) bool {
	return strings.HasPrefix(typeName, kubernetesAPIs+"rbac/") && strings.HasSuffix(typeName, ".PolicyRule")
}

// ConfiguredKind returns the name of the kind that an apply configuration configures.
func ConfiguredKind(typeName string) (string, bool) {
	_, _, name := split(typeName)
	return strings.CutSuffix(name, "ApplyConfiguration")
}

// IsChecked reports whether nobody asks for the sub-resource, but an API server with a
// plugin of OpenShift's asks for the right to it when somebody writes the resource.
func IsChecked(group, resource string) bool {
	switch group + "/" + resource {
	case "route.openshift.io/routes/custom-host", "discovery.k8s.io/endpointslices/restricted", "/endpoints/restricted":
		return true
	}
	return false
}

// IsRoleRef reports whether the type is a reference to the role of a binding.
func IsRoleRef(typeName string) bool {
	return strings.HasPrefix(typeName, kubernetesAPIs+"rbac/") && strings.HasSuffix(typeName, ".RoleRef")
}

// RightsOfRole returns the rights of a role that each cluster has, as far as they are known.
// See https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings.
func RightsOfRole(name string) []Right {
	switch name {
	case "system:auth-delegator":
		return asksWhoReads
	case "cluster-admin", "admin", "edit", "view":
		return []Right{{Group: "*", Resource: "*", Verbs: []string{"*"}}}
	}
	return nil
}

// MethodName returns the name of the method that has this [Name], or "" if it is that of a
// function.
func MethodName(name string) string {
	if _, recv, method := split(name); recv != "" {
		return method
	}
	return ""
}
