package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// mountCommit stores the rows of a table as clients.
func (s *Server) mountCommit(t *filing.Type) {
	importer := &bulk.Importer{Store: s.Tables, Filings: s.Filings, Type: t, Judge: s.judge(t)}
	rows := &huma.Schema{
		Type: huma.TypeArray, MaxItems: ptr(bulk.MaxRows), Items: &huma.Schema{Type: huma.TypeObject, Description: "Values by header"},
		Description: "The rows, as preview gave them",
	}
	stream(s, operation{
		id: "commit-client-import", summary: "Import clients", tag: "Bulk", scope: foundational, method: http.MethodPost, path: "/api/import/clients/commit",
		status: http.StatusOK, about: "What became of the rows. An import that broke off can be sent again: rows that are stored are skipped",
		answer: s.schemaOf(reflect.TypeFor[bulk.Outcome]()), once: true, gate: route{role: tenant.Member},
		content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"mapping", "rows"}, AdditionalProperties: false,
			Properties: map[string]*huma.Schema{"mapping": mappingSchema(t), "rows": rows},
		}}},
	}, func(ctx context.Context, in *struct{ caller }, w *answerWriter) error {
		end, err := s.Imports.Begin(ctx, in.call.Org)
		if err != nil {
			return err
		}
		defer end()
		out, err := s.commit(ctx, &in.caller, w, importer)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", jsonType)
		if out.Replayed != "" {
			w.Header().Set("Idempotent-Replayed", out.Replayed)
		}
		_, err = w.Write(out.Body)
		return err
	})
}

// JudgeOf judges records of a kind as if they were created by themselves, for imports
// that do not come by the API.
func (s *Server) JudgeOf(t *filing.Type) func(json.RawMessage) (filing.Input, error) {
	return s.judge(t)
}

// judge judges a record of a kind as if it were created by itself.
func (s *Server) judge(t *filing.Type) func(json.RawMessage) (filing.Input, error) {
	schema := s.schemaOf(t.Body)
	return func(raw json.RawMessage) (filing.Input, error) {
		if details := s.strict.Check(schema, raw); details != nil {
			return filing.Input{}, apierr.Invalid(details...)
		}
		return t.Parse(raw, s.Now())
	}
}

// commit imports rows, in many transactions. The answer is kept at the end: a call
// that is repeated before goes on where the first broke off.
func (s *Server) commit(ctx context.Context, c *caller, w *answerWriter, importer *bulk.Importer) (out reply, err error) {
	body, err := readCommit(w, c.request)
	if err != nil {
		return reply{}, err
	}
	mine, err := claimOf(c, body)
	if err != nil {
		return reply{}, err
	}
	end, err := s.begin(c, mine)
	if err != nil {
		return reply{}, err
	}
	defer end()
	found := false
	err = s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) { out, found, err = recall(tx, mine); return err })
	if err != nil || found {
		return out, err
	}
	rows, err := bulk.ReadCommit(body, importer.Type.Fields())
	if err != nil {
		return reply{}, err
	}
	outcome, err := importer.Import(ctx, c.call, rows)
	if err != nil {
		return reply{}, err
	}
	if out, err = answer(http.StatusOK, outcome); err != nil || mine.key == "" {
		return out, err
	}
	return out, s.Store.Update(ctx, c.call.Org, func(tx Tx) error {
		first, found, err := recall(tx, mine)
		if err != nil || found {
			out = first
			return err
		}
		return mine.keep(tx, out.Status, string(out.Body), idempotency.Kept)
	})
}

// readCommit reads a body that is longer than others may be.
func readCommit(w *answerWriter, r *http.Request) ([]byte, error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	w.readWithin(bodyTimeout)
	defer w.readWithin(0)
	var body bytes.Buffer
	if r.ContentLength > 0 {
		body.Grow(int(min(r.ContentLength, bulk.MaxCommit)) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(http.MaxBytesReader(w.ResponseWriter, r.Body, bulk.MaxCommit)); err != nil {
		return nil, broken(err)
	}
	if len(bytes.TrimSpace(body.Bytes())) == 0 {
		return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "is required"})
	}
	return body.Bytes(), nil
}
