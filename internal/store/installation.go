package store

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// InitInstallationValue stores a value of the installation unless there is one, and returns the stored value:
// the first of several instances decides.
func (s *Store) InitInstallationValue(ctx context.Context, name, value string) (stored string, err error) {
	err = s.Update(ctx, tenant.Operator, func(t *Tx) error {
		if _, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", name, value); err != nil {
			return err
		}
		_, err := t.row("SELECT value FROM installation WHERE org_id = $1 AND name = $2", []any{name}, &stored)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("store: init installation value %s: %w", name, err)
	}
	return stored, nil
}
