package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A stored answer from a release that did not store the caller is found for seven days, so that
// a retry across the upgrade takes effect once. An answer that held a secret is never found, and
// an answer stored with its caller has priority.
func TestAnswersOfOlderReleases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o, now := b.Options(), time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
		o.Now = func() time.Time { return now }
		s, err := store.Open(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		update(t, s, ours, func(tx *store.Tx) error {
			for key, body := range map[string]string{"plain": `{"id":"1"}`, "secret": "c2VhbGVk", "again": `{"id":"1"}`} {
				insert := "INSERT INTO answers (org_id, key, digest, status, body, created_at) VALUES ('%s', '%s', 'd', 201, '%s', '2026-11-23T09:00:00.000Z')"
				if err := store.ExecUnguarded(tx, fmt.Sprintf(insert, ours, key, body)); err != nil {
					return err
				}
			}
			return tx.SaveAnswer("me", "again", idempotency.Answer{Digest: "mine", Status: 200, Body: `{"id":"2"}`}, idempotency.TTL)
		})
		for _, c := range []struct {
			key, digest string
			after       time.Duration
		}{{"plain", "d", idempotency.TTL - time.Millisecond}, {"plain", "", idempotency.TTL}, {"secret", "", 0}, {"again", "mine", 0}, {"none", "", 0}} {
			now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC).Add(c.after)
			err := s.View(ctx, ours, func(tx *store.Tx) error {
				a, found, err := tx.Answer("me", c.key)
				if a.Digest != c.digest || found != (c.digest != "") {
					t.Errorf("%s after %s: %+v, %t", c.key, c.after, a, found)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
