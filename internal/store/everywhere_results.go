package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// CompleteDeliveries stores the results of attempts.
func (s *Store) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	err := s.updateAll(ctx, func(a allOrgs) error {
		if err := a.complete(all); err != nil {
			return err
		}
		for i := range all {
			r := &all[i]
			a.tx.countAttempt(r.Org, &r.Delivery)
			if r.FailingSince == nil {
				continue
			}
			if err := a.failing(r.Ref, *r.FailingSince); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store: complete deliveries: %w", err)
	}
	return nil
}

// complete stores results: on PostgreSQL with one statement, because each costs it as much as the change of a row.
func (a allOrgs) complete(all []webhook.Completed) error {
	if a.tx.dialect.Name == engine.Postgres {
		if err := a.tx.db.ExecDeferred(ByKeys, nil); err != nil {
			return err
		}
		return a.tx.db.ExecDeferred(completeTogether, togetherArgs(all))
	}
	for i := range all {
		if err := a.tx.db.ExecDeferred(completeDelivery, append([]any{string(all[i].Org)}, completionArgs(&all[i].Delivery)...)); err != nil {
			return err
		}
	}
	return nil
}

// ByKeys lets PostgreSQL find the rows of a list one by one, each by an index that its keys match in full, for the rest of a
// transaction. Without it, it reads whole tables as long as it believes that they are small: a connection keeps the plan that it has
// made then until the tables are analysed, for a minute or more while they grow.
const ByKeys = "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), " +
	"set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true)"

// completeTogether is completeDelivery for a list of results. No column of the key is a parameter by itself: PostgreSQL would
// look for the rows by that one alone.
const completeTogether = "UPDATE deliveries d SET status = r.status, attempts = r.attempts, due_at = r.due_at, http_status = r.http_status, duration_ms = r.duration_ms, " +
	"error = r.error, response = r.response, delivered_at = r.delivered_at, attempted_at = r.attempted_at, answer_headers = r.answer_headers, " +
	"failures = d.failures || r.failure, counted = CASE WHEN r.uncounted THEN d.counted ELSE r.attempts END " +
	"FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::integer[], $6::text[], $7::timestamptz[], $8::integer[], $9::bigint[], " +
	"$10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::text[], $16::boolean[]) " +
	"AS r (org_id, endpoint_id, id, created_at, attempts, status, due_at, http_status, duration_ms, error, response, delivered_at, attempted_at, answer_headers, failure, uncounted) " +
	"WHERE d.org_id = r.org_id AND d.endpoint_id = r.endpoint_id AND d.id = r.id AND d.created_at = r.created_at AND d.attempts = r.attempts - 1"

func togetherArgs(all []webhook.Completed) []any {
	return []any{
		each(all, func(c *webhook.Completed) string { return string(c.Org) }),
		each(all, func(c *webhook.Completed) string { return c.EndpointID }),
		each(all, func(c *webhook.Completed) string { return c.Delivery.ID }),
		each(all, func(c *webhook.Completed) *string { return instant(c.Delivery.CreatedAt).text() }),
		each(all, func(c *webhook.Completed) int { return c.Delivery.Attempts }),
		each(all, func(c *webhook.Completed) string { return string(c.Delivery.Status) }),
		each(all, func(c *webhook.Completed) *string { return instant(c.Delivery.DueAt).text() }),
		each(all, func(c *webhook.Completed) int { return c.Delivery.HTTPStatus }),
		each(all, func(c *webhook.Completed) int64 { return c.Delivery.Duration.Milliseconds() }),
		each(all, func(c *webhook.Completed) string { return storable(c.Delivery.Error) }),
		each(all, func(c *webhook.Completed) string { return storable(c.Delivery.Response) }),
		each(all, func(c *webhook.Completed) *string { return instant(c.Delivery.DeliveredAt).text() }),
		each(all, func(c *webhook.Completed) *string { return instant(c.Delivery.AttemptedAt).text() }),
		each(all, func(c *webhook.Completed) string { return storable(c.Delivery.Headers) }),
		each(all, func(c *webhook.Completed) string { return storable(c.Delivery.Failure()) }),
		each(all, func(c *webhook.Completed) bool { return c.Delivery.Uncounted }),
	}
}

// each returns a value of each result.
func each[T any](all []webhook.Completed, of func(*webhook.Completed) T) []T {
	values := make([]T, len(all))
	for i := range all {
		values[i] = of(&all[i])
	}
	return values
}

func (a allOrgs) failing(r webhook.Ref, since time.Time) error {
	_, err := a.exec("UPDATE endpoints SET failing_since = $3, failing_share = 0, mailed_given_up = FALSE, version = version + 1 WHERE org_id = $1 AND id = $2", string(r.Org), r.EndpointID, instant(since))
	return err
}
