package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

const batchesPath = "/api/batches"

// batchBody is the body of a batch.
type batchBody struct {
	Operations []batchOperation `json:"operations" doc:"The operations, at most 1,000"`
}

type batchOperation struct {
	Method    string  `json:"method" enum:"POST,DELETE" doc:"Method of the operation" example:"POST"`
	Path      string  `json:"path" maxLength:"1000" minLength:"1" doc:"Path of the operation. A segment can be $ref: and the reference of an earlier row" example:"/api/clients"`
	Body      rowBody `json:"body,omitempty" doc:"Body of the operation. A text $ref: and the reference of an earlier row stands for the id of the record that it made" example:"{\"name\":\"Harbour Kitchens Ltd\"}"`
	Reference string  `json:"reference,omitempty" maxLength:"200" doc:"Your name for the row, unique in the batch" example:"row 1"`
}

// rowBody is the body of a row as it was sent. The operation checks it when the row runs.
type rowBody struct{ json.RawMessage }

// Schema describes an object with any members.
func (rowBody) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// resultBody is the result of a row.
type resultBody struct {
	Index     int              `json:"index" doc:"Number of the row, counted from 0"`
	Reference *string          `json:"reference" doc:"Your name for the row; null for none" example:"row 1"`
	Status    int              `json:"status" doc:"HTTP status of the answer" example:"201"`
	Body      *json.RawMessage `json:"body" doc:"The answer, as the single call gets it; null for none"`
}

// Limits of a page of results.
const maxResults = 8 << 20 // bytes of answers, after which the page ends

type batchResultsInput struct {
	ByID
	Page
}

func (s *Server) mountBatches() {
	job := objectSchema("batch", s.schemaOf(reflect.TypeFor[jobBody]()))
	body := s.schemaOf(reflect.TypeFor[batchBody]())
	stream(s, operation{
		id: "create-batch", summary: "Run many operations", tag: "Bulk", scope: noScope, method: http.MethodPost, path: batchesPath, status: http.StatusAccepted,
		description: "The batch as a job. Its rows create, submit and delete records as the single operations do, with the rights of the key when the row runs. Rows on one record run in order, others in any order; a row that fails stops no other",
		response:    job, idempotent: true, keyRequired: true, rehearsed: true, withheld: []string{"batch.id"}, readsBody: true, maxBody: batch.MaxBody, route: route{role: tenant.Member}, errors: []int{413, 415},
		content: map[string]*huma.MediaType{jsonType: {Schema: body}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		out, err := s.createBatch(ctx, &in.caller, w)
		if err != nil {
			return err
		}
		return w.answer(out)
	})
	s.mountJob(batch.Calls, "batch", noScope)
}

// mountJob adds the operations that read and cancel the jobs of a kind.
func (s *Server) mountJob(kind, noun, scope string) {
	job, path := objectSchema(kind, s.schemaOf(reflect.TypeFor[jobBody]())), jobPaths[kind]+"/{id}"
	article := "a "
	if kind == batch.Import {
		article = "an "
	}
	handle(s, operation{
		id: "get-" + noun, summary: "Get " + article + noun, tag: "Bulk", scope: scope, method: http.MethodGet, path: path, status: http.StatusOK,
		description: "The " + noun + ". The call does not count against the rate limit", response: job, errors: []int{404}, route: route{budget: uncounted},
	}, func(ctx context.Context, in *ByID) (response, error) { return s.getJob(ctx, in, kind) })
	handle(s, operation{
		id: "cancel-" + noun, summary: "Cancel " + article + noun, tag: "Bulk", scope: scope, method: http.MethodDelete, path: path, status: http.StatusOK,
		description: "The " + noun + ". Rows that have not begun do not run; what other rows did stays. The call does not count against the rate limit",
		response:    job, errors: []int{404}, route: route{role: tenant.Member, budget: uncounted},
	}, func(ctx context.Context, in *ByID) (response, error) { return s.cancelJob(ctx, in, kind) })
	handle(s, operation{
		id: "list-" + noun + "-results", summary: "List the results of " + article + noun, tag: "Bulk", scope: scope, method: http.MethodGet, path: path + "/results", status: http.StatusOK,
		description: "A page of the results of rows that ran, in the order of the rows, kept for 30 days after the end of the " + noun + ". A page with long answers has fewer results than limit",
		response:    listSchema("results", s.resultSchema(kind)), errors: []int{404},
	}, func(ctx context.Context, in *batchResultsInput) (response, error) { return s.jobResults(ctx, in, kind) })
}

// createBatch checks a batch and stores it with the job that runs it.
func (s *Server) createBatch(ctx context.Context, c *caller, w *streamWriter) (response, error) {
	raw, err := readLargeBody(w, c)
	if err != nil {
		return response{}, err
	}
	rows, err := s.planBatch(raw, c.invalidParams())
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, c, raw, func(tx Tx) (response, error) {
		b, err := s.Batches.Create(tx, senderOf(c), batch.Calls, rows)
		if err != nil {
			return response{}, err
		}
		return jobResponse(http.StatusAccepted, b)
	})
}

