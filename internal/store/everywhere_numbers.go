package store

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file, like those of everywhere.go, see all organisations: they find work for the numbers of deliveries.

// ChangedNumbers finds the first organisation after another one whose stored numbers do not have all changes; empty if there is
// none.
func (s *Store) ChangedNumbers(ctx context.Context, after tenant.ID) (tenant.ID, error) {
	return s.organisationOf(ctx, "SELECT c.org_id FROM delivery_changes c WHERE c.org_id > $1 ORDER BY c.org_id LIMIT 1", orNil(string(after)))
}

// UncountedDeliveries finds an organisation with deliveries or attempts that are not counted; empty if there is none.
func (s *Store) UncountedDeliveries(ctx context.Context) (tenant.ID, error) {
	return s.organisationOf(ctx, "SELECT org_id FROM deliveries WHERE org_id > $1 AND "+isUncounted+" ORDER BY org_id LIMIT 1", nilID)
}

// organisationOf returns the organisation that a statement finds; empty for none.
func (s *Store) organisationOf(ctx context.Context, query string, args ...any) (org tenant.ID, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows(query, args, func(r engine.Row) error { return r.Scan(&org) })
	})
	return org, wrapError("organisations with numbers", err)
}

// numberStep is the number of rows that one transaction deletes.
const numberStep = 2000

// DropNumbers deletes stored numbers of deliveries that were created before an instant.
func (s *Store) DropNumbers(ctx context.Context, before time.Time) error {
	const key = "org_id, endpoint_id, span, at, event_type"
	for n := int64(numberStep); n == numberStep; {
		err := s.updateAll(ctx, func(a allOrgs) (err error) {
			n, err = a.exec("DELETE FROM delivery_numbers WHERE ("+key+") IN (SELECT "+key+" FROM delivery_numbers WHERE at < $1 ORDER BY at LIMIT $2"+computed+")",
				instant(before.Add(-longestSpan)), numberStep)
			return err
		})
		if err != nil {
			return wrapError("drop numbers", err)
		}
	}
	return nil
}

// longestSpan is the longest time that a row has numbers of.
const longestSpan = 24 * time.Hour
