package console_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// markedCases are the cases of the pages about several records.
var markedCases = map[string]routeCase{
	"POST /marked":        {status: 400, form: []string{"kind", "client", "action", "archive"}},                         // without a record
	"POST /marked/assign": {status: 404, form: []string{"kind", "client", "id", "0", "assignee", "none"}},               // cannot be assigned
	"POST /marked/start":  {status: 404, form: []string{"kind", "client", "action", "archive", "form", "0", "id", "0"}}, // without the ID of a form
	"GET /marked/{id}":    {status: 200, record: aMarkedBatch},
}

// aMarkedBatch archives a client.
func aMarkedBatch(owner *user) (id string) {
	owner.Helper()
	client := aFiling("client", aTrader)(owner)
	id = owner.app.IDs.UUID()
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		b := batch.Batch{ID: id, Kind: batch.Marked + "archive", Status: batch.Done, Total: 1, CreatedAt: owner.clock(), FinishedAt: owner.clock()}
		return tx.AddBatch(b, []batch.Row{{Operation: batch.Operation{Reference: client}}})
	}))
	return id
}

var (
	formID       = regexp.MustCompile(`name="form" value="([0-9a-f-]{36})"`)
	markedRecord = regexp.MustCompile(`name="id" value="([0-9a-f-]{36})"><input type="hidden" name="version" value="(\d+)"`)
)

// confirmed returns the form of a page that asks before marked records are changed.
func (p *user) confirmed(page pageResponse) (form []string) {
	p.Helper()
	found := formID.FindStringSubmatch(page.body)
	if found == nil {
		p.Fatalf("no form: %s", main(page.body))
	}
	form = append(form, "form", found[1])
	for _, r := range markedRecord.FindAllStringSubmatch(page.body, -1) {
		form = append(form, "id", r[1], "version", r[2])
	}
	return form
}

// startMarked sends a confirmed form and returns the page of the end.
func (p *user) startMarked(kind, action string, form []string) pageResponse {
	p.Helper()
	started := p.post("/marked/start", append([]string{"kind", kind, "action", action}, form...)...)
	started.expect(p.harness, 303)
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if a := p.get(started.header.Get("Location")); !strings.Contains(a.body, `data-running="true"`) {
			return a
		}
	}
	p.Fatalf("%s does not end", started.header.Get("Location"))
	return pageResponse{}
}

// Marked declarations are submitted together after a page that lists what their reviews found. One that is refused stops no
// other, one that was changed after that page is not sent, and a form that is sent twice submits once.
func TestSubmitTheMarked(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		sent, changed, cancelled := owner.declare("Woollen socks"), owner.declare("Cotton shirts"), owner.declare("Pairs of gloves")
		owner.post("/declarations/"+cancelled+"/cancel").expect(h, 303)
		owner.get("/declarations").expect(h, 200, `value="submit" data-marked>Submit<`, `value="review"`, `value="cancel"`, `value="export-csv"`)
		owner.post("/marked", "kind", "declaration", "action", "submit").expect(h, 400, "must be marked in the list: 1 to 200 of them")
		owner.post("/marked", "kind", "declaration", "action", "archive", "id", sent).expect(h, 404)
		owner.post("/marked", "kind", "declaration", "action", "review", "id", sent).expect(h, 200, "Review of 1 declaration", "Nothing is changed or sent", "Submit these")
		page := owner.post("/marked", "kind", "declaration", "action", "submit", "id", sent, "id", changed, "id", cancelled)
		page.expect(h, 200, "Submit 2 declarations to customs?", "Woollen socks", "It is in the status “Cancelled”. Submit it again on its own page.", "built-in simulator only")
		stated, usual, _ := strings.Cut(page.body, "usual values that the records do not state")
		if _, stated, _ = strings.Cut(stated, "What the reviews found"); usual == "" || strings.Contains(stated, "is declared as") {
			h.Errorf("usual values are not folded apart from the findings: %s", main(page.body))
		}
		form := owner.confirmed(page)
		for i := range form {
			if form[i] == changed {
				form[i+2] = "99"
			}
		}
		end := owner.startMarked("declaration", "submit", form)
		end.expect(h, 200, "1 of 2 declarations were submitted", "It was changed after you saw this review. Review it again.")
		owner.startMarked("declaration", "submit", form).expect(h, 200, "1 of 2 declarations were submitted")
		owner.until("/declarations/"+sent, "Cleared")
		owner.get("/declarations/"+changed).expect(h, 200, "Draft")
		if n := countOf(h.events(owner.org), "declaration.submitted"); n != 1 {
			h.Errorf("%d submissions", n)
		}
		other := h.owner("Foreign Ltd", "fay@example.com")
		other.post("/marked", "kind", "declaration", "action", "submit", "id", changed).expect(h, 404)
		other.post("/marked/start", append([]string{"kind", "declaration", "action", "submit"}, form...)...).expect(h, 404)
		owner.get("/declarations/"+changed).expect(h, 200, "Draft")
	})
}

// What customs would reject can be left out of a submission, and waits as a draft. Copies lead to the list of drafts.
func TestSubmitWithoutTheBlocked(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		good, other := owner.declare("Woollen socks"), owner.declare("Cotton shirts")
		shipment, _ := owner.recordsOf(good)
		blocked := owner.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","documents":[{"type":"N935","reference":"INV-9"}],"items":[{"commodityCode":"6109100010","description":"Gloves","netMassKg":1,"customsValueGbp":1}]}`, shipment)
		page := owner.post("/marked", "kind", "declaration", "action", "submit", "id", good, "id", blocked, "id", other)
		page.expect(h, 200, "Submit all anyway", "Submit the 2 others", `name="blocked" value="2"`)
		form := append(owner.confirmed(page), "blocked", "2", "kind", "declaration", "action", "submit")
		started := owner.post("/marked/start?without=blocked", form...)
		started.expect(h, 303)
		owner.until("/declarations/"+good, "Cleared")
		owner.until("/declarations/"+other, "Cleared")
		owner.get(started.header.Get("Location")).expect(h, 200, "2 of 2 declarations were submitted")
		owner.get("/declarations/"+blocked).expect(h, 200, "Draft")
		owner.post("/settings/approval", "approvalRequired", "yes").expect(h, 303)
		h.advance(time.Second) // the policy of a session is kept for a moment
		owner.post("/marked", "kind", "declaration", "action", "submit", "id", blocked).expect(h, 200, "What no second person has approved stays a draft.")
		copied := owner.post("/marked", "kind", "declaration", "action", "copy", "id", good)
		owner.startMarked("declaration", "copy", owner.confirmed(copied)).expect(h, 200, `href="/declarations?status=DRAFT">Open the drafts`)
	})
}

func countOf(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

// All records that match a list are changed in one step: clients are archived, drafts of a Hub submitted and cancelled.
func TestAllThatMatch(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		for range 3 {
			aFiling("client", aTrader)(owner)
		}
		page := owner.post("/marked", "kind", "client", "action", "archive", "all", "yes", "query", "")
		page.expect(h, 200, "Archive 3 clients?", "Will be archived")
		owner.startMarked("client", "archive", owner.confirmed(page)).expect(h, 200, "3 of 3 clients were archived")
		owner.get("/clients?status=ARCHIVED").expect(h, 200, "Canary Textiles", `value="unarchive"`)
		owner.enable("tss")
		h.advance(time.Second) // rights of a person are kept for a moment
		owner.get("/hubs/tss/declarations").expect(h, 200)
		drafts := []string{aFiling("tss.declaration", aDeclaration)(owner), aFiling("tss.declaration", aDeclaration)(owner)}
		aFiling("tss.declaration", aDeclaration, lifecycle.Submit)(owner)
		page = owner.post("/marked", "kind", "tss.declaration", "action", "submit", "all", "yes", "query", "status=DRAFT")
		page.expect(h, 200, "Submit 2 declarations?")
		owner.startMarked("tss.declaration", "submit", owner.confirmed(page)).expect(h, 200, "2 of 2 declarations were submitted")
		page = owner.post("/marked", "kind", "tss.declaration", "action", "cancel", "id", drafts[0], "id", drafts[1])
		page.expect(h, 200, "Cancel", "which cannot be undone")
	})
}

// What a person started goes on with the rights that the person has then: without them, nothing is changed.
func TestMarkedWithoutRights(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		member := h.member(owner.org, tenant.Member, "mia@example.com")
		client := aFiling("client", aTrader)(owner)
		h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error {
			_, err := tx.SetRole(member.id, tenant.Viewer)
			return err
		}))
		id := h.app.IDs.UUID()
		h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error {
			call := tenant.Call{Principal: tenant.Principal{Org: owner.org, UserID: member.id, Role: tenant.Member, Type: tenant.ByUser}}
			rows := []batch.Row{{Operation: batch.Operation{Method: "POST", Path: "/api/clients/" + client + "/archive", Reference: client}}}
			_, err := (&batch.Service{NewID: h.app.IDs.UUID}).CreateOnce(tx, id, batch.Sender{Call: call}, batch.Marked+"archive", rows)
			return err
		}))
		owner.until("/marked/"+id, "0 of 1 client was archived")
		owner.get("/clients").expect(h, 200, "Canary Textiles")
	})
}

// Marked records are exported as CSV and as a workbook, in an audit event.
func TestExportTheMarked(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		first, second := owner.declare("Woollen socks"), owner.declare("Cotton shirts")
		table := owner.post("/marked", "kind", "declaration", "action", "export-csv", "id", first)
		table.expect(h, 200, "id,status,createdAt", first)
		if strings.Contains(table.body, second) || !strings.Contains(table.header.Get("Content-Disposition"), "declarations-") {
			h.Errorf("%s: %s", table.header.Get("Content-Disposition"), table.body)
		}
		book := owner.post("/marked", "kind", "declaration", "action", "export-xlsx", "all", "yes", "query", "status=DRAFT")
		book.expect(h, 200, "PK\x03\x04")
		if n := countOf(h.events(owner.org), "export.declarations"); n != 2 {
			h.Errorf("%d events of exports", n)
		}
	})
}

// A marked declaration gives one new draft, also if the form is sent twice, and the page of the results leads to the draft.
func TestNewLikeTheMarked(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		page := owner.post("/marked", "kind", "declaration", "action", "copy", "id", owner.declare("Woollen socks"))
		page.expect(h, 200, "Make 1 new draft like this?", "Will be copied to new drafts")
		form := owner.confirmed(page)
		owner.startMarked("declaration", "copy", form)
		end := owner.startMarked("declaration", "copy", form)
		end.expect(h, 200, "1 of 1 declaration was copied to new drafts")
		_, after, _ := strings.Cut(end.body, `</span> <a href="`)
		path, _, _ := strings.Cut(after, `"`)
		owner.get(path).expect(h, 200, "Woollen socks", "Draft")
		if n := len(owner.records("declaration")); n != 2 {
			h.Errorf("%d declarations", n)
		}
	})
}

// The page that asks before 200 records are changed stays below 150 kB, and says so if more match.
func TestMarkedPageIsSmall(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	first := owner.declare("Cotton T-shirts, knitted, for men")
	for range 200 {
		owner.post("/declarations/"+first+"/copy").expect(h, 303)
	}
	page := owner.post("/marked", "kind", "declaration", "action", "submit", "all", "yes", "query", "")
	page.expect(h, 200, "Submit 200 declarations to customs?", "More declarations match the list; these are the first 200.")
	if len(page.body) > 150_000 {
		h.Errorf("%d bytes", len(page.body))
	}
}

// More records than a page shows are assigned by a batch, whatever their status. Its page stays small and says how many there are.
func TestAssignManyOfAList(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	member := h.member(owner.org, tenant.Member, "mia@example.com")
	first := owner.declare("Cotton T-shirts, knitted, for men")
	for range 209 {
		owner.post("/declarations/"+first+"/copy").expect(h, 303)
	}
	owner.post("/declarations/"+first+"/cancel").expect(h, 303)
	started := owner.post("/marked/assign", "kind", "declaration", "all", "yes", "query", "", "assignee", member.id)
	started.expect(h, 303)
	path := started.header.Get("Location")
	owner.until(path, "210 of 210 declarations were assigned")
	page := owner.get(path)
	page.expect(h, 200, "10 more are not shown here")
	if len(page.body) > 150_000 {
		h.Errorf("%d bytes", len(page.body))
	}
	member.get("/declarations?assignee=me").expect(h, 200, `Mine <span class="count">210</span>`)
	owner.post("/marked", "kind", "declaration", "action", "assign", "all", "yes", "query", "").expect(h, 404)
}

