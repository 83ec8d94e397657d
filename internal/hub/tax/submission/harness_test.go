package submission_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const (
	vrn      = "123456782"
	redirect = "http://127.0.0.1:9/back"
	person   = "01900000-0000-7000-8000-000000000011"
	key      = "01900000-0000-7000-8000-000000000022"

	ours   tenant.ID = "01900000-0000-7000-8000-000000000001"
	theirs tenant.ID = "01900000-0000-7000-8000-000000000002"
)

// harness is a service with a real store, a simulator of HMRC behind a real socket, and a clock that the test moves.
type harness struct {
	*testing.T
	now     atomic.Int64
	store   *store.Store
	hmrc    *mtdtest.HMRC
	limiter fakeLimiter
	service *submission.Service
}

func each(t *testing.T, run func(d *harness)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		d := &harness{T: t}
		d.now.Store(time.Date(2026, 10, 12, 9, 0, 0, 0, time.UTC).UnixMilli())
		d.open(b)
		run(d)
	})
}

func (d *harness) clock() time.Time         { return time.UnixMilli(d.now.Load()).UTC() }
func (d *harness) advance(by time.Duration) { d.now.Add(by.Milliseconds()) }
func (d *harness) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// fakeLimiter gives one at once, unless there is a reason not to.
type fakeLimiter struct{ err error }

func (t *fakeLimiter) Wait(context.Context) error { return t.err }

// storeAdapter is the store as the service declares it; after a crash it writes nothing.
type storeAdapter struct {
	*store.Store
	crashed bool
}

var errCrashed = errors.New("the process is dead")

func (w storeAdapter) ViewVAT(ctx context.Context, org tenant.ID, fn func(submission.Tx) error) error {
	return w.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) UpdateVAT(ctx context.Context, org tenant.ID, fn func(submission.Tx) error) error {
	if w.crashed {
		return errCrashed
	}
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (d *harness) open(b storetest.Backend) {
	d.Helper()
	ids := ident.NewSource(rand.NewChaCha8([32]byte{7}), d.clock)
	o := b.Options()
	o.Now = d.clock
	var err error
	d.store, err = store.Open(d.Context(), o)
	d.must(err)
	d.Cleanup(func() { _ = d.store.Close() })
	d.hmrc = mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: redirect, Now: d.clock,
		Obligations: map[string][]mtdtest.Obligation{vrn: {
			{PeriodKey: "26D1", Start: "2026-10-01", End: "2026-12-31", Due: "2027-02-07"},
			{PeriodKey: "26C1", Start: "2026-07-01", End: "2026-09-30", Due: "2026-11-09"},
		}},
	})
	server := httptest.NewServer(d.hmrc)
	d.Cleanup(server.Close)
	client, err := mtd.New(mtd.Settings{BaseURL: server.URL, ClientID: "app", ClientSecret: "secret", RedirectURL: redirect}, &d.limiter, d.clock)
	d.must(err)
	d.Cleanup(client.Close)
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	d.must(err)
	sealer, err := aead.New(handle)
	d.must(err)
	returns, periods := tax.Returns("import_vat").Kind().Type, tax.Periods(tax.Mocked).Type
	d.service = &submission.Service{
		Store: storeAdapter{Store: d.store}, Filings: &filing.Service{IDs: ids, Types: map[string]*filing.Type{tax.Kind: returns, tax.PeriodKind: periods}},
		Returns: returns, Periods: periods, Client: client, Sealer: sealer, IDs: ids, Interval: time.Hour, Log: slog.New(slog.DiscardHandler),
		Requests: &consent.Requests{IDs: ids, Sealer: sealer, PublicURL: "https://t.example/", Authorities: map[string]func(state, verifier string) string{submission.Authority: client.Consent}},
	}
	d.must(d.store.AddUser(d.Context(), access.User{ID: person, Name: "P"}))
	for _, org := range []tenant.ID{ours, theirs} {
		d.update(org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, Profile: access.Profile{VATNumber: "GB" + vrn}, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
				return err
			}
			return errors.Join(tx.AddMember(person, tenant.Owner), tx.AddKey(access.Key{ID: keyOf(org), UserID: person, Role: tenant.Owner, Hash: string(org), CreatedAt: tx.Now()}))
		})
	}
}

func keyOf(org tenant.ID) string { return key[:len(key)-1] + string(org[len(org)-1]) }

func (d *harness) update(org tenant.ID, fn func(*store.Tx) error) {
	d.Helper()
	d.must(d.store.Update(d.Context(), org, fn))
}

