package rights

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const markerPrefix = "+kubebuilder:rbac:"

// markers returns what the markers in a file grant.
//
//	// +kubebuilder:rbac:groups=apps,resources=deployments;statefulsets,verbs=get;list
//
// See https://book.kubebuilder.io/reference/markers/rbac.
func markers(fset *token.FileSet, file *ast.File, short func(token.Pos) string) []grant {
	var all []grant
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text, ok := strings.CutPrefix(comment.Text, "//")
			if !ok {
				continue
			}
			args, ok := strings.CutPrefix(strings.TrimSpace(text), markerPrefix)
			if !ok {
				continue
			}
			values := arguments(args)
			all = append(all, grant{
				groups:    emptied(values["groups"]),
				resources: values["resources"],
				verbs:     values["verbs"],
				namespace: strings.Join(values["namespace"], ""),
				names:     len(values["resourceNames"]) > 0,
				at:        short(comment.Pos()),
			})
		}
	}
	return slices.DeleteFunc(all, func(g grant) bool { return len(g.resources) == 0 }) // of URLs
}

// emptied returns the groups, with the core group if there is none.
func emptied(groups []string) []string {
	if len(groups) == 0 {
		return []string{""}
	}
	for i, g := range groups {
		if g == "core" {
			groups[i] = ""
		}
	}
	return groups
}

// arguments returns the arguments of a marker: names with lists of values, which
// semicolons or braces make.
func arguments(text string) map[string][]string {
	values := make(map[string][]string)
	for text != "" {
		name, rest, ok := strings.Cut(text, "=")
		if !ok {
			break
		}
		var list []string
		list, text = listed(rest)
		values[strings.TrimSpace(name)] = list
	}
	return values
}

// listed returns the values at the beginning of the text, and what comes after the comma
// behind them.
func listed(text string) (list []string, rest string) {
	braces := strings.HasPrefix(text, "{")
	text = strings.TrimPrefix(text, "{")
	for {
		var value string
		value, text = unquoted(text)
		list = append(list, value)
		switch {
		case text == "":
			return list, ""
		case text[0] == ';', text[0] == ',' && braces:
			text = text[1:]
		case text[0] == '}':
			return list, strings.TrimPrefix(text[1:], ",")
		default:
			return list, text[1:]
		}
	}
}

// unquoted returns the value at the beginning of the text, and the rest.
func unquoted(text string) (value, rest string) {
	if text != "" && strings.ContainsRune("\"`'", rune(text[0])) {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : end+1], text[end+2:]
		}
	}
	end := strings.IndexAny(text, ",;}")
	if end < 0 {
		end = len(text)
	}
	return strings.TrimSpace(text[:end]), text[end:]
}

// lineOf names a line of a file.
func lineOf(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }
