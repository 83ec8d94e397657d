package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// csvType is the media type of CSV files in the OpenAPI document.
const csvType = "text/csv"

// mountExport adds the export of all records of a kind.
func (s *Server) mountExport(t *filing.Type) {
	exporter := &bulk.Exporter{Store: s.Tables, IDs: s.IDs}
	stream(s, operation{
		id: "export-" + t.Plural, summary: "Export all " + t.Plural, tag: "Bulk", scope: t.Hub, method: http.MethodGet, path: "/api/export/" + t.Plural,
		status: http.StatusOK, description: "All " + t.Plural + " of the organisation as CSV, oldest first, with a header row of field names",
		contentType: csvType, response: &huma.Schema{Type: huma.TypeString},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		end, err := s.Exports.Acquire(ctx, in.call.Org)
		if err != nil {
			return err
		}
		defer end()
		w.Header().Set("Content-Type", csvio.ContentType)
		w.Header().Set("Content-Disposition", csvio.Disposition(t.Plural, s.nowOf(in.holder)))
		return exporter.Export(ctx, in.call, t, bulk.ExportOptions{}, w)
	})
}
