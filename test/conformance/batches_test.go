package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const batchesPath = "/api/batches"

// row is an operation of a batch.
func row(reference, method, path string, body any) map[string]any {
	o := map[string]any{"method": method, "path": path}
	if reference != "" {
		o["reference"] = reference
	}
	if body != nil {
		o["body"] = body
	}
	return o
}

// batch sends a batch and returns its ID.
func (c *caller) batch(key string, rows ...map[string]any) string {
	c.t.Helper()
	a := c.call("POST", batchesPath, map[string]any{"operations": rows}, "Idempotency-Key", key).want(c.t, 202)
	if a.in("batch", "total") != float64(len(rows)) || a.in("batch", "resultUrl") != nil {
		c.t.Errorf("the new batch: %s", a.text)
	}
	return a.in("batch", "id").(string)
}

// ended waits until a job has ended.
func (c *caller) ended(path, name string) answer {
	c.t.Helper()
	var a answer
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		a = c.call("GET", path, nil).want(c.t, 200)
		if a.in(name, "finishedAt") != nil {
			return a
		}
	}
	c.t.Fatalf("not ended after %s: %s", waitLimit, a.text)
	return a
}

// results reads all results of a job in pages.
func (c *caller) results(path string, limit int) (all []map[string]any) {
	c.t.Helper()
	for cursor := ""; ; {
		a := c.call("GET", fmt.Sprintf("%s?limit=%d%s", path, limit, cursor), nil).want(c.t, 200)
		for _, r := range a.body["results"].([]any) {
			all = append(all, r.(map[string]any))
		}
		if a.body["hasMore"] == false {
			return all
		}
		cursor = "&cursor=" + a.body["nextCursor"].(string)
	}
}

// run sends a batch and returns its results.
func (c *caller) run(key string, rows ...map[string]any) []map[string]any {
	c.t.Helper()
	id := c.batch(key, rows...)
	job := c.ended(batchesPath+"/"+id, "batch")
	all := c.results(job.in("batch", "resultUrl").(string), 2)
	done, failed := 0.0, 0.0
	for i, r := range all {
		if r["index"] != float64(i) {
			c.t.Errorf("result %d has index %v", i, r["index"])
		}
		if r["status"].(float64) < 300 {
			done++
		} else {
			failed++
		}
	}
	if job.in("batch", "status") != "DONE" || job.in("batch", "done") != done || job.in("batch", "failed") != failed || len(all) != len(rows) {
		c.t.Errorf("the job %s has %d results", job.text, len(all))
	}
	return all
}

func statuses(results []map[string]any) (all []float64) {
	for _, r := range results {
		all = append(all, r["status"].(float64))
	}
	return all
}

// A batch makes records that refer to each other, submits and deletes them, in the order given for one record. A row
// that fails stops nothing, except the rows that refer to the record that it did not make.
func TestBatch(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		declaration := goods("$ref:shipment 1", "")
		results := c.run("k",
			row("the client", "POST", "/api/clients", map[string]any{"name": "Harbour Kitchens"}),
			row("shipment 1", "POST", "/api/shipments", map[string]any{"clientId": "$ref:the client", "portOfEntry": "GBFXT", "transportMode": "SEA"}),
			row("d", "POST", "/api/declarations", declaration),
			row("", "POST", "/api/cds/submit", map[string]any{"declarationId": "$ref:d"}),
			row("lost", "POST", "/api/declarations", map[string]any{"shipmentId": "$ref:shipment 1"}),
			row("", "POST", "/api/cds/submit", map[string]any{"declarationId": "$ref:lost"}),
			row("e", "POST", "/api/declarations", declaration),
			row("", "DELETE", "/api/declarations/$ref:e", nil),
			row("", "DELETE", "/api/declarations/%24ref%3Ae", nil),
			row("", "POST", "/api/tss/declarations", map[string]any{}),
		)
		if got := fmt.Sprint(statuses(results)); got != "[201 201 201 200 400 400 201 200 400 402]" {
			t.Fatalf("%s: %v", got, results)
		}
		if results[0]["reference"] != "the client" || results[3]["reference"] != nil {
			t.Errorf("references: %v", results)
		}
		id := results[2]["body"].(map[string]any)["id"].(string)
		c.waitForStatus(id, "CLEARED")
		cancelled := results[7]["body"].(map[string]any)["declaration"].(map[string]any)
		if cancelled["status"] != "CANCELLED" {
			t.Errorf("the deleted draft: %v", cancelled)
		}
		if text := fmt.Sprint(results[5]["body"]); !strings.Contains(text, "$ref:lost") {
			t.Errorf("a reference to a failed row: %s", text)
		}
	})
}

