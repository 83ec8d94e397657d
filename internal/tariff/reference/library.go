package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Store stores the tables for all processes of the service.
type Store interface {
	// Editions returns the stored tables by kind, without their rows.
	Editions(ctx context.Context) ([]Edition, error)
	// Rows returns the packed rows of a table and its edition.
	Rows(ctx context.Context, k Kind) (e Edition, packed []byte, found bool, err error)
	// Replace stores a table in place of the former one, and returns its edition with version
	// and instant.
	Replace(ctx context.Context, e Edition, packed []byte) (Edition, error)
}

// Import reads a publisher's file and replaces the table. If any line is invalid, nothing
// changes. The date of the table is day if given, then the one in the file, then today.
func Import(ctx context.Context, to Store, k Kind, file io.Reader, day, today time.Time) (Edition, error) {
	t, err := empty(k)
	if err != nil {
		return Edition{}, err
	}
	if err := read(t, file); err != nil {
		return Edition{}, err
	}
	rows, err := pack(t)
	if err != nil {
		return Edition{}, err
	}
	e := Edition{Kind: k, Date: firstDay(day, t.newest(), today), Publisher: publishers[k], Rows: t.rows()}
	return to.Replace(ctx, e, rows)
}

// firstDay returns the first day that is set, without its time.
func firstDay(days ...time.Time) time.Time {
	for _, day := range days {
		if !day.IsZero() {
			return day.UTC().Truncate(24 * time.Hour)
		}
	}
	return time.Time{}
}

// Library holds all imported tables in memory. The zero value has none. A new table replaces
// the old one as a whole, so readers need no lock.
type Library struct {
	mu     sync.Mutex // for Refresh
	tables [4]atomic.Pointer[loaded]
}

// loaded is a table with its edition.
type loaded struct {
	Edition
	rows table
}

func (l *Library) place(k Kind) *atomic.Pointer[loaded] {
	for i, kind := range Kinds() {
		if kind == k {
			return &l.tables[i]
		}
	}
	return nil
}

// Refresh reads the tables that were imported since the last call; if there are none it reads
// only versions. A table that cannot be read stays as it was.
func (l *Library) Refresh(ctx context.Context, from Store) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	editions, err := from.Editions(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, e := range editions {
		place := l.place(e.Kind) // nil for a kind of a newer program
		if place == nil || place.Load().is(e) {
			continue
		}
		t, err := fetch(ctx, from, e.Kind)
		if err != nil {
			faults = append(faults, fmt.Errorf("reference: %s: %w", e.Kind, err))
			continue
		}
		place.Store(t)
	}
	return errors.Join(faults...)
}

// is reports whether a table has an edition. A restored database may use a version number
// again, but with another instant.
func (t *loaded) is(e Edition) bool {
	return t != nil && t.Version == e.Version && t.ImportedAt.Equal(e.ImportedAt)
}

func fetch(ctx context.Context, from Store, k Kind) (*loaded, error) {
	e, rows, found, err := from.Rows(ctx, k)
	if err != nil || !found {
		return nil, err
	}
	t, err := empty(k)
	if err != nil {
		return nil, err
	}
	return &loaded{e, t}, unpack(t, rows)
}

// Every is the interval at which a running service checks for new tables.
const Every = 30 * time.Second

// Watch refreshes until ctx ends.
func (l *Library) Watch(ctx context.Context, from Store, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Every):
		}
		l.RefreshOrLog(ctx, from, log)
	}
}

// RefreshOrLog refreshes and logs errors: the service continues with the tables that it has.
func (l *Library) RefreshOrLog(ctx context.Context, from Store, log *slog.Logger) {
	if err := l.Refresh(ctx, from); err != nil && ctx.Err() == nil {
		log.Warn("cannot read published tables", "error", err)
	}
}

// Default returns the default embedded emissions in tonnes of CO2 equivalent per tonne of
// goods, for a commodity code (4 to 10 digits) and a country (ISO 3166-1 alpha-2), before the
// EU's annual mark-up. It is the value of the longest prefix of the code for the country or,
// if it has none, for all other countries. If the table distinguishes goods of one code, such
// as grey and white clinker, it is the highest. edition names the table and its day. ok is
// false if no table is imported or it has no prefix of the code.
func (l *Library) Default(code, country string) (tonnesPerTonne quantity.Number, edition string, ok bool) {
	t := l.place(CBAMDefaults).Load()
	if t == nil {
		return quantity.Number{}, "", false
	}
	tonnesPerTonne, ok = t.rows.(*emissions).find(code, country)
	return tonnesPerTonne, t.Edition.String(), ok
}

// Places returns the list of UN/LOCODE for rules.
func (l *Library) Places() rules.Listing {
	t := l.place(UNLOCODE).Load()
	if t == nil {
		return rules.Listing{}
	}
	codes := t.rows.(*places)
	return rules.Listing{Edition: t.Edition.String(), Find: func(code string) (string, bool) { return "", codes.has(code) }}
}

// ExciseProducts returns the table of excise products for rules: the codes of products,
// separated by spaces, by CN code of eight digits.
func (l *Library) ExciseProducts() rules.Listing {
	t := l.place(ExciseCN).Load()
	if t == nil {
		return rules.Listing{}
	}
	products := t.rows.(*pairs).products
	return rules.Listing{Edition: t.Edition.String(), Find: func(code string) (string, bool) {
		found := products[code]
		return strings.Join(found, " "), len(found) > 0
	}}
}
