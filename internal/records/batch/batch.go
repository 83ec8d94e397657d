// Package batch runs many API calls of an organisation as one job. The API hands in the function that runs a call, so
// that a row does exactly what the single call does.
package batch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of batches.
const (
	MaxRows    = 1000                // operations of a batch
	MaxBody    = 64 << 20            // bytes of a batch
	Retention  = 30 * 24 * time.Hour // from the end of a batch until it is deleted with its results
	maxOpen    = 100                 // batches of an organisation that have not ended
	maxRunning = 2                   // batches of an organisation that run at the same time, in all instances
)

// Queue is the queue of the jobs that run batches.
const Queue = "batch"

// Statuses of a batch.
const (
	Queued    = "QUEUED"
	Running   = "RUNNING"
	Done      = "DONE"
	Failed    = "FAILED" // the batch itself could not go on; failed rows leave it DONE
	Cancelled = "CANCELLED"
)

// Audit event types of batches.
const (
	CreatedEvent   = "batch.created"
	CancelledEvent = "batch.cancelled"
	FinishedEvent  = "batch.finished"

	home         = "customs" // the Hub that is enabled for every organisation
	resourceType = "batch"
)

// EventTypes returns the audit event types of batches.
func EventTypes() []string { return []string{CreatedEvent, CancelledEvent, FinishedEvent} }

// Batch is a batch as a job.
type Batch struct {
	ID         string
	Kind       string // Calls, Import or Documents; of records that a person marked, Marked with the action
	Status     string
	Total      int64
	Done       int64 // rows that succeeded
	Failed     int64
	Sender     Sender
	Attempt    int64 // fencing token of the job that runs it
	CreatedAt  time.Time
	FinishedAt time.Time
}

// Calls is the kind of a batch whose operations the caller wrote.
const Calls = "batch"

// Marked begins the kind of a batch on records that a person marked in the console; the action follows. The API does not
// show it.
const Marked = "marked."

// Sender is the call that made a batch.
type Sender struct {
	Call    tenant.Call       `json:"call"`
	Headers map[string]string `json:"headers,omitempty"` // about the caller's device, for HMRC
}

// Operation is one API call of a batch.
type Operation struct {
	Method    string          `json:"method"`
	Path      string          `json:"path"`
	Body      json.RawMessage `json:"body,omitempty"`
	Document  []byte          `json:"document,omitempty"` // XML, instead of Body
	Reference string          `json:"reference,omitempty"`
	Sealed    string          `json:"sealed,omitempty"`    // the encrypted body or document, if it holds a secret
	IfVersion int64           `json:"ifVersion,omitempty"` // the only version of the record that the call changes; 0 for any
}

// Row is a row of a batch before it ran.
type Row struct {
	Operation
	Index    int
	WaitsFor []int // rows that must have ended before
}

// Waiting is a row that has not run, with its operation as it is stored: rows are decoded side by side.
type Waiting struct {
	Index     int
	Operation string // JSON of an Operation
}

// Answer is the answer to a row.
type Answer struct {
	Status int
	Body   []byte // JSON; empty for none
	Stored bool   // in the transaction of the change
}

// Succeeded reports whether the row took effect.
func (a Answer) Succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// State is how far a row is.
type State struct {
	Index     int
	Reference string
	WaitsFor  []int
	Status    int    // of the answer; 0 if the row has not run
	RecordID  string // of the record that it made, if the row has a reference
}

// Result is the result of a row that ran.
type Result struct {
	Index     int
	Reference string
	RecordID  string
	Answer
}

// ErrRan says that a row has a result already.
var ErrRan = errors.New("batch: the row ran already")

// NewResult returns the result of a row.
func NewResult(index int, reference string, a Answer) Result {
	r := Result{Index: index, Reference: reference, Answer: a}
	if reference != "" && a.Succeeded() {
		r.RecordID = recordIn(a.Body)
	}
	return r
}

