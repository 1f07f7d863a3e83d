package rule

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// Doc returns the documentation of a rule from its doc.go: the section of the
// package comment under the heading "# Analyzer NAME", which begins "NAME: verb
// phrase". Following go/analysis, the result has neither the heading nor the
// name.
//
// Doc panics if doc.go has no such section. The panic occurs as soon as anything
// imports the rule.
func Doc(name, source string) string {
	page, err := extract(name, source)
	if err != nil {
		panic(fmt.Sprintf("doc.go of rule %s: %v", name, err))
	}
	return page
}

func extract(name, source string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	heading := "# Analyzer " + name
	var section []string
	inside := false
	for line := range strings.Lines(file.Doc.Text()) {
		if strings.HasPrefix(line, "# Analyzer ") {
			inside = strings.TrimSpace(line) == heading
			continue
		}
		if inside {
			section = append(section, line)
		}
	}
	page, ok := strings.CutPrefix(strings.TrimSpace(strings.Join(section, "")), name+": ")
	if !ok {
		return "", fmt.Errorf("no section %q that begins with %q", heading, name+": ")
	}
	return page, nil
}
