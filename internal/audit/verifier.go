package audit

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Types of audit events about the audit log itself. The last of the first two is the verification that
// an organisation can show: who had it made, when, and how far it went.
const (
	Verified    = "audit.verified"
	FoundBroken = "audit.found_broken"
	Exported    = "audit.exported"

	home         = "customs" // the Hub that every organisation has
	resourceType = "audit"
)

// EventTypes are the types of all audit events about the audit log itself.
func EventTypes() []string { return []string{Verified, FoundBroken, Exported, CutOff} }

// Verdict is what a verification leaves in the trail.
type Verdict struct {
	Events     int64  `json:"events"`               // that were found good
	Behind     int64  `json:"behind,omitempty"`     // sequence of the newest event that was removed for its age
	Head       string `json:"head,omitempty"`       // hash of the newest good one
	Problem    string `json:"problem,omitempty"`    // what is wrong with the first that is not good
	Sequence   int64  `json:"sequence,omitempty"`   // of that one
	Checkpoint string `json:"checkpoint,omitempty"` // that it was held against
	Erased     int64  `json:"erased,omitempty"`     // personal values that were erased, of the good events

	Records *Compared `json:"records,omitempty"` // compared with the trail; nil if the trail is broken
}

// Compared is the outcome of comparing an organisation's records with its trail.
type Compared struct {
	Records    int64    `json:"compared"`
	NotCovered int64    `json:"notCovered,omitempty"` // all their events were removed for their age
	Faults     int64    `json:"faults"`               // records that differ, are missing, or have no event
	Differing  []string `json:"differing,omitempty"`  // the first of them, a sentence each
}

// MaxDiffering is how many records that differ a verdict names.
const MaxDiffering = 100

// maxWaiting is how many verifications may wait for their turn.
const maxWaiting = 16

// Verifier verifies trails in the background, one after the other, so that however
// many ask the service has time for its work.
type Verifier struct {
	store Store
	newID func() string
	log   *slog.Logger
	asked chan verification

	// Compare compares the records of an organisation with its trail; nil for not at all.
	Compare func(context.Context, tenant.ID) (Compared, error)

	mu    sync.Mutex
	under map[tenant.ID]Progress
}

// verification is one that was asked for.
type verification struct {
	call tenant.Call
	kept []Checkpoint
}

// Progress is how far a verification has come.
type Progress struct {
	Checked int64 // events
	Failed  bool  // it ended without a verdict, for a fault of the service
}

// NewVerifier makes a verifier, which works while it runs.
func NewVerifier(s Store, newID func() string, log *slog.Logger) *Verifier {
	return &Verifier{store: s, newID: newID, log: log, asked: make(chan verification, maxWaiting), under: map[tenant.ID]Progress{}}
}

// Ask has the trail of the caller's organisation verified, and held against heads
// that were kept elsewhere. A running verification is not started again. It tells whether
// there was room.
func (v *Verifier) Ask(call tenant.Call, kept []Checkpoint) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p, already := v.under[call.Org]; already && !p.Failed {
		return true
	}
	select {
	case v.asked <- verification{call, kept}:
		v.under[call.Org] = Progress{}
		return true
	default:
		return false
	}
}

// Progress returns the progress of the verification of an organisation's trail has come, where
// one is under way or has failed.
func (v *Verifier) Progress(org tenant.ID) (Progress, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, under := v.under[org]
	return p, under
}

// Run verifies what is asked for until ctx ends.
func (v *Verifier) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-v.asked:
			v.settle(a.call.Org, v.verify(ctx, a))
		}
	}
}

func (v *Verifier) settle(org tenant.ID, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		delete(v.under, org)
		return
	}
	v.under[org] = Progress{Failed: true}
	v.log.Error("cannot verify a trail", "organisation", org, "error", err)
}

func (v *Verifier) tell(org tenant.ID) func(int64) {
	return func(checked int64) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.under[org] = Progress{Checked: checked}
	}
}

// verify follows a trail and leaves the verdict in it.
func (v *Verifier) verify(ctx context.Context, a verification) error {
	org := a.call.Org
	chain := Chain{Org: org, Kept: a.kept}
	err := chain.Follow(ctx, v.store, v.tell(org))
	said := Verdict{Events: chain.Good(), Behind: chain.Cut.Sequence, Head: chain.Last.Hash, Erased: chain.Erased}
	for _, c := range a.kept {
		said.Checkpoint = c.String()
	}
	eventType := Verified
	var broken *Broken
	switch {
	case errors.As(err, &broken):
		eventType, said.Problem, said.Sequence = FoundBroken, broken.What, broken.Sequence
	case err != nil:
		return err
	default:
		if said.Records, err = v.compared(ctx, org); err != nil {
			return err
		}
		if r := said.Records; r != nil && r.Faults > 0 {
			eventType, said.Problem = FoundBroken, recordsDiffer(r)
		}
	}
	data, err := json.Marshal(said)
	if err != nil {
		return err
	}
	event := By(a.call, Event{ID: v.newID(), Hub: home, Type: eventType, ResourceType: resourceType, Data: data})
	return v.store.UpdateTrail(ctx, org, func(r Recorder) error { return r.Record(event) })
}

func (v *Verifier) compared(ctx context.Context, org tenant.ID) (*Compared, error) {
	if v.Compare == nil {
		return nil, nil
	}
	c, err := v.Compare(ctx, org)
	return &c, err
}

func recordsDiffer(c *Compared) string {
	if c.Faults == 1 {
		return "1 record differs from the trail: " + c.Differing[0]
	}
	return strconv.FormatInt(c.Faults, 10) + " records differ from the trail; the first: " + c.Differing[0]
}
