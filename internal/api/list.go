package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

func (s *Server) mountList(k kind) {
	op := operation{
		id: k.id("list", true), summary: "List " + k.Plural, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path,
		status: http.StatusOK, description: "A page of " + k.Plural + ", newest first unless sorted otherwise", response: listSchema(k.Plural, k.brief),
		kind: &k, filters: filtersOf(k.Type),
	}
	handle(s, op, s.list)
}

// size returns the page size.
func (in *Listing) size() int {
	if in.op.kind.shortPages && in.Limit == 0 {
		return defaultPage
	}
	return in.WholePage.size()
}

// listID identifies the list with its filters and order.
func (in *Listing) listID() listID {
	name := in.op.kind.Kind
	if in.name != "" {
		name += "\n" + in.name
	}
	return listID{in.call.Org, name}
}

// Resolve reads the filters, and checks what the schemas of the parameters cannot.
func (in *Listing) Resolve(ctx huma.Context) []error {
	errs := in.caller.Resolve(ctx)
	if in.op.kind.shortPages && in.Limit > maxPage {
		errs = append(errs, paramError("limit", fmt.Sprintf("must be a number of at most %d", maxPage)))
	}
	selection, name, wrong := parseFilters(in.op.kind.Type, in.op.filters, in.request.URL.Query())
	resolveMe(&selection, in.call.UserID)
	in.selection, in.name = selection, name
	return append(append(errs, in.listID().checkCursor(in.Cursor)...), wrong...)
}

// list returns a page of the records that match the filters.
func (s *Server) list(ctx context.Context, in *Listing) (response, error) {
	after, err := in.listID().decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	q := in.selection
	q.After, q.Limit = after, in.size()+1
	page, err := s.selectPage(ctx, in, q)
	if err != nil {
		return response{}, err
	}
	body := in.listID().appendPage(make([]byte, 0, pageSize(page)), in.op.kind.Plural, page, in.size(), q.Order)
	return response{Status: http.StatusOK, Body: body}, nil
}

// selectPage reads a page, most often with one statement.
func (s *Server) selectPage(ctx context.Context, in *Listing, q filing.Selection) (page []filing.Filing, err error) {
	simple := filing.Query{Kind: q.Kind, From: q.Created.From, Until: q.Created.Until, After: q.After, Limit: q.Limit}
	if len(q.Statuses) == 1 {
		simple.Status = q.Statuses[0]
	}
	if in.isSimple() {
		err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.Filings(simple); return err })
		return page, err
	}
	if q.ShipmentID != "" || q.ClientID != "" || q.Reference != "" {
		if err := s.Store.LinkAll(ctx, in.call.Org); err != nil {
			return nil, err
		}
	}
	complete := false
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { page, complete, err = tx.SelectSingle(q); return err })
	if err != nil || complete {
		return page, err
	}
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.SelectMatching(q); return err })
	return page, err
}

// isSimple reports whether the list is filtered by one status and the time of creation at most, newest first.
func (in *Listing) isSimple() bool {
	q := in.selection
	return len(q.Statuses) <= 1 && q.Updated.IsZero() && q.Keys == nil && q.Reference == "" && q.ShipmentID == "" && q.ClientID == "" &&
		q.Metadata == nil && q.Order == filing.Order{}
}

// pageSize estimates the size of an encoded page in bytes, rounded up.
func pageSize(page []filing.Filing) int {
	const frame = 256 // of a record, and of the page
	size := frame
	for i := range page {
		size += frame + len(page[i].Brief) + len(page[i].Added)
	}
	return size
}

// appendPage encodes a page from the stored JSON without decoding it.
func (l listID) appendPage(dst []byte, name string, page []filing.Filing, limit int, order filing.Order) []byte {
	more := len(page) > limit
	if more {
		page = page[:limit]
	}
	dst = append(append(append(dst, `{"`...), name...), `":[`...)
	for i := range page {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = page[i].AppendBrief(dst)
	}
	if !more {
		return append(dst, `],"hasMore":false,"nextCursor":null}`...)
	}
	dst = append(dst, `],"hasMore":true,"nextCursor":"`...)
	return append(append(dst, l.cursorAfter(order.Position(&page[limit-1]))...), `"}`...)
}

func joinStates(states []lifecycle.State) string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
