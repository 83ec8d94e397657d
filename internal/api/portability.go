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

// jobBody is a job as every endpoint shows one.
type jobBody struct {
	ID         string  `json:"id" format:"uuid" doc:"Id of the job"`
	Status     string  `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED,CANCELLED" doc:"How far it is"`
	Total      int64   `json:"total" doc:"Items that the job is about"`
	Done       int64   `json:"done" doc:"Items that succeeded"`
	Failed     int64   `json:"failed" doc:"Items that failed"`
	CreatedAt  string  `json:"createdAt" format:"date-time" doc:"When it was asked for"`
	FinishedAt *string `json:"finishedAt" format:"date-time" doc:"When it ended"`
	ResultURL  *string `json:"resultUrl" doc:"Where the result is, once there is one" example:"/api/organisation/export/01a1fd55-7a80-7536-8849-6db7fef55fe0/archive"`
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
	schema := under("job", s.schemaOf(reflect.TypeFor[jobBody]()))
	gate := func(action string) route {
		return route{role: tenant.Owner, step: step{hub: foundational, resource: "organisation", action: action}}
	}
	handle(s, operation{
		id: "export-organisation", summary: "Export everything", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: exportPath,
		status: http.StatusAccepted, about: "A complete export of the organisation's data, which can be fetched for 30 days", answer: schema, gate: gate("export"),
	}, func(ctx context.Context, in *struct{ caller }) (reply, error) {
		return exported(http.StatusAccepted)(s.Archive.Request(ctx, in.call))
	})
	handle(s, operation{
		id: "get-organisation-export", summary: "Get an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}",
		status: http.StatusOK, about: "The export", answer: schema, errors: []int{404}, gate: gate("export"),
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		return exported(http.StatusOK)(s.Archive.Find(ctx, in.call.Org, id))
	})
	handle(s, operation{
		id: "cancel-organisation-export", summary: "Cancel an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: exportPath + "/{id}",
		status: http.StatusOK, about: "The export, which cannot be fetched any more", answer: schema, errors: []int{404}, gate: gate("export"),
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		return exported(http.StatusOK)(s.Archive.Cancel(ctx, in.call, id))
	})
	stream(s, operation{
		id: "get-organisation-archive", summary: "Fetch an export", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: exportPath + "/{id}/archive",
		status: http.StatusOK, about: "A ZIP with a file <kind>.jsonl for each kind of record, one record a line, the audit events, users, keys and webhooks without their secrets, " +
			"and originals/ with messages and documents byte for byte. It is written while it is fetched and shows the data of that time; manifest.json is its last file",
		contentType: portability.ContentType, answer: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{400, 404}, gate: gate("export"),
	}, func(ctx context.Context, in *ByID, w *answerWriter) error {
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

func exported(status int) func(portability.Job, error) (reply, error) {
	return func(j portability.Job, err error) (reply, error) {
		if err != nil {
			return reply{}, err
		}
		return answer(status, map[string]jobBody{"job": exportOf(j)})
	}
}
