package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
)

const (
	ndjsonType = "application/x-ndjson"

	feedPage = 500              // events that are read and sent at a time
	feedBeat = 30 * time.Second // between two empty lines while nothing happens; half of a common proxy's idle limit

	// feedReader is the name under which feeds are counted among the streams of an
	// organisation: at most 20 at a time.
	feedReader = "audit feed"
)

// fedEvent is an event as the feed has it.
type fedEvent struct {
	eventBody
	Cursor string `json:"cursor" doc:"Place of this event; send it as cursor to continue after it"`
}

// fedLine is fedEvent with the data as the very bytes that were hashed.
type fedLine struct {
	shownEvent
	Cursor string `json:"cursor"`
}

type followInput struct {
	caller
	Cursor string `query:"cursor" maxLength:"200" doc:"Cursor of the last event that was received; absent for all events that are kept"`
}

func (in *followInput) list() list { return list{in.call.Org, "audit feed"} }

// Resolve judges what the schemas of the parameters cannot.
func (in *followInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
}

func (s *Server) mountAuditFeed() {
	stream(s, operation{
		id: "follow-audit-events", summary: "Follow audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/feed",
		status: http.StatusOK, about: "All events, oldest first, one JSON object on each line, and then each new event when it happens; the answer does not end. " +
			"An empty line comes every 30 seconds while nothing happens. After a break, go on with the cursor of the last line. At most 20 feeds an organisation are open at a time",
		contentType: ndjsonType, answer: s.schemaOf(reflect.TypeFor[fedEvent]()), errors: []int{http.StatusBadRequest}, gate: route{endless: true},
	}, s.feed)
}

// feed writes the trail along its chain and waits for more, until the caller leaves, the
// key ends or the service stops.
func (s *Server) feed(ctx context.Context, in *followInput, w *answerWriter) error {
	after, err := in.list().sequence(in.Cursor)
	if err != nil {
		return err
	}
	watch, err := s.Live.Watch(in.call.Org, feedReader, sse.Everything, after)
	if err != nil {
		return err
	}
	defer watch.Close()
	f := &feed{server: s, in: in, w: w, after: after}
	w.Header().Set("Content-Type", ndjsonType)
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not wait for more
	beat := time.NewTicker(feedBeat)
	defer beat.Stop()
	for {
		if err := f.drain(ctx, watch); err != nil {
			return ended(ctx, err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.draining:
			return nil
		case _, open := <-watch.Changed():
			if !open {
				return nil
			}
		case <-beat.C:
			if err := f.send([]byte("\n")); err != nil {
				return nil // the caller has left
			}
		}
		if !f.admitted(ctx) {
			return nil
		}
	}
}

// ended is the error of a feed, unless the caller has left.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// feed is one caller who follows the trail.
type feed struct {
	server *Server
	in     *followInput
	w      *answerWriter
	after  int64 // sequence of the last event that was sent
}

// drain sends all events that there are.
func (f *feed) drain(ctx context.Context, watch *sse.Watch) error {
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
		watch.Since(f.after)
		if len(part) < feedPage {
			return nil
		}
		select {
		case <-f.server.draining:
			return nil
		default:
		}
	}
}

func (f *feed) write(part []audit.Event) error {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, e := range part {
		cursor := f.in.list().cursor(strconv.FormatInt(e.Sequence, 10))
		if err := lines.Encode(fedLine{show(e), cursor}); err != nil {
			return err
		}
		f.after = e.Sequence
	}
	return f.send(out.Bytes())
}

func (f *feed) send(piece []byte) error {
	if _, err := f.w.Write(piece); err != nil {
		return err
	}
	return f.w.control.Flush()
}

// admitted reports whether the key is still good. A failing store ends the feed as
// well: the caller connects again.
func (f *feed) admitted(ctx context.Context) bool {
	holder, found, err := f.server.holder(f.in.request.WithContext(ctx), route{})
	return err == nil && found && holder.Org == f.in.call.Org
}
