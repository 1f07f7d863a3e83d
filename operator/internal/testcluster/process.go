package testcluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Process is a program that runs beside the test and writes to a log.
type Process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended
}

// startProcess starts a program whose log is appended to, so that a manager's
// restarts are read in one.
func startProcess(log string, env []string, program string, args ...string) (*Process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer out.Close() // the process has its own descriptor
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), env...)
	// An interrupt from the keyboard is for the test, which stops its processes.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", filepath.Base(program), err)
	}
	p := &Process{cmd: cmd, log: log, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // ProcessState has the result
		close(p.done)
	}()
	return p, nil
}

// Signal sends a signal; one that comes too late is none.
func (p *Process) Signal(signal os.Signal) {
	_ = p.cmd.Process.Signal(signal)
}

// Kill ends the process at once, without a chance to clean up, and waits until
// it is gone.
func (p *Process) Kill() {
	p.Signal(os.Kill)
	<-p.done
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} {
	return p.done
}

// Wait waits for the end of the process and returns its state.
func (p *Process) Wait(ctx context.Context) (*os.ProcessState, error) {
	select {
	case <-p.done:
		return p.cmd.ProcessState, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%s still runs: %w", filepath.Base(p.cmd.Path), context.Cause(ctx))
	}
}

// PID is the process's, for those who measure it.
func (p *Process) PID() int {
	return p.cmd.Process.Pid
}

// Log returns the last lines that the process wrote.
func (p *Process) Log() string {
	return tail(p.log)
}

// tail returns what explains a failure.
func tail(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimSpace(content), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-40):], []byte("\n")))
}
