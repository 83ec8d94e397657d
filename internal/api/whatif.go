package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

const whatIfPath = "/api/tariff/what-if"

// whatIfBody is a page of the result of a what-if.
type whatIfBody struct {
	whatif.Sums
	Groups         []whatif.Group `json:"groups" nullable:"false" doc:"Totals of lines that have the values of groupBy in common, by falling absolute difference, at most 1,000"`
	GroupsLeftOut  int            `json:"groupsLeftOut" doc:"Number of further groups"`
	Rows           []whatif.Row   `json:"rows" nullable:"false" doc:"The lines, by falling absolute difference, and then those that are not complete"`
	Date           string         `json:"date" format:"date" doc:"Day of lines without one" example:"2026-11-26"`
	Edition        int64          `json:"edition" doc:"Edition of the tariff of the base case"`
	ChangedEdition int64          `json:"changedEdition" doc:"Edition of the tariff of the changed case"`
	RateTable      string         `json:"rateTable" doc:"Table of exchange rates"`
	EngineVersion  string         `json:"engineVersion" doc:"Version of the rules"`
	HasMore        bool           `json:"hasMore" doc:"Whether there is another page of rows"`
	NextCursor     *string        `json:"nextCursor" doc:"Cursor of the next page of rows; null on the last page"`
}

type whatIfResultInput struct {
	ByID
	Page
}

func (s *Server) mountWhatIf() {
	job := objectSchema("job", s.schemaOf(reflect.TypeFor[jobBody]()))
	stream(s, operation{
		id: "create-what-if", summary: "Compute goods under a change", tag: "Declarations", scope: foundational, method: http.MethodPost, path: whatIfPath,
		status: http.StatusAccepted, description: "The what-if as a job. It computes each line as it is and with the change, and compares the cheapest options. " +
			"Edition, exchange rates and today are fixed now. In the job, done counts the lines that are complete in both cases, and failed the others",
		response: job, idempotent: true, keyRequired: true, rehearsed: true, withheld: []string{"job.id"}, readsBody: true, maxBody: whatif.MaxBody, route: route{role: tenant.Member}, errors: []int{413, 415},
		content: map[string]*huma.MediaType{jsonType: {Schema: s.schemaOf(reflect.TypeFor[whatif.Request]())}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		out, err := s.createWhatIf(ctx, &in.caller, w)
		if err != nil {
			return err
		}
		return w.answer(out)
	})
	stream(s, operation{
		id: "upload-what-if-lines", summary: "Upload lines for what-ifs", tag: "Declarations", scope: foundational, method: http.MethodPost, path: whatIfPath + "/uploads",
		status: http.StatusCreated, description: "Reads a CSV or XLSX with a column for each member of a line: " + strings.Join(whatif.UploadColumns(), ", ") +
			". currency holds for price, freight and insurance. Every fault is named with its row, and nothing is stored then. An upload is kept for 7 days",
		response: s.schemaOf(reflect.TypeFor[whatIfUpload]()), rehearsed: true, withheld: []string{"uploadId"},
		route: route{role: tenant.Member}, maxBody: bulk.MaxFile + maxFormOverhead, errors: []int{409},
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
				"file": {Type: huma.TypeString, Format: "binary", Description: "The table, at most 10 MB and 100,000 rows"},
			},
		}}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		return s.readTable(ctx, &in.caller, w, func(sheet *bulk.Sheet) error { return s.uploadWhatIf(ctx, &in.caller, w, sheet) })
	})
	handle(s, operation{
		id: "get-what-if", summary: "Get a what-if", tag: "Declarations", scope: foundational, method: http.MethodGet, path: whatIfPath + "/{id}",
		status: http.StatusOK, description: "The job. The call does not count against the rate limit", response: job, errors: []int{404}, route: route{budget: uncounted},
	}, s.getWhatIf)
	handle(s, operation{
		id: "cancel-what-if", summary: "Cancel a what-if", tag: "Declarations", scope: foundational, method: http.MethodDelete, path: whatIfPath + "/{id}",
		status: http.StatusOK, description: "The job. A what-if that has not ended is cancelled and has no result. The call does not count against the rate limit",
		response: job, errors: []int{404}, route: route{role: tenant.Member, budget: uncounted},
	}, s.cancelWhatIf)
	handle(s, operation{
		id: "get-what-if-result", summary: "Get the result of a what-if", tag: "Declarations", scope: foundational, method: http.MethodGet, path: whatIfPath + "/{id}/result",
		status: http.StatusOK, description: "Totals, groups and a page of rows of a what-if that is DONE, kept for 30 days after its end. Lines that are not complete are in no total",
		response: s.schemaOf(reflect.TypeFor[whatIfBody]()), errors: []int{400, 404},
	}, s.whatIfResult)
	stream(s, operation{
		id: "get-what-if-csv", summary: "Download the rows of a what-if", tag: "Declarations", scope: foundational, method: http.MethodGet, path: whatIfPath + "/{id}/result.csv",
		status: http.StatusOK, description: "All rows of a what-if that is DONE as CSV, by falling absolute difference, with a header row",
		contentType: csvType, response: &huma.Schema{Type: huma.TypeString}, errors: []int{400, 404},
	}, s.whatIfCSV)
}

