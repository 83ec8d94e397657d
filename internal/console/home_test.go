package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// at sets the clock. Sessions that were opened before may expire.
func (h *harness) at(text string) {
	now, err := time.Parse(time.RFC3339, text)
	h.must(err)
	h.mu.Lock()
	h.now = now
	h.mu.Unlock()
}

// record describes a filing that a test stores.
type record struct {
	kind     string
	status   lifecycle.State
	created  string
	added    string
	due      []filing.Deadline
	postings []filing.Posting
	traits   []filing.Key
}

// file stores records in an organisation with their creation dates.
func (h *harness) file(org tenant.ID, records ...record) {
	h.Helper()
	for _, r := range records {
		created, err := time.Parse(time.RFC3339, r.created)
		h.must(err)
		id := h.app.IDs.UUID()
		h.must(h.app.Store.Update(h.Context(), org, func(tx *store.Tx) error {
			hub, _, _ := strings.Cut(r.kind, ".")
			if hub == r.kind {
				hub = "customs"
			}
			return tx.Write(filing.Change{
				Filing: filing.Filing{ID: id, Kind: r.kind, Status: r.status, Version: 1, BodyVersion: 1, Body: []byte(`{}`), Added: []byte(r.added), CreatedAt: created, UpdatedAt: created},
				Event: audit.Event{
					ID: h.app.IDs.UUID(), Hub: hub, Type: r.kind + ".created", ResourceType: r.kind, ResourceID: id, ToStatus: string(r.status), ActorType: tenant.BySystem,
				},
				HasDeadlines: true, Deadlines: r.due, HasPostings: true, Postings: r.postings, Traits: r.traits,
			})
		}))
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)
var spaces = regexp.MustCompile(`[\s\x{a0}]+`)

// words returns the text of a page without its markup.
func words(body string) string {
	return spaces.ReplaceAllString(tags.ReplaceAllString(main(body), " "), " ")
}

func (a pageResponse) says(t testing.TB, texts ...string) {
	t.Helper()
	said := words(a.body)
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Errorf("does not contain %q: %s", text, said)
		}
	}
}

func (a pageResponse) omits(t testing.TB, texts ...string) {
	t.Helper()
	said := words(a.body)
	for _, text := range texts {
		if strings.Contains(said, text) {
			t.Errorf("contains %q: %s", text, said)
		}
	}
}

// The home page of a new organisation shows each role the first steps that it may take, and no
// empty charts.
func TestHomeOfNewOrganisation(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		owner.get("/").says(h, "First steps", "Enter your organisation&#39;s details", "To do Add your first client", "Create your first declaration", "Create an API key", "Optional Invite your colleagues", "Add a webhook")
		owner.get("/").omits(h, "Needs attention", "Duty and VAT", "Recent activity")
		viewer := h.member(owner.org, tenant.Viewer, "vera@example.com")
		viewer.get("/").omits(h, "Create your first declaration", "Create an API key", "Invite")
		h.file(owner.org, record{kind: "declaration", status: "DRAFT", created: "2026-11-01T00:00:00Z"})
		owner.get("/").says(h, "Done Create your first declaration", "To do Add your first client", "Done Invite your colleagues", "Needs attention", "Nothing needs your attention.")
		h.file(owner.org, record{kind: "client", status: "ACTIVE", created: "2026-11-01T00:00:00Z"})
		owner.get("/").says(h, "Done Add your first client", "To do Enter your organisation&#39;s details")
	})
}

