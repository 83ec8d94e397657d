package conformance

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// follower reads a feed of the audit trail.
type follower struct {
	t     *testing.T
	body  io.ReadCloser
	lines *bufio.Reader
}

// follow opens a feed after a cursor.
func (c *caller) follow(cursor string) *follower {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), "GET", c.base+"/api/audit/feed", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if cursor != "" {
		r.URL.RawQuery = "cursor=" + cursor
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/x-ndjson" {
		c.t.Fatalf("status %d, %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
	return &follower{c.t, response.Body, bufio.NewReader(response.Body)}
}

// A compressed feed gives each event as soon as it is written.
func TestCompressedFeed(t *testing.T) {
	c := shared(t).organisation("A")
	c.client()
	for coding, decode := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", c.base+"/api/audit/feed", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+c.key)
		r.Header.Set("Accept-Encoding", coding)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if got := response.Header.Get("Content-Encoding"); got != coding {
			t.Fatalf("the coding is %q, not %s", got, coding)
		}
		text, err := decode(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		f := &follower{t, response.Body, bufio.NewReader(text)}
		if event := f.next(); event["cursor"] == nil {
			t.Errorf("%s: %v", coding, event)
		}
	}
}

// next waits for the next event.
func (f *follower) next() map[string]any {
	f.t.Helper()
	line, err := f.lines.ReadBytes('\n')
	for err == nil && len(line) == 1 {
		line, err = f.lines.ReadBytes('\n')
	}
	var event map[string]any
	if err == nil {
		err = json.Unmarshal(line, &event)
	}
	if err != nil {
		f.t.Fatalf("%v: %s", err, line)
	}
	return event
}

// ends fails the test unless the feed ends cleanly.
func (f *follower) ends(why string) {
	f.t.Helper()
	if rest, err := io.ReadAll(f.lines); err != nil {
		f.t.Errorf("%s: the feed was cut off after %q: %v", why, rest, err)
	}
}

// The feed has every event of the trail, oldest first and as the list shows it, then waits for more. It continues
// after any cursor, does not show other organisations, and creates no event.
func TestAuditFeed(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		mine, theirs := p.organisation("A"), p.organisation(canary)
		mine.client()
		theirs.client()
		want := mine.events("limit=200")
		feed, cursors := mine.follow(""), []string{}
		for i := range want {
			got, listed := feed.next(), want[len(want)-1-i]
			cursors = append(cursors, got["cursor"].(string))
			delete(got, "cursor")
			if a, _ := json.Marshal(got); string(a) != text(listed) {
				t.Errorf("event %d is %s in the feed and %s in the list", i, a, text(listed))
			}
		}
		theirs.client()
		id := mine.client()
		if got := feed.next(); got["resourceId"] != id || got["eventType"] != "client.created" || got["sequence"] != float64(len(want)+1) {
			t.Errorf("waited for the client %s, got %v", id, got)
		}
		if got := mine.follow(cursors[0]).next(); got["sequence"] != 2.0 {
			t.Errorf("after the first cursor: %v", got)
		}
		if n := len(mine.events("limit=200")); n != len(want)+1 {
			t.Errorf("%d events after the feeds, want %d", n, len(want)+1)
		}
		for _, cursor := range []string{"nonsense", theirs.follow("").next()["cursor"].(string), mine.call("GET", "/api/audit?limit=1", nil).body["nextCursor"].(string)} {
			a := mine.call("GET", "/api/audit/feed?cursor="+cursor, nil).refused(t, 400, "invalid_request")
			if got := a.fields(); len(got) != 1 || got[0] != "cursor" {
				t.Errorf("%s: %v", cursor, got)
			}
		}
	})
}

func text(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// A feed ends with its key, and an organisation can have 20 at a time.
func TestAuditFeedLimits(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		var made struct{ KeyID, APIKey string }
		p.Read(t, &made, "key", "create", "--org", c.org, "--role", "VIEWER", "--name", "SIEM")
		viewer := &caller{p, c.org, made.APIKey}
		feed := viewer.follow("")
		for range 19 {
			c.follow("")
		}
		if a := c.call("GET", "/api/audit/feed", nil).want(t, 429); !strings.Contains(a.text, "rate_limited") {
			t.Error(a.text)
		}
		p.Run(t, "key", "revoke", "--org", c.org, made.KeyID)
		feed.ends("the key was revoked")
	})
}

// Stopping the service ends a feed cleanly and soon.
func TestAuditFeedEndsWithTheService(t *testing.T) {
	t.Parallel()
	b := storetest.Postgres(t)
	b.Folder = t.TempDir()
	p := serve(t, b)
	c, second := p.organisation("A"), p.Serve(t, "serve")
	p.base = second.Address
	feed := c.follow("")
	feed.next()
	second.Stop(t)
	feed.ends("the service stopped")
}
