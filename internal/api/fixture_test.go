package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// testStore adapts the store to the interface of the API.
type testStore struct{ *store.Store }

func (s testStore) View(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s testStore) ViewSingle(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.ViewSingle(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s testStore) Update(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// fixture is a running API with one organisation, on a real SQLite store.
type fixture struct {
	*testing.T
	url    string
	store  testStore
	access *access.Service
	org    tenant.ID
	user   string
	key    string // OWNER
	server *api.Server
	log    *strings.Builder // complete after stop
	stop   func()
}

// newFixture starts an API with the Hubs customs and tss; change can replace its options.
func newFixture(t *testing.T, change func(*api.Options)) *fixture {
	t.Helper()
	ids := ident.NewSource(rand.NewChaCha8([32]byte{7}), time.Now)
	f := &fixture{T: t, store: testStore{storetest.SQLite(t).Open(t)}, access: &access.Service{IDs: ids}, user: ids.UUID(), log: &strings.Builder{}}
	f.org = tenant.ID(ids.UUID())
	f.must(f.store.AddUser(t.Context(), access.User{ID: f.user, Name: "Olive"}))
	f.must(f.store.Update(t.Context(), f.org, func(tx api.Tx) error {
		founded, err := f.access.CreateOrganisation(tx, f.call(), f.user, "Quay Ltd", access.Profile{})
		f.key = founded.Secret
		return err
	}))
	types := []*filing.Type{customs.Clients.Type(), tss.Declarations.Type()}
	o := api.Options{
		Store: f.store, Access: f.access, Filings: &filing.Service{IDs: ids}, Customs: &customs.Service{Type: customs.Declarations(tariff.Embedded(), nil, nil).Type(), Consents: &consent.Service{Kind: customs.Consents().Type()}}, Types: types,
		Statements: &statement.Service{}, VAT: &submission.Service{}, Authorities: &exchange.Service{}, Webhooks: &webhook.Service{Catalogue: webhook.NewCatalogue(types)}, IDs: ids,
		Hubs:    []api.Hub{{ID: "customs"}, {ID: "tss", Bookable: true}, {ID: submission.HubID}},
		Limiter: ratelimit.NewMemory(time.Now), Now: time.Now, WallClock: time.Now, Tariff: tariff.EmbeddedSnapshot, PublicURL: "http://127.0.0.1",
		Log: slog.New(slog.NewTextHandler(f.log, nil)), Observe: func(context.Context, string, int, time.Duration) {},
	}
	if change != nil {
		change(&o)
	}
	f.server = api.New(o)
	server := httptest.NewServer(new(clientaddr.Resolver).Handler(f.server))
	f.stop = server.Close
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) call() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: f.org, UserID: f.user, Role: tenant.Owner, Type: tenant.ByUser}}
}

// newKey returns the secret of a further key of the organisation.
func (f *fixture) newKey(k access.NewKey) (secret string) {
	f.Helper()
	k.Name = "Test"
	f.must(f.store.Update(f.Context(), f.org, func(tx api.Tx) (err error) {
		_, secret, err = f.access.IssueKey(tx, f.call(), f.user, k)
		return err
	}))
	return secret
}

// answer is a response with the members of an error body.
type answer struct {
	status             int
	header             http.Header
	text               string
	Error              string
	Message, RequestID string
	Details            []struct{ Field, Message string }
}

// send sends a request with the OWNER key unless the headers, pairs of name and value, have another.
func (f *fixture) send(method, path, body string, headers ...string) (a answer) {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), method, f.url+path, strings.NewReader(body))
	f.must(err)
	r.Header.Set("Authorization", "Bearer "+f.key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	f.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	f.must(err)
	_ = json.Unmarshal(text, &a)
	a.status, a.header, a.text = response.StatusCode, response.Header, string(text)
	return a
}