// The home page lists what customs instructs not to load, what is rejected, unanswered, overdue, due within 7 days, failing or paused,
// with what to do and since when. It does not list data of other organisations or of Hubs that are
// not enabled.
func TestHomeAttention(t *testing.T) {
	each(t, func(h *harness) {
		h.at("2026-11-21T12:00:00Z")
		owner, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Foreign Ltd", "fay@example.com")
		owner.enable("tss", "ics2")
		due := func(name, title, at string) filing.Deadline {
			instant, err := time.Parse(time.RFC3339, at)
			h.must(err)
			return filing.Deadline{Name: name, Title: title, DueAt: instant, Source: "The Act"}
		}
		h.file(other.org, record{kind: "declaration", status: "REJECTED", created: "2026-11-20T00:00:00Z", added: `{"lrn":"FOREIGN1"}`})
		for n := range 7 {
			h.file(owner.org, record{kind: "declaration", status: "REJECTED", created: fmt.Sprintf("2026-11-1%dT00:00:00Z", n), added: fmt.Sprintf(`{"lrn":"LRN-%d","mrn":null}`, n)})
		}
		h.file(owner.org,
			record{kind: "declaration", status: "SUBMITTED", created: "2026-11-21T10:59:00Z", added: `{"lrn":"SLOW1"}`},
			record{kind: "declaration", status: "SUBMITTED", created: "2026-11-21T11:30:00Z", added: `{"lrn":"QUICK1"}`},
			record{kind: "tss.declaration", status: "REJECTED", created: "2026-11-20T00:00:00Z", added: `{"mrn":"26GB0000000000001X"}`},
			record{kind: "ics2.filing", status: "ACCEPTED", created: "2026-11-20T00:00:00Z", added: `{"mrn":"26GB0000000000003X"}`, traits: []filing.Key{filing.TraitFilter(ics2.Intervened)}},
			record{kind: "ics2.filing", status: "ACCEPTED", created: "2026-11-01T00:00:00Z", added: `{"mrn":"26GB0000000000004X"}`, traits: []filing.Key{filing.TraitFilter(ics2.Intervened)}},
			record{kind: "ics2.filing", status: "ACCEPTED", created: "2026-11-20T00:00:00Z", added: `{"mrn":"26GB0000000000005X"}`},
			record{kind: "ics2.filing", status: "REJECTED", created: "2026-11-20T00:00:00Z", added: `{"mrn":"26GB0000000000006X","reason":"A value is not allowed"}`},
			record{kind: "emcs.movement", status: "REJECTED", created: "2026-11-20T00:00:00Z", added: `{"arc":"NOTENABLED"}`},
			record{kind: "tss.declaration", status: "DRAFT", created: "2026-11-20T00:00:00Z", added: `{"mrn":"26GB0000000000002X"}`, due: []filing.Deadline{
				due("a", "Send the supplementary one", "2026-11-20T23:59:59Z"), due("b", "Tell the carrier", "2026-11-22T12:00:00Z"), due("c", "Far away", "2026-12-24T12:00:00Z"),
			}},
		)
		h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error {
			for n, e := range []webhook.Endpoint{
				{URL: "https://failing.example/hook", Active: true, FailingSince: h.clock().Add(-time.Hour)},
				{URL: "https://paused.example/hook", PausedReason: "Its receiver has answered 410.", FailingSince: h.clock()},
				{URL: "https://well.example/hook", Active: true}, {URL: "https://resting.example/hook"},
				{URL: "https://lost.example/hook", Active: true},
			} {
				e.ID, e.CreatedAt, e.UpdatedAt = h.app.IDs.UUID(), h.clock().Add(time.Duration(n)), h.clock()
				if err := tx.AddEndpoint(e); err != nil {
					return err
				}
				if err := h.failed(tx, e); err != nil {
					return err
				}
			}
			return nil
		}))
		page := owner.get("/")
		page.body, _, _ = strings.Cut(page.body, `id="counts"`)
		page.body += "</main>"
		page.says(h, "Do not load ICS2 filing 26GB0000000000003X Customs instructs not to load the goods.", "Rejected Declaration LRN-6 Correct and resubmit it. since 16 Nov 2026, 00:00", "Declaration LRN-2", "2 more declarations",
			"Waiting Declaration SLOW1 Customs has not answered yet.", "Rejected TSS declaration 26GB0000000000001X Create a new one with the same details. since 20 Nov 2026, 00:00 New like this",
			"Rejected ICS2 filing 26GB0000000000006X A value is not allowed. Correct a copy and send it. since 20 Nov 2026, 00:00 Correct and send again",
			"Overdue Send the supplementary one TSS declaration 26GB0000000000002X was due on Friday 20 November", "Due Tell the carrier TSS declaration 26GB0000000000002X tomorrow",
			"Failing Webhook failing.example/hook The receiver does not accept deliveries. Event client.created: the receiver answered 503. since 21 Nov 2026, 11:00",
			"Paused Webhook paused.example/hook Its receiver has answered 410. since", "Given up Webhook lost.example/hook A delivery is not tried again. Event client.created: the receiver answered 503.")
		page.omits(h, "LRN-1", "QUICK1", "NOTENABLED", "26GB0000000000004X", "26GB0000000000005X", "FOREIGN1", "Far away", "well.example", "resting.example", "Nothing needs you")
		owner.get(hrefOf(h, page.body, `/hubs/tss/declarations/new\?copy=[0-9a-f-]+`)).expect(h, http.StatusOK, "New declaration")
		hrefOf(h, page.body, `/hubs/ics2/filings/[0-9a-f-]+/copy`)
		h.member(owner.org, tenant.Viewer, "vera@example.com").get("/").omits(h, "New like this", "Correct and send again")
	})
}

