package store

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file, like those of everywhere.go, see all organisations: customs names the upload and not the
// organisation.

// FindFile finds the file of an upload by customs' reference, in any organisation.
func (s *Store) FindFile(ctx context.Context, reference string) (org tenant.ID, id string, found bool, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, id FROM declaration_files WHERE reference = $1", []any{reference}, func(r engine.Row) error {
			found = true
			return r.Scan(&org, &id)
		})
	})
	return org, id, found, wrapError("find file", err)
}
