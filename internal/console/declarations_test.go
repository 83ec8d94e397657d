package console_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The list can be filtered by words, client, state, direction and day. An invalid filter is
// reported and keeps its input. Paging reaches the end without duplicates.
func TestDeclarationsList(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		owner.get("/declarations").expect(h, 200, "No declarations yet", "/declarations/new")
		socks, shirts := owner.declare("Woollen socks"), owner.declare("Cotton shirts")
		owner.get("/declarations").expect(h, 200, "Woollen socks", "Cotton shirts", "£1,850.00", "Canary Client", "Draft")
		for query, want := range map[string]string{
			"q=wool": socks, "q=canary+shirts": shirts, "q=shirts&status=DRAFT&status=CLEARED&type=IMPORT&from=2020-01-01": shirts,
		} {
			a := owner.get("/declarations?" + query)
			if a.status != 200 || !strings.Contains(a.body, "/declarations/"+want+`"`) || strings.Count(a.body, `<th scope="row"><a href="/declarations/`) != 1 {
				h.Errorf("%s: %d %s", query, a.status, main(a.body))
			}
		}
		for _, query := range []string{"q=linen", "status=CLEARED", "type=EXPORT", "to=2020-01-01", "q=TWS999999"} {
			owner.get("/declarations?"+query).expect(h, 200, "No results")
		}
		owner.get("/declarations?from=yesterday&q=wool").expect(h, 400, "The first day must be a date", `value="wool"`)
		owner.get("/declarations?status=%3Cb%3E").expect(h, 400, "must be one of the choices")
		for range 51 {
			owner.declare("Pairs of gloves")
		}
		for _, query := range []string{"", "q=gloves"} {
			first := owner.get("/declarations?" + query)
			next := between(first.body, `rel="next"`, `<a class="button plain slim" href="`)
			if n := strings.Count(first.body, `<th scope="row"><a`); n != 50 || next == "" {
				h.Fatalf("the first page of %q has %d rows and links to %q", query, n, next)
			}
			rest := owner.get(strings.ReplaceAll(next, "&amp;", "&"))
			if n := strings.Count(rest.body, `<th scope="row"><a`); n != 1 && n != 3 || strings.Contains(rest.body, `rel="next"`) {
				h.Errorf("the rest of %q has %d rows", query, n)
			}
		}
	})
}

// between returns the last attribute value that starts with begin, up to end.
func between(body, end, begin string) string {
	before, _, ok := strings.Cut(body, end)
	at := strings.LastIndex(before, begin)
	if !ok || at < 0 {
		return ""
	}
	value, _, _ := strings.Cut(before[at+len(begin):], `"`)
	return value
}

// until reloads a page until it contains a text.
func (p *user) until(path, want string) pageResponse {
	p.Helper()
	for range 200 {
		if a := p.get(path); strings.Contains(a.body, want) {
			return a
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.Fatalf("%s never contains %q: %s", path, want, main(p.get(path).body))
	return pageResponse{}
}

// A draft is submitted after the user has confirmed its content. Once CDS clears it, the
// assessment is shown beside the estimate. Sent and received messages can be read, and
// downloaded as text, byte for byte.
func TestDeclarationToCleared(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
		id := owner.declare("Men's cotton T-shirts")
		path := "/declarations/" + id
		owner.get(path).expect(h, 200, "has not been sent to customs", "£1,850.00", "6109100010", "Dhaka Knits", "Bangladesh (BD)", "duty rates published on 1 January 2021", "Customs has not assessed it yet", "Quay Ltd&#39;s owner created it")
		owner.get(path+"/submit").expect(h, 200, "will be sent to the built-in simulator", "Canary Client", "£1,850.00", "procedure 4000", "Submit to customs")
		owner.post(path+"/submit").expect(h, 303)
		a := owner.until(path, "Customs has released the goods")
		a.expect(h, 200, "Assessed by customs", "MRN ", "Customs cleared the declaration (DMSCLE)", "Customs assessed duty and VAT", "Quay Ltd&#39;s owner sent the declaration to customs", "None")
		sent := between(a.body, "Sent message", `<a href="`)
		owner.get(strings.ReplaceAll(sent, "&amp;", "&")).expect(h, 200, "MetaData", "\n    &lt;", "Download original")
		raw := owner.get(strings.ReplaceAll(sent, "&amp;", "&") + "&download")
		if !strings.HasPrefix(raw.body, "<?xml") || raw.header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.HasPrefix(raw.header.Get("Content-Disposition"), "attachment") {
			h.Errorf("sent message: %v %.80s", raw.header, raw.body)
		}
		got := strings.ReplaceAll(between(a.body, "Received message", `<a href="`), "&amp;", "&")
		owner.get(got).expect(h, 200, "Response")
		if raw := owner.get(got + "&download"); !strings.Contains(raw.body, "<") || raw.header.Get("Content-Type") != "text/plain; charset=utf-8" {
			h.Errorf("received message: %v %.80s", raw.header, raw.body)
		}
		theirs := h.owner("Foreign Ltd", "foreign@example.com")
		for _, part := range []string{sent, got} {
			theirs.get(strings.ReplaceAll(part, "&amp;", "&")+"&download").expect(h, 404)
		}
		other := owner.declare("Others")
		owner.get(strings.Replace(got, id, other, 1)).expect(h, 404)
		owner.get(path+"/submit").expect(h, 400, "cannot be submitted")
		owner.post(path+"/cancel").expect(h, 400, "Cannot cancel")
		copied := owner.post(path + "/copy")
		copied.expect(h, 303)
		owner.get(copied.header.Get("Location")).expect(h, 200, "was copied to this new draft", "has not been sent to customs")
	})
}

