package rights

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
)

// A grant is a rule of a role, or a marker.
type grant struct {
	groups, resources, verbs []string
	// namespace is the only namespace in which it holds. It is "" for all of them, and
	// anyNamespace for that of a Role whose file does not say it.
	namespace string
	// names is set if it holds for objects of certain names only.
	names bool
	at    string
}

const anyNamespace = "*"

// A roleFile is what the report reads of the manifest of a role.
type roleFile struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Rules    []struct {
		APIGroups     []string `yaml:"apiGroups"`
		Resources     []string
		Verbs         []string
		ResourceNames []string `yaml:"resourceNames"`
	}
	AggregationRule map[string]any `yaml:"aggregationRule"`
	Items           []roleFile
}

// ReadRole returns the rules of the roles in a file of manifests, which is relative to the
// directory.
func ReadRole(dir, name string) (*Role, error) {
	file := name
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, name)
	}
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", name)
	} else if err != nil {
		return nil, err
	}
	role := &Role{Name: name}
	dec := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var doc roleFile
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, d := range append([]roleFile{doc}, doc.Items...) {
			role.add(d)
		}
	}
	if len(role.grants) == 0 {
		return nil, fmt.Errorf("%s: no rules of a Role or a ClusterRole", name)
	}
	return role, nil
}

// A Role is what the roles in a file grant.
type Role struct {
	Name   string
	grants []grant
}

func (r *Role) add(doc roleFile) {
	namespace := ""
	switch doc.Kind {
	case "ClusterRole":
	case "Role":
		namespace = doc.Metadata.Namespace
		if namespace == "" {
			namespace = anyNamespace
		}
	default:
		return
	}
	for _, rule := range doc.Rules {
		if len(rule.Resources) > 0 {
			r.grants = append(r.grants, grant{rule.APIGroups, rule.Resources, rule.Verbs, namespace, len(rule.ResourceNames) > 0, r.Name})
		}
	}
}

// allows reports whether the grant covers a right, by wildcards or by name.
func (g grant) allows(r right) bool {
	return matches(g.groups, r.group) && matchesResource(g.resources, r.resource) && matches(g.verbs, r.verb)
}

func matches(list []string, name string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, name)
}

// matchesResource is like matches for a resource: "*" covers sub-resources, too, and
// "*/scale" those of all resources.
func matchesResource(list []string, resource string) bool {
	return matches(list, resource) || slices.Contains(list, right{resource: resource}.anyWithSub())
}

// anyWithSub returns "*/status" for "deployments/status".
func (r right) anyWithSub() string {
	if parent := r.parent().resource; parent != r.resource {
		return "*" + r.resource[len(parent):]
	}
	return r.resource
}
