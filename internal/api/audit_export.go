package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/csvio"
)

const (
	// maxExported is how many events one export has, at most.
	maxExported = 10_000
	// exportPage is how many are read at a time.
	exportPage = 500

	truncatedHeader = "X-Export-Truncated"
)

type auditExportInput struct {
	caller
	AuditFilter
}

func (s *Server) mountAuditExport() {
	stream(s, operation{
		id: "export-audit-events", summary: "Export audit events", tag: "Audit", method: http.MethodGet, path: "/api/audit/export.csv",
		status: http.StatusOK, about: "The events as CSV, newest first, 10,000 at most, with a header row of field names; the export is itself an event",
		contentType: csvType, answer: &huma.Schema{Type: huma.TypeString}, errors: []int{400},
		headers: map[string]*huma.Param{truncatedHeader: {Description: "true when there are more events than the file has", Schema: &huma.Schema{Type: huma.TypeString}, Example: "true"}},
	}, s.exportEvents)
}

// exportEvents looks ahead how much there is, notes the export in the trail, and
// then writes what was in the trail before.
func (s *Server) exportEvents(ctx context.Context, in *auditExportInput, w *answerWriter) error {
	q, err := in.query()
	if err != nil {
		return err
	}
	head, err := s.head(ctx, in.call.Org)
	if err != nil {
		return err
	}
	q.Before, q.Limit = head.Sequence+1, maxExported+1
	found := 0
	if err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { found, err = tx.CountEvents(q); return err }); err != nil {
		return err
	}
	q.Limit = min(found, maxExported)
	if err := s.noteExport(ctx, &in.caller, in.AuditFilter, q.Limit, found > maxExported); err != nil {
		return err
	}
	w.Header().Set("Content-Type", csvio.ContentType)
	w.Header().Set("Content-Disposition", csvio.Disposition("audit", s.Now()))
	if found > maxExported {
		w.Header().Set(truncatedHeader, "true")
	}
	return s.writeEvents(ctx, &in.caller, w, q)
}

func (s *Server) noteExport(ctx context.Context, c *caller, f AuditFilter, count int, truncated bool) error {
	told := map[string]any{"count": count, "truncated": truncated}
	for name, value := range map[string]string{"hub": f.Hub, "eventType": f.EventType, "actorUserId": f.ActorUserID} {
		if value != "" {
			told[name] = value
		}
	}
	if !f.StartDate.IsZero() {
		told["startDate"] = audit.Instant(f.StartDate)
	}
	if !f.EndDate.IsZero() {
		told["endDate"] = audit.Instant(f.EndDate)
	}
	data, err := json.Marshal(told)
	if err != nil {
		return err
	}
	event := audit.By(c.call, audit.Event{ID: s.IDs.UUID(), Hub: foundational, Type: "audit.exported", ResourceType: "audit", Data: data})
	return s.Store.Update(ctx, c.call.Org, func(tx Tx) error { return tx.Record(event) })
}

// writeEvents reads a page after the other, each in a short transaction of its own:
// a trail only grows, so the pages fit together.
func (s *Server) writeEvents(ctx context.Context, c *caller, out io.Writer, q audit.Query) error {
	w := csvio.NewWriter(out)
	if err := w.Row(eventHeader()...); err != nil {
		return err
	}
	for left := q.Limit; left > 0; {
		q.Limit = min(left, exportPage)
		var page []audit.Event
		if err := s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) { page, err = tx.Events(q); return err }); err != nil {
			return err
		}
		if len(page) == 0 {
			return io.ErrUnexpectedEOF
		}
		for i := range page {
			if err := w.Row(eventRow(&page[i])...); err != nil {
				return err
			}
		}
		left -= len(page)
		q.Before = page[len(page)-1].Sequence
	}
	return w.Flush()
}

// eventHeader has the names of the fields, as they are in JSON and in that order.
func eventHeader() []string {
	return []string{
		"id", "sequence", "occurredAt", "hub", "eventType", "resourceType", "resourceId", "fromStatus", "toStatus",
		"actorUserId", "actorType", "keyId", "requestId", "ipAddress", "data", "hash", "previousHash",
	}
}

func eventRow(e *audit.Event) []string {
	data := string(e.Data)
	if data == "" {
		data = "{}"
	}
	return []string{
		e.ID, strconv.FormatInt(e.Sequence, 10), audit.Instant(e.OccurredAt), e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, e.IPAddress, data, e.Hash, e.PreviousHash,
	}
}
