package submission_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// A process may crash after storing the submission, after leasing the job, or after HMRC has the return. The next
// process asks HMRC first and completes the submission.
func TestCrashBetweenSteps(t *testing.T) {
	for name, c := range map[string]struct {
		die            func(d *harness)
		submits, views int
		reference      bool
	}{
		"before the job is taken": {func(*harness) {}, 1, 0, true},
		"before it is sent":       {func(d *harness) { d.lease() }, 1, 1, true},
		"after it is sent": {func(d *harness) {
			alive := d.service.Store
			d.service.Store = storeAdapter{d.store, true}
			if err := d.service.Send(d.Context(), d.lease()); err == nil {
				d.Error("the crashed process has stored the outcome")
			}
			d.service.Store = alive
		}, 1, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(d *harness) {
				d.connect()
				id := d.draft()
				if err := d.submit(id); !apierr.Is(err, apierr.HMRCUnreachable) {
					d.Errorf("asked: %v", err)
				}
				c.die(d)
				d.advance(jobs.Lease)
				d.send()
				d.expectStatus(id, "SUBMITTED", 1)
				if d.hmrc.Calls("submit") != c.submits || d.hmrc.Calls("view") != c.views {
					d.Errorf("%d submits, %d views", d.hmrc.Calls("submit"), d.hmrc.Calls("view"))
				}
				if got := strings.Contains(string(d.filing(tax.Kind, id).Added), `"hmrcReference":"256660290001"`); got != c.reference {
					d.Errorf("added %s", d.filing(tax.Kind, id).Added)
				}
				d.update(ours, func(tx *store.Tx) error {
					a, found, err := tx.Answer(call(ours).Caller(), "k")
					if !found || a.Status != 200 || !json.Valid([]byte(a.Body)) || !strings.Contains(a.Body, `"note":"HMRC has the return`) {
						d.Errorf("kept: %+v", a)
					}
					return err
				})
			})
		})
	}
}

// A process that has lost its lease changes nothing.
func TestLostLease(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		_ = d.submit(id)
		late := d.lease()
		d.advance(jobs.Lease)
		d.send()
		if err := d.service.Send(d.Context(), late); err != jobs.ErrLeaseLost {
			d.Errorf("late: %v", err)
		}
		d.expectStatus(id, "SUBMITTED", 1)
		if d.hmrc.Calls("submit") != 1 {
			d.Errorf("sent %d times", d.hmrc.Calls("submit"))
		}
	})
}

// An unknown outcome is retried with increasing delays until it is known, also without a connection. A caller who
// submits again makes the next attempt due at once.
func TestUnknownOutcomeIsRetried(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		d.hmrc.InjectFault(mtdtest.LostAnswer, mtdtest.Broken)
		_ = d.submit(id)
		d.send()
		d.expectStatus(id, "DRAFT", 1)
		d.update(ours, func(tx *store.Tx) error {
			if err := d.service.CheckTransition(tx, id, lifecycle.Remove); !apierr.Is(err, apierr.InvalidState) {
				d.Errorf("free: %v", err)
			}
			return d.service.Disconnect(tx, call(ours))
		})
		d.advance(2 * time.Second)
		d.send()
		d.expectStatus(id, "DRAFT", 1)
		if err := d.submit(id); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("without a connection: %v", err)
		}
		d.connect()
		if n := d.send(); n != 0 {
			d.Errorf("%d jobs before their time", n)
		}
		_ = d.submit(id)
		d.send()
		d.expectStatus(id, "SUBMITTED", 1)
		if d.hmrc.Calls("submit") != 1 {
			d.Errorf("sent %d times", d.hmrc.Calls("submit"))
		}
	})
}

// If the database fails while a return waits for the rate limit, nothing is stored; the job is retried later.
func TestStoreFailureDuringRateLimit(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		_ = d.submit(id)
		d.limiter.err = apierr.New(apierr.StoreUnavailable, "away")
		d.send()
		d.expectStatus(id, "DRAFT", 0)
		d.limiter.err = nil
		d.advance(time.Second)
		d.send()
		d.expectStatus(id, "SUBMITTED", 1)
	})
}

// A consent ends after its time, and if its API key is revoked.
func TestConsentEnds(t *testing.T) {
	each(t, func(d *harness) {
		back := d.consent(ours)
		d.advance(10 * time.Minute)
		if err := d.service.Complete(d.Context(), call(ours), back); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("too late: %v", err)
		}
		back = d.consent(ours)
		d.update(ours, func(tx *store.Tx) error { _, err := tx.RevokeKey(keyOf(ours)); return err })
		if err := d.service.Complete(d.Context(), call(ours), back); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("with a key that was revoked: %v", err)
		}
		if d.hmrc.Calls("token") != 0 {
			d.Errorf("%d tokens", d.hmrc.Calls("token"))
		}
	})
}