// hrefOf returns the first path of a page that matches a pattern.
func hrefOf(t testing.TB, body, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindString(body)
	if found == "" {
		t.Fatalf("no path like %s: %s", pattern, body)
	}
	return found
}

// failed stores a failed delivery of an endpoint that fails, which is tried again, or of one that lost it.
func (h *harness) failed(tx *store.Tx, e webhook.Endpoint) error {
	host, _, _ := strings.Cut(strings.TrimPrefix(e.URL, "https://"), ".")
	if host != "failing" && host != "lost" {
		return nil
	}
	d := webhook.Delivery{
		ID: h.app.IDs.UUID(), EndpointID: e.ID, EventID: "evt_" + host, EventType: "client.created", ResourceID: "r", Cause: webhook.ByEvent, Status: webhook.Pending,
		DueAt: h.clock().Add(time.Hour), CreatedAt: h.clock(),
	}
	if err := tx.AddDelivery(d); err != nil {
		return err
	}
	d.Attempts, d.HTTPStatus, d.Error, d.AttemptedAt = 1, 503, "the receiver answered 503", h.clock()
	if host == "lost" {
		d.Status = webhook.Failed
	}
	return tx.CompleteDelivery(d)
}

// Counts and charts include only enabled Hubs. They group by status and by month in London, and
// amounts are exact to the penny.
func TestHomeFigures(t *testing.T) {
	each(t, func(h *harness) {
		h.at("2026-11-21T12:00:00Z")
		owner := h.owner("Quay Ltd", "olive@example.com")
		post := func(ledger, at string, amount int64) filing.Posting {
			instant, err := time.Parse(time.RFC3339, at)
			h.must(err)
			return filing.Posting{Ledger: ledger, At: instant, Amount: amount}
		}
		cleared := func(at string, duty, vat int64) record {
			return record{kind: "declaration", status: "CLEARED", created: at, postings: []filing.Posting{post("import_duty", at, duty), post("import_vat", at, vat)}}
		}
		h.file(owner.org,
			cleared("2026-06-30T23:30:00Z", 12345, 100000), cleared("2026-11-02T00:00:00Z", 1, 2), cleared("2025-11-30T23:00:00Z", 999, 999),
			record{kind: "declaration", status: "DRAFT", created: "2026-11-03T00:00:00Z"}, record{kind: "declaration", status: "REJECTED", created: "2026-10-31T23:59:00Z"},
			record{kind: "client", status: "ACTIVE", created: "2026-01-01T00:00:00Z"},
			record{kind: "cbam.import", status: "RECORDED", created: "2026-10-01T00:00:00Z", postings: []filing.Posting{post("cbam_emissions.CEMENT", "2026-10-01T00:00:00Z", 1_500_000)}},
			record{kind: "cbam.import", status: "RECORDED", created: "2026-09-01T00:00:00Z", postings: []filing.Posting{post("cbam_emissions.CEMENT", "2026-09-01T00:00:00Z", 7_000_000)}},
		)
		h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error {
			return tx.CompleteDelivery(webhook.Delivery{ID: h.app.IDs.UUID(), Status: webhook.Delivered, Attempts: 1})
		}))
		page := owner.get("/")
		page.says(h, "Declarations Customs declarations 5 Draft 1 Rejected 1 Cleared 3 2 ",
			"£1,123.48 in all. Most: July 2026, £1,123.45. Duty £123.46, VAT £1,000.02.", "July 2026 £123.45 £1,000.00 £1,123.45",
			"4 in all. Most: November 2026, 2. Cleared 2, In progress 1, Rejected or cancelled 1.", "October 2026 0 0 1 1",
			"1 in all. Most: 21 November 2026, 1. Delivered 1, Retrying 0, Failed 0.", "Recent activity", "Customs created client", "Audit trail")
		page.omits(h, "emissions", "Movements", "Imports Carbon")
		owner.enable("cbam")
		owner.get("/").says(h, "Embedded emissions of 2026-Q4 1.5 t in all. Most: Cement, 1.5 t.", "Cement 1.5 t 100%")
	})
}

