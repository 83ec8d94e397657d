package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements for batches.
const (
	batchRows   = 1000
	batchRounds = 7
	batchLook   = 10 * time.Millisecond // between looks at a batch
	leastBatch  = 5.0                   // times as fast as single calls
)

// measureBatch compares a batch of declarations with single calls of one client.
func measureBatch(ctx context.Context, b *bench) (section, error) {
	data := filepath.Join(b.folder, "batch")
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("batch"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	if err := awaitIndex(ctx, data); err != nil {
		return section{}, err
	}
	alone, together := effort{name: "single calls"}, effort{name: "batch"}
	single := load.Post(p.Address, office.Secret, "/api/declarations", office.Declaration())
	for round := range batchRounds {
		err := errors.Join(
			alone.measure(p, func() error { return load.Send(single, 1, batchRows) }),
			together.measure(p, func() error { return runBatch(ctx, p.Address, office, round) }),
		)
		if err != nil {
			return section{}, err
		}
	}
	return section{
		text: fmt.Sprintf("%d declarations with one item: one client that calls `POST /api/declarations`, and one `POST /api/batches` until the batch is DONE. Medians of %d alternating rounds, SQLite.",
			batchRows, batchRounds),
		head:     []string{"", "seconds", "shortest and longest", "declarations/s", "processor of the server, µs a declaration"},
		rows:     [][]string{alone.row(), together.row()},
		verdicts: []verdict{atLeast("speed of a batch to single calls", median(alone.seconds)/median(together.seconds), leastBatch)},
	}, nil
}

// effort is what rounds of one way to create the declarations took.
type effort struct {
	name               string
	seconds, processor []float64 // seconds
}

func (e *effort) measure(p *server.Process, run func() error) error {
	before, err := p.Processor()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := run(); err != nil {
		return err
	}
	e.seconds = append(e.seconds, time.Since(began).Seconds())
	after, err := p.Processor()
	e.processor = append(e.processor, (after - before).Seconds())
	return err
}

func (e *effort) row() []string {
	took := median(e.seconds)
	between := short(slices.Min(e.seconds)) + " to " + short(slices.Max(e.seconds))
	return []string{e.name, short(took), between, short(batchRows / took), short(median(e.processor) / batchRows * 1e6)}
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// runBatch sends a batch and waits for its end.
func runBatch(ctx context.Context, address string, o server.Office, round int) error {
	operation := map[string]any{"method": "POST", "path": "/api/declarations", "body": json.RawMessage(o.Declaration())}
	body, err := json.Marshal(map[string]any{"operations": slices.Repeat([]any{operation}, batchRows)})
	if err != nil {
		return err
	}
	job, err := batchCall(ctx, http.MethodPost, "http://"+address+"/api/batches", o.Secret, fmt.Sprint("batch ", round), body)
	for err == nil && job.FinishedAt == nil {
		time.Sleep(batchLook)
		job, err = batchCall(ctx, http.MethodGet, "http://"+address+"/api/batches/"+job.ID, o.Secret, "", nil)
	}
	if err == nil && job.Done != batchRows {
		err = fmt.Errorf("the batch is %s with %d rows done", job.Status, job.Done)
	}
	return err
}

type batchJob struct {
	ID, Status string
	Done       int
	FinishedAt *string
}

func batchCall(ctx context.Context, method, url, secret, key string, body []byte) (batchJob, error) {
	var answer struct{ Batch batchJob }
	err := callJSON(ctx, method, url, secret, key, body, &answer)
	return answer.Batch, err
}

// jobCall calls an operation that answers with a job.
func jobCall(ctx context.Context, method, url, secret, key string, body []byte) (batchJob, error) {
	var answer struct{ Job batchJob }
	err := callJSON(ctx, method, url, secret, key, body, &answer)
	return answer.Job, err
}

// callJSON calls an operation and decodes its answer.
func callJSON(ctx context.Context, method, url, secret, key string, body []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %d %s: %w", method, url, response.StatusCode, text, err)
	}
	return json.Unmarshal(text, into)
}
