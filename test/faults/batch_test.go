package faults_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Sizes of the test of batches: groups of five rows, and kills. The batch must run long enough to be killed; in the long run it
// has as many rows as a batch may have.
var (
	batchGroups = sized(80, 200)
	batchKills  = sized(2, 60)
)

type batchJob struct {
	ID, Status          string
	Total, Done, Failed int
}

// However often the program is killed while a batch runs, each row has its effect once, no result is lost, and nothing
// is declared twice.
func TestKillDuringBatch(t *testing.T) {
	onBoth(t, testKillDuringBatch)
}

func testKillDuringBatch(t *testing.T, b storetest.Backend) {
	p := newHost(t, b)
	running, c := p.withOrganisation(t)
	groups := batchGroups
	shipment := c.shipment(t)
	var rows []map[string]any
	for i := range groups {
		sent, deleted := fmt.Sprint("sent ", i), fmt.Sprint("deleted ", i)
		rows = append(rows,
			map[string]any{"method": "POST", "path": "/api/declarations", "body": input(shipment, sent), "reference": sent},
			map[string]any{"method": "POST", "path": "/api/cds/submit", "body": map[string]any{"declarationId": "$ref:" + sent}},
			map[string]any{"method": "POST", "path": "/api/declarations", "body": input(shipment, deleted), "reference": deleted},
			map[string]any{"method": "DELETE", "path": "/api/declarations/$ref:" + deleted},
			map[string]any{"method": "DELETE", "path": "/api/declarations/$ref:" + deleted},
		)
	}
	var made struct{ Batch batchJob }
	a, err := c.do(t.Context(), http.MethodPost, "/api/batches", "the batch", map[string]any{"operations": rows})
	if err != nil || !a.read(&made) {
		t.Fatalf("%v %s", err, a.body)
	}
	killed, seen := 0, 0
	for ; killed < batchKills; killed++ {
		now := c.waitForBatch(t, made.Batch.ID, func(b batchJob) bool { return b.Done+b.Failed > seen })
		if now.ended() {
			break
		}
		seen = now.Done + now.Failed
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	if killed == 0 {
		t.Error("the batch ended before the program was killed")
	}
	job := c.waitForBatch(t, made.Batch.ID, batchJob.ended)
	if job.Status != "DONE" || job.Done != 4*groups || job.Failed != groups {
		t.Errorf("%+v", job)
	}
	c.checkBatchResults(t, job, groups)
	c.waitUntilFinished(t)
	p.verifyAudit(t)
	p.sentOnce(t)
}

func (b batchJob) ended() bool { return b.Status != "QUEUED" && b.Status != "RUNNING" }

// waitForBatch waits until a batch has ended, or is as wanted.
func (c *client) waitForBatch(t *testing.T, id string, wanted func(batchJob) bool) batchJob {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var out struct{ Batch batchJob }
		c.must(t, http.MethodGet, "/api/batches/"+id, nil, &out)
		if out.Batch.ended() || wanted(out.Batch) {
			return out.Batch
		}
	}
	t.Fatal("the batch does not go on")
	return batchJob{}
}

// checkBatchResults compares the results, the declarations and the trail with the batch.
func (c *client) checkBatchResults(t *testing.T, job batchJob, groups int) {
	t.Helper()
	statuses := map[int]int{}
	for cursor := ""; ; {
		var page struct {
			Results    []struct{ Index, Status int }
			NextCursor string
		}
		c.must(t, http.MethodGet, "/api/batches/"+job.ID+"/results?limit=100"+cursor, nil, &page)
		for _, r := range page.Results {
			statuses[r.Index] = r.Status
		}
		if page.NextCursor == "" {
			break
		}
		cursor = "&cursor=" + page.NextCursor
	}
	for i := range job.Total {
		if want := []int{201, 200, 201, 200, 400}[i%5]; statuses[i] != want {
			t.Errorf("row %d has status %d, want %d", i, statuses[i], want)
		}
	}
	if all := c.declarations(t, ""); len(all) != 2*groups {
		t.Errorf("%d declarations, want %d", len(all), 2*groups)
	}
	if cancelled := c.declarations(t, "CANCELLED"); len(cancelled) != groups {
		t.Errorf("%d declarations are CANCELLED, want %d", len(cancelled), groups)
	}
	for _, kind := range []string{"declaration.submitted", "declaration.cancelled", "batch.created", "batch.finished"} {
		want := groups
		if kind[:5] == "batch" {
			want = 1
		}
		if events := c.events(t, kind); len(events) != want {
			t.Errorf("%d events %s, want %d", len(events), kind, want)
		}
	}
}
