// Package whatif computes many lines of goods twice, as they are and with a change, as one job: what another origin, date,
// Incoterm or edition of the tariff would cost.
package whatif

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/calculator"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Limits of what-ifs.
const (
	MaxLines   = 100_000             // lines of a what-if, whatever their source
	MaxBody    = 64 << 20            // bytes of a request
	Retention  = 30 * 24 * time.Hour // from the end of a what-if until it is deleted with its result
	maxOpen    = 20                  // what-ifs of an organisation that have not ended
	maxRunning = 1                   // what-ifs of an organisation that run at the same time, in all instances
)

// Queue is the queue of the jobs that run what-ifs.
const Queue = "whatif"

// Statuses of a what-if.
const (
	Queued    = "QUEUED"
	Running   = "RUNNING"
	Done      = "DONE"
	Failed    = "FAILED" // the what-if itself could not go on; incomplete lines leave it DONE
	Cancelled = "CANCELLED"
)

// Audit event types of what-ifs.
const (
	UploadedEvent  = "whatif.uploaded"
	CreatedEvent   = "whatif.created"
	CancelledEvent = "whatif.cancelled"
	FinishedEvent  = "whatif.finished"

	home         = "customs" // the Hub that is enabled for every organisation
	resourceType = "whatif"
)

// EventTypes returns the audit event types of what-ifs.
func EventTypes() []string {
	return []string{UploadedEvent, CreatedEvent, CancelledEvent, FinishedEvent}
}

// Job is a what-if as a job.
type Job struct {
	ID         string
	Status     string
	Settings   Settings
	Total      int64 // lines that are known so far
	Done       int64 // lines that are complete in both cases
	Failed     int64 // lines that are not
	Problem    string
	Summary    Summary // of a what-if that is DONE
	Sender     tenant.Call
	Attempt    int64  // fencing token of the job that runs it
	Cursor     string // place in the records up to which lines were gathered
	Gathered   bool   // all lines are stored
	CreatedAt  time.Time
	FinishedAt time.Time
}

// Piece is a part of the lines of a what-if, in their order.
type Piece struct {
	Number int
	Lines  int    // how many there are
	Input  []byte // packed lines; nil once they are computed
	Output []byte // packed results, sorted; nil before
}

// Tx reads and writes the what-ifs of one organisation.
type Tx interface {
	Now() time.Time
	Record(audit.Event) error
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
	RetryJob(j jobs.Job, at time.Time, problem string) error
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
	WholeFilings(kind string, after filing.Position, limit int) ([]filing.Filing, error)

	AddWhatIf(Job) error
	// UseTariff keeps an edition of the tariff as long as usedBy is stored.
	UseTariff(usedBy string, version int64) error
	WhatIf(id string) (Job, error)
	WhatIfs(limit int) ([]Job, error) // newest first
	// WhatIfsIn counts what-ifs with one of two statuses, except one of them.
	WhatIfsIn(status, other, except string) (int, error)
	// LeaseWhatIf stores the fencing token of a run and RUNNING, unless a later run has begun or the what-if has ended.
	LeaseWhatIf(id string, attempt int64) error
	// GatherWhatIf adds pieces of lines and stores how far they were gathered. It returns jobs.ErrLeaseLost if a later run
	// has begun or the what-if has ended.
	GatherWhatIf(j Job, pieces []Piece) error
	// NextWhatIfPiece returns the first piece that is not computed.
	NextWhatIfPiece(id string) (p Piece, found bool, err error)
	// AdvanceWhatIf stores the output of a piece and counts its lines, with the same error as GatherWhatIf.
	AdvanceWhatIf(id string, attempt int64, p Piece, done, failed int) error
	WhatIfOutputs(id string) ([][]byte, error)
	// EndWhatIf ends a what-if that has not ended, and reports whether it did. Its pieces are deleted.
	EndWhatIf(j Job, pages [][]byte) (bool, error)
	AddWhatIfUpload(Upload) error
	WhatIfUpload(id string) (Upload, error) // apierr.NotFound if it does not exist
	WhatIfUploads() (count int, err error)
	// WhatIfPage returns a page of the result, packed; nil if there is none.
	WhatIfPage(id string, number int) ([]byte, error)
}

