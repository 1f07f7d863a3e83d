//go:build unix

package load

import (
	"os/exec"
	"syscall"
)

// endWhole puts a command into a process group, which it ends when the
// command's context is done: compilers would go on without the go command.
func endWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
