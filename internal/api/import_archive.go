package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// zipType is the media type of a ZIP file with documents.
const zipType = "application/zip"

// Outcomes of the import of a document.
const (
	documentCreated  = "CREATED"
	documentRejected = "REJECTED"
)

// documentResult is the result of a document of a ZIP file.
type documentResult struct {
	File          string          `json:"file" doc:"Name of the document in the ZIP file" example:"entry-17.xml"`
	Status        string          `json:"status" enum:"CREATED,REJECTED" doc:"CREATED: the declaration is a draft. REJECTED: nothing was stored of the document"`
	DeclarationID *string         `json:"declarationId" format:"uuid" doc:"The declaration; null if the document was rejected"`
	Notes         []string        `json:"notes" doc:"What was assumed or left out"`
	Details       []apierr.Detail `json:"details" doc:"What is wrong with the document"`
}

// importResult describes the results of imports: those of the rows of a table have index, reference, status and body, and those of
// the documents of a ZIP file the other members and a status of their own.
type importResult struct {
	Index         int              `json:"index,omitempty" doc:"Number of the declaration in the table, counted from 0"`
	Reference     *string          `json:"reference,omitempty" nullable:"true" doc:"Value of the group's column; null for none" example:"row 1"`
	Status        any              `json:"status" doc:"Of a table: the HTTP status, such as 201. Of a ZIP file: CREATED or REJECTED"`
	Body          *json.RawMessage `json:"body,omitempty" doc:"Of a table: the answer, as the single call gets it; null for none"`
	File          string           `json:"file,omitempty" doc:"Of a ZIP file: name of the document in it" example:"entry-17.xml"`
	DeclarationID *string          `json:"declarationId,omitempty" format:"uuid" nullable:"true" doc:"Of a ZIP file: the declaration; null if the document was rejected"`
	Notes         []string         `json:"notes,omitempty" doc:"Of a ZIP file: what was assumed or left out"`
	Details       []apierr.Detail  `json:"details,omitempty" doc:"Of a ZIP file: what is wrong with the document"`
}

// resultSchema returns the schema of the results of a job.
func (s *Server) resultSchema(kind string) *huma.Schema {
	if kind == batch.Import {
		return s.schemaOf(reflect.TypeFor[importResult]())
	}
	return s.schemaOf(reflect.TypeFor[resultBody]())
}

// importArchive stores the documents of a ZIP file as a job that imports each.
func (s *Server) importArchive(ctx context.Context, in *importInput, path string) (response, error) {
	details := in.invalidParams()
	if in.dryRun() {
		details = append(details, apierr.Detail{Field: dryRunParam.Name, Message: "is for one document; send the documents of the ZIP file one by one"})
	}
	end, err := s.Imports.Acquire(ctx, in.call.Org)
	if err != nil {
		return response{}, err
	}
	defer end()
	documents, err := importer.ReadArchive(bytes.NewReader(in.RawBody), int64(len(in.RawBody)))
	if wrong, ok := apierr.As(err); ok && len(details) > 0 {
		details = append(details, wrong.Details...)
	}
	if details != nil {
		return response{}, apierr.Invalid(details...)
	}
	if err != nil {
		return response{}, err
	}
	query := url.Values{}
	for name, value := range map[string]string{"clientId": in.ClientID, "shipmentId": in.ShipmentID, "fill": in.Fill} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	rows := make([]batch.Row, len(documents))
	for n, d := range documents {
		rows[n] = batch.Row{Index: n, Operation: batch.Operation{Method: http.MethodPost, Path: path, Document: d.Data, Reference: d.Name}}
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		b, err := s.Batches.Create(tx, senderOf(&in.caller), batch.Documents, rows)
		if err != nil {
			return response{}, err
		}
		return jobResponse(http.StatusAccepted, b)
	})
}

// documentResults returns the results of documents.
func documentResults(results []batch.Result) []documentResult {
	out := make([]documentResult, len(results))
	for n, r := range results {
		out[n] = documentResult{File: r.Reference, Status: documentRejected, Notes: []string{}, Details: []apierr.Detail{}}
		var answer struct {
			ID      string
			Notes   []string
			Message string
			Details []apierr.Detail
		}
		_ = json.Unmarshal(r.Body, &answer)
		if r.Succeeded() {
			out[n].Status, out[n].DeclarationID, out[n].Notes = documentCreated, &answer.ID, append(out[n].Notes, answer.Notes...)
			continue
		}
		if out[n].Details = append(out[n].Details, answer.Details...); len(answer.Details) == 0 {
			out[n].Details = append(out[n].Details, apierr.Detail{Field: "body", Message: answer.Message})
		}
	}
	return out
}
