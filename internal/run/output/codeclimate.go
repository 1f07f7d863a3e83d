package output

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/operatorvet/operatorvet/internal/run/baseline"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// The part of a Code Climate issue that GitLab reads; see
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type (
	climateIssue struct {
		Description string          `json:"description"`
		CheckName   string          `json:"check_name"`
		Fingerprint string          `json:"fingerprint"`
		Severity    string          `json:"severity"`
		Location    climateLocation `json:"location"`
	}
	climateLocation struct {
		Path  string       `json:"path"`
		Lines climateLines `json:"lines"`
	}
	climateLines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
)

// CodeClimate writes findings as a code quality report for GitLab. Paths are
// relative to the repository around dir, because GitLab knows no others. The
// fingerprint of a finding stays the same when lines move, so that GitLab does
// not show it as new.
func CodeClimate(w io.Writer, rep *driver.Report, dir string) error {
	root := repository(dir)
	seen := make(map[baseline.Key]int)
	issues := []climateIssue{}
	for _, f := range rep.Findings {
		key := baseline.KeyOf(f)
		issues = append(issues, climateIssue{
			Description: f.Rule + ": " + f.Message,
			CheckName:   f.Rule,
			Fingerprint: key.Fingerprint(seen[key]),
			Severity:    "major",
			Location: climateLocation{
				Path:  filepath.ToSlash(relative(root, f.Pos.Filename)),
				Lines: climateLines{Begin: f.Pos.Line, End: f.End.Line},
			},
		})
		seen[key]++
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(issues)
}
