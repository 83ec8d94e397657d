package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// tariffEdition is an edition of the tariff in a list.
type tariffEdition struct {
	ID         int64         `json:"id" doc:"Number of the edition; 0 is the built-in table" example:"3"`
	ImportedAt *string       `json:"importedAt" format:"date-time" doc:"When it was imported; null for the built-in table"`
	UK         *duty.Holding `json:"uk" doc:"Tariff of the United Kingdom"`
	XI         *duty.Holding `json:"xi" doc:"Tariff of Northern Ireland; null if not held"`
	Measures   int           `json:"measures" doc:"Measures that it holds" example:"31402"`
	Files      []tariffFile  `json:"files" nullable:"false" doc:"Files that its tables came from"`
}

// tariffFile is a table of an edition with the file that it came from.
type tariffFile struct {
	Table   string `json:"table" doc:"Kind of the table" example:"duties"`
	File    string `json:"file" doc:"Name of the file, or how many files there are" example:"duties.csv"`
	AsOf    string `json:"asOf" format:"date" doc:"Day of its newest content" example:"2026-11-01"`
	Source  string `json:"source" doc:"Publisher and form"`
	Rows    int    `json:"rows" doc:"Rows of the table" example:"15240"`
	Edition int64  `json:"edition" doc:"Edition with which its content came" example:"2"`
}

type editionsInput struct {
	caller
	Page
}

// editionsID identifies the list of editions.
func editionsID(org tenant.ID) listID { return listID{org, "tariff editions"} }

// Resolve checks what the schemas of the parameters cannot.
func (in *editionsInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), editionsID(in.call.Org).checkCursor(in.Cursor)...)
}

type diffInput struct {
	caller
	Page
	From int64  `query:"from" required:"true" minimum:"0" doc:"The former edition; 0 is the built-in table" example:"2"`
	To   int64  `query:"to" required:"true" minimum:"0" doc:"The later edition" example:"3"`
	Code string `query:"commodityCode" maxLength:"10" doc:"Only commodity codes that begin with these digits" example:"6109"`
	Type string `query:"measureType" maxLength:"6" doc:"Only measures of this type" example:"103"`
	Date string `query:"date" maxLength:"10" doc:"Compare only measures in force on this day (YYYY-MM-DD); all if absent" example:"2027-01-01"`
}

func (in *diffInput) listID() listID {
	return listID{in.call.Org, fmt.Sprintf("tariff diff %d %d %s %s %s", in.From, in.To, in.Code, in.Type, in.Date)}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *diffInput) Resolve(ctx huma.Context) []error {
	errs := in.caller.Resolve(ctx)
	for _, c := range in.Code {
		if c < '0' || c > '9' {
			errs = append(errs, paramError("commodityCode", "must be up to 10 digits"))
			break
		}
	}
	if _, err := time.Parse(time.DateOnly, in.Date); err != nil && in.Date != "" {
		errs = append(errs, paramError("date", "must be a day such as 2027-01-01"))
	}
	return append(errs, in.listID().checkCursor(in.Cursor)...)
}