func call(org tenant.ID) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: person, Role: tenant.Owner, KeyID: keyOf(org), Type: tenant.ByUser}}
}

// consent begins a consent of an organisation and gives it; it is what leads back.
func (d *harness) consent(org tenant.ID) submission.Redirect {
	d.Helper()
	return d.consentOf(org, "", call(org))
}

// consentOf begins a consent in a browser session, or by the key of the call, whose link a session then opens.
func (d *harness) consentOf(org tenant.ID, session string, by tenant.Call) submission.Redirect {
	d.Helper()
	var address string
	d.update(org, func(tx *store.Tx) (err error) {
		if address, _, err = d.service.Begin(tx, by, session, mtd.Origin{}); err != nil || session != "" {
			return err
		}
		session = "session-of-the-link"
		address, _, err = d.service.Requests.Continue(tx, call(org), session, path.Base(address), false)
		return err
	})
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Get(address)
	d.must(err)
	_ = response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	d.must(err)
	return submission.Redirect{State: back.Query().Get("state"), Code: back.Query().Get("code"), SessionID: session}
}

// connect connects our organisation, with HMRC's periods.
func (d *harness) connect() {
	d.Helper()
	d.must(d.service.Complete(d.Context(), call(ours), d.consent(ours)))
	d.runJob(submission.PeriodsQueue, d.service.FetchPeriods)
}

func (d *harness) connection(org tenant.ID) (c submission.Connection, found bool) {
	d.Helper()
	d.must(d.store.View(d.Context(), org, func(tx *store.Tx) (err error) { c, found, err = tx.Connection(); return err }))
	return c, found
}

// runJob runs the jobs of a queue that are due and returns their number.
func (d *harness) runJob(queue string, do func(context.Context, jobs.Job) error) int {
	d.Helper()
	p := &jobs.Pump{Queue: jobs.Queue{Name: queue, Workers: 1, Do: do, Backoff: []time.Duration{time.Second, time.Second}}, Store: d.store, Log: slog.New(slog.DiscardHandler)}
	n, err := p.Step(d.Context())
	d.must(err)
	return n
}

func (d *harness) send() int {
	d.Helper()
	return d.runJob(submission.SendQueue, d.service.Send)
}

// lease makes the one due job of sending ours, as a process does before it dies.
func (d *harness) lease() jobs.Job {
	d.Helper()
	jobs, err := d.store.LeaseJobs(d.Context(), submission.SendQueue, 1, jobs.Lease)
	d.must(err)
	if len(jobs) != 1 {
		d.Fatalf("%d jobs are due", len(jobs))
	}
	return jobs[0]
}

// draft draws a return of the third quarter up.
func (d *harness) draft() (id string) {
	d.Helper()
	d.update(ours, func(tx *store.Tx) error {
		p, err := tx.FilingByKey(tax.PeriodKind+".period", "2026-Q3")
		if err != nil {
			return err
		}
		ten := quantity.MustMoney("10")
		raw, _ := json.Marshal(tax.Return{PeriodID: p.ID, PeriodKey: "2026-Q3", VATNumber: "GB" + vrn, Box1VATDueSales: ten, Box3TotalVATDue: ten, Box5NetVAT: ten})
		in, err := d.service.Returns.Parse(raw, tx.Now())
		if err != nil {
			return err
		}
		f, err := d.service.Filings.Create(tx, call(ours), d.service.Returns, in)
		id = f.ID
		return err
	})
	return id
}

// submit submits a return and leaves before anything is sent.
func (d *harness) submit(id string) error {
	ctx, leave := context.WithTimeout(d.Context(), 150*time.Millisecond)
	defer leave()
	_, err := d.service.Submit(ctx, submission.Request{Request: outbox.Request{Call: call(ours), Key: "k", Digest: "d"}}, id)
	return err
}

func (d *harness) filing(kind, id string) (f filing.Filing) {
	d.Helper()
	d.must(d.store.View(d.Context(), ours, func(tx *store.Tx) (err error) { f, err = tx.Filing(kind, id); return err }))
	return f
}

// expectStatus fails the test unless the return has a status and HMRC has so many returns.
func (d *harness) expectStatus(id, status string, returns int) {
	d.Helper()
	if f := d.filing(tax.Kind, id); string(f.Status) != status || d.hmrc.Returns() != returns {
		d.Errorf("the return is %s and HMRC has %d, not %s and %d", f.Status, d.hmrc.Returns(), status, returns)
	}
}
