package api

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

const exportPath = "/api/organisation/export"

// jobBody is a job in a response.
type jobBody struct {
	ID         string  `json:"id" format:"uuid" doc:"Id of the job"`
	Status     string  `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED,CANCELLED" doc:"Status of the job"`
	Total      int64   `json:"total" doc:"Number of items"`
	Done       int64   `json:"done" doc:"Number of items that succeeded"`
	Failed     int64   `json:"failed" doc:"Number of items that failed"`
	CreatedAt  string  `json:"createdAt" format:"date-time" doc:"When it was requested"`
	FinishedAt *string `json:"finishedAt" format:"date-time" doc:"When it ended"`
	ResultURL  *string `json:"resultUrl" doc:"Path of the result; null until the job is DONE" example:"/api/organisation/export/01a1fd55-7a80-7536-8849-6db7fef55fe0/archive"`
}

func exportOf(j portability.Job) jobBody {
	b := jobBody{ID: j.ID, Status: j.Status, Total: j.Total, Done: j.Done, Failed: j.Failed, CreatedAt: audit.Instant(j.CreatedAt)}
	if !j.FinishedAt.IsZero() {
		b.FinishedAt = ptr(audit.Instant(j.FinishedAt))
	}
	if j.Status == portability.Done {
		b.ResultURL = ptr(exportPath + "/" + j.ID + "/archive")
	}
	return b
}

func (s *Server) mountPortability() {
	schema := objectSchema("job", s.schemaOf(reflect.TypeFor[jobBody]()))
	gate := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: action}}
	}
	handle(s, operation{
		id: "export-organisation", summary: "Export all data of the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: exportPath,
		status: http.StatusAccepted, description: "The job of a complete export of the organisation's data, which can be downloaded for 30 days", response: schema, route: gate("export"),
	}, func(ctx context.Context, in *struct{ caller }) (response, error) {
		return exportResponse(http.StatusAccepted)(s.Archive.Request(ctx, in.call))
	})
	handle(s, operation{
		id: "get-organisation-export", summary: "Get an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}",
		status: http.StatusOK, description: "The export", response: schema, errors: []int{404}, route: gate("export"),
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return exportResponse(http.StatusOK)(s.Archive.Find(ctx, in.call.Org, id))
	})
	handle(s, operation{
		id: "cancel-organisation-export", summary: "Cancel an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: exportPath + "/{id}",
		status: http.StatusOK, description: "The cancelled export, which can no longer be downloaded", response: schema, errors: []int{404}, route: gate("export"),
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return exportResponse(http.StatusOK)(s.Archive.Cancel(ctx, in.call, id))
	})
	stream(s, operation{
		id: "get-organisation-archive", summary: "Download an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}/archive",
		status: http.StatusOK, description: "A ZIP with a file <kind>.jsonl for each kind of record, one record per line; the audit events; users, keys and webhooks without their secrets; " +
			"and originals/ with messages and documents as received. It is generated during the download and contains the data of that time; manifest.json is its last file",
		contentType: portability.ContentType, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{400, 404}, route: gate("export"),
	}, func(ctx context.Context, in *ByID, w *streamWriter) error {
		id, err := checkID(in.ID)
		if err != nil {
			return err
		}
		return s.Archive.Write(ctx, in.call, id, func(name string) io.Writer {
			w.Header().Set("Content-Type", portability.ContentType)
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			return w
		})
	})
}

func exportResponse(status int) func(portability.Job, error) (response, error) {
	return func(j portability.Job, err error) (response, error) {
		if err != nil {
			return response{}, err
		}
		return jsonResponse(status, map[string]jobBody{"job": exportOf(j)})
	}
}
