package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const eventsPath = "/api/events"

// eventPage reads a page of events with the bytes of each, and the cursor of the next page.
func (c *caller) eventPage(query string) (bodies []string, more bool, cursor string) {
	c.t.Helper()
	a := c.call("GET", eventsPath+query, nil).want(c.t, 200)
	var page struct {
		Events     []json.RawMessage
		HasMore    bool
		NextCursor string
	}
	if err := json.Unmarshal([]byte(a.text), &page); err != nil || page.NextCursor == "" {
		c.t.Fatalf("%v: %s", err, a.text)
	}
	for _, e := range page.Events {
		bodies = append(bodies, string(e))
	}
	return bodies, page.HasMore, page.NextCursor
}

// eventTypes are the types of events.
func eventTypes(t *testing.T, bodies []string) (types []string) {
	t.Helper()
	for _, body := range bodies {
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		types = append(types, e.Type)
	}
	return types
}

// live makes a declaration that is corrected, submitted and cleared, and another that is cancelled.
func (c *caller) live() {
	c.t.Helper()
	id := c.declaration("LIVE-1")
	c.call("PATCH", "/api/declarations/"+id, map[string]any{"reference": "Corrected"}).want(c.t, 200)
	c.submit(id).want(c.t, 200)
	c.waitForStatus(id, "CLEARED")
	c.call("DELETE", "/api/declarations/"+c.declaration(""), nil).want(c.t, 200)
}

// The events have the same bytes as the deliveries to an endpoint, of every kind of record, also when the record has
// changed or was cancelled since. They are listed with and without an endpoint.
func TestEventsAreTheWebhookBodies(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, without, h := p.organisation("A"), p.organisation("B"), receive(t)
		c.endpoint(h.URL)
		c.createAllKinds()
		c.live()
		without.live()
		bodies, more, _ := c.eventPage("?limit=200")
		if more {
			t.Fatalf("more than %d events", len(bodies))
		}
		delivered := map[string]string{}
		for _, d := range h.arrive(t, len(bodies)) {
			delivered[d.header.Get("Webhook-Id")] = string(d.text)
		}
		for _, body := range bodies {
			var e struct{ ID string }
			if err := json.Unmarshal([]byte(body), &e); err != nil || delivered[e.ID] != body {
				t.Errorf("%v: the event\n%s\nwas delivered as\n%s", err, body, delivered[e.ID])
			}
		}
		alone, _, _ := without.eventPage("?limit=200")
		types := eventTypes(t, alone)
		want := []string{"client.created", "shipment.created", "declaration.created", "declaration.amended", "declaration.submitted"}
		if len(types) < len(want) || !slices.Equal(types[:len(want)], want) || !slices.Contains(types, "declaration.cleared") || !slices.Contains(types, "declaration.cancelled") {
			t.Errorf("without an endpoint: %v", types)
		}
	}, allowPrivate)
}

// Pages continue where the page before ended, oldest event first; the last cursor leads to what happens next, and so
// does latest. A cursor of another organisation or list is an error.
func TestEventPages(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		_, _, first := c.eventPage("")
		c.declaration("")
		other.client()
		whole, more, end := c.eventPage("")
		if more || !slices.Equal(eventTypes(t, whole), []string{"client.created", "shipment.created", "declaration.created"}) {
			t.Fatalf("%t, %s", more, whole)
		}
		after, _, _ := c.eventPage("?cursor=" + first)
		if !slices.Equal(after, whole) {
			t.Errorf("after the cursor of an empty page: %s", after)
		}
		var paged []string
		for cursor, more := first, true; more; {
			var page []string
			page, more, cursor = c.eventPage("?limit=1&cursor=" + cursor)
			paged = append(paged, page...)
		}
		if !slices.Equal(paged, whole) {
			t.Errorf("page by page: %s", paged)
		}
		_, _, now := c.eventPage("?cursor=latest")
		c.client()
		for _, cursor := range []string{end, now} {
			if got, more, _ := c.eventPage("?cursor=" + cursor); more || !slices.Equal(eventTypes(t, got), []string{"client.created"}) {
				t.Errorf("after the end: %t, %s", more, got)
			}
		}
		_, _, foreign := other.eventPage("")
		audit := c.call("GET", "/api/audit?limit=1", nil).want(t, 200).in("nextCursor").(string)
		for _, cursor := range []string{"nonsense", foreign, audit} {
			for _, path := range []string{eventsPath, eventsPath + "/stream"} {
				if got := c.call("GET", path+"?cursor="+cursor, nil).refused(t, 400, "invalid_request").fields(); !slices.Equal(got, []string{"cursor"}) {
					t.Errorf("%s, %s: %v", path, cursor, got)
				}
			}
		}
		if got := c.call("GET", eventsPath+"/stream", nil, "Last-Event-ID", foreign).refused(t, 400, "invalid_request").fields(); !slices.Equal(got, []string{"Last-Event-ID"}) {
			t.Errorf("another organisation's id: %v", got)
		}
	})
}

