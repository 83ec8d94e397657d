package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// lodge creates a record of a kind.
func (p *user) lodge(kind, body string) (f filing.Filing) {
	p.Helper()
	t := p.app.Filings.Types[kind]
	in, err := t.Parse(json.RawMessage(body), p.clock())
	p.must(err)
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) (err error) { f, err = p.app.Filings.Create(tx, p.call(), t, in); return err }))
	return f
}

// correct amends a record.
func (p *user) correct(f filing.Filing, body string) {
	p.Helper()
	t := p.app.Filings.Types[f.Kind]
	in, err := t.Parse(json.RawMessage(body), p.clock())
	p.must(err)
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		_, err := p.app.Filings.Transition(tx, p.call(), t, f.ID, lifecycle.Amend, filing.TransitionData{Input: &in})
		return err
	}))
}

// dispatch creates a movement to Northern Ireland that departs at the given time.
func (p *user) dispatch(goods string, at time.Time) filing.Filing {
	return p.lodge("tss.declaration", fmt.Sprintf(`{"movementType":"GB_NI","traderEori":"XI1","consignorName":"A","consigneeName":"B","commodityCode":"940340","goodsDescription":%q,"netMassKg":1,"scheduledDispatchAt":%q}`,
		goods, at.UTC().Format(time.RFC3339)))
}

// among returns those texts that the main part of a page contains.
func (a pageResponse) among(texts ...string) (found []string) {
	said := strings.ReplaceAll(html.UnescapeString(words(a.body)), " :", ":")
	for _, text := range texts {
		if strings.Contains(said, text) {
			found = append(found, text)
		}
	}
	return found
}

// The deadline list contains the deadlines of the selected period. Filters return exactly the
// matching deadlines, and invalid parameters are ignored.
func TestDeadlineList(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		p.get("/deadlines").expect(h, 200, "No deadlines")
		p.enable("tss")
		now := h.clock()
		p.dispatch("Late load", calendar.AddDays(now, -2))
		p.dispatch("Soon load", calendar.AddDays(now, 3))
		p.dispatch("Later load", calendar.AddDays(now, 40))
		p.dispatch("Distant load", calendar.AddDays(now, 200))
		p.dispatch("Forgotten load", calendar.AddDays(now, -40))
		all := []string{"Late load", "Soon load", "Later load", "Distant load", "Forgotten load"}
		day := func(n int) string { return calendar.AddDays(now, n).Format(time.DateOnly) }
		for query, want := range map[string][]string{
			"":                             {"Late load", "Soon load", "Later load"},
			"?days=30":                     {"Late load", "Soon load"},
			"?days=365":                    {"Late load", "Soon load", "Later load", "Distant load"},
			"?when=overdue":                {"Late load"},
			"?when=soon":                   {"Soon load"},
			"?when=later&days=365":         {"Later load", "Distant load"},
			"?hub=tss":                     {"Late load", "Soon load", "Later load"},
			"?hub=customs":                 nil,
			"?hub=emcs":                    nil,
			"?day=" + day(3):               {"Soon load"},
			"?day=" + day(-40):             {"Forgotten load"},
			"?day=" + day(4):               nil,
			"?day=x&days=7&when=x&after=x": {"Late load", "Soon load", "Later load"},
		} {
			a := p.get("/deadlines" + query)
			a.expect(h, 200)
			if got := a.among(all...); fmt.Sprint(got) != fmt.Sprint(want) {
				h.Errorf("%q: %q, not %q", query, got, want)
			}
		}
		p.get("/deadlines").expect(h, 200, "2 days ago", "in 3 days", "Overdue", "Due within 7 days")
		p.get("/deadlines?hub=customs").expect(h, 200, "Choose another Hub or a longer period")
	})
}

// A long list is paged without duplicates. The month shows a few deadlines for each day and
// links to the rest.
func TestManyDeadlines(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		p.enable("tss")
		due := calendar.AddDays(h.clock(), 20)
		for n := range 107 {
			p.dispatch(fmt.Sprintf("Load %03d", n), due)
		}
		seen, pages := map[string]bool{}, 0
		for address := "/deadlines?when=later"; address != ""; pages++ {
			a := p.get(address)
			for _, load := range regexp.MustCompile(`>(Load \d{3})<`).FindAllStringSubmatch(a.body, -1) {
				if seen[load[1]] {
					h.Errorf("%s is listed twice", load[1])
				}
				seen[load[1]] = true
			}
			address = next(a)
		}
		if len(seen) != 107 || pages != 2 {
			h.Errorf("%d loads on %d pages", len(seen), pages)
		}
		a := p.get("/deadlines/calendar/" + calendar.MonthOf(due).String())
		link := regexp.MustCompile(`href="(/deadlines\?day=[^"]+)">(\d+) more`).FindStringSubmatch(a.body)
		if len(regexp.MustCompile(`Load \d{3}`).FindAllString(main(a.body), -1)) != 4 || link == nil || link[2] != "103" {
			h.Fatalf("the day has %q: %s", link, main(a.body))
		}
		p.get(link[1]).expect(h, 200, "Load 000", "Only on: "+due.Format("2 January 2006"))
	})
}

