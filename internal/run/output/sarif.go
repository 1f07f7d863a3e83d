package output

import (
	"encoding/json"
	"go/doc/comment"
	"go/token"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// The parts of SARIF 2.1.0 that we write; see
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		BaseURIs    map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind  string                   `json:"columnKind"`
		Results     []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		FullDescription  sarifText `json:"fullDescription"`
		Help             sarifText `json:"help"`
		HelpURI          string    `json:"helpUri"`
		Configuration    sarifConf `json:"defaultConfiguration"`
	}
	sarifConf struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		CodeFlows []sarifCodeFlow `json:"codeFlows,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

const srcRoot = "%SRCROOT%"

// SARIF writes findings and the rules that ran as a SARIF 2.1.0 log. Paths are
// relative to the repository around dir. Code scanning takes them for that,
// whatever the log says.
func SARIF(w io.Writer, rep *driver.Report, rules []*analysis.Analyzer, dir, version string) error {
	root := repository(dir)
	s := sarifWriter{root: root, src: make(sources), index: make(map[string]int)}
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:           "operatorvet",
			Version:        version,
			InformationURI: "https://github.com/operatorvet/operatorvet",
			Rules:          []sarifRule{},
		}},
		Invocations: []sarifInvocation{{Successful: len(rep.Failures) == 0}},
		BaseURIs:    map[string]sarifArtifact{srcRoot: {URI: fileURI(root) + "/"}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	for i, rule := range rules {
		s.index[rule.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, describe(rule))
	}
	for _, f := range rep.Findings {
		run.Results = append(run.Results, s.result(f))
	}
	for _, f := range rep.Failures {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
			Level:   "error",
			Message: sarifText{Text: failureLine(f, dir)},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// describe returns a rule's metadata from its page.
func describe(rule *analysis.Analyzer) sarifRule {
	title, page, _ := strings.Cut(rule.Doc, "\n")
	page = strings.TrimSpace(page)
	first, _, _ := strings.Cut(page, "\n\n")
	if first == "" {
		first = title
	}
	doc := new(comment.Parser).Parse(page)
	return sarifRule{
		ID:               rule.Name,
		ShortDescription: sarifText{Text: title},
		FullDescription:  sarifText{Text: strings.Join(strings.Fields(first), " ")},
		Help: sarifText{
			Text:     rule.Doc,
			Markdown: string((&comment.Printer{HeadingLevel: 2}).Markdown(doc)),
		},
		HelpURI:       rule.URL,
		Configuration: sarifConf{Level: "warning"},
	}
}

// sarifWriter holds what the conversion of results needs.
type sarifWriter struct {
	root  string
	src   sources
	index map[string]int // of rules
}

func (s sarifWriter) result(f driver.Finding) sarifResult {
	res := sarifResult{
		RuleID:    f.Rule,
		RuleIndex: s.index[f.Rule],
		Level:     "warning",
		Message:   sarifText{Text: f.Message},
		Locations: []sarifLocation{{Physical: s.physical(f.Pos, f.End)}},
	}
	if len(f.Steps) > 0 {
		res.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{{s.flow(f.Steps)}}}}
	}
	for _, fix := range f.Fixes {
		res.Fixes = append(res.Fixes, s.fix(fix))
	}
	return res
}

// flow returns the steps of a finding, which code scanning draws as a path.
func (s sarifWriter) flow(steps []rule.Mark) []sarifFlowLocation {
	var all []sarifFlowLocation
	for _, step := range steps {
		at := sarifLocation{Message: &sarifText{Text: step.Text}}
		if step.From.Filename != "" {
			at.Physical = s.physical(step.From, step.To)
		}
		all = append(all, sarifFlowLocation{at})
	}
	return all
}

func (s sarifWriter) physical(from, to token.Position) *sarifPhysical {
	return &sarifPhysical{Artifact: s.artifact(from.Filename), Region: s.region(from, to)}
}

func (s sarifWriter) fix(fix driver.Fix) sarifFix {
	res := sarifFix{Description: sarifText{Text: fix.Message}}
	change := make(map[string]int) // by file
	for _, e := range fix.Edits {
		i, ok := change[e.Pos.Filename]
		if !ok {
			i = len(res.Changes)
			change[e.Pos.Filename] = i
			res.Changes = append(res.Changes, sarifChange{Artifact: s.artifact(e.Pos.Filename)})
		}
		res.Changes[i].Replacements = append(res.Changes[i].Replacements, sarifReplacement{
			Deleted:  s.region(e.Pos, e.End),
			Inserted: sarifText{Text: e.New},
		})
	}
	return res
}

func (s sarifWriter) artifact(file string) sarifArtifact {
	rel := relative(s.root, file)
	if filepath.IsAbs(rel) {
		return sarifArtifact{URI: fileURI(rel)}
	}
	return sarifArtifact{URI: (&url.URL{Path: filepath.ToSlash(rel)}).String(), URIBaseID: srcRoot}
}

func (s sarifWriter) region(from, to token.Position) sarifRegion {
	return sarifRegion{
		StartLine:   from.Line,
		StartColumn: s.column(from),
		EndLine:     to.Line,
		EndColumn:   s.column(to),
	}
}

// column turns a column in bytes into one in characters.
func (s sarifWriter) column(p token.Position) int {
	line := s.src.line(p.Filename, p.Line)
	if p.Column < 1 || p.Column-1 > len(line) {
		return max(p.Column, 1)
	}
	return utf8.RuneCountInString(line[:p.Column-1]) + 1
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
