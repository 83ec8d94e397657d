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

// advised is a kind whose records somebody else has a word in.
func advised(say func(context.Context, tenant.ID, *parcel) (filing.Added, error)) *filing.Type {
	return filing.Definition[parcel]{
		Kind: "test.advised", Hub: "test", Path: "/api/test/advised", One: "parcel", Many: "parcels", Lifecycle: lifecycle.Regulated,
		Derive: func(_ *parcel, now time.Time) filing.Added {
			return filing.Added{"guess": "ours", "day": now.Format(time.DateOnly)}
		},
		Advise: say,
	}.Type()
}

// What others say of a new record is asked once, for the organisation, when it is
// prepared; it stands over what follows from the input, on whatever day it is stored.
func TestAdvice(t *testing.T) {
	each(t, func(d *desk) {
		asked := []tenant.ID{}
		kind := advised(func(_ context.Context, org tenant.ID, p *parcel) (filing.Added, error) {
			asked = append(asked, org)
			return filing.Added{"guess": "theirs of " + p.Name}, nil
		})
		body := json.RawMessage(`{"name":"Tea","weight":1}`)
		in, err := kind.Prepare(ctx, ours, body, nine)
		d.must(err)
		d.now = nine.AddDate(0, 0, 1)
		var f filing.Filing
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) (err error) { f, err = d.service.Create(tx, member, kind, in); return err }))
		if want := `{"day":"2026-11-22","guess":"theirs of Tea"}`; string(f.Added) != want || len(asked) != 1 || asked[0] != ours {
			d.Errorf("added %s after asking for %q", f.Added, asked)
		}
		if _, err := kind.Parse(body, nine); err != nil || len(asked) != 1 {
			d.Errorf("a body that is only parsed: asked %d times, %v", len(asked), err)
		}
		if _, err := kind.Prepare(ctx, ours, json.RawMessage(`[]`), nine); err == nil || len(asked) != 1 {
			d.Errorf("nonsense: asked %d times, %v", len(asked), err)
		}
	})
}

// Nobody but the caller's leaving keeps a record from being prepared, and a kind that
// asks nobody is prepared like it is parsed.
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
