package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
)

const (
	ndjsonType = "application/x-ndjson"

	feedPage = 500 // events per read

	// feedReader is the name under which feeds are counted among the streams of an organisation: at
	// most 20 at a time.
	feedReader = "audit feed"
)

// fedEvent is an event in the feed, for the OpenAPI document.
type fedEvent struct {
	EventBody
	Cursor string `json:"cursor" doc:"Position of this event; send it as cursor to continue after it"`
}

// feedLine is fedEvent with the data as the bytes that were hashed.
type feedLine struct {
	shownEvent
	Cursor string `json:"cursor"`
}

type followInput struct {
	caller
	Cursor string `query:"cursor" maxLength:"200" doc:"Cursor of the last event that you received; without it the oldest comes first"`
}

func (in *followInput) listID() listID { return listID{in.call.Org, "audit feed"} }

// Resolve checks what the schemas of the parameters cannot.
func (in *followInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

func (s *Server) mountAuditFeed() {
	stream(s, operation{
		id: "follow-audit-events", summary: "Follow audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/feed",
		status: http.StatusOK, description: "All events, oldest first, one JSON object per line, then each new one as it happens. The response does not end; an empty line is sent every 30 seconds while nothing happens. After a disconnect, continue with the cursor of the last line. An organisation can have 20 feeds at a time",
		contentType: ndjsonType, response: s.schemaOf(reflect.TypeFor[fedEvent]()), errors: []int{http.StatusBadRequest}, route: route{endless: true},
	}, s.followEvents)
}

// followEvents writes the events in order and waits for more.
func (s *Server) followEvents(ctx context.Context, in *followInput, w *streamWriter) error {
	after, err := in.listID().decodeSequence(in.Cursor)
	if err != nil {
		return err
	}
	watch, err := s.Live.Subscribe(in.call.Org, feedReader, sse.Everything, after)
	if err != nil {
		return err
	}
	defer watch.Close()
	f := &auditFeed{server: s, in: in, w: w, after: after}
	w.Header().Set("Content-Type", ndjsonType)
	return s.follow(ctx, &in.caller, w, watch, []byte("\n"), f.sendStored)
}

// auditFeed is one open audit feed.
type auditFeed struct {
	server *Server
	in     *followInput
	w      *streamWriter
	after  int64 // sequence of the last event that was sent
}

// sendStored sends all events that are stored.
func (f *auditFeed) sendStored(ctx context.Context, watch *sse.Subscription) error {
	for {
		var part []audit.Event
		err := f.server.Store.View(ctx, f.in.call.Org, func(tx Tx) (err error) {
			part, err = tx.EventsAfter(f.after, feedPage)
			return err
		})
		if err != nil {
			return err
		}
		if err := f.write(part); err != nil {
			return err
		}
		watch.ShownUpTo(f.after)
		if len(part) < feedPage {
			return nil
		}
		if f.server.isDraining() {
			return nil
		}
	}
}

func (f *auditFeed) write(part []audit.Event) error {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, e := range part {
		cursor := f.in.listID().encode(strconv.FormatInt(e.Sequence, 10))
		if err := lines.Encode(feedLine{shownEventOf(e), cursor}); err != nil {
			return err
		}
		f.after = e.Sequence
	}
	return f.w.send(out.Bytes())
}