// The answer, the audit event and the webhook of a row are those of the single call. The audit event names the batch's
// request and the row.
func TestBatchRowIsTheSingleCall(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := map[string]any{"name": "Mill Lane Textiles", "unknown": 1}
		single := c.call("POST", "/api/clients", body, "X-Request-Id", "r-1.row-1").want(t, 400)
		sent := map[string]any{"operations": []any{row("", "POST", "/api/clients", map[string]any{"name": "Mill Lane Textiles"}), row("", "POST", "/api/clients", body)}}
		id := c.call("POST", batchesPath, sent, "X-Request-Id", "r-1", "Idempotency-Key", "k").want(t, 202).in("batch", "id").(string)
		c.ended(batchesPath+"/"+id, "batch")
		results := c.results(batchesPath+"/"+id+"/results", 50)
		if text(results[1]["body"]) != text(single.body) || results[1]["status"] != 400.0 {
			t.Errorf("the row %v, the call %s", results[1], single.text)
		}
		made := results[0]["body"].(map[string]any)
		if read := c.call("GET", "/api/clients/"+made["id"].(string), nil).want(t, 200); text(read.body["client"]) != text(made) {
			t.Errorf("the record %s, the answer %s", read.text, text(made))
		}
		events := c.call("GET", "/api/audit?eventType=client.created", nil).want(t, 200).body["events"].([]any)
		if e := events[0].(map[string]any); len(events) != 1 || e["requestId"] != "r-1.row-0" || e["resourceId"] != made["id"] {
			t.Errorf("%v", events)
		}
	})
}

// Everything that is wrong with a batch is named at once, and none of it runs.
func TestBatchFaults(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client := map[string]any{"name": "A"}
		c.call("POST", batchesPath, map[string]any{"operations": []any{row("", "POST", "/api/clients", client)}}).refused(t, 400, "invalid_request")
		a := c.call("POST", batchesPath, map[string]any{"operations": []any{
			row("one", "POST", "/api/clients", client),
			row("one", "POST", "/api/clients", client),
			row("", "POST", batchesPath, map[string]any{}),
			row("", "POST", "/api/keys", map[string]any{}),
			row("", "POST", "/api/shipments", map[string]any{"clientId": "$ref:missing"}),
			row("", "POST", "/api/shipments", map[string]any{"clientId": "$ref:later"}),
			row("later", "POST", "/api/clients", client),
			row("", "DELETE", "/api/clients/"+unknownID, nil),
			row("", "POST", "/api/clients?dryRun=true", client),
			row("sent", "POST", "/api/cds/submit", map[string]any{"declarationId": unknownID}),
			row("", "DELETE", "/api/declarations/$ref:sent", nil),
			row("", "POST", "/api/import/clients/commit", map[string]any{}),
			row("", "GET", "/api/clients", nil),
		}, "more": 1}, "Idempotency-Key", "k").refused(t, 400, "invalid_request")
		for _, field := range []string{
			"more", "operations[1].reference", "operations[2].path", "operations[3].path", "operations[4].body", "operations[5].body", "operations[7].path",
			"operations[8].path", "operations[10].path", "operations[11].path", "operations[12].method",
		} {
			if !slices.Contains(a.fields(), field) {
				t.Errorf("%s is not named: %v", field, a.fields())
			}
		}
		many := make([]map[string]any, 1001)
		for i := range many {
			many[i] = row("", "POST", "/api/clients", client)
		}
		for _, rows := range [][]map[string]any{many, {}} {
			a := c.call("POST", batchesPath, map[string]any{"operations": rows}, "Idempotency-Key", "k").refused(t, 400, "invalid_request")
			if fmt.Sprint(a.fields()) != "[operations]" {
				t.Errorf("%d operations: %s", len(rows), a.text)
			}
		}
		if list := c.call("GET", "/api/clients", nil).want(t, 200).body["clients"].([]any); len(list) != 0 {
			t.Errorf("clients were created: %v", list)
		}
	})
}

