// Package evidence packs what is known of one record for somebody who has to judge it
// years later and without the service: the record, the bytes that went out and came in,
// its events with the proof that they stand in the organisation's trail, and a verifier.
// The same record gives the same bytes. docs/evidence.md has the format.
package evidence

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Exported is the event of a pack that was handed out. It is about no record, so that a
// pack does not change the next one.
const Exported = "evidence.exported"

// EventTypes are all that the trail tells of packs.
func EventTypes() []string { return []string{Exported} }

// Limits of a pack.
const (
	MaxMessages = 10_000  // sent, and as many received
	MaxEvents   = 100_000 // of the record
	maxBytes    = 1 << 30 // of all files, unpacked
)

// Tx is what a pack reads of one organisation.
type Tx interface {
	customs.Tx
	audit.View
	audit.TreeView
	// EventsOf are the events of a record after one sequence and up to another, oldest first.
	EventsOf(recordID string, after, last int64, limit int) ([]audit.Event, error)
	SentOf(recordID string, limit int) ([]Sent, error)         // oldest first, without their bytes
	ReceivedOf(recordID string, limit int) ([]Received, error) // oldest first, without their bytes
	SentBody(Sent) ([]byte, error)
	Receipt(Received) ([]byte, error) // of HMRC; what customs says lies with the operator
}

// Store opens transactions, and has what customs sent.
type Store interface {
	ViewEvidence(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error
	Inbound(ctx context.Context, id string) (customs.Inbound, error)
}

// Service makes packs.
type Service struct {
	Store   Store
	Customs *customs.Service
	Filings *filing.Service
	Judge   func(customs.ReviewInput) rules.Review // of declarations
	Notary  *audit.Notary
	NewID   func() string
	Turns   Semaphore
	Version string // of the program
}

// Turns let only so many packs be made at a time.
type Semaphore interface {
	Acquire(ctx context.Context, org tenant.ID) (end func(), err error)
}

// pack is one that is about to be written. Of the messages and events it holds one, or a
// page, at a time.
type pack struct {
	service *Service
	org     tenant.ID
	kind    *filing.Type

	filing     filing.Filing
	record     []byte        // as the API answers it
	review     *rules.Review // nil for a kind without rules
	sent       []Sent
	received   []Received
	checkpoint audit.Checkpoint // at the record's last event
	at         time.Time        // of that
}

// Make makes the pack of a record when it is the organisation's turn, and notes in the
// trail that it is handed out. Nothing is asked of out before all is known to be well; it
// is told the name of the file, and gives where it goes.
func (s *Service) Make(ctx context.Context, call tenant.Call, t *filing.Type, id string, out func(name string) io.Writer) error {
	end, err := s.Turns.Acquire(ctx, call.Org)
	if err != nil {
		return err
	}
	defer end()
	p, err := s.begin(ctx, call, t, id)
	if err != nil {
		return err
	}
	return p.write(ctx, newBundle(out("evidence-"+t.One+"-"+id+".zip"), p.at))
}

// begin gathers what the pack will have, as of one instant, and notes that it is made.
func (s *Service) begin(ctx context.Context, call tenant.Call, t *filing.Type, id string) (*pack, error) {
	p := &pack{service: s, org: call.Org, kind: t}
	err := s.Store.ViewEvidence(ctx, call.Org, func(tx Tx) error {
		found, err := tx.HasFiling(t.Kind, id)
		if err == nil && !found {
			err = apierr.Missing()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.Notary.CatchUp(ctx, call.Org); err != nil {
		return nil, err
	}
	var papers *customs.ReviewInput
	err = s.Store.ViewEvidence(ctx, call.Org, func(tx Tx) (err error) {
		papers, err = p.gather(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	if papers != nil {
		found := s.Judge(*papers)
		p.review = &found
	}
	return p, s.note(ctx, call, p)
}

// note leaves in the trail that a pack is handed out.
func (s *Service) note(ctx context.Context, call tenant.Call, p *pack) error {
	data, err := json.Marshal(map[string]any{"kind": p.kind.Kind, "recordId": p.filing.ID})
	if err != nil {
		return err
	}
	event := audit.By(call, audit.Event{ID: s.NewID(), Hub: p.kind.Hub, Type: Exported, ResourceType: "evidence", Data: data})
	return s.Store.UpdateTrail(ctx, call.Org, func(r audit.Recorder) error { return r.Record(event) })
}

// gather reads all but the bytes and the events. What a declaration is judged by is
// given back, since judging takes long.
func (p *pack) gather(tx Tx, id string) (papers *customs.ReviewInput, err error) {
	if p.filing, err = tx.Filing(p.kind.Kind, id); err != nil {
		return nil, err
	}
	if err := p.inventory(tx); err != nil {
		return nil, err
	}
	last, err := lastEvent(tx, id)
	if err != nil {
		return nil, err
	}
	p.at = last.OccurredAt
	if p.checkpoint, err = p.service.Notary.Attest(audit.NewTree(tx), p.org, last); err != nil {
		return nil, err
	}
	if p.kind.Kind != customs.DeclarationKind {
		p.record = p.filing.AppendJSON(nil)
		return nil, p.judge()
	}
	if p.record, err = p.service.Customs.Shown(tx, &p.filing); err != nil {
		return nil, err
	}
	found, err := p.service.Customs.ReviewInput(tx, id)
	if found.At.Equal(tx.Now()) {
		found.At = p.filing.UpdatedAt // a draft, as of its last change
	}
	return &found, err
}

// judge reviews what is no declaration, a draft as of its last change.
func (p *pack) judge() error {
	if len(p.kind.Rules) == 0 {
		return nil
	}
	found, err := p.service.Filings.ReviewAt(p.kind, &p.filing, p.filing.UpdatedAt)
	p.review = &found
	return err
}

// lastEvent is the newest of the record or, where retention has left it none, of the trail.
func lastEvent(tx audit.View, id string) (*audit.Event, error) {
	for _, q := range []audit.Query{{ResourceID: id, Limit: 1}, {Limit: 1}} {
		found, err := tx.Events(q)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return &found[0], nil
		}
	}
	return nil, apierr.Missing()
}

// ContentType is that of a pack.
const ContentType = "application/zip"
