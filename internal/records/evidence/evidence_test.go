package evidence_test

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const org = tenant.ID("01900000-0000-7000-8000-000000000001")

// parcel is a minimal body of a filing.
type parcel struct {
	Name string `json:"name"`
}

var parcels = filing.Definition[parcel]{
	Kind: "test.parcel", Hub: "test", Path: "/api/parcels", Singular: "parcel", Plural: "parcels", Tag: "Test", Lifecycle: lifecycle.Regulated,
}

// fixture is a store with an organisation and one record.
type fixture struct {
	testing.TB
	*store.Store
	ids    *ident.Source
	pack   *evidence.Service
	kind   *filing.Type
	record string
}

func newFixture(t testing.TB, b storetest.Backend) *fixture {
	t.Helper()
	o := &fixture{TB: t, Store: b.Open(t), ids: ident.NewSource(crand.Reader, time.Now), kind: parcels.Type()}
	filings := &filing.Service{IDs: o.ids}
	o.pack = &evidence.Service{
		Store: o, Filings: filings, NewID: o.ids.UUID, Semaphore: bulk.NewExportSemaphore(), Version: "test",
		Notary: audit.NewNotary(o, &audit.Tiler{Store: o, Log: slog.New(slog.DiscardHandler)}, bytes.Repeat([]byte{7}, 32)),
	}
	o.update(func(tx *store.Tx) error {
		if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "A", CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		in, err := o.kind.Parse([]byte(`{"name":"x"}`), tx.Now())
		if err != nil {
			return err
		}
		f, err := filings.Create(tx, o.call(), o.kind, in)
		o.record = f.ID
		return err
	})
	return o
}

func (o *fixture) call() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Owner, Type: tenant.ByUser}}
}

func (o *fixture) update(fn func(*store.Tx) error) {
	o.Helper()
	if err := o.Update(o.Context(), org, fn); err != nil {
		o.Fatal(err)
	}
}