// A consent that was begun in a browser session can be completed only in that session and for its organisation.
// Attempts of others do not change it.
func TestConsentBelongsToItsSession(t *testing.T) {
	each(t, func(d *harness) {
		by := call(ours)
		by.KeyID = ""
		back := d.consentOf(ours, "session-1", by)
		other := back
		other.SessionID = "session-2"
		for name, c := range map[string]struct {
			org  tenant.ID
			back submission.Redirect
		}{"another session": {ours, other}, "no session": {ours, submission.Redirect{State: back.State, Code: back.Code}}, "another organisation": {theirs, back}} {
			if err := d.service.Complete(d.Context(), call(c.org), c.back); !apierr.Is(err, apierr.InvalidRequest) {
				d.Errorf("%s: %v", name, err)
			}
		}
		if _, found := d.connection(ours); found || d.hmrc.Calls("token") != 0 {
			d.Errorf("%d tokens", d.hmrc.Calls("token"))
		}
		d.update(ours, func(tx *store.Tx) error { _, err := d.service.Pending(tx, back); return err })
		d.must(d.service.Complete(d.Context(), by, back))
		if err := d.service.Complete(d.Context(), by, back); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("a second time: %v", err)
		}
	})
}

// The link of a consent that an API key began works once, for the key's user, for ten minutes and in its organisation.
// An OWNER who is another user may use it only if the key's user cannot sign in.
func TestConsentLinkWorksOnce(t *testing.T) {
	each(t, func(d *harness) {
		link := func() (token string) {
			d.update(ours, func(tx *store.Tx) error {
				address, _, err := d.service.Begin(tx, call(ours), "", mtd.Origin{})
				token = strings.TrimPrefix(address, "https://t.example/connect/")
				return err
			})
			return token
		}
		follow := func(by tenant.Call, token string, anyOwner bool) (err error) {
			d.update(by.Org, func(tx *store.Tx) error {
				_, _, err = d.service.Requests.Continue(tx, by, "session", token, anyOwner)
				return nil
			})
			return err
		}
		other := call(ours)
		other.UserID = "01900000-0000-7000-8000-000000000012"
		token := link()
		for name, err := range map[string]error{
			"another organisation": follow(call(theirs), token, true), "another user": follow(other, token, false), "another token": follow(call(ours), token+"x", true),
		} {
			if !apierr.Is(err, apierr.InvalidRequest) {
				d.Errorf("%s: %v", name, err)
			}
		}
		d.must(follow(call(ours), token, false))
		if err := follow(call(ours), token, false); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("a second time: %v", err)
		}
		d.must(follow(other, link(), true))
		token = link()
		d.advance(10 * time.Minute)
		if err := follow(call(ours), token, false); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("too late: %v", err)
		}
	})
}

// Of several concurrent callers with the same state, one succeeds.
func TestConsentServesOnce(t *testing.T) {
	each(t, func(d *harness) {
		back := d.consent(ours)
		var all sync.WaitGroup
		won := make(chan bool, 8)
		for range 8 {
			all.Go(func() {
				if err := d.service.Complete(d.Context(), call(ours), back); err == nil {
					won <- true
				} else if !apierr.Is(err, apierr.InvalidRequest) {
					d.Errorf("lost: %v", err)
				}
			})
		}
		all.Wait()
		if len(won) != 1 || d.hmrc.Calls("token") != 1 {
			d.Errorf("%d came through, with %d tokens", len(won), d.hmrc.Calls("token"))
		}
	})
}

// A token is stored encrypted, and cannot be decrypted for another organisation's connection.
func TestTokensAreSealed(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		c, _ := d.connection(ours)
		if token := string(c.Token); token == "" || strings.Contains(token, "access") {
			d.Errorf("token %q", token)
		}
		if _, found := d.connection(theirs); found {
			d.Error("they are connected")
		}
		d.update(theirs, func(tx *store.Tx) error {
			if err := tx.PutConnection(c); err != nil {
				return err
			}
			return tx.Enqueue(jobs.Job{ID: d.service.IDs.UUID(), Queue: submission.PeriodsQueue, Subject: c.ID})
		})
		asked := d.hmrc.Calls("obligations")
		d.runJob(submission.PeriodsQueue, d.service.FetchPeriods)
		if c, _ := d.connection(theirs); c.Problem == "" || d.hmrc.Calls("obligations") != asked {
			d.Errorf("it serves them: %+v", c)
		}
	})
}

// A token is refreshed before it expires; the refresh lock of a crashed process expires.
func TestRefreshLockExpires(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		c, _ := d.connection(ours)
		d.advance(4*time.Hour - time.Minute)
		d.update(ours, func(tx *store.Tx) error {
			if ours, err := tx.AcquireRefreshLease(c.ID, "dead", tx.Now().Add(15*time.Second)); !ours || err != nil {
				d.Errorf("no turn: %v", err)
			}
			if again, _ := tx.AcquireRefreshLease(c.ID, "other", tx.Now().Add(15*time.Second)); again {
				d.Error("two have the turn")
			}
			return tx.ReleaseRefreshLease(c.ID, "other")
		})
		done := make(chan int)
		go func() { done <- d.runJob(submission.PeriodsQueue, d.service.FetchPeriods) }()
		select {
		case <-done:
			d.Fatal("it did not wait for its turn")
		case <-time.After(300 * time.Millisecond):
		}
		d.advance(15 * time.Second)
		<-done
		if after, _ := d.connection(ours); after.Token == c.Token || after.Problem != "" || d.hmrc.Calls("token") != 2 {
			d.Errorf("%d tokens, problem %q", d.hmrc.Calls("token"), after.Problem)
		}
	})
}

