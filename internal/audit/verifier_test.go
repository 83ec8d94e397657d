package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// shelf keeps one trail in memory.
type shelf struct {
	audit.View
	mu     sync.Mutex
	events []audit.Event
	fails  bool
	told   chan audit.Event
}

func newShelf(n int) *shelf { return &shelf{events: trail(n), told: make(chan audit.Event, 1)} }

func (s *shelf) ViewTrail(_ context.Context, _ tenant.ID, fn func(audit.Trail) error) error {
	return fn(s)
}

func (s *shelf) UpdateTrail(_ context.Context, _ tenant.ID, fn func(audit.Recorder) error) error {
	return fn(s)
}

func (s *shelf) EventsAfter(sequence int64, limit int) ([]audit.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails {
		return nil, errors.New("the disk is gone")
	}
	return s.events[sequence:min(int(sequence)+limit, len(s.events))], nil
}

func (s *shelf) TrailCut() (audit.Cut, error) { return audit.Cut{}, nil }

func (s *shelf) Record(e audit.Event) error {
	s.told <- e
	return nil
}

var asker = tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u-7", Type: tenant.ByUser}, RequestID: "q-7"}

func (s *shelf) verifier() *audit.Verifier {
	return audit.NewVerifier(s, func() string { return "e-new" }, slog.New(slog.DiscardHandler))
}

// The verdict on a trail is left in it, with who asked, however long it is; one that
// is broken is named with its first bad event, and so is one that is not as it was kept.
func TestVerdicts(t *testing.T) {
	sound, touched := newShelf(audit.VerifyPage+3), newShelf(5)
	touched.events[3].Data = []byte(`{}`)
	for name, c := range map[string]struct {
		shelf *shelf
		kept  []audit.Checkpoint
		want  string
		said  audit.Verdict
	}{
		"sound": {shelf: sound, want: audit.Verified, said: audit.Verdict{Events: audit.VerifyPage + 3, Head: sound.events[audit.VerifyPage+2].Hash}},
		"touched": {shelf: touched, want: audit.FoundBroken,
			said: audit.Verdict{Events: 3, Head: touched.events[2].Hash, Problem: "event 4 (e-4) has been changed", Sequence: 4}},
		"cut off": {shelf: newShelf(2), kept: []audit.Checkpoint{{Sequence: 3, Hash: "abc"}}, want: audit.FoundBroken,
			said: audit.Verdict{Events: 2, Head: trail(2)[1].Hash, Problem: "the trail ends with event 2, the checkpoint is of event 3: 1 missing", Sequence: 3, Checkpoint: "3:abc"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := c.shelf.verifier()
			go v.Run(t.Context())
			if !v.Ask(asker, c.kept) {
				t.Fatal("there is no room")
			}
			e := <-c.shelf.told
			var said audit.Verdict
			if err := json.Unmarshal(e.Data, &said); err != nil {
				t.Fatal(err)
			}
			if e.Type != c.want || said != c.said || e.ActorUserID != "u-7" || e.RequestID != "q-7" || e.ID != "e-new" || e.Hub != "customs" {
				t.Errorf("%s %+v by %s, not %+v", e.Type, said, e.ActorUserID, c.said)
			}
		})
	}
}

// One organisation has one verification at a time, however often it asks, and only so
// many wait for their turn.
func TestVerificationsWait(t *testing.T) {
	v := newShelf(3).verifier()
	for n := range 16 {
		call := asker
		call.Org = tenant.ID(rune('a' + n))
		for range 2 {
			if !v.Ask(call, nil) {
				t.Fatalf("no room for the %dth", n+1)
			}
		}
		if p, under := v.Progress(call.Org); !under || p.Failed || p.Checked != 0 {
			t.Errorf("waiting: %+v %t", p, under)
		}
	}
	if v.Ask(asker, nil) {
		t.Error("there is room for a seventeenth")
	}
	if _, under := v.Progress(asker.Org); under {
		t.Error("what was refused is under way")
	}
}

// A verification that a fault ends leaves no verdict, says so, and can be asked for
// again.
func TestVerificationFails(t *testing.T) {
	s := newShelf(3)
	s.fails = true
	v := s.verifier()
	go v.Run(t.Context())
	v.Ask(asker, nil)
	failed := func() bool { p, under := v.Progress(asker.Org); return under && p.Failed }
	for deadline := time.Now().Add(5 * time.Second); !failed(); {
		if time.Now().After(deadline) {
			t.Fatal("it does not fail")
		}
	}
	s.mu.Lock()
	s.fails = false
	s.mu.Unlock()
	if !v.Ask(asker, nil) {
		t.Fatal("it cannot be asked for again")
	}
	if e := <-s.told; e.Type != audit.Verified {
		t.Errorf("the verdict is %s", e.Type)
	}
}
