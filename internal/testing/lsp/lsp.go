// Package lsp is a client of language servers. It has as much of the Language
// Server Protocol as an editor needs with gopls: it opens files, types into
// them, sees diagnostics, and applies fixes. Only tests and bench use it.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// Position counts lines and UTF-16 code units from 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

type Diagnostic struct {
	Range           Range `json:"range"`
	Severity        int   `json:"severity,omitempty"`
	Code            any   `json:"code,omitempty"`
	CodeDescription struct {
		Href string `json:"href"`
	} `json:"codeDescription"`
	Source             string          `json:"source,omitempty"`
	Message            string          `json:"message"`
	RelatedInformation json.RawMessage `json:"relatedInformation,omitempty"`
	Data               json.RawMessage `json:"data,omitempty"`
}

// CodeAction is an action that a server offers for a place in a file.
type CodeAction struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
	Edit  struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Edits []TextEdit `json:"edits"`
		} `json:"documentChanges"`
	} `json:"edit"`
}

type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// Client acts as an editor with one workspace folder.
type Client struct {
	conn     *conn
	cmd      *exec.Cmd
	settings map[string]any
	buffers  map[string]*buffer // by file

	mu        sync.Mutex
	published map[string][]Diagnostic // by URI
	news      chan struct{}           // closed at the next publication
}

// buffer is an open file.
type buffer struct {
	version int
	text    string
}

// Start runs the server, a command that speaks over its standard input and
// output, for the workspace in dir. The settings are those of the server's
// own section, "gopls".
func Start(server *exec.Cmd, dir string, settings map[string]any) (*Client, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Client{
		cmd:       server,
		settings:  settings,
		buffers:   make(map[string]*buffer),
		published: make(map[string][]Diagnostic),
		news:      make(chan struct{}),
	}
	server.Dir = dir
	w, err := server.StdinPipe()
	if err != nil {
		return nil, err
	}
	r, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	c.conn = dial(r, w, c.handle)
	if err := c.initialize(dir); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) initialize(dir string) error {
	type object = map[string]any
	folder := object{"uri": uri(dir), "name": filepath.Base(dir)}
	err := c.conn.call("initialize", object{
		"processId":        os.Getpid(),
		"rootUri":          uri(dir),
		"workspaceFolders": []any{folder},
		"capabilities": object{
			"workspace": object{
				"configuration":    true,
				"workspaceFolders": true,
				"workspaceEdit":    object{"documentChanges": true},
			},
			"textDocument": object{
				"publishDiagnostics": object{"codeDescriptionSupport": true, "dataSupport": true},
				"codeAction": object{
					"codeActionLiteralSupport": object{
						"codeActionKind": object{"valueSet": []string{"quickfix"}},
					},
				},
			},
		},
	}, nil)
	if err != nil {
		return err
	}
	return c.conn.notify("initialized", object{})
}

// Close ends the server.
func (c *Client) Close() error {
	err := c.conn.call("shutdown", nil, nil)
	err = errors.Join(err, c.conn.notify("exit", nil), c.conn.w.Close())
	if err != nil {
		c.cmd.Process.Kill()
	}
	return errors.Join(err, c.cmd.Wait())
}

// handle answers the server.
func (c *Client) handle(method string, params json.RawMessage) any {
	switch method {
	case "workspace/configuration":
		var p struct{ Items []any }
		if json.Unmarshal(params, &p) != nil {
			return nil
		}
		return slices.Repeat([]any{c.settings}, len(p.Items))
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics []Diagnostic
		}
		if json.Unmarshal(params, &p) != nil {
			return nil
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.published[p.URI] = p.Diagnostics
		close(c.news)
		c.news = make(chan struct{})
	}
	return nil
}

// Open opens a file with the content on disk.
func (c *Client) Open(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c.buffers[file] = &buffer{version: 1, text: string(text)}
	return c.conn.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri(file), "languageId": "go", "version": 1, "text": string(text)},
	})
}

// Text returns the content of the open file's buffer.
func (c *Client) Text(file string) string { return c.buffers[file].text }

// Type makes text the content of the open file's buffer. Nothing is saved.
func (c *Client) Type(file, text string) error {
	b := c.buffers[file]
	b.version++
	b.text = text
	return c.conn.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri(file), "version": b.version},
		"contentChanges": []any{map[string]any{"text": text}},
	})
}

