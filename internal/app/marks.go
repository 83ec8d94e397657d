package app

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

// What the installation notes of itself, for doctor and metrics: the times, as RFC 3339, of the last backup by other
// means than this program and of the last verification of all trails that found nothing.
const (
	lastBackup       = "last-backup"
	lastVerification = "last-verification"
)

// noted reads a time that the installation has noted; zero if there is none.
func noted(ctx context.Context, s *store.Store, name string) (at time.Time, err error) {
	text, found, err := s.Settled(ctx, name)
	if err != nil || !found {
		return at, err
	}
	if at, err = time.Parse(time.RFC3339, text); err != nil {
		return at, fmt.Errorf("app: %s: %w", name, err)
	}
	return at, nil
}

func (a *App) note(ctx context.Context, name string) error {
	return a.Store.Note(ctx, name, a.deps.Now().UTC().Format(time.RFC3339))
}

// NoteVerification notes that all trails were verified just now, and nothing was found.
func (a *App) NoteVerification(ctx context.Context) error { return a.note(ctx, lastVerification) }

// NoteBackup notes that a backup was made just now by other means, such as the tools of PostgreSQL.
func (a *App) NoteBackup(ctx context.Context) error { return a.note(ctx, lastBackup) }

// backedUp is when the last backup was made, by this program or by other means; zero if none is known.
func backedUp(ctx context.Context, s *store.Store, c config.Config) (at time.Time, err error) {
	if s != nil {
		if at, err = noted(ctx, s, lastBackup); err != nil {
			return at, err
		}
	}
	text, err := os.ReadFile(filepath.Join(c.Data, backupMark))
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	var mark struct{ At time.Time }
	if err == nil {
		err = json.Unmarshal(text, &mark)
	}
	if mark.At.After(at) {
		at = mark.At
	}
	return at, err
}

// marks are the times of the last backup and of the last verification; zero if none is known.
func (a *App) marks(ctx context.Context) (backup, verification time.Time, err error) {
	if backup, err = backedUp(ctx, a.Store, a.Config); err != nil {
		return backup, verification, err
	}
	verification, err = noted(ctx, a.Store, lastVerification)
	return backup, verification, err
}
