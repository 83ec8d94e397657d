// Package portability exports all data of an organisation as one archive.
package portability

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Retention is how long an export can be downloaded.
const Retention = 30 * 24 * time.Hour

// MaxOpen is the maximum number of exports of an organisation that can be downloaded.
const MaxOpen = 20

// Audit event types of exports.
const (
	Requested = "organisation.export_requested"
	Fetched   = "organisation.export_fetched"
	Cancelled = "organisation.export_cancelled"

	eventHub     = "customs" // the Hub that is enabled for every organisation
	resourceType = "export"
)

// EventTypes returns the audit event types of exports.
func EventTypes() []string { return []string{Requested, Fetched, Cancelled} }

// Statuses of an export job.
const (
	Done            = "DONE"
	CancelledStatus = "CANCELLED"
)

// Job is one export.
type Job struct {
	ID         string
	Status     string
	Total      int64 // records, events and messages at the time of the request
	Done       int64
	Failed     int64
	CreatedAt  time.Time
	FinishedAt time.Time
}

// Tx reads and writes the data of one organisation.
type Tx interface {
	audit.Recorder
	Now() time.Time
	CountExported() (int64, error)
	AddExport(Job) error
	Exports() ([]Job, error) // newest first
	CancelExport(id string) error

	Organisation() (access.Organisation, error)
	EventsAfter(sequence int64, limit int) ([]audit.Event, error)
	// WholeFilings returns records of a kind after a position, oldest first.
	WholeFilings(kind string, after filing.Position, limit int) ([]filing.Filing, error)
	// TableRows returns rows of a table after a key, in the order of the key.
	TableRows(t Table, after []string, limit int) ([]Row, error)
	// Originals returns messages and documents as sent or received, in the order of their IDs.
	Originals(s Source, after string, limit int) ([]Original, error)
}

// Store opens transactions.
type Store interface {
	ViewExport(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateExport(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Members(ctx context.Context, org tenant.ID) ([]access.Member, error)
	Inbound(ctx context.Context, id string) (customs.Inbound, error) // a raw message
}

// Service makes exports.
type Service struct {
	Store   Store
	Kinds   []string // of records
	NewID   func() string
	Version string // of the program
}

// Request creates an export, which can be downloaded for 30 days.
func (s *Service) Request(ctx context.Context, call tenant.Call) (Job, error) {
	return s.request(ctx, call, func(tx Tx, j Job) error {
		if err := tx.AddExport(j); err != nil {
			return err
		}
		return tx.Record(s.event(call, Requested, j))
	})
}

// Rehearse returns the export that Request would create, without an id, and stores nothing.
func (s *Service) Rehearse(ctx context.Context, call tenant.Call) (Job, error) {
	j, err := s.request(ctx, call, func(Tx, Job) error { return nil })
	j.ID = ""
	return j, err
}

// request prepares an export and passes it to keep.
func (s *Service) request(ctx context.Context, call tenant.Call, keep func(Tx, Job) error) (j Job, err error) {
	var total int64
	err = s.Store.ViewExport(ctx, call.Org, func(tx Tx) (err error) { total, err = tx.CountExported(); return err })
	if err != nil {
		return j, err
	}
	err = s.Store.UpdateExport(ctx, call.Org, func(tx Tx) error {
		j = Job{ID: s.NewID(), Status: Done, Total: total, Done: total, CreatedAt: tx.Now(), FinishedAt: tx.Now()}
		open, err := tx.Exports()
		if err != nil {
			return err
		}
		kept := 0
		for _, other := range open {
			if other.Status == Done && !other.expired(tx.Now()) {
				kept++
			}
		}
		if kept >= MaxOpen {
			return apierr.New(apierr.InvalidState, "The organisation already has %d exports. Cancel one of them first.", kept)
		}
		return keep(tx, j)
	})
	return j, err
}

// Find returns an export that has not expired.
func (s *Service) Find(ctx context.Context, org tenant.ID, id string) (found Job, err error) {
	err = s.Store.ViewExport(ctx, org, func(tx Tx) (err error) { found, err = findJob(tx, id); return err })
	return found, err
}

// List returns the exports that have not expired, newest first.
func (s *Service) List(ctx context.Context, org tenant.ID) (kept []Job, err error) {
	err = s.Store.ViewExport(ctx, org, func(tx Tx) error {
		all, err := tx.Exports()
		kept = nil
		for _, j := range all {
			if !j.expired(tx.Now()) {
				kept = append(kept, j)
			}
		}
		return err
	})
	return kept, err
}

// Cancel ends an export; it can no longer be downloaded.
func (s *Service) Cancel(ctx context.Context, call tenant.Call, id string) (j Job, err error) {
	err = s.Store.UpdateExport(ctx, call.Org, func(tx Tx) error {
		if j, err = findJob(tx, id); err != nil || j.Status == CancelledStatus {
			return err
		}
		j.Status = CancelledStatus
		if err := tx.CancelExport(id); err != nil {
			return err
		}
		return tx.Record(s.event(call, Cancelled, j))
	})
	return j, err
}

func (j Job) expired(now time.Time) bool { return !now.Before(j.CreatedAt.Add(Retention)) }

func findJob(tx Tx, id string) (Job, error) {
	all, err := tx.Exports()
	if err != nil {
		return Job{}, err
	}
	for _, j := range all {
		if j.ID == id && !j.expired(tx.Now()) {
			return j, nil
		}
	}
	return Job{}, apierr.Missing()
}

func (s *Service) event(call tenant.Call, eventType string, j Job) audit.Event {
	data, _ := json.Marshal(map[string]int64{"total": j.Total})
	return audit.By(call, audit.Event{ID: s.NewID(), Hub: eventHub, Type: eventType, ResourceType: resourceType, ResourceID: j.ID, Data: data})
}