// A CDS error is shown at its field with the rejected value, what to do, and a link to the field
// of the form.
func TestDeclarationRejected(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
	id := owner.declareOn("Men's T-shirts", "SIM-B-1")
	owner.post("/declarations/"+id+"/submit").expect(h, 303)
	a := owner.until("/declarations/"+id, "Errors found by customs")
	a.expect(h, 200, "Correct and resubmit", "What to do:", "/declarations/"+id+"/edit?field=", "Correct it", "Customs rejected the declaration (DMSREJ)")
	fix := strings.ReplaceAll(between(a.body, ">Correct it<", `<a href="`), "&amp;", "&")
	_, field, _ := strings.Cut(fix, "?field=")
	if at := owner.get(fix).header.Get("Location"); field == "" || !strings.HasPrefix(at, "/declarations/form/"+id+"/") || !strings.HasSuffix(at, "#"+field) {
		h.Errorf("%s redirects to %s", fix, at)
	}
	owner.get("/declarations?status=REJECTED").expect(h, 200, "Men&#39;s T-shirts")
	owner.get("/").expect(h, 200, "<span>Canary Client ", " · Men&#39;s T-shirts</span>")
}

// The page of a declaration and the front page show what customs wants. A query is closed by a user, and a cancellation is
// requested with a reason, which must be said.
func TestDemandsOfADeclaration(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
	id := owner.declareOn("Men's T-shirts", "SIM-Q0S-1")
	path := "/declarations/" + id
	owner.post(path+"/submit").expect(h, 303)
	owner.until(path, "What customs wants")
	a := owner.until(path, "Customs has accepted the declaration")
	a.expect(h, 200, "Answer the question of customs", "Please describe the goods in more detail.", "Mark as answered", `list="file-types" value="query-response"`)
	owner.get("/").expect(h, 200, "Please describe the goods in more detail.")
	owner.post(between(a.body, "Mark as answered", `action="`)).expect(h, 303)
	if closed := owner.get(path); strings.Contains(closed.body, "Mark as answered") {
		h.Error("a closed query can be closed again")
	} else if strings.Contains(closed.body, `value="query-response">`+"</div>") {
		h.Error("without a question the type of an answer is filled in")
	}
	if home := owner.get("/"); strings.Contains(home.body, "Please describe the goods") {
		h.Error("a closed query is on the front page")
	}
	owner.get(path+"/cancel").expect(h, 200, "Duplicate of another declaration")
	owner.post(path+"/cancel", "reasonCode", "3", "reason", "").expect(h, 400, "must have 1 to 512 characters")
	owner.post(path+"/cancel", "reasonCode", "3", "reason", "Sold at sea").expect(h, 303)
	owner.until(path, "The declaration is cancelled")
}

// An open page receives changes at once. When it reconnects it receives only the events that it
// missed. It gets no events of other records, and the stream ends at shutdown.
func TestLivePage(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	id, other := owner.declare("T-shirts"), owner.declare("Socks")
	page := owner.get("/declarations/" + id).body
	stream := owner.listen(between(page, `">`+"\n"+`<p class="hidden" role="status"`, `data-live="`), "")
	owner.post("/declarations/"+other+"/cancel").expect(h, 303)
	owner.post("/declarations/"+id+"/cancel").expect(h, 303)
	event := stream()
	if !strings.HasPrefix(event, "event: change\nid: ") {
		h.Fatalf("the first event is %q", event)
	}
	number := strings.TrimSpace(strings.TrimPrefix(event[:strings.Index(event, "\ndata")], "event: change\nid: "))
	owner.post("/declarations/"+id+"/copy").expect(h, 303)
	behind := owner.listen("/declarations/"+id+"/live?after=1", "")
	if got := behind(); got != event {
		h.Errorf("after reconnecting, the first event is %q", got)
	}
	_ = owner.listen("/declarations/"+id+"/live?after=1", number)
	owner.get("/declarations/"+id+"/live").expect(h, 303)
}

