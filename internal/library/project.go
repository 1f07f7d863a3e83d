package library

import (
	"go/types"
	"strings"
)

// SameProject reports whether two packages may be of one project, by their paths. A project
// may have several modules.
func SameProject(a, b *types.Package) bool {
	return a != nil && b != nil && SameProjectPath(a.Path(), b.Path())
}

// SameProjectPath is [SameProject] for the paths of the packages.
func SameProjectPath(a, b string) bool { return project(a) == project(b) }

// project returns the elements of a path that name a project: host, owner and repository
// where the host has owners, else the first.
func project(path string) string {
	elems := strings.SplitN(path, "/", 4)
	switch elems[0] {
	case "github.com", "gitlab.com", "bitbucket.org":
		return strings.Join(elems[:min(len(elems), 3)], "/")
	}
	return elems[0]
}