// Store opens transactions.
type Store interface {
	ViewWhatIf(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateWhatIf(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Service makes and runs what-ifs.
type Service struct {
	Store      Store
	Calculator *calculator.Calculator
	NewID      func() string

	Declarations Records
	Catalogue    Catalogue
	Later        Later // nil if nothing is due later
}

// Records are records whose goods can be computed.
type Records struct {
	Kind  string
	Page  int // records that are read together
	Lines func(*filing.Filing) ([]Goods, error)
}

// Catalogue are the products of the organisation.
type Catalogue struct {
	Records
	Supply func(*filing.Filing, *duty.RequestLine) (*duty.Product, error) // fills in what a line lacks
}

// maxProduct is more than the size of a product in bytes.
const maxProduct = 1 << 20

// byID returns the products that have some ids, by id.
func (c *Catalogue) byID(tx Tx, ids []string) (map[string]filing.Filing, error) {
	all, err := tx.FilingsByID(c.Kind, ids, maxProduct)
	found := make(map[string]filing.Filing, len(all))
	for _, f := range all {
		found[f.ID] = f
	}
	return found, err
}

// Later returns a charge on the goods of a line that is due later than at the border, by what the line costs there, with the facts
// that it depends on and are not known; nil for none.
type Later func(*Line, *duty.ResponseLine) (*duty.ChargeLine, []duty.Fact)

// noJob is the ID of no what-if.
const noJob = "00000000-0000-0000-0000-000000000000"

// Create stores a what-if that was prepared, with the job that runs it.
func (s *Service) Create(tx Tx, call tenant.Call, p Prepared) (Job, error) {
	open, err := tx.WhatIfsIn(Queued, Running, noJob)
	if err != nil {
		return Job{}, err
	}
	if open >= maxOpen {
		return Job{}, apierr.New(apierr.InvalidState, "The organisation already has %d what-ifs that have not ended. Wait for one of them, or cancel it.", open)
	}
	j := Job{ID: s.NewID(), Status: Queued, Settings: p.Settings, Sender: call, CreatedAt: tx.Now(), Gathered: !p.Settings.gathers()}
	if err := keepEditions(tx, &j); err != nil {
		return Job{}, err
	}
	if err := tx.AddWhatIf(j); err != nil {
		return Job{}, err
	}
	for _, piece := range p.pieces {
		j.Total += int64(piece.Lines)
	}
	if err := tx.GatherWhatIf(j, p.pieces); err != nil {
		return Job{}, err
	}
	if err := tx.Record(s.event(call, CreatedEvent, j)); err != nil {
		return Job{}, err
	}
	return j, tx.Enqueue(jobs.Job{ID: s.NewID(), Queue: Queue, Subject: j.ID})
}

// Cancel ends a what-if that has not ended. One that has ended stays as it is.
func (s *Service) Cancel(ctx context.Context, call tenant.Call, id string) (j Job, err error) {
	err = s.Store.UpdateWhatIf(ctx, call.Org, func(tx Tx) error {
		if j, err = tx.WhatIf(id); err != nil {
			return err
		}
		end := j
		end.Status, end.FinishedAt = Cancelled, tx.Now()
		ended, err := tx.EndWhatIf(end, nil)
		if err != nil || !ended {
			return err
		}
		j = end
		return tx.Record(s.event(call, CancelledEvent, j))
	})
	return j, err
}

// Find returns a what-if of an organisation.
func (s *Service) Find(ctx context.Context, org tenant.ID, id string) (j Job, err error) {
	err = s.Store.ViewWhatIf(ctx, org, func(tx Tx) error {
		j, err = tx.WhatIf(id)
		return err
	})
	return j, err
}

// List returns the newest what-ifs of an organisation.
func (s *Service) List(ctx context.Context, org tenant.ID, limit int) (all []Job, err error) {
	err = s.Store.ViewWhatIf(ctx, org, func(tx Tx) error {
		all, err = tx.WhatIfs(limit)
		return err
	})
	return all, err
}

func (s *Service) event(call tenant.Call, eventType string, j Job) audit.Event {
	data, _ := json.Marshal(map[string]int64{"total": j.Total, "done": j.Done, "failed": j.Failed})
	return audit.By(call, audit.Event{ID: s.NewID(), Hub: home, Type: eventType, ResourceType: resourceType, ResourceID: j.ID, Data: data})
}

// UsedBy begins the name by which a what-if keeps its editions of the tariff; its id follows.
const UsedBy = "what-if/"

// keepEditions keeps the editions of both cases as long as the what-if is stored.
func keepEditions(tx Tx, j *Job) error {
	for _, version := range []int64{j.Settings.Edition, j.Settings.ChangedEdition()} {
		if err := tx.UseTariff(UsedBy+j.ID, version); err != nil {
			return err
		}
	}
	return nil
}
