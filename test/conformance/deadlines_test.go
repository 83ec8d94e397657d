package conformance

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// inDays is noon in London some days ahead.
func inDays(days int) string {
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err)
	}
	year, month, day := time.Now().In(london).Date()
	return time.Date(year, month, day+days, 12, 0, 0, 0, london).UTC().Format("2006-01-02T15:04:05.000Z")
}

// movementIn is a draft for Northern Ireland whose goods are dispatched in some days.
func (c *caller) movementIn(days int) string {
	c.t.Helper()
	m := movement()
	m["scheduledDispatchAt"] = inDays(days)
	return c.call("POST", "/api/tss/declarations", m).want(c.t, 200).id()
}

// due lists deadlines, each as days, status and record.
func (c *caller) due(query string) (all []string) {
	c.t.Helper()
	for _, item := range c.call("GET", "/api/deadlines"+query, nil).want(c.t, 200).body["deadlines"].([]any) {
		d := item.(map[string]any)
		if d["hub"] != "cbam" {
			all = append(all, fmt.Sprint(d["daysRemaining"], " ", d["status"], " ", d["kind"], " ", d["resourceId"]))
		}
	}
	return all
}

// Deadlines are listed soonest first, within the window, until 30 days after they became overdue, and only while
// the record and the Hub allow them.
func TestDeadlines(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		for _, o := range []*caller{c, other} {
			o.call("POST", "/api/hubs/tss", nil).want(t, 200)
		}
		ids := map[int]string{}
		for _, days := range []int{60, 8, -29, 5, -32, 30, -2, 7, 400} {
			ids[days] = c.movementIn(days)
		}
		other.movementIn(3)
		line := func(days int, status string) string { return fmt.Sprint(days, " ", status, " dispatch ", ids[days]) }
		month := []string{line(-29, "overdue"), line(-2, "overdue"), line(5, "due_soon"), line(7, "due_soon"), line(8, "upcoming"), line(30, "upcoming")}
		for query, want := range map[string][]string{
			"": month, "?windowDays=30": month, "?windowDays=29": month[:5], "?windowDays=1": month[:2], "?windowDays=365": append(slices.Clone(month), line(60, "upcoming")),
		} {
			if got := c.due(query); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, not %v", query, got, want)
			}
		}
		a := c.call("GET", "/api/deadlines", nil).want(t, 200)
		first := a.body["deadlines"].([]any)[0].(map[string]any)
		if a.body["windowDays"] != 30.0 || a.body["hasMore"] != false || first["resourceType"] != "tss.declaration" || first["hub"] != "tss" ||
			first["dueAt"] != inDays(-29) || first["id"] != ids[-29]+":dispatch" || first["title"] == "" || first["source"] == "" {
			t.Errorf("list: %s", a.text)
		}
		for _, query := range []string{"windowDays=0", "windowDays=-1", "windowDays=366", "windowDays=x", "windowDays=1.5", "window=3", "limit=0", "limit=1001", "cursor=zz"} {
			c.call("GET", "/api/deadlines?"+query, nil).refused(t, 400, "invalid_request")
		}
		var walked []string
		for path := "?limit=2"; path != ""; {
			page := c.call("GET", "/api/deadlines"+path, nil).want(t, 200)
			walked = append(walked, c.due(path)...)
			path = ""
			if next, ok := page.body["nextCursor"].(string); ok {
				path = "?limit=2&cursor=" + next
			}
		}
		if !reflect.DeepEqual(walked, month) {
			t.Errorf("walked %v, not %v", walked, month)
		}
		clients := c.call("GET", "/api/audit?limit=1", nil).body["nextCursor"].(string)
		c.call("GET", "/api/deadlines?cursor="+clients, nil).refused(t, 400, "invalid_request")

		one := "/api/tss/declarations/"
		c.call("DELETE", one+ids[-29], nil).want(t, 200)
		c.call("PATCH", one+ids[-2], `{"scheduledDispatchAt":null}`).want(t, 200)
		c.call("PATCH", one+ids[5], `{"scheduledDispatchAt":"`+inDays(6)+`"}`).want(t, 200)
		c.call("POST", one+ids[7]+"/submit", nil).want(t, 200)
		if got := c.due("?windowDays=7"); !reflect.DeepEqual(got, []string{fmt.Sprint("6 due_soon dispatch ", ids[5]), line(7, "due_soon")}) {
			t.Errorf("after corrections: %v", got)
		}
		c.call("POST", one+ids[7]+"/mark-accepted", nil).want(t, 200)
		if got := c.due("?windowDays=60"); !slices.ContainsFunc(got, func(l string) bool { return strings.HasSuffix(l, "supplementary "+ids[7]) }) ||
			slices.Contains(got, line(7, "due_soon")) {
			t.Errorf("after acceptance: %v", got)
		}
		c.call("DELETE", "/api/hubs/tss", nil).want(t, 200)
		if got := c.due("?windowDays=365"); got != nil {
			t.Errorf("of a disabled Hub: %v", got)
		}
	})
}

