package api

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

const exportPath = "/api/organisation/export"

func exportOf(j portability.Job) jobBody {
	b := jobBody{ID: j.ID, Status: j.Status, Total: j.Total, Done: j.Done, Failed: j.Failed}
	b.setTimes(j.CreatedAt, j.FinishedAt)
	if j.Status == portability.Done && j.ID != "" {
		b.ResultURL = ptr(exportPath + "/" + j.ID + "/archive")
	}
	return b
}

func (s *Server) mountPortability() {
	schema := objectSchema("job", s.schemaOf(reflect.TypeFor[jobBody]()))
	gate := func(action string, budget budgetName) route {
		return route{role: tenant.Owner, budget: budget, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: action}}
	}
	handle(s, operation{
		id: "export-organisation", summary: "Export all data of the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: exportPath,
		status: http.StatusAccepted, description: "The job of a complete export, which can be downloaded for 30 days", response: schema, rehearsed: true, withheld: []string{"job.id"},
		route: gate("export", standard),
	}, s.requestExport)
	handle(s, operation{
		id: "get-organisation-export", summary: "Get an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}",
		status: http.StatusOK, description: "The export", response: schema, errors: []int{404}, route: gate("export", uncounted),
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return exportResponse(http.StatusOK)(s.Archive.Find(ctx, in.call.Org, id))
	})
	handle(s, operation{
		id: "cancel-organisation-export", summary: "Cancel an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: exportPath + "/{id}",
		status: http.StatusOK, description: "The cancelled export, which can no longer be downloaded", response: schema, errors: []int{404}, route: gate("export", uncounted),
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return exportResponse(http.StatusOK)(s.Archive.Cancel(ctx, in.call, id))
	})
	stream(s, operation{
		id: "get-organisation-archive", summary: "Download an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}/archive",
		status: http.StatusOK, description: "A ZIP with <kind>.jsonl for each kind of record, one record per line; audit events; users, keys and webhooks without secrets; and originals/ with messages and documents as received. It has the data at the time of the download; manifest.json is its last file",
		contentType: portability.ContentType, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{400, 404}, route: gate("export", standard),
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

func (s *Server) requestExport(ctx context.Context, in *struct{ caller }) (response, error) {
	if !in.dryRun() {
		return exportResponse(http.StatusAccepted)(s.Archive.Request(ctx, in.call))
	}
	out, err := exportResponse(http.StatusOK)(s.Archive.Rehearse(ctx, in.call))
	if err != nil {
		return response{}, err
	}
	return in.withhold(out)
}

func exportResponse(status int) func(portability.Job, error) (response, error) {
	return func(j portability.Job, err error) (response, error) {
		if err != nil {
			return response{}, err
		}
		return jsonResponse(status, map[string]jobBody{"job": exportOf(j)})
	}
}