func (o *fixture) ViewEvidence(ctx context.Context, org tenant.ID, fn func(evidence.Tx) error) error {
	return o.View(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

func (o *fixture) ViewTree(ctx context.Context, org tenant.ID, fn func(audit.TreeTrail) error) error {
	return o.View(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

func (o *fixture) UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error {
	return o.Update(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

// addEvents adds events; one in every belongs to the record.
func (o *fixture) addEvents(count, every int) {
	o.Helper()
	const portion = 5000
	for done := 0; done < count; done += portion {
		o.update(func(tx *store.Tx) error {
			for n := done; n < min(count, done+portion); n++ {
				e := audit.Event{ID: o.ids.UUID(), Hub: "test", Type: "test.parcel.seen", ResourceType: "test.parcel", ResourceID: "another"}
				if n%every == 0 {
					e.ResourceID = o.record
				}
				if err := tx.Record(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// make writes the record's pack.
func (o *fixture) make(w io.Writer) error {
	return o.pack.Make(o.Context(), o.call(), o.kind, o.record, func(string) io.Writer { return w })
}

// A record whose events are spread over a long trail has a valid pack. With TIDEWAITER_LONG=1 the
// trail has 100,000 events.
func TestLongTrail(t *testing.T) {
	count, every := 2000, 7
	if os.Getenv("TIDEWAITER_LONG") != "" {
		count, every = 100_000, 1000
	}
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b)
		o.addEvents(count, every)
		if err := o.make(io.Discard); err != nil { // the first one also writes the tiles
			t.Fatal(err)
		}
		var pack bytes.Buffer
		if err := o.make(&pack); err != nil {
			t.Fatal(err)
		}
		r, err := check.Pack(bytes.NewReader(pack.Bytes()), int64(pack.Len()))
		if err != nil || !r.OK() || !strings.HasPrefix(r.Findings[3].Text, fmt.Sprintf("All %d events", (count-1)/every+2)) {
			t.Errorf("%v, %+v", err, r)
		}
	})
}

// BenchmarkLongTrail measures the pack of a record with 100 of 100,000 events.
func BenchmarkLongTrail(b *testing.B) {
	o := newFixture(b, storetest.SQLite(b))
	o.addEvents(100_000, 1000)
	if err := o.make(io.Discard); err != nil { // the first one also writes the tiles
		b.Fatal(err)
	}
	for b.Loop() {
		if err := o.make(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// send adds messages sent for the record.
func (o *fixture) send(count, size int) {
	o.Helper()
	body := hex.EncodeToString(o.ids.Bytes(size / 2)) // hardly compressible
	o.update(func(tx *store.Tx) error {
		for range count {
			m := customs.Transmission{
				Item:    outbox.Item{ID: o.ids.UUID(), FilingID: o.record, State: outbox.Refused, CreatedAt: tx.Now()},
				Purpose: "submit", Body: body,
			}
			if err := tx.AddTransmission(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// peak measures the memory in use while it is written to.
type peak struct{ writes, most uint64 }

func (p *peak) Write(b []byte) (int, error) {
	if p.writes++; p.writes%64 == 0 {
		p.most = max(p.most, inUse())
	}
	return len(b), nil
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A record with many large messages is packed without holding them all in memory.
func TestPackIsStreamed(t *testing.T) {
	const count, size = 100, 200 << 10
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b)
		o.send(count, size)
		before, p := inUse(), &peak{}
		if err := o.make(p); err != nil {
			t.Fatal(err)
		}
		p.most = max(p.most, inUse())
		if grown := int64(p.most) - int64(before); grown > count*size/3 {
			t.Errorf("%d MB in use for a pack of %d MB", grown>>20, count*size>>20)
		}
	})
}

// A record with too many messages is rejected before the first byte, without an audit event.
func TestTooMany(t *testing.T) {
	o := newFixture(t, storetest.SQLite(t))
	o.send(evidence.MaxMessages+1, 2)
	var pack bytes.Buffer
	if err := o.make(&pack); !apierr.Is(err, apierr.InvalidState) || pack.Len() > 0 {
		t.Errorf("got %v and %d bytes", err, pack.Len())
	}
	err := o.View(t.Context(), org, func(tx *store.Tx) error {
		n, err := tx.CountEvents(audit.Query{Type: evidence.Exported, Limit: 1})
		if n != 0 {
			t.Error("there is an event")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A pack of another organisation's record, or under another kind, cannot be made.
func TestTenantIsolation(t *testing.T) {
	o := newFixture(t, storetest.SQLite(t))
	foreignCall := o.call()
	foreignCall.Org = "01900000-0000-7000-8000-000000000002"
	other := *o.kind
	other.Kind = "test.other"
	nowhere := func(string) io.Writer { t.Error("the pack was started"); return io.Discard }
	foreign := o.pack.Make(t.Context(), foreignCall, o.kind, o.record, nowhere)
	mistaken := o.pack.Make(t.Context(), o.call(), &other, o.record, nowhere)
	if !apierr.Is(foreign, apierr.NotFound) || !apierr.Is(mistaken, apierr.NotFound) {
		t.Errorf("got %v and %v", foreign, mistaken)
	}
}

// A pack contains personal values beside the events; after their erasure it says so. Both packs are valid.
func TestPackOfErasedValues(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := newFixture(t, b)
		o.update(func(tx *store.Tx) error {
			return tx.Record(audit.Event{ID: o.ids.UUID(), Hub: "test", Type: "test.parcel.seen", ResourceType: "test.parcel", ResourceID: o.record, IPAddress: "192.0.2.7"})
		})
		for _, want := range []string{"Personal values: 1 unchanged, 0 erased.", "Personal values: 0 unchanged, 1 erased."} {
			var pack bytes.Buffer
			if err := o.make(&pack); err != nil {
				t.Fatal(err)
			}
			r, err := check.Pack(bytes.NewReader(pack.Bytes()), int64(pack.Len()))
			if err != nil || !r.OK() || !strings.HasSuffix(r.Findings[3].Text, want) {
				t.Errorf("%v, %+v", err, r)
			}
			o.update(func(tx *store.Tx) error {
				all, err := tx.EventsAbout(o.record, 0, 10)
				for i := range all {
					if all[i].Erase((*audit.Personal).IsAddress) > 0 && err == nil {
						err = tx.SavePersonal(&all[i])
					}
				}
				return err
			})
		}
	})
}
