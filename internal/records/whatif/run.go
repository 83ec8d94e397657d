package whatif

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// queueWait is how long a what-if waits while another one of its organisation runs.
const queueWait = time.Second

// Backoff are the delays after failures of a what-if itself, before it is FAILED.
var Backoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}

// run is one run of a what-if in this process.
type run struct {
	*Service
	job    jobs.Job
	whatIf Job
}

// stop is an error after which a what-if cannot go on, with the text that its user sees.
type stop struct{ problem string }

func (s stop) Error() string { return "whatif: " + s.problem }

// Run computes the lines of a what-if that are not computed, and finishes its job. It can be repeated after a crash.
func (s *Service) Run(ctx context.Context, j jobs.Job) error {
	err := s.run(ctx, j)
	var final stop
	switch {
	case err == nil || errors.Is(err, jobs.ErrLeaseLost) || apierr.CannotStore(err) || ctx.Err() != nil:
		return err
	case errors.As(err, &final):
		return s.fail(ctx, j, final.problem)
	case int(j.Failures) < len(Backoff):
		return err
	}
	return errors.Join(err, s.fail(ctx, j, "The service could not go on. Try again later."))
}

func (s *Service) fail(ctx context.Context, j jobs.Job, problem string) error {
	return s.Store.UpdateWhatIf(context.WithoutCancel(ctx), j.Org, func(tx Tx) error {
		w, err := tx.WhatIf(j.Subject)
		if err != nil {
			return err
		}
		w.Status, w.Problem, w.FinishedAt = Failed, problem, tx.Now()
		if _, err := tx.EndWhatIf(w, nil); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

func (s *Service) run(ctx context.Context, j jobs.Job) error {
	r := &run{Service: s, job: j}
	if started, err := r.begin(ctx); err != nil || !started {
		return err
	}
	c := computer{settings: &r.whatIf.Settings, later: s.Later}
	err := r.all(ctx, &c)
	if errors.Is(err, errEnded) {
		return s.Store.UpdateWhatIf(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	}
	return err
}

// all gathers and computes what is left, and finishes the what-if.
func (r *run) all(ctx context.Context, c *computer) error {
	if err := r.gather(ctx); err != nil {
		return err
	}
	for {
		more, err := r.piece(ctx, c)
		if err != nil {
			return err
		}
		if !more {
			return r.finish(ctx)
		}
	}
}

// begin leases the what-if. It reports whether there is something to run.
func (r *run) begin(ctx context.Context) (started bool, err error) {
	err = r.Store.UpdateWhatIf(ctx, r.job.Org, func(tx Tx) error {
		started = false
		if r.whatIf, err = tx.WhatIf(r.job.Subject); apierr.Is(err, apierr.NotFound) {
			return tx.FinishJob(r.job) // deleted
		} else if err != nil {
			return err
		}
		if r.whatIf.Status != Queued && r.whatIf.Status != Running {
			return tx.FinishJob(r.job)
		}
		if busy, err := tx.WhatIfsIn(Running, Running, r.whatIf.ID); err != nil {
			return err
		} else if busy >= maxRunning && r.whatIf.Status == Queued {
			return tx.RetryJob(r.job, tx.Now().Add(queueWait), "")
		}
		if err := tx.LeaseWhatIf(r.whatIf.ID, r.job.Attempt); err != nil {
			return err
		}
		started = true
		r.whatIf.Status, r.whatIf.Attempt = Running, r.job.Attempt
		return nil
	})
	return started, err
}

// fix finds the editions and the table of the what-if.
func (r *run) fix(ctx context.Context, c *computer, lines []Goods) error {
	s, codes := c.settings, make([]string, len(lines))
	for i := range lines {
		codes[i] = lines[i].CommodityCode
	}
	base, faults, err := r.Calculator.Fix(ctx, &s.Edition, &s.RateTable, codes)
	if err != nil {
		return err
	}
	c.base, c.changed = base, base
	if e := s.Change.Edition; e != nil && faults == nil {
		if c.changed, faults, err = r.Calculator.Fix(ctx, e, &s.RateTable, codes); err != nil {
			return err
		}
	}
	if faults != nil {
		return stop{"An edition of the tariff or a table of exchange rates that it names is no longer held."}
	}
	return nil
}

// errEnded says that the what-if was cancelled, or that another run has it.
var errEnded = errors.New("whatif: the what-if has ended")

// ended distinguishes a what-if that was cancelled from one that another run has.
func (r *run) ended(ctx context.Context, err error) error {
	if !errors.Is(err, jobs.ErrLeaseLost) {
		return err
	}
	w, findErr := r.Find(ctx, r.job.Org, r.whatIf.ID)
	if findErr == nil && w.Attempt == r.job.Attempt || apierr.Is(findErr, apierr.NotFound) {
		return errEnded
	}
	return err
}

// piece computes the next piece and stores it. It reports whether there was one.
func (r *run) piece(ctx context.Context, c *computer) (bool, error) {
	var p Piece
	var found bool
	var lines []Goods
	products := map[string]filing.Filing{}
	err := r.Store.ViewWhatIf(ctx, r.job.Org, func(tx Tx) (err error) {
		if p, found, err = tx.NextWhatIfPiece(r.whatIf.ID); err != nil || !found {
			return err
		}
		if lines, err = unpack[Goods](p.Input); err != nil {
			return err
		}
		products, err = r.productsOf(tx, lines)
		return err
	})
	if err != nil || !found {
		return false, err
	}
	for i := range lines {
		if f, ok := products[strings.ToLower(lines[i].ProductID)]; ok && lines[i].CommodityCode == "" {
			if _, err := r.Catalogue.Supply(&f, &lines[i].RequestLine); err != nil {
				return false, err
			}
		}
	}
	if err := r.fix(ctx, c, lines); err != nil {
		return false, err
	}
	results := c.all(lines, p.Number*pieceLines)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	failed := 0
	for i := range results {
		if results[i].Base == nil {
			failed++
		}
	}
	if p.Output, err = packResults(results); err != nil {
		return false, err
	}
	err = r.Store.UpdateWhatIf(ctx, r.job.Org, func(tx Tx) error {
		return tx.AdvanceWhatIf(r.whatIf.ID, r.job.Attempt, p, len(results)-failed, failed)
	})
	return true, r.ended(ctx, err)
}

func packResults(results []result) ([]byte, error) {
	slices.SortFunc(results, func(a, b result) int { return compareResults(&a, &b) })
	var out packer
	for i := range results {
		if err := out.add(&results[i]); err != nil {
			return nil, err
		}
	}
	return out.end()
}

// productsOf returns the products that lines name, by id.
func (s *Service) productsOf(tx Tx, lines []Goods) (map[string]filing.Filing, error) {
	var ids []string
	for i := range lines {
		if id := strings.ToLower(lines[i].ProductID); id != "" {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil, nil
	}
	slices.Sort(ids)
	return s.Catalogue.byID(tx, slices.Compact(ids))
}

// finish merges the outputs and ends the what-if.
func (r *run) finish(ctx context.Context) error {
	var outputs [][]byte
	err := r.Store.ViewWhatIf(ctx, r.job.Org, func(tx Tx) (err error) {
		outputs, err = tx.WhatIfOutputs(r.whatIf.ID)
		return err
	})
	if err != nil {
		return err
	}
	pages, sum, err := merge(outputs, r.whatIf.Settings.GroupBy)
	if err != nil {
		return err
	}
	return r.Store.UpdateWhatIf(ctx, r.job.Org, func(tx Tx) error {
		w, err := tx.WhatIf(r.whatIf.ID)
		switch {
		case err != nil:
			return err
		case w.Attempt != r.job.Attempt:
			return jobs.ErrLeaseLost
		case w.Status != Running:
			return tx.FinishJob(r.job)
		}
		w.Status, w.Summary, w.FinishedAt = Done, sum, tx.Now()
		if _, err := tx.EndWhatIf(w, pages); err != nil {
			return err
		}
		call := w.Sender
		call.Principal = tenant.System(r.job.Org)
		if err := tx.Record(r.event(call, FinishedEvent, w)); err != nil {
			return err
		}
		return tx.FinishJob(r.job)
	})
}
