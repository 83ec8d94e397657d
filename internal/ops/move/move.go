// Package move takes an installation from one database to another.
package move

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/store"
	storemove "github.com/tidewaiter/tidewaiter/internal/store/move"
)

// Progress is how much of a table has been copied or compared.
type Progress = storemove.Progress

// Result is an installation that was moved.
type Result struct {
	Tables       []storemove.Compared
	Trails       []verify.Result
	AlreadyMoved bool // moved, compared and verified by an earlier run
}

// Move copies an installation from one database to another. An address is sqlite:FOLDER, a folder, or PostgreSQL with
// its owner's role. If it is interrupted, the next call continues. It compares all rows with the source and verifies
// all audit trails; then the target can be served.
func Move(ctx context.Context, e installation.Environment, from, to string, report func(Progress)) (r Result, err error) {
	source, target := options(e, from), options(e, to)
	if source.Folder == target.Folder && source.URL == target.URL {
		return r, errors.New("move: source and target are the same")
	}
	m, err := storemove.Open(ctx, source.Engine(), target.Engine(), report)
	if errors.Is(err, storemove.ErrMoved) {
		return Result{AlreadyMoved: true}, nil
	}
	if err != nil {
		return r, err
	}
	defer m.Close()
	if err := m.Copy(ctx); err != nil {
		return r, err
	}
	if r.Tables, err = m.Compare(ctx); err != nil {
		return r, err
	}
	if err := m.Release(); err != nil {
		return r, err
	}
	s, err := store.Attach(ctx, target)
	if err != nil {
		return r, err
	}
	r.Trails, err = verify.Trails(ctx, s, e.Kinds(), "", nil)
	for _, trail := range r.Trails {
		if trail.Problem != "" {
			err = errors.Join(err, fmt.Errorf("move: the audit trail of the organisation %s is broken, also in the source: %s. The target is not opened", trail.OrganisationID, trail.Problem))
		}
	}
	if err == nil {
		err = s.EndMove(ctx)
	}
	id, _, failed := s.Installation(ctx)
	if err = errors.Join(err, failed, s.Close()); err == nil && target.URL == "" {
		err = installation.Adopt(target.Folder, id)
	}
	return r, err
}

func options(e installation.Environment, address string) store.Options {
	o := store.Options{Now: e.Now, Log: e.Log}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		o.URL = address
	} else {
		o.Folder = strings.TrimPrefix(address, "sqlite:")
	}
	return o
}