// whatIfUpload is an upload for what-ifs.
type whatIfUpload struct {
	UploadID  string `json:"uploadId" format:"uuid" doc:"For source.uploadId"`
	Lines     int    `json:"lines" doc:"Number of lines" example:"1200"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When it is deleted"`
}

// uploadWhatIf checks a table as lines of a what-if, and stores it.
func (s *Server) uploadWhatIf(ctx context.Context, c *caller, w *streamWriter, sheet *bulk.Sheet) error {
	lines, count, faults := whatif.ReadRows(sheet.Headers, sheet.Rows())
	if faults != nil {
		return apierr.Invalid(faults...)
	}
	request := slices.Concat([]byte(`{"source":{"lines":`), lines, []byte(`},"change":{"cbam":true}}`))
	faults = s.bodyReader.Check(s.schemaOf(reflect.TypeFor[whatif.Request]()), request)
	if _, err := s.WhatIfs.Prepare(ctx, c.call.Org, request, s.nowOf(c.holder), faults); err != nil {
		return whatif.InRows(err)
	}
	u, err := s.WhatIfs.NewUpload(lines, count)
	if err != nil {
		return err
	}
	add := func(tx Tx) (response, error) {
		if u, err = s.WhatIfs.AddUpload(tx, c.call, u); err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusCreated, whatIfUpload{u.ID, u.Lines, audit.Instant(u.CreatedAt.Add(whatif.UploadTTL))})
	}
	out, err := s.storeOrTry(ctx, c, add)
	if err != nil {
		return err
	}
	return w.answer(out)
}

func whatIfResponse(status int, j whatif.Job) (response, error) {
	body := jobBody{ID: j.ID, Status: j.Status, Total: j.Total, Done: j.Done, Failed: j.Failed}
	body.setTimes(j.CreatedAt, j.FinishedAt)
	if j.Status == whatif.Done {
		body.ResultURL = ptr(whatIfPath + "/" + j.ID + "/result")
	}
	return jsonResponse(status, map[string]jobBody{"job": body})
}

// createWhatIf checks a request and stores it with the job that runs it.
func (s *Server) createWhatIf(ctx context.Context, c *caller, w *streamWriter) (response, error) {
	raw, err := readLargeBody(w, c)
	if err != nil {
		return response{}, err
	}
	faults := append(c.invalidParams(), s.bodyReader.Check(s.schemaOf(reflect.TypeFor[whatif.Request]()), raw)...)
	prepared, err := s.WhatIfs.Prepare(ctx, c.call.Org, raw, s.nowOf(c.holder), faults)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, c, raw, func(tx Tx) (response, error) {
		j, err := s.WhatIfs.Create(tx, c.call, prepared)
		if err != nil {
			return response{}, err
		}
		return whatIfResponse(http.StatusAccepted, j)
	})
}

func (s *Server) getWhatIf(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	j, err := s.WhatIfs.Find(ctx, in.call.Org, id)
	if err != nil {
		return response{}, err
	}
	return whatIfResponse(http.StatusOK, j)
}

func (s *Server) cancelWhatIf(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	j, err := s.WhatIfs.Cancel(ctx, in.call, id)
	if err != nil {
		return response{}, err
	}
	return whatIfResponse(http.StatusOK, j)
}

func (s *Server) whatIfResult(ctx context.Context, in *whatIfResultInput) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	cursors := listID{in.call.Org, "what-if " + id}
	from := 0
	if place, err := cursors.decode(in.Cursor); err != nil {
		return response{}, err
	} else if place != "" {
		if from, err = strconv.Atoi(place); err != nil {
			return response{}, errCursor
		}
	}
	j, err := s.WhatIfs.Result(ctx, in.call.Org, id)
	if err != nil {
		return response{}, err
	}
	rows, more, err := s.WhatIfs.Rows(ctx, in.call.Org, id, from, in.size())
	if err != nil {
		return response{}, err
	}
	body := whatIfBody{
		Sums: j.Summary.Sums, Groups: append([]whatif.Group{}, j.Summary.Groups...), GroupsLeftOut: j.Summary.LeftOut, Rows: append([]whatif.Row{}, rows...),
		Date: j.Settings.Date, Edition: j.Settings.Edition, ChangedEdition: j.Settings.ChangedEdition(), RateTable: j.Settings.RateTable,
		EngineVersion: duty.EngineVersion, HasMore: more,
	}
	if more {
		body.NextCursor = ptr(cursors.encode(strconv.Itoa(from + len(rows))))
	}
	return jsonResponse(http.StatusOK, body)
}

func (s *Server) whatIfCSV(ctx context.Context, in *ByID, w *streamWriter) error {
	id, err := checkID(in.ID)
	if err != nil {
		return err
	}
	if _, err := s.WhatIfs.Result(ctx, in.call.Org, id); err != nil {
		return err
	}
	w.Header().Set("Content-Type", csvio.ContentType)
	w.Header().Set("Content-Disposition", csvio.Disposition("what-if", s.nowOf(in.holder)))
	return s.WhatIfs.WriteCSV(ctx, in.call.Org, id, w)
}
