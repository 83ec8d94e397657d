package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations: they report the state of the installation
// to the operator, without data of an organisation.

// Grant is an organisation's connection to Making Tax Digital.
type Grant struct {
	Org    tenant.ID
	Lapsed bool
	Given  time.Time
}

// maxGrants is the most connections that are returned: those that end first.
const maxGrants = 1000

// Grants returns the connections to Making Tax Digital that end first.
func (s *Store) Grants(ctx context.Context) (all []Grant, err error) {
	err = s.viewAll(ctx, func(a allOrgs) (err error) { all, err = a.grants(); return err })
	if err != nil {
		return nil, fmt.Errorf("store: grants: %w", err)
	}
	return all, nil
}

func (a allOrgs) grants() (all []Grant, err error) {
	err = a.rows("SELECT org_id, status, connected_at FROM mtd_connections ORDER BY connected_at LIMIT $1"+computed, []any{maxGrants}, func(r engine.Row) error {
		var g Grant
		var status string
		err := r.Scan(&g.Org, &status, (*instant)(&g.Given))
		g.Lapsed = status == "LAPSED"
		all = append(all, g)
		return err
	})
	return all, err
}

// ConnectionState is the state of a database connection and of the database's clock.
type ConnectionState struct {
	Clock     time.Time // zero for SQLite, whose clock is this machine's
	Local     bool      // on this machine
	Encrypted bool
}

// ConnectionState reads the state from the database.
func (s *Store) ConnectionState(ctx context.Context) (st ConnectionState, err error) {
	if s.dialect.Name == engine.SQLite {
		return ConnectionState{Local: true}, s.Ping(ctx)
	}
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT clock_timestamp(), COALESCE(inet_client_addr() <<= '127.0.0.0/8' OR inet_client_addr() = '::1', true), "+
			"COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)", nil, func(r engine.Row) error {
			return r.Scan((*instant)(&st.Clock), &st.Local, &st.Encrypted)
		})
	})
	if err != nil {
		return st, fmt.Errorf("store: connection state: %w", err)
	}
	return st, nil
}

// InstallationValue reads a value of the installation.
func (s *Store) InstallationValue(ctx context.Context, name string) (value string, found bool, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) error {
		found, err = t.row("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{name}, &value)
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("store: installation value %s: %w", name, err)
	}
	return value, found, nil
}