// Where a second person must approve, approval of several drafts is asked for in one step, after a page that lists what their reviews
// found. What waits already, is no draft or has changed is left out, and a form that is sent twice asks once.
func TestAskForApprovalOfTheMarked(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		first, second, changed, waits, cancelled := owner.declare("Woollen socks"), owner.declare("Cotton shirts"), owner.declare("Linen towels"), owner.declare("Pairs of gloves"), owner.declare("Felt hats")
		shipment, _ := owner.recordsOf(first)
		blocked := owner.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","documents":[{"type":"N935","reference":"INV-9"}],"items":[{"commodityCode":"6109100010","description":"Gloves","netMassKg":1,"customsValueGbp":1}]}`, shipment)
		owner.post("/declarations/"+cancelled+"/cancel").expect(h, 303)
		all := []string{"kind", "declaration", "action", "ask-approval", "id", first, "id", second, "id", changed, "id", waits, "id", cancelled, "id", blocked}
		owner.post("/marked", all...).expect(h, 404)
		if page := owner.get("/declarations"); strings.Contains(page.body, "Ask for approval") {
			h.Error("approval can be asked for although none is needed")
		}
		owner.post("/settings/approval", "approvalRequired", "yes").expect(h, 303)
		h.advance(time.Second) // the policy of a session is kept for a moment
		owner.post("/approvals/declaration/"+waits+"/ask").expect(h, 303)
		owner.get("/declarations").expect(h, 200, `value="ask-approval" data-marked>Ask for approval<`)
		owner.post("/marked", "kind", "declaration", "action", "review", "id", first).expect(h, 200, "Ask for approval of these")
		owner.post("/marked", "kind", "declaration", "action", "submit", "id", first).expect(h, 200, "Ask for approval instead")
		page := owner.post("/marked", all...)
		page.expect(h, 200, "Ask for approval of 4 declarations?", "Nothing is sent", "It waits for approval already.", "Ask for approval on its own page.", "What the reviews found", "Ask for approval of the 3 others", `name="blocked" value="3"`)
		form := append(owner.confirmed(page), "blocked", "3", "kind", "declaration", "action", "ask-approval")
		for i := range form {
			if form[i] == changed {
				form[i+2] = "99"
			}
		}
		for range 2 {
			asked := owner.post("/marked/start?without=blocked", form...)
			asked.expect(h, 303)
			owner.get(asked.header.Get("Location")).expect(h, 200, "are left out and not listed here", "Woollen socks", "Cotton shirts", "Pairs of gloves", `Waiting for approval <span class="count">3</span>`)
		}
		if n := countOf(h.events(owner.org), "declaration.approval_requested"); n != 3 {
			h.Errorf("%d requests", n)
		}
		deleted := append(slices.Clone(form), "id", "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", "version", "1")
		owner.post("/marked/start", deleted...).expect(h, 303)
		owner.get("/declarations?waiting=yes").expect(h, 200, `Waiting for approval <span class="count">4</span>`)
		h.owner("Foreign Ltd", "fay@example.com").post("/marked/start", form...).expect(h, 404)
		h.member(owner.org, tenant.Viewer, "vera@example.com").post("/marked/start", form...).expect(h, 403)
	})
}

// A list has a tab with the records that wait for the approval of a second person, if the organisation requires it: the longest first.
func TestTabOfWaiting(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		first, second := owner.declare("Woollen socks"), owner.declare("Cotton shirts")
		owner.enable("tss")
		other := aFiling("tss.declaration", aDeclaration)(owner)
		if page := owner.get("/declarations"); strings.Contains(page.body, "Waiting for approval") {
			h.Error("there is the tab although nothing needs approval")
		}
		owner.post("/settings/approval", "approvalRequired", "yes").expect(h, 303)
		h.advance(time.Second) // rights and settings are kept for a moment
		for _, record := range []string{"declaration/" + second, "declaration/" + first, "tss.declaration/" + other} {
			owner.post("/approvals/"+record+"/ask").expect(h, 303)
			h.advance(time.Minute)
		}
		owner.declare("Pairs of gloves")
		page := owner.get("/declarations?waiting=yes")
		page.expect(h, 200, `aria-current="page">Waiting for approval <span class="count">2</span>`, "Woollen socks", "Cotton shirts")
		if strings.Contains(page.body, "Pairs of gloves") || strings.Index(page.body, second) > strings.Index(page.body, first) {
			h.Errorf("what waits is not listed, the longest first: %s", main(page.body))
		}
		owner.get("/hubs/tss/declarations?waiting=yes").expect(h, 200, `aria-current="page">Waiting for approval <span class="count">1</span>`, other)
		if page := owner.get("/clients"); strings.Contains(page.body, "Waiting for approval") {
			h.Error("clients have the tab")
		}
	})
}
