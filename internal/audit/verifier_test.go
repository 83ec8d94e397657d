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

// memoryTrail stores one trail in memory.
type memoryTrail struct {
	audit.View
	mu       sync.Mutex
	events   []audit.Event
	fails    bool
	recorded chan audit.Event
}

func newMemoryTrail(n int) *memoryTrail {
	return &memoryTrail{events: trail(n), recorded: make(chan audit.Event, 1)}
}

func (s *memoryTrail) ViewTrail(_ context.Context, _ tenant.ID, fn func(audit.Trail) error) error {
	return fn(s)
}

func (s *memoryTrail) UpdateTrail(_ context.Context, _ tenant.ID, fn func(audit.Recorder) error) error {
	return fn(s)
}

func (s *memoryTrail) EventsAfter(sequence int64, limit int) ([]audit.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails {
		return nil, errors.New("the disk is gone")
	}
	return s.events[sequence:min(int(sequence)+limit, len(s.events))], nil
}

func (s *memoryTrail) Truncation() (audit.Truncation, error) { return audit.Truncation{}, nil }

func (s *memoryTrail) Record(e audit.Event) error {
	s.recorded <- e
	return nil
}

var caller = tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u-7", Type: tenant.ByUser}, RequestID: "q-7"}

func (s *memoryTrail) verifier() *audit.Verifier {
	return audit.NewVerifier(s, func() string { return "e-new" }, slog.New(slog.DiscardHandler))
}

// The result of a verification is recorded in the trail with the user who requested it, however
// long the trail is. If the trail is broken or differs from a checkpoint, the result names the
// first event concerned.
func TestVerificationResult(t *testing.T) {
	sound, touched := newMemoryTrail(audit.VerifyPage+3), newMemoryTrail(5)
	touched.events[3].Data = []byte(`{}`)
	for name, c := range map[string]struct {
		trail   *memoryTrail
		kept    []audit.Checkpoint
		want    string
		verdict audit.Verdict
	}{
		"sound": {trail: sound, want: audit.Verified, verdict: audit.Verdict{Events: audit.VerifyPage + 3, Head: sound.events[audit.VerifyPage+2].Hash}},
		"touched": {trail: touched, want: audit.FoundBroken,
			verdict: audit.Verdict{Events: 3, Head: touched.events[2].Hash, Problem: "event 4 (e-4) has been changed", Sequence: 4}},
		"cut off": {trail: newMemoryTrail(2), kept: []audit.Checkpoint{{Sequence: 3, Hash: "abc"}}, want: audit.FoundBroken,
			verdict: audit.Verdict{Events: 2, Head: trail(2)[1].Hash, Problem: "the trail ends with event 2, the checkpoint is of event 3: 1 missing", Sequence: 3, Checkpoint: "3:abc"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := c.trail.verifier()
			go v.Run(t.Context())
			if !v.Request(caller, c.kept) {
				t.Fatal("the queue is full")
			}
			e := <-c.trail.recorded
			var verdict audit.Verdict
			if err := json.Unmarshal(e.Data, &verdict); err != nil {
				t.Fatal(err)
			}
			if e.Type != c.want || verdict != c.verdict || e.ActorUserID != "u-7" || e.RequestID != "q-7" || e.ID != "e-new" || e.Hub != "customs" {
				t.Errorf("%s %+v by %s, not %+v", e.Type, verdict, e.ActorUserID, c.verdict)
			}
		})
	}
}

// An organisation has one verification at a time, however often it requests one, and the queue
// holds at most 16 organisations.
func TestVerificationQueue(t *testing.T) {
	v := newMemoryTrail(3).verifier()
	for n := range 16 {
		call := caller
		call.Org = tenant.ID(rune('a' + n))
		for range 2 {
			if !v.Request(call, nil) {
				t.Fatalf("the queue is full at organisation %d", n+1)
			}
		}
		if p, under := v.Progress(call.Org); !under || p.Failed || p.Checked != 0 {
			t.Errorf("waiting: %+v %t", p, under)
		}
	}
	if v.Request(caller, nil) {
		t.Error("the queue accepted a seventeenth organisation")
	}
	if _, under := v.Progress(caller.Org); under {
		t.Error("a rejected verification has progress")
	}
}

// A request to compare with another checkpoint, made while a verification runs or waits, has its own
// result. A repeated request has not, and a third one must wait.
func TestVerificationWithOtherCheckpoint(t *testing.T) {
	s := newMemoryTrail(3)
	v := s.verifier()
	other, third := []audit.Checkpoint{{Sequence: 3, Hash: "abc"}}, []audit.Checkpoint{{Sequence: 2, Hash: "def"}}
	for _, kept := range [][]audit.Checkpoint{nil, nil, other, other} {
		if !v.Request(caller, kept) {
			t.Fatalf("%v is refused", kept)
		}
	}
	if v.Request(caller, third) {
		t.Error("a third verification of one organisation waits")
	}
	go v.Run(t.Context())
	for _, want := range []string{audit.Verified, audit.FoundBroken} {
		if e := <-s.recorded; e.Type != want {
			t.Errorf("the verdict is %s, not %s", e.Type, want)
		}
	}
	for deadline := time.Now().Add(time.Minute); ; {
		if _, under := v.Progress(caller.Org); !under {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the verification does not end")
		}
	}
	if !v.Request(caller, third) {
		t.Error("no further verification can be requested")
	}
	if e := <-s.recorded; e.Type != audit.FoundBroken {
		t.Errorf("the last verdict is %s", e.Type)
	}
}

// A verification that ends with an error records no result, reports that it failed, and can be
// requested again.
func TestVerificationFails(t *testing.T) {
	s := newMemoryTrail(3)
	s.fails = true
	v := s.verifier()
	go v.Run(t.Context())
	v.Request(caller, nil)
	failed := func() bool { p, under := v.Progress(caller.Org); return under && p.Failed }
	for deadline := time.Now().Add(time.Minute); !failed(); {
		if time.Now().After(deadline) {
			t.Fatal("the verification does not fail")
		}
	}
	s.mu.Lock()
	s.fails = false
	s.mu.Unlock()
	if !v.Request(caller, nil) {
		t.Fatal("the verification cannot be requested again")
	}
	if e := <-s.recorded; e.Type != audit.Verified {
		t.Errorf("the verdict is %s", e.Type)
	}
}