// A date that does not exist in the calendar is accepted like any other, and has no deadline.
func TestImpossibleDeadlines(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		for _, at := range []string{"0001-01-01T00:00:00Z", "1066-10-14T09:00:00Z", "9999-12-31T23:59:59.999Z"} {
			m := movement()
			m["scheduledDispatchAt"] = at
			one := "/api/tss/declarations/" + c.call("POST", "/api/tss/declarations", m).want(t, 200).id()
			c.call("POST", one+"/submit", nil).want(t, 200)
			c.call("POST", one+"/mark-accepted", nil).want(t, 200)
		}
		if got := c.due("?windowDays=365"); got != nil {
			t.Errorf("due: %v", got)
		}
	})
}

// Enabling the Hub CBAM adds the ends of quarters, without a record.
func TestQuarterEnds(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
	all := c.call("GET", "/api/deadlines?windowDays=365", nil).want(t, 200).body["deadlines"].([]any)
	if len(all) < 3 || len(all) > 5 {
		t.Fatalf("%d quarters: %v", len(all), all)
	}
	for _, item := range all {
		d := item.(map[string]any)
		if d["hub"] != "cbam" || d["kind"] != "quarter_end" || d["resourceId"] != nil || d["status"] == "overdue" {
			t.Errorf("quarter: %v", d)
		}
	}
}

// A declaration that was accepted before arrival has a deadline 30 days later; drafts and accepted, rejected or
// cleared declarations have none.
func TestDeclarationDeadlines(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.call("POST", "/api/shipments", map[string]any{
			"clientId": c.client(), "portOfEntry": "GBFXT", "transportMode": "SEA", "expectedArrival": inDays(10),
		}).want(t, 201).id()
		early := c.call("POST", "/api/declarations", goods(shipment, "INV-1")).want(t, 201).id()
		late := c.declaration("INV-2")
		if got := c.due("?windowDays=365"); got != nil {
			t.Errorf("deadlines of drafts: %v", got)
		}
		c.submit(early).want(t, 200)
		c.submit(late).want(t, 200)
		if got := c.due(""); !reflect.DeepEqual(got, []string{"30 upcoming arrival " + early}) {
			t.Errorf("due %v", got)
		}
		if a := c.call("GET", "/api/declarations/"+early, nil); a.in("declaration", "prelodged") != true {
			t.Errorf("declaration: %s", a.text)
		}
	}, "TIDEWAITER_SIMULATOR_DELAY=1h")
}

// Cleared declarations have no deadline.
func TestClearedDeclarationsAreNotDue(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		if got := c.due("?windowDays=365"); got != nil {
			t.Errorf("of a cleared declaration: %v", got)
		}
	})
}

