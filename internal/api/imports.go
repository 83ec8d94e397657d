package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

const importsPath = "/api/imports"

// mountImports adds the import of declarations from a table. It runs as a batch of creations.
func (s *Server) mountImports() {
	k := s.kinds[s.Customs.Type.Kind]
	columns := batch.Columns(s.schemas, k.Body)
	fields := &huma.Schema{
		Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false, Extensions: map[string]any{publishedAsMap: true},
		Description: "Column header for each member of a declaration, by its path in DeclarationInput, such as items[].netMassKg; null for none. The preview names all members",
	}
	for _, c := range columns {
		fields.Properties[c.Path] = &huma.Schema{Type: huma.TypeString, Nullable: true}
	}
	mapping := s.named("ImportMapping", fields)
	s.mountTablePreview(k, columns, mapping)
	table := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"mapping", "rows"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
			"mapping": mapping,
			"group":   {Type: huma.TypeString, Nullable: true, Description: "Header of the column that is the same in all rows of one declaration; without it each row is one"},
			"rows":    {Type: huma.TypeArray, MaxItems: ptr(bulk.MaxRows), Items: &huma.Schema{Type: huma.TypeObject, Description: "Values by header"}, Description: "The rows, as returned by preview"},
		},
	}
	stream(s, operation{
		id: "commit-declaration-import", summary: "Import declarations", tag: "Bulk", scope: foundational, method: http.MethodPost, path: "/api/import/declarations/commit",
		status: http.StatusAccepted, description: "The import as a job, which creates at most 1,000 declarations as the single operation does",
		response: objectSchema("import", s.schemaOf(reflect.TypeFor[jobBody]())), idempotent: true, readsBody: true, maxBody: bulk.MaxCommit, route: route{role: tenant.Member}, errors: []int{413, 415},
		content: map[string]*huma.MediaType{jsonType: {Schema: table}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		end, err := s.Imports.Acquire(ctx, in.call.Org)
		if err != nil {
			return err
		}
		defer end()
		out, err := s.importTable(ctx, &in.caller, w, tableForm{k.Path, columns, table})
		if err != nil {
			return err
		}
		return w.answer(out)
	})
	s.mountJob(batch.Import, "import", foundational)
}

// tableBody is the body of an import.
type tableBody struct {
	Mapping map[string]*string           `json:"mapping"`
	Group   *string                      `json:"group"`
	Rows    []map[string]json.RawMessage `json:"rows"`
}

// tableForm is how a table becomes declarations.
type tableForm struct {
	path    string // of their creation
	columns []batch.Column
	schema  *huma.Schema // of the body of the import
}

// importTable checks a table and stores it as a batch of creations.
func (s *Server) importTable(ctx context.Context, c *caller, w *streamWriter, form tableForm) (response, error) {
	raw, err := readLargeBody(w, c)
	if err != nil {
		return response{}, err
	}
	rows, err := s.planTable(raw, form, c.invalidParams())
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, c, raw, func(tx Tx) (response, error) {
		b, err := s.Batches.Create(tx, senderOf(c), batch.Import, rows)
		if err != nil {
			return response{}, err
		}
		return jobResponse(http.StatusAccepted, b)
	})
}

// maxTableFaults is how many faults of a table are named.
const maxTableFaults = 1000

// planTable returns the creations of a table's rows, or everything that is wrong with the table and the parameters.
func (s *Server) planTable(raw []byte, form tableForm, faults []apierr.Detail) ([]batch.Row, error) {
	faults = append(faults, s.bodyReader.Check(form.schema, raw)...)
	var in tableBody
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, apierr.Invalid(faults[:min(len(faults), maxTableFaults)]...)
	}
	table := batch.Table{Columns: form.columns, Headers: map[string]string{}}
	for column, header := range in.Mapping {
		if header != nil {
			table.Headers[column] = *header
		}
	}
	if in.Group != nil {
		table.Group = *in.Group
	}
	faults = append(faults, missingColumns(table, in.Rows)...)
	bodies, more := table.Bodies(cellsOf(in.Rows))
	for _, f := range more {
		faults = append(faults, f.Detail())
	}
	if len(faults) == 0 && len(bodies) == 0 || len(bodies) > batch.MaxRows {
		faults = append(faults, wrongCount(len(bodies)))
	}
	if len(faults) > 0 {
		return nil, apierr.Invalid(faults[:min(len(faults), maxTableFaults)]...)
	}
	rows := make([]batch.Row, len(bodies))
	for i, b := range bodies {
		rows[i] = batch.Row{Index: i, Operation: batch.Operation{Method: http.MethodPost, Path: form.path, Body: b.JSON, Reference: b.Reference}}
	}
	return rows, nil
}

// wrongCount names the number of declarations in a table that has too many of them, or none.
func wrongCount(count int) apierr.Detail {
	return apierr.Detail{Field: "rows", Message: fmt.Sprintf("must have 1 to %d declarations, not %d", batch.MaxRows, count)}
}

// missingColumns names the members whose column no row has, in the order of the columns.
func missingColumns(table batch.Table, rows []map[string]json.RawMessage) (faults []apierr.Detail) {
	for _, column := range table.Columns {
		header, mapped := table.Headers[column.Path]
		has := func(row map[string]json.RawMessage) bool { _, found := row[header]; return found }
		if mapped && len(rows) > 0 && !slices.ContainsFunc(rows, has) {
			faults = append(faults, apierr.Detail{Field: "mapping." + column.Path, Message: fmt.Sprintf("no row has a column %q", header)})
		}
	}
	return faults
}

// cellsOf returns the cells of rows as text.
func cellsOf(rows []map[string]json.RawMessage) []map[string]string {
	all := make([]map[string]string, len(rows))
	for i, row := range rows {
		all[i] = map[string]string{}
		for header, value := range row {
			var text string
			if json.Unmarshal(value, &text) != nil && string(value) != "null" {
				text = string(value)
			}
			all[i][header] = text
		}
	}
	return all
}
