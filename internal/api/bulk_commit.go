package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// mountCommit adds the operation that stores the rows of a table as records of a kind.
func (s *Server) mountCommit(importer *bulk.Importer) {
	t := importer.Type
	rows := &huma.Schema{
		Type: huma.TypeArray, MaxItems: ptr(bulk.MaxRows), Items: &huma.Schema{Type: huma.TypeObject, Description: "Values by header"},
		Description: "The rows, as returned by preview",
	}
	stream(s, operation{
		id: "commit-" + t.Singular + "-import", summary: "Import " + t.Plural, tag: "Bulk", scope: t.Hub, method: http.MethodPost, path: "/api/import/" + t.Plural + "/commit",
		status: http.StatusOK, description: "The result of each row. An interrupted import can be sent again: rows that are stored are skipped",
		response: s.schemaOf(reflect.TypeFor[bulk.Outcome]()), idempotent: true, route: route{role: tenant.Member},
		maxBody: bulk.MaxCommit,
		content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"mapping", "rows"}, AdditionalProperties: false,
			Properties: map[string]*huma.Schema{"mapping": mappingSchema(t), "rows": rows},
		}}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		end, err := s.Imports.Acquire(ctx, in.call.Org)
		if err != nil {
			return err
		}
		defer end()
		out, err := s.commit(ctx, &in.caller, w, importer)
		if err != nil {
			return err
		}
		return w.answer(out)
	})
}

// RecordChecker returns the check of one record of a kind, for imports that do not use the API.
func (s *Server) RecordChecker(t *filing.Type) func(json.RawMessage) (filing.Input, error) {
	return s.recordChecker(t)
}

// recordChecker returns a function that checks a record as if it were created alone.
func (s *Server) recordChecker(t *filing.Type) func(json.RawMessage) (filing.Input, error) {
	return s.recordCheckerAt(t, s.Now)
}

// recordCheckerAt is recordChecker with the clock of the caller.
func (s *Server) recordCheckerAt(t *filing.Type, now func() time.Time) func(json.RawMessage) (filing.Input, error) {
	return func(raw json.RawMessage) (filing.Input, error) {
		if details := s.faultsOf(t, raw); details != nil {
			return filing.Input{}, apierr.Invalid(details...)
		}
		return t.Parse(raw, now())
	}
}

// commit imports rows, in many transactions. The response is stored at the end: a call that is
// repeated earlier continues where the first stopped.
func (s *Server) commit(ctx context.Context, c *caller, w *streamWriter, importer *bulk.Importer) (out response, err error) {
	body, err := readLargeBody(w, c)
	if err != nil {
		return response{}, err
	}
	idem, err := idempotencyKeyOf(c, body)
	if err != nil {
		return response{}, err
	}
	end, err := s.beginCall(c, idem)
	if err != nil {
		return response{}, err
	}
	defer end()
	found := false
	err = s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) { out, found, err = storedResponse(tx, idem); return err })
	if err != nil || found {
		return out, err
	}
	rows, err := bulk.ReadCommit(body, importer.Type.Fields())
	if err != nil {
		return response{}, err
	}
	outcome, err := importer.Import(ctx, c.call, rows)
	if err != nil {
		return response{}, err
	}
	if out, err = jsonResponse(http.StatusOK, outcome); err != nil || idem.key == "" {
		return out, err
	}
	return out, s.Store.Update(ctx, c.call.Org, func(tx Tx) error {
		first, found, err := storedResponse(tx, idem)
		if err != nil || found {
			out = first
			return err
		}
		return idem.save(tx, out, string(out.Body), idempotency.TTL)
	})
}

// readLargeBody reads the JSON body of a call, of at most as many bytes as its operation publishes.
func readLargeBody(w *streamWriter, c *caller) ([]byte, error) {
	r, limit := c.request, c.op.maxBody
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	w.setReadTimeout(bodyTimeout)
	defer w.setReadTimeout(0)
	var body bytes.Buffer
	if r.ContentLength > 0 {
		body.Grow(int(min(r.ContentLength, limit)) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(http.MaxBytesReader(w.ResponseWriter, r.Body, limit)); err != nil {
		return nil, bodyError(err)
	}
	if len(bytes.TrimSpace(body.Bytes())) == 0 {
		return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "is required"})
	}
	return body.Bytes(), nil
}
