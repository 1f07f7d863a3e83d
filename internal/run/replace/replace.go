// Package replace gives files new content, whole or not at all.
package replace

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
)

// File gives the file new content and a mode by renaming another file to it. A
// reader, also after a crash, finds the old content or the new. The name must be
// that of the file itself, not of a symbolic link to it.
func File(name string, content []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails once it has its new name
	_, err = tmp.Write(content)
	if err := cmp.Or(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