// A day with more deadlines than the page counts does not hide the days around it.
func TestCrowdedDay(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("tss")
	crowded := time.Date(2027, 7, 10, 9, 0, 0, 0, time.UTC)
	p.dispatch("The day before", crowded.AddDate(0, 0, -1))
	for range 201 {
		p.dispatch("One of many", crowded)
	}
	p.dispatch("Behind them", crowded.AddDate(0, 0, 10))
	a := p.get("/deadlines/calendar/2027-07")
	a.expect(h, 200, "The day before", "Behind them", "At least 196 more")
	if shown := strings.Count(main(a.body), "One of many"); shown != 4 {
		h.Errorf("%d deadlines of the crowded day are shown", shown)
	}
}

// next returns the address of the next page, or "" on the last page.
func next(a pageResponse) string {
	link := regexp.MustCompile(`href="([^"]+)" rel="next">Next page`).FindStringSubmatch(a.body)
	if link == nil {
		return ""
	}
	return strings.ReplaceAll(link[1], "&amp;", "&")
}

// A deadline is shown on its day in London, even if the day in UTC differs. An invalid month
// is answered 404.
func TestMonth(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("tss")
	p.dispatch("Midnight load", time.Date(2027, 6, 30, 23, 30, 0, 0, time.UTC))
	if got := p.get("/deadlines/calendar/2027-06").among("Midnight load"); got != nil {
		h.Error("the deadline is shown in June")
	}
	a := p.get("/deadlines/calendar/2027-07?hub=tss")
	a.expect(h, 200, "July 2027", "Midnight load", "00:30", `href="/deadlines/calendar/2027-06?hub=tss"`, `href="/deadlines/calendar/2027-08?hub=tss"`)
	p.get("/deadlines/calendar/2027-07?hub=customs").expect(h, 200, "There are no deadlines in July 2027")
	p.get("/deadlines/calendar").expect(h, 200, calendar.MonthOf(h.clock()).Start().Format("January 2006"), `aria-current="date"`)
	p.get("/deadlines/calendar/2000-01").expect(h, 200)
	p.get("/deadlines/calendar/2999-12").expect(h, 200)
	for _, month := range []string{"2027-13", "1999-12", "july", "2027-07-01", "3000-01"} {
		p.get("/deadlines/calendar/"+month).expect(h, http.StatusNotFound)
	}
}

// The address of a feed is shown once, to its owner only. It stops working when it is renewed
// or revoked.
func TestFeedPage(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		p.get("/deadlines/feed").expect(h, 200, "You have no feed yet")
		p.get("/deadlines/feed/revoke").expect(h, http.StatusNotFound)
		first := shownOnce(h, p.post("/deadlines/feed"))
		if a := p.get("/deadlines/feed"); strings.Contains(a.body, "token=") || !strings.Contains(a.body, "…"+first[len(first)-4:]) {
			h.Errorf("after creation: %s", main(a.body))
		}
		open := func(address string) int {
			return p.send("GET", p.local(address), nil, http.Header{"Accept": {"*/*"}}).status
		}
		second := shownOnce(h, p.post("/deadlines/feed"))
		if open(first) != 401 || open(second) != 200 {
			h.Errorf("renewed: the first address answers %d, the second %d", open(first), open(second))
		}
		p.post("/deadlines/feed/revoke").expect(h, http.StatusSeeOther)
		if open(second) != 401 {
			h.Errorf("the revoked address answers %d", open(second))
		}
	})
}

