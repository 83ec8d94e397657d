package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
)

type timelineInput struct {
	ByID
	Page
}

func (in *timelineInput) listID() listID { return listID{in.call.Org, "timeline\n" + in.ID} }

// Resolve checks what the schemas of the parameters cannot.
func (in *timelineInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

// mountShipmentTimeline adds the history of a shipment over all Hubs.
func (s *Server) mountShipmentTimeline(k kind) {
	answer := listSchema("timeline", s.schemaOf(reflect.TypeFor[timeline.ShipmentEvent]()))
	addIndexedTo(answer, "Null if all records of other Hubs are searched. While the index of the search is being made: records that were created or changed after this time may be missing")
	handle(s, operation{
		id: "get-shipment-timeline", summary: "Get the timeline of a shipment", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/timeline",
		status:      http.StatusOK,
		description: "A page of the events of the shipment, its newest 50 declarations, and the records of other Hubs that name one of their references, newest first",
		response:    answer, errors: []int{404},
	}, s.shipmentTimeline)
}

func (s *Server) shipmentTimeline(ctx context.Context, in *timelineInput) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	before, err := in.listID().decodeSequence(in.Cursor)
	if err != nil {
		return response{}, err
	}
	var t *timeline.Timeline
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { t, err = s.Timelines.Of(tx, tx.SelectMatching, id); return err })
	if err != nil {
		return response{}, err
	}
	if err := t.AddNamed(ctx, in.call.Org); err != nil {
		return response{}, err
	}
	var page []timeline.ShipmentEvent
	var next int64
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, next, err = t.Page(tx, before, in.size()); return err })
	if err != nil {
		return response{}, err
	}
	var cursor *string
	if next > 0 {
		cursor = ptr(in.listID().encode(strconv.FormatInt(next, 10)))
	}
	return jsonResponse(http.StatusOK, map[string]any{"timeline": page, "hasMore": next > 0, "nextCursor": cursor, "indexedTo": indexedTo(t.Reach)})
}
