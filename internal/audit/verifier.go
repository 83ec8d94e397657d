package audit

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Types of audit events about the audit log itself. The newest event of the first two types is
// the organisation's evidence of verification: who requested it, when, and up to which event.
const (
	Verified    = "audit.verified"
	FoundBroken = "audit.found_broken"
	Exported    = "audit.exported"

	defaultHub   = "customs" // the Hub that every organisation has
	resourceType = "audit"
)

// EventTypes are the types of all audit events about the audit log itself.
func EventTypes() []string { return []string{Verified, FoundBroken, Exported, Truncated} }

// Verdict is the result of a verification, as the trail records it.
type Verdict struct {
	Events      int64  `json:"events"`               // valid ones
	RemovedUpTo int64  `json:"behind,omitempty"`     // sequence of the newest event that was removed for its age
	Head        string `json:"head,omitempty"`       // hash of the newest valid event
	Problem     string `json:"problem,omitempty"`    // what is wrong with the first event that is not valid
	Sequence    int64  `json:"sequence,omitempty"`   // of that event
	Checkpoint  string `json:"checkpoint,omitempty"` // that the trail was compared with
	Erased      int64  `json:"erased,omitempty"`     // personal values that were erased, of the valid events

	Records *Compared `json:"records,omitempty"` // compared with the trail; nil if the trail is broken
}

// Compared is the outcome of comparing an organisation's records with its trail.
type Compared struct {
	Records    int64    `json:"compared"`
	NotCovered int64    `json:"notCovered,omitempty"` // all their events were removed for their age
	Faults     int64    `json:"faults"`               // records that differ, are missing, or have no event
	Differing  []string `json:"differing,omitempty"`  // the first of them, a sentence each
}

// MaxDiffering is the most differing records that a verdict names.
const MaxDiffering = 100

// maxWaiting is the most verifications that wait at a time.
const maxWaiting = 16

// Verifier verifies trails in the background, one after the other, so that many requests do not
// slow down the service.
type Verifier struct {
	store    Store
	newID    func() string
	log      *slog.Logger
	requests chan verification

	// Compare compares the records of an organisation with its trail; nil for not at all.
	Compare func(context.Context, tenant.ID) (Compared, error)

	mu   sync.Mutex
	orgs map[tenant.ID]*requested
}

// maxAsked is the most verifications of one organisation that run or wait at a time.
const maxAsked = 2

// requested is what runs and waits for an organisation.
type requested struct {
	asked    []verification // the first one runs or is the next to run
	progress Progress       // of the first one; of the last one if none is left, as it failed
}

// verification is a requested verification.
type verification struct {
	call        tenant.Call
	checkpoints []Checkpoint
}

// Progress is the progress of a verification.
type Progress struct {
	Checked int64 // events
	Failed  bool  // it ended without a verdict because of an error of the service
}

// NewVerifier returns a verifier. It works while Run runs.
func NewVerifier(s Store, newID func() string, log *slog.Logger) *Verifier {
	return &Verifier{store: s, newID: newID, log: log, requests: make(chan verification, maxWaiting), orgs: map[tenant.ID]*requested{}}
}

// Request requests a verification of the trail of the caller's organisation, and a comparison with
// checkpoints that were stored elsewhere. What runs or waits already for the same checkpoints is not
// started again; for others it is made afterwards. It reports whether the request was accepted: false
// if the queue is full, or if one with other checkpoints waits.
func (v *Verifier) Request(call tenant.Call, checkpoints []Checkpoint) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.orgs[call.Org]
	if r == nil {
		r = &requested{}
	}
	if n := len(r.asked); n > 0 && slices.Equal(r.asked[n-1].checkpoints, checkpoints) {
		return true
	} else if n == maxAsked {
		return false
	}
	a := verification{call, checkpoints}
	select {
	case v.requests <- a:
		if len(r.asked) == 0 {
			r.progress = Progress{}
		}
		r.asked = append(r.asked, a)
		v.orgs[call.Org] = r
		return true
	default:
		return false
	}
}

// Progress returns the progress of the verification of an organisation's trail, if one is
// running or has failed.
func (v *Verifier) Progress(org tenant.ID) (Progress, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r, ok := v.orgs[org]
	if !ok {
		return Progress{}, false
	}
	return r.progress, true
}

// Run makes the requested verifications until ctx ends.
func (v *Verifier) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-v.requests:
			v.finish(a.call.Org, v.verify(ctx, a))
		}
	}
}

func (v *Verifier) finish(org tenant.ID, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.orgs[org]
	r.asked = r.asked[1:]
	if err != nil {
		v.log.Error("cannot verify a trail", "organisation", org, "error", err)
	}
	switch {
	case len(r.asked) > 0:
		r.progress = Progress{}
	case err != nil:
		r.progress = Progress{Failed: true}
	default:
		delete(v.orgs, org)
	}
}

func (v *Verifier) setProgress(org tenant.ID) func(int64) {
	return func(checked int64) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.orgs[org].progress = Progress{Checked: checked}
	}
}

// verify reads a trail and records the result in it.
func (v *Verifier) verify(ctx context.Context, a verification) error {
	org := a.call.Org
	chain := Chain{Org: org, Checkpoints: a.checkpoints}
	err := chain.Verify(ctx, v.store, v.setProgress(org))
	verdict := Verdict{Events: chain.Valid(), RemovedUpTo: chain.Truncation.Sequence, Head: chain.Last.Hash, Erased: chain.Erased}
	for _, c := range a.checkpoints {
		verdict.Checkpoint = c.String()
	}
	eventType := Verified
	var broken *Broken
	switch {
	case errors.As(err, &broken):
		eventType, verdict.Problem, verdict.Sequence = FoundBroken, broken.What, broken.Sequence
	case err != nil:
		return err
	default:
		if verdict.Records, err = v.compareRecords(ctx, org); err != nil {
			return err
		}
		if r := verdict.Records; r != nil && r.Faults > 0 {
			eventType, verdict.Problem = FoundBroken, recordsDiffer(r)
		}
	}
	data, err := json.Marshal(verdict)
	if err != nil {
		return err
	}
	event := By(a.call, Event{ID: v.newID(), Hub: defaultHub, Type: eventType, ResourceType: resourceType, Data: data})
	return v.store.UpdateTrail(ctx, org, func(r Recorder) error { return r.Record(event) })
}

func (v *Verifier) compareRecords(ctx context.Context, org tenant.ID) (*Compared, error) {
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
