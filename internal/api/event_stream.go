package api

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	eventStreamType = "text/event-stream"

	streamPage  = 500         // events per read
	streamRetry = time.Second // after which browsers connect again

	// streamReader is the name under which streams are counted among those of an organisation: at most 20 at a time.
	streamReader = "event stream"
)

// lastEventID is the header with which clients of server-sent events continue.
const lastEventID = "Last-Event-ID"

var lastEventIDParam = &huma.Param{
	Name: lastEventID, In: "header", Description: "id of the last event that you received; takes precedence over cursor",
	Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(200)},
}

type streamInput struct {
	caller
	Cursor string `query:"cursor" maxLength:"200" doc:"Cursor of the last event that you received; without it the oldest comes first"`
	Resent bool   `query:"resent" doc:"Also events that a user has resent or recovered, again where that happened and named resent (a line event: resent)"`
}

// Resolve checks what the schemas of the parameters cannot.
func (in *streamInput) Resolve(ctx huma.Context) []error {
	errs := append(in.caller.Resolve(ctx), checkHistoryCursor(&in.caller, "cursor", in.Cursor)...)
	return append(errs, checkHistoryCursor(&in.caller, lastEventID, in.request.Header.Get(lastEventID))...)
}

func (s *Server) mountEventStream() {
	stream(s, operation{
		id: "stream-events", summary: "Stream events", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: "/api/events/stream",
		status: http.StatusOK, description: "The events of GET /api/events as server-sent events, then each new one as it happens: id is its cursor, data its body. The response does not end; a comment is sent every 30 seconds while nothing happens. After a disconnect, continue with Last-Event-ID. An organisation can have 20 streams at a time",
		contentType: eventStreamType, response: &huma.Schema{Type: huma.TypeString, Description: "Server-sent events"}, errors: []int{http.StatusBadRequest}, continued: true, route: route{endless: true},
	}, s.streamEvents)
}

// streamEvents writes the events in order and waits for more.
func (s *Server) streamEvents(ctx context.Context, in *streamInput, w *streamWriter) error {
	cursor := cmp.Or(in.request.Header.Get(lastEventID), in.Cursor)
	var after int64
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		after, err = historyStart(tx, &in.caller, cursor)
		return err
	})
	if err != nil {
		return err
	}
	watch, err := s.Live.Subscribe(in.call.Org, streamReader, sse.Everything, after)
	if err != nil {
		return err
	}
	defer watch.Close()
	e := &eventStream{server: s, list: historyOf(&in.caller), w: w, after: webhook.Place{Sequence: after}, resent: in.Resent}
	w.Header().Set("Content-Type", eventStreamType)
	if err := w.send([]byte("retry: " + strconv.FormatInt(streamRetry.Milliseconds(), 10) + "\n" + e.position() + "\n")); err != nil {
		return nil // the caller has disconnected
	}
	return s.follow(ctx, &in.caller, w, watch, []byte(":\n\n"), e.sendStored)
}

// eventStream is one open stream of events.
type eventStream struct {
	server *Server
	list   listID
	w      *streamWriter
	after  webhook.Place // up to which the events were sent
	resent bool          // whether events that were resent are sent again
}

// position returns the id of the place that the stream has reached. A client that got no event yet continues there.
func (e *eventStream) position() string {
	return "id: " + e.list.encode(strconv.FormatInt(e.after.Sequence, 10)) + "\n"
}

// sendStored sends all events that are stored.
func (e *eventStream) sendStored(ctx context.Context, watch *sse.Subscription) error {
	for {
		var h webhook.History
		err := e.server.Store.View(ctx, e.list.org, func(tx Tx) (err error) {
			h, err = webhook.ReadHistory(tx, e.after, streamPage, e.resent)
			return err
		})
		if err != nil {
			return err
		}
		if err := e.write(&h); err != nil {
			return err
		}
		watch.ShownUpTo(e.after.Sequence)
		if !h.More || e.server.isDraining() {
			return nil
		}
	}
}

// write sends events, each with its cursor as id.
func (e *eventStream) write(h *webhook.History) error {
	var out []byte
	for i, n := range h.Notices {
		e.after = h.Places[i]
		if out = append(out, e.position()...); h.Resent[i] {
			out = append(out, "event: resent\n"...)
		}
		out = append(append(append(out, "data: "...), n.Body...), "\n\n"...)
	}
	e.after = h.Through
	if out == nil {
		return nil
	}
	return e.w.send(out)
}
