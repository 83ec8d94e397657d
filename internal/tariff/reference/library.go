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

// Shelf keeps the tables, for every process of the service.
type Shelf interface {
	// Editions are what there is, by kind, without the rows.
	Editions(ctx context.Context) ([]Edition, error)
	// Rows are those of a table as it stands, with its edition.
	Rows(ctx context.Context, k Kind) (e Edition, packed []byte, found bool, err error)
	// Replace puts a table in the place of the one before, and gives its version and instant.
	Replace(ctx context.Context, e Edition, packed []byte) (Edition, error)
}

// Import reads a publisher's file and puts its table in the place of the one before:
// all of it, or nothing where a line is faulty. A day that is given stands before the
// one that the file tells, and today where it tells none.
func Import(ctx context.Context, to Shelf, k Kind, file io.Reader, day, today time.Time) (Edition, error) {
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

// firstDay is the first of several days that is one, without its hours.
func firstDay(days ...time.Time) time.Time {
	for _, day := range days {
		if !day.IsZero() {
			return day.UTC().Truncate(24 * time.Hour)
		}
	}
	return time.Time{}
}

// Library is every imported table as it stands, in memory. Its zero value has none.
// A table is never changed but replaced by a newer one as a whole, so that a reader
// needs no lock.
type Library struct {
	mu     sync.Mutex // of refreshing
	tables [3]atomic.Pointer[loaded]
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

// Refresh reads the tables that have been imported since the last time, and nothing
// but their versions where there are none. A table that cannot be read stays as it was.
func (l *Library) Refresh(ctx context.Context, from Shelf) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	editions, err := from.Editions(ctx)
	if err != nil {
		return err
	}
	var faults []error
	for _, e := range editions {
		place := l.place(e.Kind) // nil for a kind that a newer program knows
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

// is tells whether a table is of an edition. A database that was restored may count
// a version twice, but not at the same instant.
func (t *loaded) is(e Edition) bool {
	return t != nil && t.Version == e.Version && t.ImportedAt.Equal(e.ImportedAt)
}

func fetch(ctx context.Context, from Shelf, k Kind) (*loaded, error) {
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

// Every is how often a running service looks for a newer table.
const Every = 30 * time.Second

// Watch refreshes now and then until ctx ends.
func (l *Library) Watch(ctx context.Context, from Shelf, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Every):
		}
		l.Look(ctx, from, log)
	}
}

// Look refreshes, and leaves it at a warning where that fails: the service works on
// with the tables that it has, or without.
func (l *Library) Look(ctx context.Context, from Shelf, log *slog.Logger) {
	if err := l.Refresh(ctx, from); err != nil && ctx.Err() == nil {
		log.Warn("cannot read published tables", "error", err)
	}
}

// Default is how many tonnes of CO2 equivalent a tonne of goods is reckoned to have
// emitted that are of a commodity code (4 to 10 digits) and come from a country (ISO
// 3166-1 alpha-2), before the mark-up that the Union adds from year to year. The
// value is of the longest beginning of the code that the table has for the country
// or, where it has none, for all countries that are not named. Where the table tells
// goods of one code apart, such as grey from white clinker, it is the highest.
// Edition names the table and its day. It is not ok where no table is imported or
// none of its codes is a beginning of this one.
func (l *Library) Default(code, country string) (tonnesPerTonne quantity.Number, edition string, ok bool) {
	t := l.place(CBAMDefaults).Load()
	if t == nil {
		return quantity.Number{}, "", false
	}
	tonnesPerTonne, ok = t.rows.(*emissions).find(code, country)
	return tonnesPerTonne, t.Edition.String(), ok
}

// Places is the list of UN/LOCODE for rules: it finds a code written as it is listed.
func (l *Library) Places() rules.Listing {
	t := l.place(UNLOCODE).Load()
	if t == nil {
		return rules.Listing{}
	}
	codes := t.rows.(*places)
	return rules.Listing{Edition: t.Edition.String(), Find: func(code string) (string, bool) { return "", codes.has(code) }}
}

// ExciseProducts is the table of excise products for rules: by a CN code of eight
// digits it finds the codes of the products, with spaces between.
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