// planBatch checks the body of a batch and reports everything that is wrong, with the faults of the parameters.
func (s *Server) planBatch(raw []byte, faults []apierr.Detail) ([]batch.Row, error) {
	faults = append(faults, s.bodyReader.Check(s.schemaOf(reflect.TypeFor[batchBody]()), raw)...)
	var body batchBody
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, apierr.Invalid(faults...)
	}
	operations := make([]batch.Operation, len(body.Operations))
	for i, o := range body.Operations {
		operations[i] = batch.Operation{Method: o.Method, Path: o.Path, Body: o.Body.RawMessage, Reference: o.Reference}
	}
	rows, more := batch.Plan(operations, s.batchRule)
	if faults = append(faults, more...); len(faults) > 0 {
		return nil, apierr.Invalid(faults...)
	}
	return rows, nil
}

// batchRule returns how an operation may be part of a batch.
func (s *Server) batchRule(method, path string) (rule batch.Rule, nested bool) {
	r, err := http.NewRequest(method, strings.ReplaceAll(path, " ", "%20"), http.NoBody)
	if err != nil {
		return batch.Rule{}, false
	}
	_, pattern := s.mux.Handler(r)
	_, route, _ := strings.Cut(pattern, " ")
	return s.routes[pattern].batch, route == batchesPath || strings.HasPrefix(route, batchesPath+"/") || strings.HasPrefix(route, "/api/import/")
}

// deviceHeader begins the headers about the caller's device that HMRC asks for.
const deviceHeader = "Gov-Client-"

// senderOf returns what the rows of a batch need of the call that made it.
func senderOf(c *caller) batch.Sender {
	from := batch.Sender{Call: c.call, Headers: map[string]string{}}
	for name, values := range c.request.Header {
		if strings.HasPrefix(name, deviceHeader) && len(values) == 1 {
			from.Headers[name] = values[0]
		}
	}
	return from
}

// jobPaths are the paths of jobs, by the kind of the batch.
var jobPaths = map[string]string{batch.Calls: batchesPath, batch.Import: importsPath, batch.Documents: importsPath}

// jobMembers are the members of answers that hold a job, by the kind of the batch.
var jobMembers = map[string]string{batch.Calls: batch.Calls, batch.Import: batch.Import, batch.Documents: batch.Import}

func jobResponse(status int, b batch.Batch) (response, error) {
	body := jobBody{ID: b.ID, Status: b.Status, Total: b.Total, Done: b.Done, Failed: b.Failed}
	body.setTimes(b.CreatedAt, b.FinishedAt)
	if !b.FinishedAt.IsZero() {
		body.ResultURL = ptr(jobPaths[b.Kind] + "/" + b.ID + "/results")
	}
	return jsonResponse(status, map[string]jobBody{jobMembers[b.Kind]: body})
}

// findJob returns a batch that the caller may see: a key with scopes for some Hubs sees the batches that it sent.
func findJob(tx Tx, c *caller, kind, id string) (batch.Batch, error) {
	b, err := batch.Find(tx, kind, id)
	whole := access.Need{Hub: wholeOrganisation}.MetBy(c.holder.Scopes)
	if err == nil && !whole && b.Sender.Call.KeyID != c.holder.KeyID {
		return batch.Batch{}, apierr.Missing()
	}
	return b, err
}

func (s *Server) getJob(ctx context.Context, in *ByID, kind string) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	var b batch.Batch
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { b, err = findJob(tx, &in.caller, kind, id); return err })
	if err != nil {
		return response{}, err
	}
	return jobResponse(http.StatusOK, b)
}

func (s *Server) cancelJob(ctx context.Context, in *ByID, kind string) (response, error) {
	if _, err := s.getJob(ctx, in, kind); err != nil {
		return response{}, err
	}
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	b, err := s.Batches.Cancel(ctx, in.call, kind, id)
	if err != nil {
		return response{}, err
	}
	return jobResponse(http.StatusOK, b)
}

func (s *Server) jobResults(ctx context.Context, in *batchResultsInput, kind string) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	cursors := listID{in.call.Org, "results " + id}
	after := -1
	if place, err := cursors.decode(in.Cursor); err != nil {
		return response{}, err
	} else if place != "" {
		if after, err = strconv.Atoi(place); err != nil {
			return response{}, errCursor
		}
	}
	var b batch.Batch
	var read []batch.Result
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		if b, err = findJob(tx, &in.caller, kind, id); err != nil {
			return err
		}
		read, err = tx.BatchResults(id, after, in.size(), maxResults)
		return err
	})
	if err != nil {
		return response{}, err
	}
	var next *string
	if n := len(read); n > 0 && int64(read[n-1].Index) < b.Total-1 && (n == in.size() || !fits(read)) {
		next = ptr(cursors.encode(strconv.Itoa(read[n-1].Index)))
	}
	results := any(resultBodies(read))
	if b.Kind == batch.Documents {
		results = documentResults(read)
	}
	return jsonResponse(http.StatusOK, map[string]any{"results": results, "hasMore": next != nil, "nextCursor": next})
}

// fits reports whether a page of results did not end because of its size.
func fits(page []batch.Result) bool {
	size := 0
	for _, r := range page {
		size += len(r.Body)
	}
	return size <= maxResults
}

func resultBodies(results []batch.Result) []resultBody {
	out := make([]resultBody, len(results))
	for i, r := range results {
		out[i] = resultBody{Index: r.Index, Reference: orNull(r.Reference), Status: r.Status}
		if len(bytes.TrimSpace(r.Body)) > 0 {
			out[i].Body = ptr(json.RawMessage(r.Body))
		}
	}
	return out
}