// The charts of what customs decided count by day, time, error code and client, and each part leads to the list of the
// declarations that it counts. The lists have no declarations of other organisations, other days or other clients.
func TestHomeChartsLeadToLists(t *testing.T) {
	each(t, func(h *harness) {
		h.at("2026-11-21T12:00:00Z")
		owner, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Foreign Ltd", "fay@example.com")
		clients := map[string]string{}
		for _, name := range []string{"Mill Lane", "Harbour", "Lagan", "Forth"} {
			clients[name] = h.app.IDs.UUID()
			h.posts(owner.org, filing.Filing{ID: clients[name], Kind: "client", Status: "ACTIVE", Body: []byte(fmt.Sprintf(`{"name":%q}`, name))}, "")
		}
		declare := func(org tenant.ID, lrn, client, at string, seconds, duty int64, codes ...string) {
			f := filing.Filing{ID: h.app.IDs.UUID(), Kind: "declaration", Status: "CLEARED", Body: []byte(`{"shipmentId":"","items":[]}`), Added: []byte(fmt.Sprintf(`{"lrn":%q,"mrn":null}`, lrn))}
			instant, err := time.Parse(time.RFC3339, at)
			h.must(err)
			entries := []filing.Posting{{Ledger: "clearance_time", At: instant, Amount: seconds}, {Ledger: "import_duty", At: instant, Amount: duty}}
			for _, code := range codes {
				entries = append(entries, filing.Posting{Ledger: "rejected." + code, At: instant, Amount: 1})
			}
			h.posts(org, f, client, entries...)
		}
		declare(owner.org, "QUICK", clients["Mill Lane"], "2026-11-20T00:30:00Z", 1800, 50_000)
		declare(owner.org, "SLOW", clients["Harbour"], "2026-11-20T23:59:59Z", 100_000, 70_000, "CDS12056")
		declare(owner.org, "EARLIER", clients["Lagan"], "2026-11-19T12:00:00Z", 3600, 90_000, "CDS12056", "CDS12005")
		declare(owner.org, "OLD", clients["Mill Lane"], "2026-10-02T12:00:00Z", 10, 1_000)
		declare(owner.org, "FOURTH", clients["Forth"], "2026-10-03T12:00:00Z", 10, 3)
		declare(other.org, "FOREIGN", clients["Mill Lane"], "2026-11-20T12:00:00Z", 1800, 999_999, "CDS12056")
		home := owner.get("/")
		home.says(h, "Cleared in the last 14 days 3 in all. Most: Friday 20 November 2026, 2.", "Under an hour 1 33%", "1 to 4 hours 1 33%", "4 to 24 hours 0 0%", "A day or longer 1 33%",
			"CDS12056 Two entries exclude each other 2", "CDS12005", "Lagan £900.00, Harbour £700.00, Mill Lane £510.00, Other clients £0.03.")
		links := regexp.MustCompile(`href="(/declarations\?[^"]*(?:cleared|rejected)[^"]*)"`).FindAllStringSubmatch(home.body, -1)
		lists := map[string]bool{}
		for _, link := range links {
			list := owner.get(strings.ReplaceAll(link[1], "&amp;", "&"))
			list.expect(h, http.StatusOK)
			lists[strings.Join(regexp.MustCompile(`title="([A-Z]{3,})"`).FindAllString(main(list.body), -1), " ")] = true
			list.omits(h, "FOREIGN")
		}
		for _, want := range []string{`title="SLOW" title="QUICK"`, `title="EARLIER"`, `title="SLOW"`, `title="QUICK"`, `title="SLOW" title="EARLIER"`, `title="OLD"`, `title="FOURTH" title="OLD"`, `title="SLOW" title="QUICK" title="EARLIER"`} {
			if !lists[want] {
				t.Errorf("no list has %s: %v", want, lists)
			}
		}
		owner.get("/declarations?rejectedFor=CDS12056&clearedFrom=2026-11-01").expect(h, http.StatusBadRequest, "cannot be combined with a clearance")
		owner.get("/declarations?took=never&clearedTo=x&rejectedFrom=2026-01-01").expect(h, http.StatusBadRequest, "The time to clearance must be one of the choices", "The last day of clearance must be a date", "The error code is missing")
		owner.get("/declarations?q=shirts&clearedFrom=2026-11-01").expect(h, http.StatusBadRequest, "cannot be combined with a search")
		owner.get("/declarations?clearedFrom=2026-11-01&took=hour").says(h, "Remove Cleared from: 2026-11-01", "Remove Time to clearance: under an hour")
	})
}

