package audit_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const org = tenant.ID("01900000-0000-7000-8000-000000000001")

var nine = time.Date(2026, 11, 21, 9, 0, 0, 7_999_999, time.UTC)

// full returns an event with a value in every field and with characters that JSON escapes.
func full() audit.Event {
	return audit.Event{
		ID: "e-1", OccurredAt: nine, Hub: "tss", Type: "tss.declaration.submitted", ResourceType: "tss.declaration", ResourceID: "r-1",
		FromStatus: "DRAFT", ToStatus: "SUBMITTED", ActorUserID: "u-1", ActorType: tenant.ByUser, KeyID: "k-1",
		RequestID: `a"b\c`, IPAddress: "2001:db8::1", Data: []byte(`{"reason":"Łódź <&> ` + "\u2028" + `"}`),
	}
}

// trail returns a valid chain of n events.
func trail(n int) []audit.Event {
	events := make([]audit.Event, n)
	previous := audit.Genesis
	for i := range events {
		events[i] = full()
		events[i].ID, events[i].OccurredAt = fmt.Sprintf("e-%d", i+1), nine.Add(time.Duration(i)*time.Second)
		events[i].Seal(org, int64(i), previous)
		previous = events[i].Hash
	}
	return events
}

// The digest of an event never changes, so trails that were recorded years ago still verify.
func TestDigestIsStable(t *testing.T) {
	e := full()
	e.Seal(org, 41, strings.Repeat("0", 64))
	const golden = "bcf6564f35f0686b55364bb4188f5689fbb2670550c5f0891a564a1940cd25e6"
	if e.Sequence != 42 || e.Hash != golden || e.Digest(org) != golden {
		t.Errorf("event %d: %s", e.Sequence, e.Hash)
	}
}

// The documentation is enough to compute the digest: it is the SHA-256 of the JSON array of
// strings that the comment of Digest describes.
func TestDigestByHand(t *testing.T) {
	e := full()
	e.Seal(org, 0, audit.Genesis)
	canonical := `["tidewaiter-audit-1","01900000-0000-7000-8000-000000000001","1","e-1","2026-11-21T09:00:00.007Z",` +
		`"tss","tss.declaration.submitted","tss.declaration","r-1","DRAFT","SUBMITTED",` +
		`"u-1","user","k-1","a\"b\\c","2001:db8::1","{\"reason\":\"Łódź \u003c\u0026\u003e \u2028\"}",""]`
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(canonical))); got != e.Hash {
		t.Errorf("by hand %s, by the program %s", got, e.Hash)
	}
}

// The digest covers every field of an event.
func TestDigestCoversEveryField(t *testing.T) {
	sealed := full()
	sealed.Seal(org, 0, audit.Genesis)
	for i := range reflect.TypeFor[audit.Event]().NumField() {
		name := reflect.TypeFor[audit.Event]().Field(i).Name
		if name == "Hash" || name == "Personal" { // the values beside the event have hashes of their own
			continue
		}
		changed := sealed
		switch f := reflect.ValueOf(&changed).Elem().Field(i); f.Interface().(type) {
		case int64:
			f.SetInt(f.Int() + 1)
		case time.Time:
			f.Set(reflect.ValueOf(sealed.OccurredAt.Add(time.Millisecond)))
		case string, tenant.ActorType:
			f.SetString(f.String() + " ")
		default:
			f.SetBytes([]byte(`{}`))
		}
		if changed.Digest(org) == sealed.Hash {
			t.Errorf("%s can be changed", name)
		}
	}
	if sealed.Digest(org+"x") == sealed.Hash {
		t.Error("the organisation can be changed")
	}
}

// Moving text from one field to the next changes the digest.
func TestDigestSeparatesFields(t *testing.T) {
	a, b := full(), full()
	a.Hub, a.Type = "ab", "c"
	b.Hub, b.Type = "a", "bc"
	if a.Digest(org) == b.Digest(org) {
		t.Error("two events share a digest")
	}
}

// A valid trail verifies from its first event to its last.
func TestValidChain(t *testing.T) {
	chain := audit.Chain{Org: org}
	for _, e := range trail(20) {
		if err := chain.Next(e); err != nil {
			t.Fatal(err)
		}
	}
	if chain.Last.Sequence != 20 {
		t.Errorf("last is %d", chain.Last.Sequence)
	}
}