// Await returns the diagnostics that the server shows in the file, as soon as ok
// accepts them.
func (c *Client) Await(ctx context.Context, file string, done func([]Diagnostic) bool) ([]Diagnostic, error) {
	for {
		c.mu.Lock()
		shown, news := c.published[uri(file)], c.news
		c.mu.Unlock()
		if done(shown) {
			return shown, nil
		}
		select {
		case <-news:
		case <-c.conn.lost:
			return shown, c.conn.broken
		case <-ctx.Done():
			return shown, ctx.Err()
		}
	}
}

// Diagnose asks for the diagnostics of the file as it is in the buffer.
func (c *Client) Diagnose(file string) ([]Diagnostic, error) {
	var report struct{ Items []Diagnostic }
	err := c.conn.call("textDocument/diagnostic", map[string]any{
		"textDocument": map[string]any{"uri": uri(file)},
	}, &report)
	return report.Items, err
}

// DiagnoseOpen makes gopls analyse all packages with an open file at once. It
// returns all diagnostics that gopls then shows, by file.
func (c *Client) DiagnoseOpen() (map[string][]Diagnostic, error) {
	var uris []string
	for file := range c.buffers {
		uris = append(uris, uri(file))
	}
	slices.Sort(uris)
	err := c.conn.call("workspace/executeCommand", map[string]any{
		"command":   "gopls.diagnose_files",
		"arguments": []any{map[string]any{"Files": uris}},
	}, nil)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := make(map[string][]Diagnostic)
	for u, diags := range c.published {
		file, err := filename(u)
		if err != nil {
			return nil, err
		}
		if len(diags) > 0 {
			shown[file] = diags
		}
	}
	return shown, nil
}

// QuickFixes returns the fixes that the server offers for a diagnostic.
func (c *Client) QuickFixes(file string, d Diagnostic) ([]CodeAction, error) {
	var actions []CodeAction
	err := c.conn.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri(file)},
		"range":        d.Range,
		"context":      map[string]any{"diagnostics": []Diagnostic{d}, "only": []string{"quickfix"}},
	}, &actions)
	return actions, err
}

// Apply applies the edits of the action to the buffers.
func (c *Client) Apply(action CodeAction) error {
	for _, change := range action.Edit.DocumentChanges {
		file, err := filename(change.TextDocument.URI)
		if err != nil {
			return err
		}
		if c.buffers[file] == nil {
			return fmt.Errorf("%q changes %s, which is not open", action.Title, file)
		}
		text, err := edit(c.Text(file), change.Edits)
		if err != nil {
			return fmt.Errorf("%q in %s: %w", action.Title, file, err)
		}
		if err := c.Type(file, text); err != nil {
			return err
		}
	}
	return nil
}

// edit applies edits that do not overlap.
func edit(text string, edits []TextEdit) (string, error) {
	var out strings.Builder
	done := 0
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b TextEdit) int {
		if a.Range.Start.Line != b.Range.Start.Line {
			return a.Range.Start.Line - b.Range.Start.Line
		}
		return a.Range.Start.Character - b.Range.Start.Character
	})
	for _, e := range edits {
		start, end := Offset(text, e.Range.Start), Offset(text, e.Range.End)
		if start < done || end < start {
			return "", fmt.Errorf("edits overlap: %v", edits)
		}
		out.WriteString(text[done:start])
		out.WriteString(e.NewText)
		done = end
	}
	out.WriteString(text[done:])
	return out.String(), nil
}

// Offset returns the position's byte offset in the text. A position beyond the
// end is at the end.
func Offset(text string, p Position) int {
	offset := 0
	for range p.Line {
		next := strings.IndexByte(text[offset:], '\n')
		if next < 0 {
			return len(text)
		}
		offset += next + 1
	}
	for units := 0; units < p.Character && offset < len(text) && text[offset] != '\n'; {
		r, size := utf8.DecodeRuneInString(text[offset:])
		units += utf16.RuneLen(r)
		offset += size
	}
	return offset
}

func uri(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
}

func filename(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	return filepath.FromSlash(u.Path), nil
}
