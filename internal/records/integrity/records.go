// Package integrity compares stored records and settings with the audit trail.
package integrity

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

const (
	pageSize       = 500     // records or events per transaction
	maxDifferences = 100_000 // reported differences of one organisation; more are counted
	maxMissing     = 50_000  // missing records in memory before deletions are read
	lastEvents     = 50      // events of one record per read
)

// Problem is how a record differs from the audit trail.
type Problem string

// Kinds of differences.
const (
	Changed    Problem = "changed"    // it differs from the digest in its last event
	Missing    Problem = "missing"    // it has events, but neither exists nor was deleted
	Unrecorded Problem = "unrecorded" // it exists without events
)

// Difference is one record or setting that differs from the audit trail.
type Difference struct {
	RecordID string  `json:"recordId"` // of a setting: the user, the key, the endpoint, the domain, the organisation, …
	Kind     string  `json:"kind"`
	Problem  Problem `json:"problem"`
	Sequence int64   `json:"sequence,omitempty"` // of the event that it was compared with
}

func (f Difference) String() string {
	switch f.Problem {
	case Missing:
		return fmt.Sprintf("%s %s is missing: it has event %d, but no event of its deletion", f.Kind, f.RecordID, f.Sequence)
	case Unrecorded:
		return fmt.Sprintf("%s %s exists but has no event", f.Kind, f.RecordID)
	}
	return fmt.Sprintf("%s %s differs from the digest in event %d", f.Kind, f.RecordID, f.Sequence)
}

// Report is the result for one organisation.
type Report struct {
	Compared       int64        `json:"compared"`             // records that were compared completely
	ComparedInPart int64        `json:"comparedInPart"`       // last changed by an older version; only body and status were compared
	Files          int64        `json:"filesCompared"`        // attachments whose content was compared
	NotCovered     int64        `json:"notCovered"`           // all their events have been deleted by retention
	Differences    []Difference `json:"faults"`               // at most 100,000
	More           int64        `json:"moreFaults,omitempty"` // faults that are not listed

	Settings           int64 `json:"settingsCompared"`   // members, keys, endpoints and other settings
	SettingsNotCovered int64 `json:"settingsNotCovered"` // last changed by a version without digests, or their events have been deleted
}

// OK reports whether no record differs.
func (r *Report) OK() bool { return len(r.Differences) == 0 }

func (r *Report) add(f Difference) {
	if len(r.Differences) == maxDifferences {
		r.More++
		return
	}
	r.Differences = append(r.Differences, f)
}

// Stored is a record with its newest event.
type Stored struct {
	Filing filing.Filing
	Last   audit.Event // Sequence is 0 without an event; only Sequence, Type and Data are set
}

// Tx reads one organisation's records and events.
type Tx interface {
	Truncation() (audit.Truncation, error)
	// StoredAfter returns complete records in the order of their IDs.
	StoredAfter(id string, limit int) ([]Stored, error)
	// EventsAbout returns events of a record before a sequence, newest first.
	EventsAbout(resourceID string, before int64, limit int) ([]audit.Event, error)
	EventsAfter(sequence int64, limit int) ([]audit.Event, error)
	// Absent returns the UUIDs that are not the ID of a record.
	Absent(ids []string) ([]string, error)
	// AttachmentsOfAll returns the attachments of records without their content.
	AttachmentsOfAll(recordIDs []string) ([]attachment.Attachment, error)
	AttachmentChunk(id string, number int) ([]byte, error)
	// TableRows returns rows of a table after a key, in the order of the key.
	TableRows(from portability.Table, after []string, limit int) ([]portability.Row, error)
}