// Periods have HMRC's due dates and states.
func TestPeriods(t *testing.T) {
	each(t, func(d *harness) {
		mocked := tax.PeriodAt(d.clock()).Record(tax.Mocked)
		d.update(ours, func(tx *store.Tx) error {
			raw, _ := json.Marshal(mocked)
			in, err := d.service.Periods.Parse(raw, tx.Now())
			if err != nil {
				return err
			}
			_, err = d.service.Filings.Create(tx, call(ours), d.service.Periods, in)
			return err
		})
		d.connect()
		current, third := d.period("2026-Q4"), d.period("2026-Q3")
		if current.Source != tax.FromHMRC || third.Source != tax.FromHMRC || third.DueDate != "2026-11-09T23:59:59.999Z" || current.StartDate != mocked.StartDate {
			d.Errorf("periods %+v, %+v", current, third)
		}
		id := d.draft()
		_ = d.submit(id)
		d.send()
		d.expectStatus(id, "SUBMITTED", 1)
		d.advance(time.Hour)
		d.runJob(submission.PeriodsQueue, d.service.FetchPeriods)
		d.update(ours, func(tx *store.Tx) error {
			p, err := tx.FilingByKey(tax.PeriodKind+".period", "2026-Q3")
			if p.Status != tax.Fulfilled {
				d.Errorf("the period is %s: %v", p.Status, err)
			}
			_, err = d.service.Filings.Transition(tx, call(ours), d.service.Returns, id, lifecycle.MarkAccepted, filing.TransitionData{})
			return err
		})
		d.expectStatus(id, "ACCEPTED", 1)
	})
}

func (d *harness) period(key string) (p tax.PeriodRecord) {
	d.Helper()
	d.update(ours, func(tx *store.Tx) error {
		f, err := tx.FilingByKey(tax.PeriodKind+".period", key)
		if err != nil {
			return err
		}
		return json.Unmarshal(f.Body, &p)
	})
	return p
}

// No call is made for a VAT number that is no longer the organisation's, and nothing is sent for a removed connection.
func TestOtherNumber(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		_ = d.submit(id)
		d.update(ours, func(tx *store.Tx) error {
			o, err := tx.Organisation()
			if err != nil {
				return err
			}
			o.Profile = access.Profile{VATNumber: "GB234567891"}
			if err := tx.SaveOrganisation(o); err != nil {
				return err
			}
			return d.service.Disconnect(tx, call(ours))
		})
		d.send()
		d.expectStatus(id, "DRAFT", 0)
		if d.hmrc.Calls("submit") != 0 {
			d.Error("it was sent")
		}
		back := d.consent(ours)
		d.update(ours, func(tx *store.Tx) error {
			o, err := tx.Organisation()
			o.Profile = access.Profile{VATNumber: "GB" + vrn}
			if err != nil {
				return err
			}
			return tx.SaveOrganisation(o)
		})
		d.must(d.service.Complete(d.Context(), call(ours), back))
		asked := d.hmrc.Calls("obligations")
		d.runJob(submission.PeriodsQueue, d.service.FetchPeriods)
		if c, _ := d.connection(ours); !strings.Contains(c.Problem, "234567891") || d.hmrc.Calls("obligations") != asked {
			d.Errorf("problem %q", c.Problem)
		}
	})
}

// A return of a connected organisation cannot be submitted without HMRC.
func TestNoSubmissionWithoutHMRC(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		free := func(by lifecycle.Action) (err error) {
			d.update(ours, func(tx *store.Tx) error { err = d.service.CheckTransition(tx, id, by); return nil })
			return err
		}
		if err := free(lifecycle.Submit); !apierr.Is(err, apierr.InvalidState) {
			d.Errorf("past HMRC: %v", err)
		}
		if err := free(lifecycle.Remove); err != nil {
			d.Errorf("to be deleted: %v", err)
		}
		d.update(ours, func(tx *store.Tx) error { return d.service.Disconnect(tx, call(ours)) })
		if err := free(lifecycle.Submit); err != nil {
			d.Errorf("without a connection: %v", err)
		}
	})
}

// Nothing is sent for a closed organisation.
func TestClosedOrganisation(t *testing.T) {
	each(t, func(d *harness) {
		d.connect()
		id := d.draft()
		_ = d.submit(id)
		d.update(ours, func(tx *store.Tx) error { _, err := tx.CloseOrganisation(tx.Now()); return err })
		d.send()
		d.update(ours, func(tx *store.Tx) error {
			sub, _, err := tx.LatestSubmission(id)
			if sub.State != outbox.Refused || sub.Problem.Message != "The organisation is closed; nothing was sent." {
				d.Errorf("state %s, problem %q", sub.State, sub.Problem.Message)
			}
			return err
		})
		if n := d.hmrc.Calls("submit"); n != 0 {
			d.Errorf("sent %d times", n)
		}
	})
}