// The audit log can be filtered by user, event type, record, day and request, alone and combined.
func TestTrailFilters(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(p.org, tenant.Member, "mia@example.com")
		p.lodge("client", `{"name":"First Client"}`)
		h.advance(48 * time.Hour)
		for _, who := range []*user{p, mia} {
			who.signIn()
		}
		client := mia.lodge("client", `{"name":"Second Client"}`)
		mia.correct(client, `{"name":"Second Client Ltd"}`)
		p.post("/settings/keys", "name", "Warehouse", "role", "MEMBER").expect(h, 200)
		secret := shownOnce(h, p.post("/settings/keys", "name", "Robot", "role", "MEMBER"))
		h.sendAPI(secret, "/api/clients", `{"name":"Third Client"}`, "request-7")
		rows := []string{"created client First Client", "created client Second Client Ltd", "changed client Second Client Ltd: name Second Client → Second Client Ltd", "created client Third Client", "signed in", "created API key “Robot”"}
		today := calendar.StartOfDay(h.clock()).Format(time.DateOnly)
		key := regexp.MustCompile(`value="(key:[0-9a-f-]+)"[^>]*>Robot`).FindStringSubmatch(p.get("/audit").body)[1]
		for query, want := range map[string][]int{
			"":                                   {0, 1, 2, 3, 4, 5},
			"who=" + mia.id:                      {1, 2, 4},
			"who=" + p.id + "&group=client":      {0, 3},
			"who=" + key:                         {3},
			"who=system":                         nil,
			"group=client":                       {0, 1, 2, 3},
			"group=sign-ins":                     {4},
			"group=people":                       {4, 5},
			"record=" + client.ID:                {1, 2},
			"request=request-7":                  {3},
			"request=request-8":                  nil,
			"request=request-7&group=sign-ins":   nil,
			"from=" + today:                      {1, 2, 3, 4, 5},
			"to=" + today + "&from=" + today:     {1, 2, 3, 4, 5},
			"to=2020-01-01":                      nil,
			"group=client&who=" + mia.id:         {1, 2},
			"group=nothing&record=&who=&request": {0, 1, 2, 3, 4, 5},
		} {
			a := p.get("/audit?" + query)
			a.expect(h, 200)
			texts := []string{}
			for _, n := range want {
				texts = append(texts, rows[n])
			}
			if got := a.among(rows...); fmt.Sprint(got) != fmt.Sprint(texts) {
				h.Errorf("%q: %q, not %q", query, got, texts)
			}
		}
		p.get("/audit?from=yesterday").expect(h, 400, "The first day must be a date")
		p.get("/audit?from=2026-02-02&to=2026-02-01").expect(h, 400, "The last day must not be before the first")
		p.get("/audit?record=LRN-unknown").expect(h, 400, "The reference is not the reference or the id of a record", `value="LRN-unknown"`)
	})
}

// sendAPI calls the API with a key.
func (h *harness) sendAPI(secret, path, body, requestID string) {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), "POST", h.base+path, strings.NewReader(body))
	h.must(err)
	for name, value := range map[string]string{"Authorization": "Bearer " + secret, "Content-Type": "application/json", "X-Request-Id": requestID} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	h.must(err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		h.Fatalf("%s: %d", path, response.StatusCode)
	}
}

// A record is found by its reference, in upper or lower case, and by its ID.
func TestTrailByReference(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	client := p.lodge("client", `{"name":"Mill Lane Ltd"}`)
	shipment := p.lodge("shipment", `{"clientId":"`+client.ID+`","portOfEntry":"GBFXT","transportMode":"SEA"}`)
	for _, name := range []string{shipment.Name(), strings.ToLower(shipment.Name()), shipment.ID} {
		a := p.get("/audit?record=" + url.QueryEscape(name))
		a.expect(h, 200)
		a.says(h, "created shipment "+shipment.Name())
		if a.among("Mill Lane") != nil {
			h.Errorf("%s: %s", name, main(a.body))
		}
	}
}

// A long audit log is paged without a gap. A filter without an index searches a limited number
// of events at a time and offers a link to continue.
func TestLongTrail(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error {
		for n := range 10_100 {
			e := audit.By(p.call(), audit.Event{ID: h.app.IDs.UUID(), Hub: "customs", Type: "client.created", ResourceType: "client"})
			e.RequestID = fmt.Sprint("r", n)
			if err := tx.Record(e); err != nil {
				return err
			}
		}
		return nil
	}))
	total, sequence := len(h.events(p.org)), regexp.MustCompile(`/audit/(\d+)">`)
	last, pages := total+1, 0
	for address := "/audit"; address != "" && pages < 3; pages++ {
		a := p.get(address)
		for _, link := range sequence.FindAllStringSubmatch(main(a.body), -1) {
			if link[1] != fmt.Sprint(last-1) {
				h.Fatalf("%s follows %d", link[1], last)
			}
			last--
		}
		address = next(a)
	}
	if last != total+1-150 {
		h.Errorf("three pages end with %d of %d", last, total)
	}
	a := p.get("/audit?request=r3")
	a.expect(h, 200, "Searched back to event", "No results on this page")
	p.get(next(a)).expect(h, 200, "created a client")
	p.get("/audit?request=r10099").expect(h, 200, "created a client")
}

