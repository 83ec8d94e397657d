package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A notification concerns the organisations whose messages of an excise number are fetched, those with a consent for it that has not ended, and the one
// with a record of that name: at this authority, in this mode, and no others.
func TestConcernedBy(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		fetches, consents, ended, records, apart := tenant.ID(uuid(11)), tenant.ID(uuid(12)), tenant.ID(uuid(13)), tenant.ID(uuid(14)), tenant.ID(uuid(15))
		const number, other = "GBWK002281023", "GBWK000000001"
		set := map[tenant.ID]func(tx *store.Tx) error{
			fetches: func(tx *store.Tx) error { return tx.PutAuthorityPoll(poll(number, exchange.Live)) },
			consents: func(tx *store.Tx) error {
				return tx.PutConsentToken("emcs", number, consent.Stored{ID: uuid(21), Token: "t"})
			},
			ended: func(tx *store.Tx) error {
				if err := tx.PutConsentToken("emcs", number, consent.Stored{ID: uuid(22), Token: "t"}); err != nil {
					return err
				}
				return tx.EndConsentToken("emcs", number, uuid(22), "revoked")
			},
			records: func(tx *store.Tx) error {
				if err := tx.PutAuthorityRecord(exchange.Registration{FilingID: uuid(31), Authority: "emcs", Mode: exchange.Live, Identifier: other}); err != nil {
					return err
				}
				_, err := tx.AddAuthorityName("emcs", exchange.Live, "movement:1", uuid(31))
				return err
			},
			apart: func(tx *store.Tx) error { return tx.PutAuthorityPoll(poll(number, exchange.Sandbox)) },
		}
		for org, do := range set {
			err := s.Update(t.Context(), org, func(tx *store.Tx) error {
				if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
					return err
				}
				return do(tx)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			authority string
			notice    exchange.Notice
			want      []exchange.Concerned
		}{
			{"emcs", exchange.Notice{Identifier: number}, []exchange.Concerned{{Org: fetches, Identifier: number}, {Org: consents, Identifier: number}}},
			{"emcs", exchange.Notice{Name: "movement:1"}, []exchange.Concerned{{Org: records, Identifier: other}}},
			{"emcs", exchange.Notice{Identifier: number, Name: "movement:1"}, []exchange.Concerned{{Org: fetches, Identifier: number}, {Org: consents, Identifier: number}, {Org: records, Identifier: other}}},
			{"emcs", exchange.Notice{Name: "movement:2"}, nil}, {"gvms", exchange.Notice{Identifier: number, Name: "movement:1"}, nil}, {"emcs", exchange.Notice{}, nil},
		} {
			got, err := s.ConcernedBy(t.Context(), c.authority, exchange.Live, c.notice)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s %+v: %v, %v", c.authority, c.notice, got, err)
			}
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool { return !strings.Contains(query, "authority_polls p WHERE p.authority") }))
	})
}

func poll(number string, mode exchange.Mode) exchange.Poll {
	return exchange.Poll{ID: uuid(41), Authority: "emcs", Mode: mode, Identifier: number}
}

// Identifiers with a consent about which no job asks for notifications are found, at one authority. A job that was given up is none.
func TestUnsubscribed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		asks, lacks, gave, ended, apart := tenant.ID(uuid(11)), tenant.ID(uuid(12)), tenant.ID(uuid(13)), tenant.ID(uuid(14)), tenant.ID(uuid(15))
		const number = "GBWK002281023"
		job := jobs.Job{ID: uuid(51), Queue: exchange.SubscribeQueue, Subject: "emcs " + number}
		for org, do := range map[tenant.ID]func(tx *store.Tx) error{
			asks:  func(tx *store.Tx) error { return tx.Enqueue(job) },
			lacks: func(*store.Tx) error { return nil },
			gave: func(tx *store.Tx) error {
				given := jobs.Job{ID: uuid(52), Queue: job.Queue, Subject: job.Subject}
				return errors.Join(tx.Enqueue(given), tx.GiveUpJob(given, "it failed"))
			},
			ended: func(tx *store.Tx) error { return tx.EndConsentToken("emcs", number, uuid(21), "revoked") },
			apart: func(tx *store.Tx) error {
				return tx.Enqueue(jobs.Job{ID: uuid(53), Queue: job.Queue, Subject: "gvms " + number})
			},
		} {
			err := s.Update(t.Context(), org, func(tx *store.Tx) error {
				if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
					return err
				}
				return errors.Join(tx.PutConsentToken("emcs", number, consent.Stored{ID: uuid(21), Token: "t"}), do(tx))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Unsubscribed(t.Context(), "emcs")
		if want := []exchange.Concerned{{Org: lacks, Identifier: number}, {Org: gave, Identifier: number}, {Org: apart, Identifier: number}}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v", got, err)
		}
		if got, err := s.Unsubscribed(t.Context(), "gvms"); err != nil || got != nil {
			t.Errorf("at another authority: %v, %v", got, err)
		}
		storetest.CheckPlansOf(t, b.Name, slices.DeleteFunc(storetest.Statements(b.Name), func(query string) bool {
			return !strings.Contains(query, "FROM consent_tokens c WHERE c.authority = $1 AND c.token")
		}))
	})
}