// Verification names the first event that was changed, removed, inserted or moved.
func TestBrokenChain(t *testing.T) {
	for _, c := range []struct {
		name  string
		touch func([]audit.Event) []audit.Event
		want  string
	}{
		{"data changed", func(e []audit.Event) []audit.Event { e[2].Data = []byte(`{}`); return e }, "event 3 (e-3) has been changed"},
		{"status changed", func(e []audit.Event) []audit.Event { e[2].ToStatus = "ACCEPTED"; return e }, "event 3 (e-3) has been changed"},
		{"changed and sealed again", func(e []audit.Event) []audit.Event {
			e[2].Data = nil
			e[2].Hash = e[2].Digest(org)
			return e
		}, "event 4 (e-4) does not follow the event before it"},
		{"hash removed", func(e []audit.Event) []audit.Event { e[2].Hash = ""; return e }, "event 3 (e-3) has been changed"},
		{"one missing", func(e []audit.Event) []audit.Event { return append(e[:2], e[3:]...) }, "event 4 (e-4) follows event 2: 1 missing"},
		{"one missing, the rest renumbered", func(e []audit.Event) []audit.Event {
			e = append(e[:2], e[3:]...)
			for i := range e {
				e[i].Sequence = int64(i + 1)
			}
			return e
		}, "event 3 (e-4) does not follow the event before it"},
		{"two swapped", func(e []audit.Event) []audit.Event { e[2], e[3] = e[3], e[2]; return e }, "event 4 (e-4) follows event 2: 1 missing"},
		{"two swapped, with their numbers", func(e []audit.Event) []audit.Event {
			e[2], e[3] = e[3], e[2]
			e[2].Sequence, e[3].Sequence = 3, 4
			return e
		}, "event 3 (e-4) does not follow the event before it"},
		{"one twice", func(e []audit.Event) []audit.Event { return append(e[:3], e[2:]...) }, "event 3 (e-3) follows event 3"},
		{"the first missing", func(e []audit.Event) []audit.Event { return e[1:] }, "event 2 (e-2) follows event 0: 1 missing"},
		{"the first missing, the rest renumbered", func(e []audit.Event) []audit.Event {
			e = e[1:]
			for i := range e {
				e[i].Sequence = int64(i + 1)
			}
			return e
		}, "event 1 (e-2) does not follow the event before it"},
		{"another organisation's", func(e []audit.Event) []audit.Event {
			e[2].Seal("another-organisation", 2, e[1].Hash)
			return e
		}, "event 3 (e-3) has been changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			chain := audit.Chain{Org: org}
			var broken error
			for _, e := range c.touch(trail(5)) {
				if broken = chain.Next(e); broken != nil {
					break
				}
			}
			if broken == nil || !strings.Contains(broken.Error(), c.want) {
				t.Errorf("got %v, want %q", broken, c.want)
			}
		})
	}
}

// Removal of the last events can be detected only with a checkpoint of the newest event: the
// chain itself covers only events before its end.
func TestTruncatedChain(t *testing.T) {
	whole := trail(5)
	kept := whole[4]
	chain := audit.Chain{Org: org}
	for _, e := range whole[:4] {
		if err := chain.Next(e); err != nil {
			t.Fatal(err)
		}
	}
	if chain.Last.Sequence == kept.Sequence || chain.Last.Hash == kept.Hash {
		t.Error("the removed events were not detected")
	}
	if err := chain.Next(kept); err != nil {
		t.Errorf("the removed event no longer follows the chain: %v", err)
	}
}

// Times are RFC 3339 in UTC with milliseconds, truncated and not rounded.
func TestInstant(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{nine, "2026-11-21T09:00:00.007Z"},
		{time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), "2026-11-21T09:00:00.000Z"},
		{time.Date(2026, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "2026-12-31T23:59:59.999Z"},
		{time.Date(2027, 1, 1, 0, 30, 0, 120_000_000, time.FixedZone("", 3600)), "2026-12-31T23:30:00.120Z"},
		{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "0001-01-01T00:00:00.000Z"},
	} {
		if got := audit.Instant(c.at); got != c.want || string(audit.AppendInstant([]byte("at "), c.at)) != "at "+c.want {
			t.Errorf("%s: %s, want %s", c.at, got, c.want)
		}
	}
}

// An event records the user, the API key, the request and the IP address that caused it.
func TestBy(t *testing.T) {
	call := tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", KeyID: "k", Type: tenant.ByUser, Role: tenant.Owner}, RequestID: "r", IPAddress: "::1"}
	got := audit.By(call, audit.Event{ID: "e", ResourceID: "x"})
	want := audit.Event{ID: "e", ResourceID: "x", ActorUserID: "u", ActorType: tenant.ByUser, KeyID: "k", RequestID: "r", IPAddress: "::1"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// An event of the operator is known by the reserved request ID, and stores an actor type that
// readers of older versions know. Another caller cannot record the reserved request ID.
func TestByOperator(t *testing.T) {
	for userID, stored := range map[string]tenant.ActorType{"u": tenant.ByUser, tenant.SystemUser: tenant.BySystem} {
		e := audit.By(tenant.OperatorCall(org, userID), audit.Event{ID: "e"})
		if !e.ByOperator() || e.ActorType != stored || e.ActorUserID != userID || e.RequestID != "command-line" {
			t.Errorf("operator for %s: got %+v", userID, e)
		}
	}
	for _, p := range []tenant.Principal{tenant.System(org), {Org: org, UserID: "u", Type: tenant.ByUser}} {
		e := audit.By(tenant.Call{Principal: p, RequestID: tenant.OperatorRequestID}, audit.Event{ID: "e"})
		if e.ByOperator() || e.RequestID != "" {
			t.Errorf("%s with the reserved request ID: got %+v", p.Type, e)
		}
	}
	old := audit.Event{RequestID: tenant.OperatorRequestID, IPAddress: "192.0.2.1"}
	if old.ByOperator() {
		t.Error("an older event with an address counts as the operator's")
	}
}
