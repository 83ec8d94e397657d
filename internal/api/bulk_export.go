package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// csvType is the media type of CSV files in the OpenAPI document.
const csvType = "text/csv"

// mountHubExports adds, for each Hub, the export of the records that are filed with its authority. The CBAM Hub exports its
// reports.
func (s *Server) mountHubExports() {
	types := slices.Clone(s.Types)
	for _, k := range s.Statements.Kinds {
		types = append(types, k.Type)
	}
	for _, t := range types {
		if t.ReferenceMember != "" {
			s.mountExport(t, t.Hub)
		}
	}
}

// mountExport adds the export of all records of a kind, under a name.
func (s *Server) mountExport(t *filing.Type, name string) {
	stream(s, exportOperation(t, name, ""), func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		return s.export(ctx, &in.caller, t, name, bulk.ExportOptions{}, w)
	})
}

// declarationExportInput are the parameters of the export of declarations.
type declarationExportInput struct {
	caller
	Rows string `query:"rows" enum:"declarations,items" doc:"What has a row: each declaration, with the fields that have a single value (the default), or each item, with all fields in the columns of the import of declarations"`
}

// mountDeclarationExport adds the export of all declarations.
func (s *Server) mountDeclarationExport(t *filing.Type) {
	more := ". A row for each item has all fields, under their paths such as items[].netMassKg; lists are JSON. Such a table can be imported again, with id as its group"
	stream(s, exportOperation(t, t.Plural, more), func(ctx context.Context, in *declarationExportInput, w *streamWriter) error {
		return s.export(ctx, &in.caller, t, t.Plural, bulk.ExportOptions{Items: in.Rows == "items"}, w)
	})
}

func exportOperation(t *filing.Type, name, more string) operation {
	return operation{
		id: kind{Type: t}.id("export", true), summary: exportSummary(t), tag: "Bulk", scope: t.Hub, method: http.MethodGet, path: "/api/export/" + name,
		status: http.StatusOK, description: "All " + t.Plural + " of the organisation as CSV, oldest first, with a header row of field names" + more,
		contentType: csvType, response: &huma.Schema{Type: huma.TypeString},
	}
}

func exportSummary(t *filing.Type) string {
	if t.Hub == foundational {
		return "Export all " + t.Plural
	}
	return "Export all " + t.Tag + " " + t.Plural
}

func (s *Server) export(ctx context.Context, c *caller, t *filing.Type, name string, o bulk.ExportOptions, w *streamWriter) error {
	exporter := &bulk.Exporter{Store: s.Tables, IDs: s.IDs}
	end, err := s.Exports.Acquire(ctx, c.call.Org)
	if err != nil {
		return err
	}
	defer end()
	w.Header().Set("Content-Type", csvio.ContentType)
	w.Header().Set("Content-Disposition", csvio.Disposition(name, s.nowOf(c.holder)))
	return exporter.Export(ctx, c.call, t, o, w)
}
