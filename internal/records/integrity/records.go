// Package integrity compares what is stored with what the audit trail says of it.
package integrity

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

const (
	page       = 500     // records or events that are read in one transaction
	maxFaults  = 100_000 // faults of one organisation that are named; more are counted
	maxMissing = 50_000  // absent records that are held in memory before removals are read
	lastEvents = 50      // events of one record that are read at a time
)

// Problem is how a record differs from the audit trail.
type Problem string

// The problems.
const (
	Changed    Problem = "changed"    // it differs from the digest in its last event
	Missing    Problem = "missing"    // it has events, and neither exists nor was removed
	Unrecorded Problem = "unrecorded" // it exists, and no event tells of it
)

// Fault is one record or setting that differs from the audit trail.
type Fault struct {
	RecordID string  `json:"recordId"` // of a setting: the user, the key, the endpoint, the domain, the organisation, …
	Kind     string  `json:"kind"`
	Problem  Problem `json:"problem"`
	Sequence int64   `json:"sequence,omitempty"` // of the event that it was compared with
}

func (f Fault) String() string {
	switch f.Problem {
	case Missing:
		return fmt.Sprintf("%s %s is missing: event %d tells of it, and no event of its removal", f.Kind, f.RecordID, f.Sequence)
	case Unrecorded:
		return fmt.Sprintf("%s %s exists, but no event tells of it", f.Kind, f.RecordID)
	}
	return fmt.Sprintf("%s %s differs from the digest in event %d", f.Kind, f.RecordID, f.Sequence)
}

// Report is what a comparison found in one organisation.
type Report struct {
	Compared   int64   `json:"compared"`             // records whose every field was compared
	Partly     int64   `json:"comparedInPart"`       // last changed by an older version: body and status were compared
	NotCovered int64   `json:"notCovered"`           // all their events were removed for their age
	Faults     []Fault `json:"faults"`               // at most 100,000
	More       int64   `json:"moreFaults,omitempty"` // faults that are not in the list

	Settings           int64 `json:"settingsCompared"`   // members, keys, endpoints and other settings
	SettingsNotCovered int64 `json:"settingsNotCovered"` // last changed by a version that wrote no digests, or their events were removed
}

// OK reports whether no record differs.
func (r *Report) OK() bool { return len(r.Faults) == 0 }

func (r *Report) add(f Fault) {
	if len(r.Faults) == maxFaults {
		r.More++
		return
	}
	r.Faults = append(r.Faults, f)
}

// Stored is a record with the newest event about it.
type Stored struct {
	Filing filing.Filing
	Last   audit.Event // Sequence 0: there is none; only Sequence, Type and Data are set
}

// Tx reads one organisation's records and events.
type Tx interface {
	TrailCut() (audit.Cut, error)
	// StoredAfter reads whole records in the order of their ids.
	StoredAfter(id string, limit int) ([]Stored, error)
	// EventsAbout reads events of a record before a sequence, newest first.
	EventsAbout(resourceID string, before int64, limit int) ([]audit.Event, error)
	EventsAfter(sequence int64, limit int) ([]audit.Event, error)
	// Absent gives those of some ids, each a UUID, that no record has.
	Absent(ids []string) ([]string, error)
	// TableRows reads rows of a table behind a key, in its order.
	TableRows(from portability.Table, after []string, limit int) ([]portability.Row, error)
}

// Store opens read-only transactions of an organisation.
type Store interface {
	ViewVerified(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Records compares every record and every setting of an organisation with the digest in its last
// event, and finds those that are missing. Memory does not depend on how many records there are;
// it grows with the members, keys and other settings.
func Records(ctx context.Context, s Store, org tenant.ID, kinds map[string]bool) (*Report, error) {
	c := &comparison{store: s, org: org, kinds: kinds, report: &Report{Faults: []Fault{}}, missing: map[string]Fault{}, settings: settings{org: org, last: map[Ref]told{}}}
	if err := c.stored(ctx); err != nil {
		return nil, fmt.Errorf("integrity: records of %s: %w", org, err)
	}
	if err := c.absent(ctx); err != nil {
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
	missing map[string]Fault // absent records for which no removal has been found yet

	settings settings
}

// stored compares each record that exists.
func (c *comparison) stored(ctx context.Context) error {
	for after := ""; ; {
		n := 0
		err := c.store.ViewVerified(ctx, c.org, func(tx Tx) error {
			part, err := tx.StoredAfter(after, page)
			if err != nil {
				return err
			}
			cut, err := tx.TrailCut()
			for i := range part {
				if err != nil {
					return err
				}
				err = c.compare(tx, &part[i], cut)
				after = part[i].Filing.ID
			}
			n = len(part)
			return err
		})
		if err != nil || n < page {
			return err
		}
	}
}

func (c *comparison) compare(tx Tx, s *Stored, cut audit.Cut) error {
	f := &s.Filing
	if s.Last.Sequence == 0 {
		c.withoutEvents(f, cut)
		return nil
	}
	if said := filing.SealedBy(&s.Last); said.Digest != "" && said.Digest == f.Digest(c.org) {
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
		c.report.add(Fault{f.ID, f.Kind, Changed, h.sealed})
	case h.fits(f):
		c.report.Partly++
	default:
		c.report.add(Fault{f.ID, f.Kind, Changed, h.last})
	}
	return nil
}

// withoutEvents judges a record that no event tells of. That is right only if the
// events were removed for their age, and it has not changed since.
func (c *comparison) withoutEvents(f *filing.Filing, cut audit.Cut) {
	if cut.Sequence > 0 && !f.UpdatedAt.After(cut.OccurredAt) {
		c.report.NotCovered++
		return
	}
	c.report.add(Fault{RecordID: f.ID, Kind: f.Kind, Problem: Unrecorded})
}

// history is what the events of a record say of it, read back to the newest with a digest.
type history struct {
	sealed  int64 // sequence of the newest event with a digest; 0 for none
	digest  string
	version int64 // of the record, by that event

	last   int64  // sequence of the newest change that has no digest and is newer; 0 for none
	status string // after that change
	body   string // digest of the body by the newest event that has one
}

func newHistory(tx Tx, f *filing.Filing) (h history, err error) {
	for before := int64(0); ; {
		part, err := tx.EventsAbout(f.ID, before, lastEvents)
		if err != nil {
			return h, err
		}
		for i := range part {
			if h.take(&part[i], f.Kind) {
				return h, nil
			}
		}
		if len(part) < lastEvents {
			return h, nil
		}
		before = part[len(part)-1].Sequence
	}
}

// take adds an event and reports whether older ones say nothing more.
func (h *history) take(e *audit.Event, kind string) (enough bool) {
	said := filing.SealedBy(e)
	if e.ResourceType != kind && said.Digest == "" {
		return false
	}
	if said.Digest != "" {
		h.sealed, h.digest, h.version = e.Sequence, said.Digest, said.Version
	} else if changes(e.Type) && h.last == 0 {
		h.last, h.status = e.Sequence, e.ToStatus
	}
	if h.body == "" {
		h.body = said.Body
	}
	return h.sealed > 0
}

// changes reports whether an event may tell of a change. A refused step may even name a
// record that never existed.
func changes(eventType string) bool {
	for _, other := range []string{".reviewed", ".classified", ".refused"} {
		if strings.HasSuffix(eventType, other) {
			return false
		}
	}
	return true
}

// fits compares what events without a digest of the record do say.
func (h *history) fits(f *filing.Filing) bool {
	return h.status == string(f.Status) && (h.body == "" || h.body == f.BodyDigest())
}
