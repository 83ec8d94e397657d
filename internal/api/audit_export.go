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

// Resolve judges what the schemas of the parameters cannot.
func (in *auditExportInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), within(in.StartDate, in.EndDate)...)
}

func (s *Server) mountAuditExport() {
	stream(s, operation{
		id: "export-audit-events", summary: "Export audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/export.csv",
		status: http.StatusOK, about: "The events as CSV, newest first, 10,000 at most, with a header row of field names; the export is itself an event",
		contentType: csvType, answer: &huma.Schema{Type: huma.TypeString},
		headers: map[string]*huma.Param{truncatedHeader: {Description: "true when there are more events than the file has", Schema: &huma.Schema{Type: huma.TypeString}, Example: "true"}},
	}, s.exportEvents)
}

func (s *Server) exportEvents(ctx context.Context, in *auditExportInput, w *answerWriter) error {
	extract, err := s.Trail.Begin(ctx, in.call, in.query())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", csvio.ContentType)
	w.Header().Set("Content-Disposition", csvio.Disposition("audit", s.Now()))
	if extract.Truncated {
		w.Header().Set(truncatedHeader, "true")
	}
	return extract.CSV(ctx, w)
}
