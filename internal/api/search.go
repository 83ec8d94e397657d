package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// SearchResult is a record that was found.
type SearchResult struct {
	Kind            string  `json:"kind" doc:"Kind of record" example:"declaration"`
	ID              string  `json:"id" format:"uuid" doc:"Id of the record"`
	Title           string  `json:"title" doc:"Best reference or contents of the record" example:"TWS0123456789ABCDEFGHJ"`
	Subtitle        string  `json:"subtitle" doc:"What the record is, its status and when it was created" example:"Declaration, CLEARED, 2026-11-21"`
	ReferenceSource *string `json:"referenceSource" nullable:"true" enum:"simulated,simulator" doc:"Who made the authority’s reference of the record: simulated is this service, simulator a simulator of the authority. Null for the authority’s own, and if there is none" example:"simulated"`
	Matched         string  `json:"matched" doc:"The text that matches, after the path of its field" example:"items[0].description: Cotton T-shirts"`
}

type searchInput struct {
	caller
	Query  string `query:"q" required:"true" minLength:"1" maxLength:"200" doc:"Words, or their beginnings, that the record contains: references, containers, invoices, names, commodity codes, metadata" example:"MSKU1234565"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"20" doc:"Maximum number of results on a page, besides records whose reference is the query" example:"20"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the previous page"`
}

func (in *searchInput) listID() listID { return listID{in.call.Org, "search\n" + in.Query} }

// Resolve checks what the schemas of the parameters cannot.
func (in *searchInput) Resolve(ctx huma.Context) []error {
	errs := append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
	if in.Query != "" && strings.TrimSpace(in.Query) == "" {
		errs = append(errs, paramError("q", "must not be empty"))
	}
	return errs
}

func (s *Server) mountSearch() {
	answer := listSchema("results", s.schemaOf(reflect.TypeFor[SearchResult]()))
	addIndexedTo(answer, "Null if all records are searched. While the index of the search is being made: records that were created or changed after this time may be found by their references only")
	handle(s, operation{
		id: "search", summary: "Search all records", tag: "Shipments and Clients", scope: foundational, method: http.MethodGet, path: "/api/search",
		status: http.StatusOK, description: "A page of records of all kinds, also of disabled Hubs: those whose reference is the query first, then the newest",
		response: answer,
	}, s.search)
}

func (s *Server) search(ctx context.Context, in *searchInput) (response, error) {
	after, err := in.listID().decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	limit := in.Limit
	if limit == 0 {
		limit = 20
	}
	page, err := s.Search.FindRecords(ctx, in.call.Org, search.Query{Text: in.Query, After: after, Limit: limit})
	if err != nil {
		return response{}, err
	}
	results, cursor := make([]SearchResult, 0, len(page.Records)), (*string)(nil)
	for i := range page.Records {
		results = append(results, s.searchResult(&page.Records[i]))
	}
	if page.Next != nil {
		cursor = ptr(in.listID().cursorAfter(*page.Next))
	}
	return jsonResponse(http.StatusOK, map[string]any{"results": results, "hasMore": page.Next != nil, "nextCursor": cursor, "indexedTo": indexedTo(page.Reach)})
}

// addIndexedTo adds how far an index has come to an answer.
func addIndexedTo(answer *huma.Schema, description string) {
	answer.Properties["indexedTo"] = &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true, Description: description}
	answer.Required = append(answer.Required, "indexedTo")
}

// indexedTo returns the time that an index has come to; nil if it is complete.
func indexedTo(reach search.Reach) *string {
	if reach.IndexedTo == nil {
		return nil
	}
	return ptr(audit.Instant(*reach.IndexedTo))
}

func (s *Server) searchResult(f *search.FoundRecord) SearchResult {
	noun := s.kinds[f.Kind].Singular
	noun = strings.ToUpper(noun[:1]) + noun[1:]
	r := SearchResult{Kind: f.Kind, ID: f.ID, Title: f.Name(), Matched: f.Matched}
	if r.Title == "" {
		r.Title = noun
	}
	if ref, err := s.kinds[f.Kind].ReferenceOf(f.Added); err == nil && !ref.Source.IsOfAuthority() {
		r.ReferenceSource = ptr(string(ref.Source))
	}
	r.Subtitle = strings.Join([]string{noun, string(f.Status), audit.Instant(f.CreatedAt)[:len("2026-11-21")]}, ", ")
	return r
}
