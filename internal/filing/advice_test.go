package filing_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// advised returns a kind with an external adviser.
func advised(advise func(context.Context, tenant.ID, *parcel) (filing.Added, error)) *filing.Type {
	return filing.Definition[parcel]{
		Kind: "test.advised", Hub: "test", Path: "/api/test/advised", Singular: "parcel", Plural: "parcels", Lifecycle: lifecycle.Regulated,
		Derive: func(_ *parcel, now time.Time) filing.Added {
			return filing.Added{"guess": "ours", "day": now.Format(time.DateOnly)}
		},
		Advise: advise,
	}.Type()
}

// The adviser of a new record is called once, when it is prepared. Derived members have precedence over its answer.
func TestAdvice(t *testing.T) {
	each(t, func(e *env) {
		asked := []tenant.ID{}
		kind := advised(func(_ context.Context, org tenant.ID, p *parcel) (filing.Added, error) {
			asked = append(asked, org)
			return filing.Added{"guess": "theirs of " + p.Name}, nil
		})
		body := json.RawMessage(`{"name":"Tea","weight":1}`)
		in, err := kind.Prepare(ctx, ours, body, nine)
		e.must(err)
		e.now = nine.AddDate(0, 0, 1)
		var f filing.Filing
		e.must(e.store.Update(ctx, ours, func(tx *store.Tx) (err error) { f, err = e.service.Create(tx, member, kind, in); return err }))
		if want := `{"day":"2026-11-22","guess":"theirs of Tea"}`; string(f.Added) != want || len(asked) != 1 || asked[0] != ours {
			e.Errorf("added %s after asking for %q", f.Added, asked)
		}
		if _, err := kind.Parse(body, nine); err != nil || len(asked) != 1 {
			e.Errorf("a body that is only parsed: asked %d times, %v", len(asked), err)
		}
		if _, err := kind.Prepare(ctx, ours, json.RawMessage(`[]`), nine); err == nil || len(asked) != 1 {
			e.Errorf("invalid body: asked %d times, %v", len(asked), err)
		}
	})
}

// An error of the adviser is returned. Without an adviser, Prepare does the same as Parse.
func TestAdviceFails(t *testing.T) {
	gone := errors.New("gone")
	kind := advised(func(context.Context, tenant.ID, *parcel) (filing.Added, error) { return nil, gone })
	if _, err := kind.Prepare(ctx, ours, json.RawMessage(`{"name":"Tea","weight":1}`), nine); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if in, err := parcels().Prepare(ctx, ours, json.RawMessage(`{"name":"Tea","weight":1}`), nine); err != nil || !strings.Contains(string(in.Raw), "Tea") {
		t.Errorf("%s %v", in.Raw, err)
	}
}
