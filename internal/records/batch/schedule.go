package batch

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// run is one run of a batch in this process.
type run struct {
	*Service
	job   jobs.Job
	batch Batch

	operations map[int]string // that were read and have not begun, as they are stored
	ids        recordIDs
	waiting    map[int]int   // rows that have not begun: how many rows each waits for
	followers  map[int][]int // rows that wait for a row
	ready      []int         // rows that can begin
	left       int           // rows that have not ended

	tasks    chan task
	answers  chan Result
	errors   chan error
	running  int
	workers  int      // goroutines that run rows; they run many, as their stacks would grow again for each row
	results  []Result // that are not counted
	unstored int      // of those, how many are not stored
	stopping bool
	until    time.Time // when the next row can begin, if a budget is used up
	failure  error
}

// task is a row that begins.
type task struct {
	index  int
	stored string // the operation
}

// load takes the rows that have not run.
func (r *run) load(states []State) {
	r.waiting, r.followers = map[int]int{}, map[int][]int{}
	r.errors = make(chan error, inFlight)
	ran := map[int]bool{}
	for _, s := range states {
		ran[s.Index] = s.Status != 0
		if s.RecordID != "" {
			r.ids.add(s.Reference, s.RecordID)
		}
	}
	for _, s := range states {
		if ran[s.Index] {
			continue
		}
		r.left++
		open := 0
		for _, w := range s.WaitsFor {
			if !ran[w] {
				open++
				r.followers[w] = append(r.followers[w], s.Index)
			}
		}
		if open > 0 {
			r.waiting[s.Index] = open
		} else {
			r.ready = append(r.ready, s.Index)
		}
	}
}

// all runs rows until none is left, the batch is cancelled, or none can begin now. A row that waits for another begins
// when the result of that is stored: after a crash, a row must not run again after a row that waited for it. New rows
// begin until begun ends; those that run are waited for.
func (r *run) all(ctx, begun context.Context) error {
	looks := time.NewTicker(interval)
	defer looks.Stop()
	r.tasks = make(chan task, inFlight)
	defer close(r.tasks)
	for {
		r.start(ctx, begun)
		if r.running == 0 && r.unstored == 0 {
			return r.failure // finish counts the results
		}
		if r.running == 0 || r.unstored >= flushSize || r.unstored > 0 && len(r.ready) == 0 && len(r.waiting) > 0 {
			r.flush(ctx)
			continue
		}
		select {
		case result := <-r.answers:
			r.running--
			r.take(result)
		case err := <-r.errors:
			r.running--
			r.postpone(err)
		case <-looks.C:
			r.look(ctx)
		}
	}
}

// start begins as many rows as may run at the same time.
func (r *run) start(ctx, begun context.Context) {
	for len(r.ready) > 0 && r.running < inFlight && !r.stopping && begun.Err() == nil {
		index := r.ready[0]
		stored, err := r.operation(ctx, index)
		if err != nil {
			r.postpone(err)
			return
		}
		r.ready = r.ready[1:]
		if r.running++; r.running > r.workers {
			r.workers++
			go r.work(ctx)
		}
		r.tasks <- task{index, stored}
	}
}

// work runs rows, beside other workers, until the run ends.
func (r *run) work(ctx context.Context) {
	for t := range r.tasks {
		if result, err := r.runRow(ctx, t.index, t.stored); err != nil {
			r.errors <- err
		} else {
			r.answers <- result
		}
	}
}

// take notes the result of a row that ran.
func (r *run) take(result Result) {
	if result.Stored {
		r.release(result)
		result.Body = nil
	} else {
		r.unstored++
	}
	r.results = append(r.results, result)
}

// postpone begins no further rows, because one could not run.
func (r *run) postpone(err error) {
	r.stopping = true
	var later NotBegun
	if !errors.As(err, &later) {
		r.failure = errors.Join(r.failure, err)
	} else if later.Until.After(r.until) {
		r.until = later.Until
	}
}

// flush counts results and stores those that are not, and lets the rows begin that wait for them.
func (r *run) flush(ctx context.Context) {
	results := r.results
	r.results, r.unstored = nil, 0
	err := r.Store.UpdateBatch(ctx, r.job.Org, func(tx Tx) error { return tx.AdvanceBatch(r.batch.ID, r.job.Attempt, results) })
	if err != nil {
		r.stopping, r.failure = true, errors.Join(r.failure, err)
		return
	}
	for _, result := range results {
		if !result.Stored {
			r.release(result)
		}
	}
}

// release lets the rows begin that wait for a row alone whose result is stored.
func (r *run) release(result Result) {
	r.left--
	if result.RecordID != "" {
		r.ids.add(result.Reference, result.RecordID)
	}
	for _, next := range r.followers[result.Index] {
		if r.waiting[next]--; r.waiting[next] == 0 {
			delete(r.waiting, next)
			r.ready = append(r.ready, next)
		}
	}
}

// look counts results and begins no further rows if the batch was cancelled or another run has begun.
func (r *run) look(ctx context.Context) {
	if len(r.results) > 0 {
		r.flush(ctx)
	}
	err := r.Store.ViewBatch(ctx, r.job.Org, func(tx Tx) error {
		b, err := tx.Batch(r.batch.ID)
		if err == nil && b.Attempt != r.job.Attempt {
			err = jobs.ErrLeaseLost
		}
		r.stopping = r.stopping || b.Status != Running
		return err
	})
	if err != nil {
		r.stopping, r.failure = true, errors.Join(r.failure, err)
	}
}