// Tx reads and writes the batches of one organisation.
type Tx interface {
	Now() time.Time
	RealNow() time.Time // of jobs and budgets, also if the test clock of a test organisation is set
	Record(audit.Event) error
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
	RetryJob(j jobs.Job, at time.Time, problem string) error

	AddBatch(b Batch, rows []Row) error
	Batch(id string) (Batch, error)
	// BatchesIn counts batches with one of two statuses, except one batch.
	BatchesIn(status, other, except string) (int, error)
	// LeaseBatch stores the fencing token of a run and RUNNING, unless a later run has begun or the batch has ended.
	LeaseBatch(id string, attempt int64) error
	// AdvanceBatch counts results, and stores those that are not. It returns jobs.ErrLeaseLost if a later run has begun.
	AdvanceBatch(id string, attempt int64, results []Result) error
	// StoreResult stores the result of a row, or returns ErrRan if it has one.
	StoreResult(id string, r Result) error
	// CountBatch counts the results that are stored.
	CountBatch(id string) error
	// EndBatch ends a batch that has not ended, and reports whether it did.
	EndBatch(id, status string) (bool, error)
	BatchStates(id string) ([]State, error)
	// BatchOperations returns the operations of rows from an index on that have not run: at most limit, and no more
	// after maxBytes.
	BatchOperations(id string, from, limit, maxBytes int) ([]Waiting, error)
	// BatchResults returns results after an index, in order: at most limit, and no more after maxBytes of answers.
	BatchResults(id string, after, limit, maxBytes int) ([]Result, error)
}

// Store opens transactions.
type Store interface {
	ViewBatch(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateBatch(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Create stores a batch with the job that runs it.
func (s *Service) Create(tx Tx, from Sender, kind string, rows []Row) (Batch, error) {
	return s.create(tx, s.NewID(), from, kind, rows)
}

// CreateOnce stores a batch under an ID, or returns the one of the kind that has the ID already. Two forms with one ID thus
// have one effect.
func (s *Service) CreateOnce(tx Tx, id string, from Sender, kind string, rows []Row) (Batch, error) {
	b, err := Find(tx, kind, id)
	if !apierr.Is(err, apierr.NotFound) {
		return b, err
	}
	return s.create(tx, id, from, kind, rows)
}

func (s *Service) create(tx Tx, id string, from Sender, kind string, rows []Row) (Batch, error) {
	open, err := tx.BatchesIn(Queued, Running, noBatch)
	if err != nil {
		return Batch{}, err
	}
	if open >= maxOpen {
		return Batch{}, apierr.New(apierr.InvalidState, "The organisation already has %d batches that have not ended. Wait for one of them, or cancel it.", open)
	}
	b := Batch{ID: id, Kind: kind, Status: Queued, Total: int64(len(rows)), Sender: from, CreatedAt: tx.Now()}
	rows, err = s.sealBodies(from.Call.Org, b.ID, rows)
	if err != nil {
		return Batch{}, err
	}
	if err := tx.AddBatch(b, rows); err != nil {
		return Batch{}, err
	}
	if err := tx.Record(s.event(from.Call, CreatedEvent, b)); err != nil {
		return Batch{}, err
	}
	return b, tx.Enqueue(jobs.Job{ID: s.NewID(), Queue: Queue, Subject: b.ID})
}

// noBatch is the ID of no batch.
const noBatch = "00000000-0000-0000-0000-000000000000"

// Find returns a batch of a kind.
func Find(tx Tx, kind, id string) (Batch, error) {
	b, err := tx.Batch(id)
	if err == nil && b.Kind != kind && !(kind == Import && b.Kind == Documents) {
		return Batch{}, apierr.Missing()
	}
	return b, err
}

// Cancel cancels the rows of a batch that have not begun. A batch that has ended stays as it is.
func (s *Service) Cancel(ctx context.Context, call tenant.Call, kind, id string) (b Batch, err error) {
	err = s.Store.UpdateBatch(ctx, call.Org, func(tx Tx) error {
		if b, err = Find(tx, kind, id); err != nil {
			return err
		}
		ended, err := tx.EndBatch(id, Cancelled)
		if err != nil || !ended {
			return err
		}
		b.Status, b.FinishedAt = Cancelled, tx.Now()
		return tx.Record(s.event(call, CancelledEvent, b))
	})
	if err == nil && b.Status == Cancelled {
		s.interrupt(id)
	}
	return b, err
}

func (s *Service) event(call tenant.Call, eventType string, b Batch) audit.Event {
	data, _ := json.Marshal(map[string]int64{"total": b.Total, "done": b.Done, "failed": b.Failed})
	return audit.By(call, audit.Event{ID: s.NewID(), Hub: home, Type: eventType, ResourceType: resourceType, ResourceID: b.ID, Data: data})
}