// An event's page shows all of its data. An unknown event is answered 404.
func TestEventPage(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	client := p.lodge("client", `{"name":"Old <b>","eori":"GB123456789000"}`)
	p.correct(client, `{"name":"New","city":"Ipswich"}`)
	newest := len(h.events(p.org))
	p.get(fmt.Sprint("/audit/", newest)).expect(h, 200, " changed client New: city set to Ipswich; name Old &lt;b&gt; → New; EORI GB123456789000 removed",
		"<del>Old &lt;b&gt;</del>", "<ins>New</ins>", "client.updated", client.ID, fmt.Sprintf(`href="/audit/%d"`, newest-1))
	if got := p.get(fmt.Sprint("/audit/", newest)).among("Newer"); got != nil {
		h.Error("the newest event links to a newer one")
	}
	p.get("/audit/1").expect(h, 200, "created the organisation Quay Ltd", "This is the first event", "Newer")
	for _, path := range []string{fmt.Sprint("/audit/", newest+1), "/audit/0", "/audit/-1", "/audit/01", "/audit/x", "/audit/99999999999999999999"} {
		p.get(path).expect(h, http.StatusNotFound)
	}
}

// A JSON Lines export contains the same objects as the API, and CSV contains the same events.
// The export applies the filter and records an event of its own.
func TestTrailExport(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		client := p.lodge("client", `{"name":"Łódź \"&\" <Co>"}`)
		p.correct(client, `{"name":"New"}`)
		secret := shownOnce(h, p.post("/settings/keys", "name", "Reader", "role", "VIEWER"))
		lines := p.post("/audit/export", "format", "jsonl")
		lines.expect(h, 200)
		if d := lines.header.Get("Content-Disposition"); !strings.HasPrefix(d, `attachment; filename="audit-`) || !strings.HasSuffix(d, `.jsonl"`) {
			h.Errorf("disposition %q", d)
		}
		var api struct{ Events []map[string]json.RawMessage }
		a := p.send("GET", "/api/audit?limit=200", nil, http.Header{"Authorization": {"Bearer " + secret}, "Accept": {"application/json"}})
		h.must(json.Unmarshal([]byte(a.body), &api))
		saved := strings.Split(strings.TrimSpace(lines.body), "\n")
		if len(saved) != len(api.Events)-1 { // the newest is the export itself
			h.Fatalf("%d lines of %d events", len(saved), len(api.Events))
		}
		for i, want := range api.Events[1:] {
			var got map[string]json.RawMessage
			h.must(json.Unmarshal([]byte(saved[i]), &got))
			if !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
				h.Errorf("line %d: %s, not %s", i+1, got, want)
			}
		}
		csv := p.post("/audit/export", "format", "csv", "group", "client")
		csv.expect(h, 200, "client.updated", "client.created")
		if n := strings.Count(csv.body, "\n"); n != 3 || !strings.HasPrefix(csv.header.Get("Content-Type"), "text/csv") {
			h.Errorf("%d lines of %s", n, csv.header.Get("Content-Type"))
		}
		p.get("/audit?group=exports").expect(h, 200, "exported 2 events of the audit trail")
		p.post("/audit/export", "from", "x").expect(h, http.StatusBadRequest)
	})
}

// A verification runs in the background, records an event, and compares the audit log with
// saved checkpoints.
func TestVerification(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		p.get("/audit/verification").expect(h, 200, "has not been verified yet")
		kept := p.get("/audit/checkpoint")
		kept.expect(h, 200, `"sequence": `)
		if kept.header.Get("Content-Disposition") == "" {
			h.Error("a checkpoint is shown instead of downloaded")
		}
		p.post("/audit/verification", "checkpoint", kept.body).expect(h, http.StatusSeeOther)
		p.verdict("Unbroken").expect(h, 200, "events are unchanged", "Compared with")
		p.post("/audit/verification", "checkpoint", "2:"+strings.Repeat("a", 64)).expect(h, http.StatusSeeOther)
		p.verdict("Broken").expect(h, 200, "differs from the checkpoint 2:aaaa", "1 events before it are unchanged")
		for _, text := range []string{"nonsense", "1:zz", `{"sequence":1}`} {
			p.post("/audit/verification", "checkpoint", text).expect(h, http.StatusBadRequest, "The checkpoint must be number:hash")
		}
		foreign := strings.ReplaceAll(kept.body, string(p.org), h.app.IDs.UUID())
		p.post("/audit/verification", "checkpoint", foreign).expect(h, http.StatusBadRequest, "The checkpoint belongs to another organisation")
		if got := strings.Join(h.events(p.org), " "); !strings.HasSuffix(got, "audit.verified audit.found_broken") {
			h.Errorf("events %s", got)
		}
	})
}

// verdict waits for the outcome of a verification.
func (p *user) verdict(outcome string) (last pageResponse) {
	p.Helper()
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if last = p.get("/audit/verification"); strings.Contains(last.body, ">"+outcome+"<") {
			return last
		}
	}
	p.Fatalf("no verdict %s: %s", outcome, last.body)
	return last
}
