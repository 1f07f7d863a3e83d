package load

import (
	"os/exec"
	"time"
)

// goCommand returns a go command that ends with the run, together with the
// processes that it has started.
func goCommand(cfg *Config, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(cfg.Context, "go", args...)
	cmd.Dir = cfg.Dir
	cmd.WaitDelay = time.Second
	endWhole(cmd)
	return cmd
}