// A repeated batch is the same job. The same key with another batch is refused.
func TestBatchIsIdempotent(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		one := row("", "POST", "/api/clients", map[string]any{"name": "A"})
		id := c.batch("k", one)
		c.ended(batchesPath+"/"+id, "batch")
		again := c.call("POST", batchesPath, map[string]any{"operations": []any{one}}, "Idempotency-Key", "k").want(t, 202)
		if again.in("batch", "id") != id || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("again: %s", again.text)
		}
		c.call("POST", batchesPath, map[string]any{"operations": []any{one, one}}, "Idempotency-Key", "k").refused(t, 422, "idempotency_mismatch")
		if list := c.call("GET", "/api/clients", nil).want(t, 200).body["clients"].([]any); len(list) != 1 {
			t.Errorf("%d clients", len(list))
		}
	})
}

// A row runs with the rights of its key at that time: role, scopes, and whether the key still works.
func TestBatchRights(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		one := map[string]any{"operations": []any{row("", "POST", "/api/clients", map[string]any{"name": "A"})}}
		c.as("VIEWER").call("POST", batchesPath, one, "Idempotency-Key", "k").refused(t, 403, "read_only_key")
		other, _ := c.makeKey(t, map[string]any{"name": "gvms", "role": "MEMBER", "scopes": []string{"gvms:write"}})
		results := other.run("k", row("", "POST", "/api/clients", map[string]any{"name": "A"}))
		if body := results[0]["body"].(map[string]any); results[0]["status"] != 403.0 || body["error"] != "scope_required" {
			t.Errorf("without the scope: %v", results)
		}
		id := c.batch("k", row("", "POST", "/api/clients", map[string]any{"name": "B"}))
		other.call("GET", batchesPath+"/"+id, nil).refused(t, 404, "not_found")
		other.call("GET", batchesPath+"/"+id+"/results", nil).refused(t, 404, "not_found")
		other.call("DELETE", batchesPath+"/"+id, nil).refused(t, 404, "not_found")
	})
}

// Each row counts against the rate limit and none is refused by it: the batch waits. Looking at a batch and cancelling
// it do not count. A batch that was cancelled has results of the rows that ran only.
func TestBatchWaitsForTheBudget(t *testing.T) {
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_LIMIT_STANDARD=6")
	c := p.organisation("A")
	rows := make([]map[string]any, 12)
	for i := range rows {
		rows[i] = row("", "POST", "/api/clients", map[string]any{"name": fmt.Sprint("Client ", i)})
	}
	id := c.batch("k", rows...)
	path := batchesPath + "/" + id
	var job answer
	for job = c.call("GET", path, nil); job.in("batch", "done") != 5.0; job = c.call("GET", path, nil).want(t, 200) {
		time.Sleep(20 * time.Millisecond)
	}
	job = c.call("GET", path, nil).want(t, 200) // the header is read before the batch
	if job.header.Get("X-RateLimit-Remaining") != "0" || job.in("batch", "failed") != 0.0 || job.in("batch", "status") != "RUNNING" {
		t.Errorf("%v: %s", job.header, job.text)
	}
	c.call("GET", "/api/clients", nil).want(t, 429)
	cancelled := c.call("DELETE", path, nil).want(t, 200)
	if cancelled.in("batch", "status") != "CANCELLED" || cancelled.in("batch", "done") != 5.0 || cancelled.in("batch", "resultUrl") == nil {
		t.Error(cancelled.text)
	}
	c.call("DELETE", path, nil).want(t, http.StatusOK)
}

// The remaining rows of a batch whose key was revoked meanwhile fail with 401.
func TestBatchOfARevokedKey(t *testing.T) {
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_SIMULATOR_DELAY=20ms")
	c := p.organisation("A")
	sender, made := c.makeKey(t, map[string]any{"name": "K", "role": "MEMBER"})
	shipment := c.shipment()
	var rows []map[string]any
	for i := range 300 {
		name := fmt.Sprint("d", i)
		rows = append(rows, row(name, "POST", "/api/declarations", goods(shipment, "")), row("", "POST", "/api/cds/submit", map[string]any{"declarationId": "$ref:" + name}))
	}
	id := sender.batch("k", rows...)
	for c.call("GET", batchesPath+"/"+id, nil).want(t, 200).in("batch", "done").(float64) < 1 {
		time.Sleep(time.Millisecond)
	}
	c.call("DELETE", "/api/keys/"+made.in("key", "id").(string), nil).want(t, 200)
	c.ended(batchesPath+"/"+id, "batch")
	refused := 0
	for _, r := range c.results(batchesPath+"/"+id+"/results", 200) {
		if r["status"] == 401.0 {
			refused++
		}
	}
	if refused == 0 {
		t.Error("every row ran")
	}
}
