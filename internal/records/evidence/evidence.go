// Package evidence makes a ZIP with all data of one record for an auditor who examines it years
// later without the service: the record, the messages sent and received, its events with proof
// that they are in the organisation's audit trail, and a verifier. The same record gives the same
// bytes. docs/evidence.md describes the format.
package evidence

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Exported is the event type of a download. The event refers to no record, so that a pack does not
// change the next one.
const Exported = "evidence.exported"

// EventTypes returns the audit event types of packs.
func EventTypes() []string { return []string{Exported} }

// Limits of a pack.
const (
	MaxMessages = 10_000  // sent, and again received
	MaxEvents   = 100_000 // of the record
	maxBytes    = 1 << 30 // of all files, unpacked
)

// Tx reads the data of one organisation for a pack.
type Tx interface {
	customs.Tx
	audit.View
	audit.TreeView
	// EventsOf returns the events of a record after one sequence and up to another, oldest first.
	EventsOf(recordID string, after, last int64, limit int) ([]audit.Event, error)
	SentOf(recordID string, limit int) ([]Sent, error)                         // oldest first, without bodies
	AttachmentsOf(recordID string, limit int) ([]attachment.Attachment, error) // without content
	ReceivedOf(recordID string, limit int) ([]Received, error)                 // oldest first, without bodies
	SentBody(Sent) ([]byte, error)
	Receipt(Received) ([]byte, error) // of HMRC; messages from CDS are in the inbox
}

// Store opens transactions and returns messages from CDS.
type Store interface {
	ViewEvidence(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error
	Inbound(ctx context.Context, id string) (customs.Inbound, error)
}

// Service makes packs.
type Service struct {
	Store     Store
	Customs   *customs.Service
	Filings   *filing.Service
	Review    func(customs.ReviewInput) rules.Review // reviews declarations
	Notary    *audit.Notary
	NewID     func() string
	Semaphore Semaphore
	Version   string // of the program
}

// Semaphore limits how many packs are made at the same time.
type Semaphore interface {
	Acquire(ctx context.Context, org tenant.ID) (end func(), err error)
}

// pack is a pack that is about to be written. It holds one message, or one page of events, at a time.
type pack struct {
	service *Service
	org     tenant.ID
	kind    *filing.Type

	filing     filing.Filing
	record     []byte        // in the format of the API
	review     *rules.Review // nil for a kind without rules
	sent       []Sent
	received   []Received
	files      []attachment.Attachment
	checkpoint audit.Checkpoint // at the record's last event
	at         time.Time        // time of the checkpoint
}

// Make writes the pack of a record and records the download in the audit trail. It calls out with
// the file name for the destination, after everything that can fail early has succeeded.
func (s *Service) Make(ctx context.Context, call tenant.Call, t *filing.Type, id string, out func(name string) io.Writer) error {
	end, err := s.Semaphore.Acquire(ctx, call.Org)
	if err != nil {
		return err
	}
	defer end()
	p, err := s.prepare(ctx, call, t, id)
	if err != nil {
		return err
	}
	return p.write(ctx, newZipWriter(out("evidence-"+t.Singular+"-"+id+".zip"), p.at))
}

// prepare reads the data of the pack in one transaction, and records the download.
func (s *Service) prepare(ctx context.Context, call tenant.Call, t *filing.Type, id string) (*pack, error) {
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
	var input *customs.ReviewInput
	err = s.Store.ViewEvidence(ctx, call.Org, func(tx Tx) (err error) {
		input, err = p.gather(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	if input != nil {
		found := s.Review(*input)
		p.review = &found
	}
	return p, s.recordExport(ctx, call, p)
}

// recordExport records the download in the audit trail.
func (s *Service) recordExport(ctx context.Context, call tenant.Call, p *pack) error {
	data, err := json.Marshal(map[string]any{"kind": p.kind.Kind, "recordId": p.filing.ID})
	if err != nil {
		return err
	}
	event := audit.By(call, audit.Event{ID: s.NewID(), Hub: p.kind.Hub, Type: Exported, ResourceType: "evidence", Data: data})
	return s.Store.UpdateTrail(ctx, call.Org, func(r audit.Recorder) error { return r.Record(event) })
}

// gather reads everything except message bodies and events. For a declaration it returns the
// input of the review, which takes too long for a transaction.
func (p *pack) gather(tx Tx, id string) (input *customs.ReviewInput, err error) {
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
		shown, err := p.kind.Show(tx, p.filing)
		if err != nil {
			return nil, err
		}
		p.record = shown.AppendJSON(nil)
		return nil, p.reviewRecord()
	}
	if p.record, err = p.service.Customs.Shown(tx, &p.filing); err != nil {
		return nil, err
	}
	found, err := p.service.Customs.ReviewInput(tx, id)
	if found.At.Equal(tx.Now()) {
		found.At = p.filing.UpdatedAt // review a draft as of its last change
	}
	return &found, err
}

// reviewRecord reviews a record that is not a declaration, as of its last change.
func (p *pack) reviewRecord() error {
	if len(p.kind.Rules) == 0 {
		return nil
	}
	found, err := p.service.Filings.ReviewAt(p.kind, &p.filing, p.filing.UpdatedAt)
	p.review = &found
	return err
}

// lastEvent returns the newest event of the record or, if retention has deleted all of them, of
// the organisation.
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

// ContentType is the media type of a pack.
const ContentType = "application/zip"
