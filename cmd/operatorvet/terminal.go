package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// isTerminal reports whether f is a terminal that can show more than plain
// lines.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// progress shows one line about the progress of a run, and removes it again. It
// shows nothing unless the output is a terminal.
type progress struct {
	mu    sync.Mutex
	to    *os.File // nil if there is no terminal
	stage string
	shown time.Time
}

func newProgress(to *os.File) *progress {
	if !isTerminal(to) {
		to = nil
	}
	return &progress{to: to}
}

// show shows that done of total packages have passed the stage. total may be
// zero.
func (p *progress) show(stage string, done, total int) {
	if p.to == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if stage == p.stage && time.Since(p.shown) < 100*time.Millisecond {
		return
	}
	p.stage, p.shown = stage, time.Now()
	text := stage
	if total > 0 {
		text = fmt.Sprintf("%s %d/%d", stage, done, total)
	}
	fmt.Fprintf(p.to, "\r\x1b[Koperatorvet: %s", text)
}

func (p *progress) clear() {
	if p.to != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