// posts stores a record of a client with its entries in ledgers.
func (h *harness) posts(org tenant.ID, f filing.Filing, client string, entries ...filing.Posting) {
	h.Helper()
	h.postsLinked(org, f, filing.Links{ClientID: client}, entries...)
}

// postsLinked stores a record with its links and its entries in ledgers.
func (h *harness) postsLinked(org tenant.ID, f filing.Filing, links filing.Links, entries ...filing.Posting) {
	h.Helper()
	f.Version, f.BodyVersion, f.CreatedAt = 1, 1, h.clock()
	if f.Added == nil {
		f.Added = []byte(`{}`)
	}
	f.UpdatedAt = f.CreatedAt
	h.must(h.app.Store.Update(h.Context(), org, func(tx *store.Tx) error {
		return tx.Write(filing.Change{
			Filing: f, Links: &links, HasPostings: true, Postings: entries,
			Event: audit.Event{ID: h.app.IDs.UUID(), Hub: "customs", Type: f.Kind + ".created", ResourceType: f.Kind, ResourceID: f.ID, ToStatus: string(f.Status), ActorType: tenant.BySystem},
		})
	}))
}

// A page with its style sheet and scripts is at most as large as a slow connection transfers in
// one second.
func TestWeight(t *testing.T) {
	const most = 150_000 // bytes, uncompressed
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	owner.enable("tss", "emcs", "cbam", "ics2", "trade", "tax", "corporate")
	for n := range 30 {
		h.file(owner.org, record{kind: "declaration", status: "REJECTED", created: "2026-11-01T00:00:00Z", added: fmt.Sprintf(`{"lrn":"LRN-%d"}`, n)})
	}
	assets := map[string]int{}
	for name, p := range pagesToSee(owner) {
		a := owner.get(p)
		weight := len(a.body)
		for _, match := range regexp.MustCompile(`(?:href|src)="(/assets/[^"]+\.(?:css|js)[^"]*)"`).FindAllStringSubmatch(a.body, -1) {
			if assets[match[1]] == 0 {
				assets[match[1]] = len(h.visitor().get(match[1]).body)
			}
			weight += assets[match[1]]
		}
		if weight > most {
			t.Errorf("%s has %d bytes", name, weight)
		}
	}
}

// pagesToSee returns the addresses of all pages, with IDs of existing records.
func pagesToSee(owner *user) map[string]string {
	all := map[string]string{}
	for _, r := range console.Table() {
		if r.Method != http.MethodGet {
			continue
		}
		id := ""
		if record := routeCases[name(r)].record; record != nil {
			id = record(owner)
		}
		all[name(r)] = path(r, id)
	}
	return all
}

// The home page says for how many products an imported tariff changes measures, for two weeks, and leads to the products.
func TestTariffChangeOnHomePage(t *testing.T) {
	each(t, func(h *harness) {
		h.at("2026-11-21T12:00:00Z")
		owner, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Foreign Ltd", "fay@example.com")
		for org, products := range map[tenant.ID]int{owner.org: 3, other.org: 77} {
			h.must(h.app.Store.Update(h.Context(), org, func(tx *store.Tx) error {
				return tx.AddTariffAlert(alert.Alert{Pair: "p", From: 1, To: 2, Products: products, RaisedAt: tx.Now()})
			}))
		}
		h.file(owner.org, record{kind: "product", status: "ACTIVE", created: "2026-11-01T00:00:00Z"})
		page := owner.get("/")
		page.says(h, "Tariff measures changed for 3 products")
		page.omits(h, "77 products")
		if !strings.Contains(page.body, `href="/products"`) {
			t.Errorf("no link to the products: %s", page.body)
		}
		h.at("2026-12-06T12:00:00Z") // the session has expired
		h.member(owner.org, tenant.Viewer, "vera@example.com").get("/").omits(h, "Tariff measures changed")
	})
}