// The page of a declaration that changes all the time shows one consistent version.
func TestPageOfMovingDeclaration(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		id := owner.declare("Socks of lot 0")
		seen := make(chan struct{})
		var moving sync.WaitGroup
		moving.Go(func() {
			for lot := 1; ; lot++ {
				select {
				case <-seen:
					return
				default:
				}
				if err := owner.amend(id, fmt.Sprintf("Socks of lot %d", lot)); err != nil {
					h.Error(err)
					return
				}
			}
		})
		defer moving.Wait()
		defer close(seen)
		for range 10 { // each view has more of its history to show than the one before
			owner.get("/declarations/"+id).expect(h, 200, "Socks of lot")
		}
	})
}

// amend changes the description of a draft's goods.
func (p *user) amend(id, goods string) error {
	t := p.app.Customs.Type
	return p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := tx.Filing(t.Kind, id)
		if err != nil {
			return err
		}
		var body customs.Declaration
		if err := json.Unmarshal(f.Body, &body); err != nil {
			return err
		}
		body.Items[0].Description = goods
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in, err := t.Parse(raw, p.clock())
		if err != nil {
			return err
		}
		_, err = p.app.Customs.Amend(tx, p.call(), id, in)
		return err
	})
}

// listen opens an event stream; the returned function reads one event.
func (p *user) listen(path, last string) func() string {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 2*time.Minute)
	p.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	p.must(err)
	request.Header.Set("Accept", "text/event-stream")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := p.client.Do(request)
	p.must(err)
	p.Cleanup(func() { response.Body.Close() })
	if kind := response.Header.Get("Content-Type"); response.StatusCode != 200 || kind != "text/event-stream" {
		p.Fatalf("%s: %d %s", path, response.StatusCode, kind)
	}
	in := bufio.NewReader(response.Body)
	return func() (event string) {
		p.Helper()
		for !strings.HasSuffix(event, "\n\n") || strings.HasPrefix(event, "retry") || strings.HasPrefix(event, ":") {
			if strings.HasSuffix(event, "\n\n") {
				event = ""
			}
			line, err := in.ReadString('\n')
			p.must(err)
			event += line
		}
		return event
	}
}

// equip stores the settings that a declarant needs.
func equip(tx *store.Tx) error {
	o, err := tx.Organisation()
	if err != nil {
		return err
	}
	o.Profile.EORI, o.Profile.AddressLine1, o.Profile.City, o.Profile.Postcode, o.Profile.Country = "GB987654321000", "1 Quay", "Ipswich", "IP1 1AA", "GB"
	return tx.SaveOrganisation(o)
}

// Of two declarations created in the same millisecond, only the second lists the other as an earlier one.
func TestAlikeInTheSameMillisecond(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		first, second := owner.declare("T-shirts"), owner.declare("T-shirts")
		for id, want := range map[string]int{first: 0, second: 1} {
			h.must(h.app.Store.View(h.Context(), owner.org, func(tx *store.Tx) error {
				p, err := h.app.Customs.ReviewInput(tx, id)
				if err == nil && len(p.Earlier) != want {
					t.Errorf("%d earlier declarations, not %d", len(p.Earlier), want)
				}
				return err
			}))
		}
	})
}

// A declaration becomes a template, from which another declaration of the same client is made. One of another client is refused
// in the form.
func TestTemplates(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Mill Lane Ltd", "olive@example.com")
		id := owner.declare("Cotton T-shirts")
		owner.post("/declarations/"+id+"/template", "template-name", "").expect(h, 400, "must have 1 to 200 characters")
		saved := owner.post("/declarations/"+id+"/template", "template-name", "Shirts of Dhaka")
		saved.expect(h, 303)
		owner.get(saved.header.Get("Location")).expect(h, 200, "Shirts of Dhaka", "The template is saved")
		owner.get("/templates").expect(h, 200, "Shirts of Dhaka")
		template := strings.TrimSuffix(strings.TrimPrefix(strings.Split(saved.header.Get("Location"), "?")[0], "/templates/"), "/")
		shipments := owner.records("shipment")
		owner.get("/declarations/from-template?template="+template).expect(h, 200, "Shirts of Dhaka · Canary Client", `value="`+template+`" selected`)
		owner.post("/declarations/from-template", "template", template).expect(h, 400, "must be selected")
		made := owner.post("/declarations/from-template", "template", template, "shipmentId", shipments[0].ID, "reference", "PO-7")
		made.expect(h, 303)
		owner.get(made.header.Get("Location")).expect(h, 200, "was made from the template", "Cotton T-shirts", "has not been sent to customs")
		owner.declare("Others")
		for _, s := range owner.records("shipment") {
			if s.ID != shipments[0].ID {
				owner.post("/declarations/from-template", "template", template, "shipmentId", s.ID).expect(h, 400, "another client")
			}
		}
	})
}