// eventReader reads a stream of events.
type eventReader struct {
	t     *testing.T
	lines *bufio.Reader
	id    string // of the last event
}

// stream opens a stream of events at an instance.
func (c *caller) stream(base, cursor, last string) *eventReader {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), waitLimit)
	c.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", base+eventsPath+"/stream", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if cursor != "" {
		r.URL.RawQuery = "cursor=" + cursor
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	response, err := http.DefaultClient.Do(r) // asks for gzip, and would read it
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
		c.t.Fatalf("status %d, %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
	return &eventReader{t: c.t, lines: bufio.NewReader(response.Body)}
}

// next waits for the data of the next event.
func (r *eventReader) next() string {
	r.t.Helper()
	for {
		line, err := r.lines.ReadString('\n')
		if err != nil {
			r.t.Fatalf("the stream ended: %v", err)
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			r.id = value
		case "data":
			return value
		}
	}
}

// ends fails the test unless the stream ends cleanly.
func (r *eventReader) ends(why string) {
	r.t.Helper()
	if rest, err := io.ReadAll(r.lines); err != nil {
		r.t.Errorf("%s: the stream was cut off after %q: %v", why, rest, err)
	}
}

// A stream has the events of the list, oldest first, with their cursors as ids, and then each new one, also of another
// instance. It continues after Last-Event-ID, which has priority over the cursor. The server is not shared: the second
// instance would take the submissions of other tests, and end with its simulator.
func TestEventStream(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c, base := p.organisation("A"), p.base
		if p.Settings["TIDEWAITER_DATABASE_URL"] != "" {
			base = p.start()
		}
		c.declaration("")
		want, _, _ := c.eventPage("")
		all := c.stream(base, "", "")
		for i := range want {
			if got := all.next(); got != want[i] {
				t.Errorf("event %d is\n%s\nin the stream, and in the list\n%s", i, got, want[i])
			}
			if rest, _, _ := c.eventPage("?cursor=" + all.id); !slices.Equal(rest, want[i+1:]) {
				t.Errorf("after the id of event %d: %s", i, rest)
			}
		}
		fresh := c.stream(base, "latest", "")
		p.organisation("B").client()
		c.client()
		added, _, end := c.eventPage("?cursor=" + all.id)
		for name, r := range map[string]*eventReader{"from the first": all, "from now on": fresh} {
			if got := r.next(); len(added) != 1 || got != added[0] || r.id != end {
				t.Errorf("%s: %s, want %s", name, got, added)
			}
		}
		_, _, first := c.eventPage("?limit=1")
		if got := c.stream(base, all.id, first).next(); got != want[1] {
			t.Errorf("after Last-Event-ID: %s", got)
		}
	})
}

// A stream ends with its key, and an organisation can have 20 at a time, besides audit feeds.
func TestEventStreamLimits(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		viewer, made := c.makeKey(t, map[string]any{"role": "VIEWER", "scopes": []string{"customs:read"}})
		stream := viewer.stream(p.base, "", "")
		for range 19 {
			c.stream(p.base, "", "")
		}
		c.call("GET", eventsPath+"/stream", nil).refused(t, 429, "rate_limited")
		c.follow("").next()
		c.call("DELETE", keysPath+"/"+made.in("key", "id").(string), nil).want(t, 200)
		stream.ends("the key was revoked")
	})
}

// Stopping the service ends a stream cleanly and soon.
func TestEventStreamEndsWithTheService(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t))
	c := p.organisation("A")
	c.client()
	stream := c.stream(p.base, "", "")
	stream.next()
	p.process.Stop(t)
	stream.ends("the service stopped")
}