// tariffDiff is a page of the differences between two editions.
type tariffDiff struct {
	From       int64                   `json:"from" doc:"The former edition" example:"2"`
	To         int64                   `json:"to" doc:"The later edition" example:"3"`
	Summary    official.Summary        `json:"summary" doc:"Counts of all pages"`
	Changes    []difference.ChangeBody `json:"changes" nullable:"false" doc:"Changes by commodity code, measure type and number"`
	HasMore    bool                    `json:"hasMore" doc:"Whether there is another page"`
	NextCursor *string                 `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (s *Server) mountEditions() {
	handle(s, operation{
		id: "list-tariff-editions", summary: "List editions of the tariff", tag: "Declarations", scope: foundational, method: http.MethodGet, path: "/api/tariff/editions",
		status: http.StatusOK, description: "The editions that are kept, newest first. The last one is the built-in table. An edition that a stored result names is kept as long as that, others 400 days after another one replaced them",
		response: listSchema("editions", s.schemaOf(reflect.TypeFor[tariffEdition]())),
	}, s.listEditions)
	handle(s, operation{
		id: "diff-tariff-editions", summary: "Compare editions of the tariff", tag: "Declarations", scope: foundational, method: http.MethodGet, path: "/api/tariff/editions/diff",
		status: http.StatusOK, description: "What changes for goods between two editions, measure by measure. Legal texts and the balances of quotas are not compared",
		response: s.schemaOf(reflect.TypeFor[tariffDiff]()), errors: []int{404},
	}, s.diffEditions)
}

func (s *Server) listEditions(ctx context.Context, in *editionsInput) (response, error) {
	cursors := editionsID(in.call.Org)
	place, err := cursors.decode(in.Cursor)
	if err != nil {
		return response{}, err
	}
	all, err := s.Editions.TariffEditions(ctx)
	if err != nil {
		return response{}, err
	}
	all = append(all, official.Edition{Holds: official.EmbeddedHolds()})
	if place != "" {
		last, err := strconv.ParseInt(place, 10, 64)
		if err != nil {
			return response{}, errCursor
		}
		for len(all) > 0 && all[0].Version >= last {
			all = all[1:]
		}
	}
	page, next := splitPage(all[:min(len(all), in.size()+1)], in.size(), func(last official.Edition) string {
		return cursors.encode(strconv.FormatInt(last.Version, 10))
	})
	shown := make([]tariffEdition, len(page))
	for i := range page {
		shown[i] = editionBody(&page[i])
	}
	return jsonResponse(http.StatusOK, map[string]any{"editions": shown, "hasMore": next != nil, "nextCursor": next})
}

func editionBody(e *official.Edition) tariffEdition {
	b := tariffEdition{ID: e.Version, UK: e.Holds.UK, XI: e.Holds.XI, Measures: e.Holds.Measures, Files: []tariffFile{}}
	if e.Version > 0 {
		b.ImportedAt = ptr(audit.Instant(e.ImportedAt))
	}
	for _, t := range e.Tables {
		b.Files = append(b.Files, tariffFile{string(t.Kind), t.File, t.AsOf, t.Source, t.Rows, t.Version})
	}
	return b
}

func (s *Server) diffEditions(ctx context.Context, in *diffInput) (response, error) {
	cursors := in.listID()
	after, err := decodeDiffPlace(cursors, in.Cursor)
	if err != nil {
		return response{}, err
	}
	c, err := official.Compare(ctx, s.Editions, in.From, in.To, official.Filter{Code: in.Code, Type: in.Type, Day: in.Date})
	if errors.Is(err, official.ErrNoEdition) {
		return response{}, apierr.New(apierr.NotFound, "One of the editions %d and %d is not kept. GET /api/tariff/editions lists those that are.", in.From, in.To)
	}
	if err != nil {
		return response{}, err
	}
	page, err := c.Page(ctx, after, in.size())
	if err != nil {
		return response{}, err
	}
	out := tariffDiff{From: in.From, To: in.To, Summary: page.Summary, Changes: []difference.ChangeBody{}, HasMore: page.Next != nil}
	for _, change := range page.Changes {
		out.Changes = append(out.Changes, difference.Body(change))
	}
	if n := page.Next; n != nil {
		out.NextCursor = ptr(cursors.encode(fmt.Sprintf("%s %d %d %d %d %d", n.Code, n.Done, n.Added, n.Ended, n.Changed, n.Codes)))
	}
	return jsonResponse(http.StatusOK, out)
}

// decodeDiffPlace decodes a cursor of the differences; "" stands for the beginning.
func decodeDiffPlace(cursors listID, cursor string) (p official.Place, err error) {
	place, err := cursors.decode(cursor)
	if err != nil || place == "" {
		return p, err
	}
	if _, err := fmt.Sscanf(place, "%s %d %d %d %d %d", &p.Code, &p.Done, &p.Added, &p.Ended, &p.Changed, &p.Codes); err != nil {
		return p, errCursor
	}
	return p, nil
}
