package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/move"
)

// Moved is how far a table has come.
type Moved = move.Progress

// Arrived is an installation that was taken to another database.
type Arrived struct {
	Tables []move.Compared
	Trails []Verified
	Before bool // by an earlier call, which has compared and followed it all
}

// Move takes an installation from one database to another: sqlite:FOLDER, a folder, or
// the address of PostgreSQL as its owner. Broken off at any instant, it goes on when it
// is called again. What has arrived is compared with the source row by row, its trails
// are followed, and it is served from then on.
func Move(ctx context.Context, d Deps, from, to string, tell func(Moved)) (a Arrived, err error) {
	d = d.orDefault()
	if from, to := placeOf(d, from), placeOf(d, to); from.Folder == to.Folder && from.URL == to.URL {
		return a, errors.New("app: move: source and target are the same")
	}
	m, err := move.Open(ctx, placeOf(d, from).Engine(), placeOf(d, to).Engine(), tell)
	if errors.Is(err, move.ErrMoved) {
		return Arrived{Before: true}, nil
	}
	if err != nil {
		return a, err
	}
	defer m.Close()
	if err := m.Copy(ctx); err != nil {
		return a, err
	}
	if a.Tables, err = m.Compare(ctx); err != nil {
		return a, err
	}
	if err := m.Release(); err != nil {
		return a, err
	}
	s, err := store.Attach(ctx, placeOf(d, to))
	if err != nil {
		return a, err
	}
	a.Trails, err = (&App{Store: s}).VerifyAudit(ctx, "", nil)
	for _, trail := range a.Trails {
		if trail.Problem != "" {
			err = errors.Join(err, fmt.Errorf("app: move: the trail of the organisation %s: %s (in the source as well): the target is not opened", trail.OrganisationID, trail.Problem))
		}
	}
	if err == nil {
		err = s.EndMove(ctx)
	}
	id, _, failed := s.Installation(ctx)
	if err = errors.Join(err, failed, s.Close()); err == nil && placeOf(d, to).URL == "" {
		err = belongs(placeOf(d, to).Folder, id)
	}
	return a, err
}

func placeOf(d Deps, address string) store.Options {
	o := store.Options{Now: d.Now, Log: d.Log}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		o.URL = address
	} else {
		o.Folder = strings.TrimPrefix(address, "sqlite:")
	}
	return o
}
