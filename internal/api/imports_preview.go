package api

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// tablePreviewInput are the parameters of the preview of declarations.
type tablePreviewInput struct {
	caller
	Group string `query:"group" maxLength:"100" doc:"Header of the column that is the same in all rows of one declaration; without it each row is one" example:"Job"`
}

// mountTablePreview adds the operation that reads a table of declarations, proposes a mapping and checks the rows with it.
func (s *Server) mountTablePreview(k kind, columns []batch.Column, mapping *huma.Schema) {
	stream(s, operation{
		id: "preview-declaration-import", summary: "Preview an import of declarations", tag: "Bulk", scope: foundational, method: http.MethodPost, path: "/api/import/declarations/preview",
		status:      http.StatusOK,
		description: "The table, the proposed column for each member of a declaration, and the rows that commit would refuse with it. Nothing is stored",
		response:    s.previewSchema(mapping),
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{"file": {
				Type: huma.TypeString, Format: "binary", Description: "CSV or XLSX of at most 10 MB; one row for each item",
			}},
		}}},
	}, func(ctx context.Context, in *tablePreviewInput, w *streamWriter) error {
		return s.readTable(ctx, &in.caller, w, func(sheet *bulk.Sheet) error {
			guessed := batch.Guess(columns, sheet.Headers)
			table := batch.Table{Columns: columns, Headers: map[string]string{}, Group: in.Group}
			for column, header := range guessed {
				if header != nil {
					table.Headers[column] = *header
				}
			}
			found, err := s.tableFaults(ctx, &in.caller, k, table, sheet)
			if err != nil {
				return err
			}
			return showTable(w, sheet, member{"mapping", guessed}, member{"errors", found.Errors}, member{"faulty", found.Faulty})
		})
	})
}

// tableFaults checks the declarations of a table as the import does. The errors of a declaration have the number of its
// first row. Of more declarations than an import takes, the first one too many is named and the others are not checked.
func (s *Server) tableFaults(ctx context.Context, c *caller, k kind, table batch.Table, sheet *bulk.Sheet) (bulk.Faults, error) {
	bodies, faults := table.Bodies(sheetCells(sheet))
	wrong := map[int][]apierr.Detail{}
	for _, f := range faults {
		wrong[f.Row] = append(wrong[f.Row], apierr.Detail{Field: cmp.Or(f.Column, table.Group), Message: f.Message})
	}
	if len(bodies) > batch.MaxRows {
		first := bodies[batch.MaxRows].Row
		wrong[first] = append(wrong[first], wrongCount(len(bodies)))
		bodies = bodies[:batch.MaxRows]
	}
	check := s.recordCheckerAt(k.Type, func() time.Time { return s.nowOf(c.holder) })
	for _, b := range bodies {
		details, err := s.creationFaults(ctx, c, k, check, b.JSON)
		if err != nil {
			return bulk.Faults{}, err
		}
		if details != nil {
			wrong[b.Row] = append(wrong[b.Row], details...)
		}
	}
	found := bulk.Faults{Errors: []bulk.RowError{}, Faulty: len(wrong)}
	for _, row := range slices.Sorted(maps.Keys(wrong)) {
		found.Add(row+1, wrong[row])
	}
	return found, nil
}

// creationFaults returns why a record could not be created from a body; nil if it could. Nothing is stored.
func (s *Server) creationFaults(
	ctx context.Context, c *caller, k kind, check func(json.RawMessage) (filing.Input, error), body json.RawMessage,
) ([]apierr.Detail, error) {
	in, err := check(body)
	if err == nil {
		err = s.Store.View(ctx, c.call.Org, func(tx Tx) error {
			_, err := s.Filings.Create(unwritten{tx}, c.call, k.Type, in)
			return err
		})
	}
	f, ok := apierr.As(err)
	switch {
	case err == nil:
		return nil, nil
	case ok && len(f.Details) > 0:
		return f.Details, nil
	case ok && f.Code == apierr.ReferenceTaken:
		return []apierr.Detail{{Field: "reference", Message: f.Message}}, nil
	}
	return nil, err
}

// sheetCells returns the rows of a table as cells by header.
func sheetCells(sheet *bulk.Sheet) (rows []map[string]string) {
	for cells := range sheet.Rows() {
		row := make(map[string]string, len(cells))
		for i, cell := range cells {
			row[sheet.Headers[i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}
