package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Names of the times, as RFC 3339, that the database stores.
const (
	// LastBackup is when a backup was last made by other means than this program.
	LastBackup = "last-backup"
	// LastVerification is when all audit trails were last verified without a fault.
	LastVerification = "last-verification"
)

// BackupFile is the file in the data folder that says when this program last made a backup.
const BackupFile = "backup.json"

// Time returns a stored time; zero if there is none.
func Time(ctx context.Context, s *store.Store, name string) (at time.Time, err error) {
	text, found, err := s.InstallationValue(ctx, name)
	if err != nil || !found {
		return at, err
	}
	if at, err = time.Parse(time.RFC3339, text); err != nil {
		return at, fmt.Errorf("%s: %w", name, err)
	}
	return at, nil
}

// SetTime stores a time.
func SetTime(ctx context.Context, s *store.Store, name string, at time.Time) error {
	return s.SetInstallationValue(ctx, name, at.UTC().Format(time.RFC3339))
}

// SetBackupTime writes the time of a backup by this program into the data folder, for doctor and metrics.
func SetBackupTime(folder string, at time.Time) error {
	text, err := json.Marshal(map[string]any{"at": at})
	if err != nil {
		return err
	}
	draft := filepath.Join(folder, BackupFile+".new")
	if err = os.WriteFile(draft, text, 0o600); err == nil {
		err = os.Rename(draft, filepath.Join(folder, BackupFile))
	}
	if err != nil {
		return fmt.Errorf("the backup is complete, but its time cannot be stored for doctor: %w", err)
	}
	return nil
}

// BackupTime returns when the last backup was made, by this program or by other means; zero if none is known. The
// store may be nil.
func BackupTime(ctx context.Context, s *store.Store, c config.Config) (at time.Time, err error) {
	if s != nil {
		if at, err = Time(ctx, s, LastBackup); err != nil {
			return at, err
		}
	}
	text, err := os.ReadFile(filepath.Join(c.Data, BackupFile))
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	var own struct{ At time.Time }
	if err == nil {
		err = json.Unmarshal(text, &own)
	}
	if own.At.After(at) {
		at = own.At
	}
	return at, err
}