// Store opens read-only transactions of an organisation.
type Store interface {
	ViewIntegrity(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Records compares every record and setting of an organisation with the digest in its last event, and
// finds missing ones. Memory does not depend on the number of records, but grows with the number of
// members, keys and other settings.
func Records(ctx context.Context, s Store, org tenant.ID, kinds map[string]bool) (*Report, error) {
	c := &comparison{store: s, org: org, kinds: kinds, report: &Report{Differences: []Difference{}}, missing: map[string]Difference{}, settings: settings{org: org, last: map[Ref]settingState{}}}
	if err := c.compareStored(ctx); err != nil {
		return nil, fmt.Errorf("integrity: records of %s: %w", org, err)
	}
	if err := c.findMissing(ctx); err != nil {
		return nil, fmt.Errorf("integrity: missing records of %s: %w", org, err)
	}
	if err := c.compareSettings(ctx); err != nil {
		return nil, fmt.Errorf("integrity: settings of %s: %w", org, err)
	}
	return c.report, nil
}

type comparison struct {
	store   Store
	org     tenant.ID
	kinds   map[string]bool
	report  *Report
	missing map[string]Difference // missing records without a known deletion

	settings settings
}

// compareStored compares each existing record.
func (c *comparison) compareStored(ctx context.Context) error {
	for after := ""; ; {
		n := 0
		err := c.store.ViewIntegrity(ctx, c.org, func(tx Tx) error {
			batch, err := tx.StoredAfter(after, pageSize)
			if err != nil {
				return err
			}
			if err := c.compareFiles(tx, batch); err != nil {
				return err
			}
			cut, err := tx.Truncation()
			for i := range batch {
				if err != nil {
					return err
				}
				err = c.compare(tx, &batch[i], cut)
				after = batch[i].Filing.ID
			}
			n = len(batch)
			return err
		})
		if err != nil || n < pageSize {
			return err
		}
	}
}

func (c *comparison) compare(tx Tx, s *Stored, cut audit.Truncation) error {
	f := &s.Filing
	if s.Last.Sequence == 0 {
		c.withoutEvents(f, cut)
		return nil
	}
	if seal := filing.SealedBy(&s.Last); seal.Digest != "" && seal.Digest == f.Digest(c.org) {
		c.report.Compared++
		return nil
	}
	h, err := newHistory(tx, f)
	if err != nil {
		return err
	}
	switch {
	case h.sealed == 0 && h.last == 0:
		c.withoutEvents(f, cut)
	case h.sealed > 0 && h.digest == f.Digest(c.org):
		c.report.Compared++
	case h.sealed > 0 && (h.last == 0 || f.Version <= h.version):
		c.report.add(Difference{f.ID, f.Kind, Changed, h.sealed})
	case h.matches(f):
		c.report.ComparedInPart++
	default:
		c.report.add(Difference{f.ID, f.Kind, Changed, h.last})
	}
	return nil
}

// withoutEvents checks a record without events. It is valid only if retention deleted the
// events and the record has not changed since.
func (c *comparison) withoutEvents(f *filing.Filing, cut audit.Truncation) {
	if cut.Sequence > 0 && !f.UpdatedAt.After(cut.OccurredAt) {
		c.report.NotCovered++
		return
	}
	c.report.add(Difference{RecordID: f.ID, Kind: f.Kind, Problem: Unrecorded})
}

// history is the state of a record by its events, read back to the newest with a digest.
type history struct {
	sealed  int64 // sequence of the newest event with a digest; 0 for none
	digest  string
	version int64 // of the record, by that event

	last   int64  // sequence of the newest later change without a digest; 0 for none
	status string // after that change
	body   string // digest of the body in the newest event that has one
}

func newHistory(tx Tx, f *filing.Filing) (h history, err error) {
	for before := int64(0); ; {
		batch, err := tx.EventsAbout(f.ID, before, lastEvents)
		if err != nil {
			return h, err
		}
		for i := range batch {
			if h.add(&batch[i], f.Kind) {
				return h, nil
			}
		}
		if len(batch) < lastEvents {
			return h, nil
		}
		before = batch[len(batch)-1].Sequence
	}
}

// add adds an event and reports whether older events are not needed.
func (h *history) add(e *audit.Event, kind string) (enough bool) {
	seal := filing.SealedBy(e)
	if e.ResourceType != kind && seal.Digest == "" {
		return false
	}
	if seal.Digest != "" {
		h.sealed, h.digest, h.version = e.Sequence, seal.Digest, seal.Version
	} else if changes(e.Type) && h.last == 0 {
		h.last, h.status = e.Sequence, e.ToStatus
	}
	if h.body == "" {
		h.body = seal.Body
	}
	return h.sealed > 0
}

// changes reports whether an event can be a change. A refused action may even name a record
// that never existed.
func changes(eventType string) bool {
	for _, other := range []string{".reviewed", ".classified", ".refused"} {
		if strings.HasSuffix(eventType, other) {
			return false
		}
	}
	return true
}

// matches compares a record with events that have no digest of the record.
func (h *history) matches(f *filing.Filing) bool {
	return h.status == string(f.Status) && (h.body == "" || h.body == f.BodyDigest())
}
