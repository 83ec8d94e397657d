package page

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
)

// Limits of a stream of changes.
const (
	streamLife = 15 * time.Minute // then the browser connects again
	heartbeat  = 20 * time.Second // how often the session is checked
)

// StreamChanges sends an open page the changes of one record, or of sse.Everything, as
// server-sent events. last returns the sequence of the last audit event of what the page
// shows; its error is returned. The browser sends the last sequence that it has received
// in the query or in Last-Event-ID. A request for HTML is redirected to the record's page.
func (c *Context) StreamChanges(hub *sse.Hub, resource string, last func(Tx) (int64, error)) error {
	watch, err := hub.Subscribe(c.Session.Org, c.Session.UserID, resource, c.lastEventID())
	if err != nil {
		return err
	}
	defer watch.Close()
	var latest, newest int64
	err = c.View(func(tx Tx) (err error) {
		if latest, err = last(tx); err != nil {
			return err
		}
		events, err := tx.Events(audit.Query{Limit: 1})
		if len(events) == 1 {
			newest = events[0].Sequence
		}
		return err
	})
	if err != nil {
		return err
	}
	if !strings.Contains(c.R.Header.Get("Accept"), "text/event-stream") {
		return c.Redirect(strings.TrimSuffix(c.R.URL.Path, "/live"))
	}
	watch.ShownUpTo(newest)
	s := stream{v: c, control: http.NewResponseController(c.W)}
	if err := s.open(); err != nil {
		return nil // the client has gone
	}
	if latest > c.lastEventID() && s.sendChange(latest) != nil {
		return nil
	}
	s.run(watch)
	return nil
}

// lastEventID returns the sequence of the last event that the browser has received.
func (c *Context) lastEventID() int64 {
	text := c.R.Header.Get("Last-Event-ID")
	if text == "" {
		text = c.R.URL.Query().Get("after")
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// stream is a stream of server-sent events.
type stream struct {
	v       *Context
	control *http.ResponseController
}

func (s *stream) open() error {
	if err := s.control.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	s.v.W.Header().Set("Content-Type", "text/event-stream")
	s.v.W.Header().Set("X-Accel-Buffering", "no") // proxies must not wait for more
	return s.line("retry: 2000\n\n")
}

func (s *stream) sendChange(sequence int64) error {
	return s.line(fmt.Sprintf("event: change\nid: %d\ndata: %d\n\n", sequence, sequence))
}

func (s *stream) line(text string) error {
	if err := s.control.SetWriteDeadline(time.Time{}); err != nil {
		return err
	}
	if _, err := s.v.W.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

// run sends changes until the browser disconnects, the session ends, streamLife is over, or
// the service stops.
func (s *stream) run(watch *sse.Subscription) {
	end, beat := time.NewTimer(streamLife), time.NewTicker(heartbeat)
	defer end.Stop()
	defer beat.Stop()
	for {
		var err error
		select {
		case <-s.v.R.Context().Done():
			return
		case <-end.C:
			return
		case sequence, open := <-watch.Changed():
			if !open {
				return
			}
			err = s.sendChange(sequence)
		case <-beat.C:
			if !s.sessionValid() {
				return
			}
			err = s.line(": still here\n\n")
		}
		if err != nil {
			return
		}
	}
}

// sessionValid reports whether the session still gives access to the same organisation.
func (s *stream) sessionValid() bool {
	session, in, err := s.v.Accounts.Session(s.v.R.Context(), s.v.token(), s.v.Visitor.IPAddress)
	return err == nil && in && session.Org == s.v.Session.Org && session.Role != "" && !session.Closing.Closed()
}
