package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file see all organisations.

// maxUnsubscribed is the number of consents that [Store.Unsubscribed] returns.
const maxUnsubscribed = 10_000

// Unsubscribed lists the identifiers with a consent at an authority, of all organisations, for which there is no job that asks for notifications.
func (s *Store) Unsubscribed(ctx context.Context, authority string) (all []exchange.Concerned, err error) {
	const query = "SELECT c.org_id, c.identifier FROM consent_tokens c WHERE c.authority = $1 AND c.token <> '' AND NOT EXISTS " +
		"(SELECT 1 FROM jobs j WHERE j.org_id = c.org_id AND j.queue = $2 AND j.subject = $3 || c.identifier AND j.state = 'due') ORDER BY c.org_id, c.identifier LIMIT $4"
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows(query, []any{authority, exchange.SubscribeQueue, authority + " ", maxUnsubscribed}, func(r engine.Row) error {
			var c exchange.Concerned
			err := r.Scan(&c.Org, &c.Identifier)
			all = append(all, c)
			return err
		})
	})
	return all, wrapError("consents without a subscription", err)
}

// ConcernedBy lists the identifiers of organisations whose messages a notification of an authority is about: those that it names, if they were
// fetched before or there is a consent for them, and those of the records that it names.
func (s *Store) ConcernedBy(ctx context.Context, authority string, mode exchange.Mode, n exchange.Notice) (all []exchange.Concerned, err error) {
	var parts []string
	args := []any{authority, string(mode)}
	if n.Identifier != "" {
		args = append(args, n.Identifier)
		parts = append(parts, "SELECT p.org_id, p.identifier FROM authority_polls p WHERE p.authority = $1 AND p.mode = $2 AND p.identifier = $3",
			"SELECT c.org_id, c.identifier FROM consent_tokens c WHERE c.authority = $1 AND c.identifier = $3 AND c.token <> ''")
	}
	if n.Name != "" {
		args = append(args, n.Name)
		parts = append(parts, fmt.Sprintf("SELECT r.org_id, r.identifier FROM authority_names m JOIN authority_records r ON r.org_id = m.org_id AND r.filing_id = m.filing_id "+
			"WHERE m.authority = $1 AND m.mode = $2 AND m.name = $%d", len(args)))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	query := "SELECT org_id, identifier FROM (" + strings.Join(parts, " UNION ") + ") AS found ORDER BY org_id, identifier LIMIT 100" + computed
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows(query, args, func(r engine.Row) error {
			var c exchange.Concerned
			err := r.Scan(&c.Org, &c.Identifier)
			all = append(all, c)
			return err
		})
	})
	return all, wrapError("organisations of a notification", err)
}
