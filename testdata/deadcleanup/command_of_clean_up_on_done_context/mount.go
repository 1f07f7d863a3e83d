// Package mount unmounts with a command that is killed before it starts.
package mount

import (
	"context"
	"os/exec"
)

func Serve(ctx context.Context, path string) error {
	if err := exec.CommandContext(ctx, "mount", path).Run(); err != nil {
		return err
	}
	<-ctx.Done()
	return exec.CommandContext(ctx, "umount", path).Run() // want "deadcleanup: exec.CommandContext runs on ctx, which is done here"
}
