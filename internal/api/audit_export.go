package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
)

const truncatedHeader = "X-Export-Truncated"

type auditExportInput struct {
	caller
	AuditFilter
}

// Resolve checks what the schemas of the parameters cannot.
func (in *auditExportInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), checkDateRange(in.StartDate, in.EndDate)...)
}

func (s *Server) mountAuditExport() {
	stream(s, operation{
		id: "export-audit-events", summary: "Export audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/export.csv",
		status: http.StatusOK, description: "At most 10,000 events as CSV, newest first, with a header row. The export is recorded as an event",
		contentType: csvType, response: &huma.Schema{Type: huma.TypeString},
		headers: map[string]*huma.Param{truncatedHeader: {Description: "true if there are more events than the file contains", Schema: &huma.Schema{Type: huma.TypeString}, Example: "true"}},
		values:  map[string][]any{"hub": eventHubs(hubIDs(s.Hubs))},
	}, s.exportEvents)
}

func (s *Server) exportEvents(ctx context.Context, in *auditExportInput, w *streamWriter) error {
	extract, err := s.Trail.Begin(ctx, in.call, in.query())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", csvio.ContentType)
	w.Header().Set("Content-Disposition", csvio.Disposition("audit", s.nowOf(in.holder)))
	if extract.Truncated {
		w.Header().Set(truncatedHeader, "true")
	}
	return extract.CSV(ctx, w)
}
