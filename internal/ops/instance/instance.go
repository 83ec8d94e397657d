// Package instance gives a running instance an id that it has again after a restart.
package instance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// File holds the id, in the data folder. A running instance locks it.
const File = "instance.json"

// Instance is one process of the service.
type Instance struct {
	ID   string `json:"id"`   // a UUID
	Host string `json:"host"` // where it runs: a copy of the folder on another machine is another instance
	lock *flock.Flock
}

// Open returns the instance of a data folder, with a new id if the folder has none, another process uses its id, or the
// folder is a copy from another machine. With an error, which says why the id will not be found again, it returns a new
// id all the same.
func Open(folder string, newID func() string) (*Instance, error) {
	fresh := &Instance{ID: newID()}
	fresh.Host, _ = os.Hostname()
	path := filepath.Join(folder, File)
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return fresh, fmt.Errorf("instance: %w", err)
	}
	if !locked {
		return fresh, nil
	}
	fresh.lock = lock
	former := read(path)
	if former.ID != "" && former.Host == fresh.Host {
		fresh.ID = former.ID
		return fresh, nil
	}
	return fresh, fresh.write(path)
}

// Close lets another process have the id.
func (i *Instance) Close() {
	if i.lock != nil {
		_ = i.lock.Unlock()
	}
}

// read returns what a file says; nothing if it cannot be read: then a new id takes its place.
func read(path string) (i Instance) {
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if err != nil || json.Unmarshal(text, &i) != nil {
		return Instance{}
	}
	return i
}

func (i *Instance) write(path string) error {
	text, err := json.Marshal(i)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("instance: %w", err)
	}
	return nil
}
