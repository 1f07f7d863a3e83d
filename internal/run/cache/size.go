package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

const (
	// MaxSize is how large a cache may become, in bytes. A run that keeps more than
	// that is not disturbed; what is too much goes after it.
	MaxSize = 250 << 20

	// size after trimming, so that not each run has to
	wantedSize = MaxSize / 10 * 8

	boundInterval = time.Hour

	// boundFile has the time of the last look at the size.
	boundFile = "bound.txt"
)

// entryFile matches the path of a file of an entry in a cache: an action or an output.
var entryFile = regexp.MustCompile(`^[0-9a-f]{2}[/\\][0-9a-f]{64}-[ad]$`)

// entryDir matches the name of a directory of entries.
var entryDir = regexp.MustCompile(`^[0-9a-f]{2}$`)

// Stats is what a cache holds.
type Stats struct {
	Entries int
	Size    int64 // in bytes
}

// file is a file of a cache.
type file struct {
	path string
	size int64
	used time.Time // within an hour or so
}

// files returns the files of the entries in a directory.
func files(dir string) (all []file, err error) {
	subs, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, sub := range subs {
		if !sub.IsDir() || !entryDir.MatchString(sub.Name()) {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(dir, sub.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			path := filepath.Join(sub.Name(), e.Name())
			info, err := e.Info()
			if err == nil && info.Mode().IsRegular() && entryFile.MatchString(path) {
				all = append(all, file{filepath.Join(dir, path), info.Size(), info.ModTime()})
			}
		}
	}
	return all, nil
}

// StatsOf returns what the cache in a directory holds.
func StatsOf(dir string) (Stats, error) {
	all, err := files(dir)
	var s Stats
	for _, f := range all {
		s.Size += f.size
		if f.path[len(f.path)-1] == 'a' {
			s.Entries++
		}
	}
	return s, err
}

// Clear removes what a cache has written to a directory, and nothing else.
func Clear(dir string) error {
	all, err := files(dir)
	if err != nil {
		return err
	}
	var errs []error
	remove := func(path string) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, f := range all {
		remove(f.path)
	}
	remove(filepath.Join(dir, boundFile))
	remove(filepath.Join(dir, "trim.txt"))
	for i := range 256 {
		os.Remove(filepath.Join(dir, fmt.Sprintf("%02x", i))) // if it is empty
	}
	return errors.Join(errs...)
}

// bound removes the files that were not used for longest until the cache is of the
// wanted size, if it is larger than it may be.
func bound(dir string, now time.Time) {
	marker := filepath.Join(dir, boundFile)
	if info, err := os.Stat(marker); err == nil && now.Sub(info.ModTime()).Abs() < boundInterval {
		return
	}
	if os.WriteFile(marker, []byte(now.Format(time.RFC3339)+"\n"), 0o666) != nil {
		return
	}
	all, err := files(dir)
	if err != nil {
		return
	}
	var size int64
	for _, f := range all {
		size += f.size
	}
	if size <= MaxSize {
		return
	}
	slices.SortFunc(all, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range all {
		if size <= wantedSize {
			return
		}
		if os.Remove(f.path) == nil {
			size -= f.size
		}
	}
}