// A template is made of a declaration that is chosen from a list, and changed with the form of a draft. What is typed wrong is said at
// its field, what another user changed meanwhile is not overwritten, and what the form does not have stays.
func TestChangeTemplate(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Mill Lane Ltd", "olive@example.com")
		id := owner.declare("Cotton T-shirts")
		owner.get("/templates/new").expect(h, 303)
		owner.get("/declarations/new-template").expect(h, 200, "Cotton T-shirts", "Enter the members yourself")
		owner.post("/declarations/new-template", "template-name", "Shirts").expect(h, 400, "The declaration must be selected", `value="Shirts"`)
		owner.post("/declarations/new-template", "declaration", id).expect(h, 400, "must have 1 to 200 characters", `value="`+id+`" selected`)
		saved := owner.post("/declarations/new-template", "declaration", id, "template-name", "Shirts of Dhaka")
		saved.expect(h, 303)
		template := strings.TrimPrefix(strings.Split(saved.header.Get("Location"), "?")[0], "/templates/")
		owner.get("/templates/"+template).expect(h, 200, `/templates/`+template+`/edit"`, "All members")
		at := owner.get("/templates/" + template + "/edit").header.Get("Location")
		form := owner.get(at)
		form.expect(h, 200, "Change template", `value="Shirts of Dhaka"`, "Cotton T-shirts", "Save template", `value="6109100010"`)
		for _, other := range []string{"Step by step", "Save and continue to submit", `id="part-transport"`, "more-files"} {
			if strings.Contains(form.body, other) {
				h.Errorf("the form of a template has %q", other)
			}
		}
		owner.post(at, "go", "save", "template-name", "", "items[0].description", "Cotton T-shirts").expect(h, 400, "The name of the template must")
		owner.post(at, "go", "save", "template-name", "Shirts", "items[0].description", "Cotton T-shirts", "items[0].netMassKg", "heavy").expect(h, 400, "The net mass must be a number")
		owner.post(at, "go", "save", "template-name", "Shirts", "items[0].description", "Cotton shirts", "items[0].netMassKg", "").expect(h, 303)
		owner.get("/templates/"+template+"?done=template-changed").expect(h, 200, "The template is saved", "Cotton shirts")
		var stored filing.Filing
		h.must(h.app.Store.View(h.Context(), owner.org, func(tx *store.Tx) (err error) { stored, err = tx.Filing("template", template); return err }))
		for _, member := range []string{`"Cotton shirts"`, `"6109100010"`, `"IMPORT"`, `"BD"`} {
			if !strings.Contains(string(stored.Body), member) {
				h.Errorf("the template has lost %s: %s", member, stored.Body)
			}
		}
		if strings.Contains(string(stored.Body), "netMassKg") || !strings.Contains(string(stored.Body), `"name":"Shirts"`) {
			h.Errorf("the change is not stored: %s", stored.Body)
		}
		owner.post(at, "go", "add-line", "template-name", "Shirts").expect(h, 303) // keeps the version of now
		owner.post("/templates/"+template+"/repeat", "version", "2", "do", "end").expect(h, 303)
		owner.post(at, "go", "save", "template-name", "Shirts").expect(h, 400, "Another user has changed this template")
		owner.post("/declarations/form/"+template+"/discard").expect(h, 303)
		h.owner("Other Ltd", "other@example.com").get(at).expect(h, 404)
	})
}

// A user chooses columns and their order; the list keeps them. It is sorted by the times of creation and change, a search is not.
func TestColumnsOfTheList(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		first := owner.declare("Woollen socks")
		second := owner.declare("Cotton shirts")
		list := owner.get("/declarations")
		list.expect(h, 200, `data-label="Client"`, `aria-sort="none"><a href="/declarations?sort=-updatedAt">Updated`)
		if strings.Index(list.body, second) > strings.Index(list.body, first) {
			h.Error("the newest is not the first")
		}
		for _, query := range []string{"sort=createdAt", "sort=updatedAt"} {
			if list := owner.get("/declarations?" + query); strings.Index(list.body, second) < strings.Index(list.body, first) {
				h.Errorf("%s: the oldest is not the first", query)
			}
		}
		if list := owner.get("/declarations?q=socks"); strings.Contains(list.body, "aria-sort") {
			h.Error("a search can be sorted")
		}
		chosen := owner.post("/columns", "kind", "declaration", "column", "lrn", "column", "client", "column", "nonsense", "up", "client", "next", "/declarations")
		if got := chosen.header.Get("Set-Cookie"); chosen.status != 303 || !strings.HasPrefix(got, "tidewaiter_declaration_columns=client.lrn.nonsense;") {
			h.Errorf("%d %q", chosen.status, got)
		}
	})
}