// subscribe requests a calendar like a calendar program, without a key.
func (p *server) subscribe(url string, headers ...string) (int, http.Header, string) {
	p.t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := callers.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

// The calendar feed opens with its token alone, follows changes of records, is cheap to poll, and closes at once
// when revoked.
func TestCalendarFeed(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		first, second := c.movementIn(5), c.movementIn(300)
		if a := c.call("GET", "/api/deadlines/feed", nil).want(t, 200); a.in("feed", "enabled") != false || a.in("feed", "hint") != nil {
			t.Errorf("before: %s", a.text)
		}
		c.call("DELETE", "/api/deadlines/feed", nil).refused(t, 404, "not_found")
		c.as("VIEWER").call("POST", "/api/deadlines/feed", nil).refused(t, 403, "read_only_key")
		made := c.call("POST", "/api/deadlines/feed", nil).want(t, 201)
		url, token := made.in("feed", "url").(string), made.in("feed", "token").(string)
		state := c.call("GET", "/api/deadlines/feed", nil).want(t, 200)
		if state.in("feed", "enabled") != true || !strings.HasSuffix(token, state.in("feed", "hint").(string)) || strings.Contains(state.text, token) {
			t.Errorf("after: %s", state.text)
		}
		if url != p.public()+"/api/deadlines.ics?token="+token {
			t.Errorf("url %s", url)
		}

		status, header, text := p.subscribe(url)
		if status != 200 || header.Get("Content-Type") != "text/calendar; charset=utf-8" || header.Get("X-RateLimit-Limit") != "" {
			t.Fatalf("%d %v %s", status, header, text)
		}
		calendar, err := ics.ParseCalendar(strings.NewReader(text))
		if err != nil || len(calendar.Events()) != 2 {
			t.Fatalf("%v: %s", err, text)
		}
		for i, id := range []string{first, second} {
			e := calendar.Events()[i]
			if e.Id() != id+":dispatch@"+c.org+".tidewaiter" || e.GetProperty(ics.ComponentPropertyUrl).Value != p.public()+"/api/tss/declarations/"+id {
				t.Errorf("event %s", e.Serialize(&ics.SerializationConfiguration{MaxLength: 75, PropertyMaxLength: 75, NewLine: "\n"}))
			}
		}
		if status, again, body := p.subscribe(url, "If-None-Match", header.Get("ETag")); status != 304 || body != "" || again.Get("ETag") != header.Get("ETag") {
			t.Errorf("unchanged: %d %s", status, body)
		}
		for again := time.Now(); header.Get("Last-Modified") == "" && time.Since(again) < waitLimit; time.Sleep(50 * time.Millisecond) {
			_, header, _ = p.subscribe(url)
		}
		if status, _, body := p.subscribe(url, "If-Modified-Since", header.Get("Last-Modified")); status != 304 || body != "" {
			t.Errorf("not modified since %q: %d", header.Get("Last-Modified"), status)
		}
		c.call("POST", "/api/tss/declarations/"+second+"/submit", nil).want(t, 200)
		c.call("DELETE", "/api/tss/declarations/"+second, nil).want(t, 200)
		for _, condition := range [][]string{{"If-None-Match", header.Get("ETag")}, {"If-Modified-Since", header.Get("Last-Modified")}} {
			if status, _, body := p.subscribe(url, condition...); status != 200 || strings.Contains(body, second) || !strings.Contains(body, first) {
				t.Errorf("after a change, %v: %d %s", condition, status, body)
			}
		}

		next := c.call("POST", "/api/deadlines/feed", nil).want(t, 201).in("feed", "url").(string)
		for what, address := range map[string]string{
			"replaced": url, "none": p.public() + "/api/deadlines.ics", "empty": p.public() + "/api/deadlines.ics?token=", "a key": p.public() + "/api/deadlines.ics?token=" + c.key,
			"mistyped": next[:len(next)-1] + "~", "twice": next + "&token=x",
		} {
			if status, _, body := p.subscribe(address); status != 401 || !strings.Contains(body, `"unauthorized"`) {
				t.Errorf("%s: %d %s", what, status, body)
			}
		}
		if status, _, _ := p.subscribe(p.public()+"/api/deadlines.ics", "Authorization", "Bearer "+c.key); status != 401 {
			t.Errorf("a key in the header opens the feed: %d", status)
		}
		p.call(strings.TrimPrefix(next, p.public()+"/api/deadlines.ics?token="), "GET", "/api/deadlines", nil).refused(t, 401, "unauthorized")
		if status, _, _ := p.subscribe(next + "&x=1"); status != 400 {
			t.Errorf("an unknown parameter: %d", status)
		}
		c.call("DELETE", "/api/deadlines/feed", nil).want(t, 200)
		if status, _, _ := p.subscribe(next); status != 401 {
			t.Errorf("revoked: %d", status)
		}
		events := c.call("GET", "/api/audit?limit=200", nil).want(t, 200).text
		if strings.Count(events, `"feed.created"`) != 2 || strings.Count(events, `"feed.revoked"`) != 1 || strings.Contains(events, token) {
			t.Errorf("trail: %s", events)
		}
		if v := p.command("audit", "verify"); v["ok"] != true {
			t.Errorf("verify: %v", v)
		}
	})
}

// Requests of calendar programs are rate limited like others, and a wrong token like a wrong key.
func TestCalendarFeedBudgets(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_LIMIT_STANDARD=4")
	c := p.organisation("A")
	url := c.call("POST", "/api/deadlines/feed", nil).want(t, 201).in("feed", "url").(string)
	for n := range 3 {
		if status, header, _ := p.subscribe(url); status != 200 || header.Get("X-RateLimit-Remaining") != fmt.Sprint(2-n) {
			t.Errorf("request %d: %d %v", n+2, status, header)
		}
	}
	if status, _, _ := p.subscribe(url); status != 429 {
		t.Errorf("over the budget: %d", status)
	}
	for range 60 {
		if status, _, _ := p.subscribe(p.public() + "/api/deadlines.ics?token=cal_x"); status != 401 {
			t.Fatalf("a wrong token: %d", status)
		}
	}
	if status, _, _ := p.subscribe(p.public() + "/api/deadlines.ics?token=cal_x"); status != 429 {
		t.Errorf("the 61st wrong token: %d", status)
	}
}

// public is the address under which users on this machine reach the program.
func (p *server) public() string { return strings.Replace(p.base, "127.0.0.1", "localhost", 1) }
