// Package marker reads and writes the file that names the installation a data folder belongs to.
package marker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the marker's name in the data folder.
const File = "installation.json"

// maxFile is the size of a marker in bytes, at most.
const maxFile = 4 << 10

// Marker names an installation.
type Marker struct {
	// Installation is the id that is also stored in the database.
	Installation string `json:"installation"`
}

// Read returns the marker of a data folder. The error is fs.ErrNotExist if the folder has none.
func Read(folder string) (m Marker, err error) {
	path := filepath.Join(folder, File)
	info, err := os.Stat(path)
	if err != nil {
		return m, fmt.Errorf("marker: %w", err)
	}
	if info.Size() > maxFile {
		return m, unreadable(path, fmt.Errorf("it is longer than %d bytes", maxFile))
	}
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if err != nil {
		return m, fmt.Errorf("marker: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, unreadable(path, err)
	}
	if m.Installation == "" {
		return m, unreadable(path, errors.New("it names no installation"))
	}
	return m, nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("marker: %s cannot be read (%w). If the database beside it is the right one, "+
		"run `tidewaiter migrate --accept-database`, which writes the file again", path, err)
}

// Write replaces the marker of a data folder, which must exist. The file appears whole and on disk, or not at all.
func Write(folder string, m Marker) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, File+".*") // of mode 0600
	if err != nil {
		return fmt.Errorf("marker: %w", err)
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(append(text, '\n'))
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(folder, File))
	}
	if err != nil {
		return fmt.Errorf("marker: %w", err)
	}
	return nil
}

// Ensure writes the marker unless the folder has the same one already.
func Ensure(folder string, m Marker) error {
	if there, err := Read(folder); err == nil && there == m {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return Write(folder, m)
}
