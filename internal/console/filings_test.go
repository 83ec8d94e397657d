package console_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/console/filings"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// lamp is a kind for which no page was written.
type lamp struct {
	Colour  string `json:"colour" minLength:"1" maxLength:"20" doc:"What colour it shines in"`
	RangeKm *int64 `json:"rangeKm,omitempty" minimum:"0"`
	Sectors []struct {
		Bearing int64 `json:"bearing" minimum:"0" maximum:"360"`
	} `json:"sectors,omitempty" maxItems:"8" nullable:"false"`
}

type lampAdds struct {
	Number string `json:"number,omitempty" doc:"Number in the list of lights"`
	filing.Sourced
}

var lamps = filing.Definition[lamp]{
	Kind: "lights.lamp", Hub: "tss", Path: "/api/lights/lamps", Singular: "lamp", Plural: "lamps", Tag: "Lights", Adds: lampAdds{}, ReferenceMember: "number", Lifecycle: lifecycle.Regulated,
	Reference: func(*ident.Source, time.Time, *lamp) filing.Reference {
		return filing.Reference{Field: "number", Value: "L-1"}
	},
	Note: "Trinity House keeps the list.",
	Rules: rules.Set[lamp]{{Code: "LMP-001", Severity: rules.Warning, Field: "rangeKm", Source: "Mariners", Check: func(l *lamp, _ rules.Facts) []rules.Remark {
		if l.RangeKm != nil {
			return nil
		}
		return rules.Remarks("The range is unknown.", "Give rangeKm.")
	}}},
}

// asPages adapts the store to the interface that the pages declare.
type asPages struct{ *store.Store }

func (s asPages) View(ctx context.Context, org tenant.ID, fn func(page.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s asPages) Update(ctx context.Context, org tenant.ID, fn func(page.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// with returns the harness with a console for the given kinds.
func (h *harness) with(types ...*filing.Type) *harness {
	h.Helper()
	service := &filing.Service{IDs: h.app.IDs}
	handler, err := console.New(console.Options{
		Options: page.Options{
			Store: asPages{h.app.Store}, Accounts: h.app.Accounts, Access: h.app.Access, IDs: h.app.IDs, Limiter: ratelimit.NewMemory(h.clock), Now: h.clock,
			Log: slog.New(slog.DiscardHandler), Observe: func(context.Context, string, int, time.Duration) {}, Fallback: http.NotFoundHandler(),
		},
		Filings: filings.Filings{
			Service: service, Decisions: &decision.Service{Filings: service}, Authorities: &exchange.Service{}, Describer: &wording.Describer{Vocabulary: wording.NewVocabulary(types, nil), Register: h.app.Accounts.Store}, Types: types, Hubs: []filings.Hub{{ID: "tss", Name: "Lights"}},
		},
	})
	h.must(err)
	server := httptest.NewServer(handler)
	h.Cleanup(server.Close)
	return &harness{T: h.T, app: h.app, base: server.URL, now: h.now}
}

var pathOfRecord = regexp.MustCompile(`/hubs/tss/lamps/[0-9a-f-]{36}`)

// A new kind gets all its pages from its Type: to create, check, edit, submit and annotate records.
func TestMadeUpKind(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t)).with(lamps.Type())
	p := h.owner("Quay Ltd", "olive@example.com")
	p.get("/hubs/tss").expect(t, http.StatusPaymentRequired, "not enabled", "Enable Lights")
	p.get("/hubs/tss/lamps").expect(t, http.StatusPaymentRequired)
	p.enable("tss")
	p.get("/hubs/tss").expect(t, http.StatusOK, "No lamps yet", "/hubs/tss/lamps/new")
	p.get("/hubs/tss/lamps/new").expect(t, http.StatusOK, "What colour it shines in", "Add sector", "Check without saving")
	p.post("/hubs/tss/lamps/new", "rangeKm", "far").expect(t, http.StatusBadRequest, "Colour is required", "Range (km) must be a whole number", `value="far"`)
	p.post("/hubs/tss/lamps/new", "colour", "Red", "add", "sectors").expect(t, http.StatusOK, `name="sectors[0].bearing"`, "autofocus", `value="Red"`)
	p.post("/hubs/tss/lamps/new", "colour", "Red", "do", "check").expect(t, http.StatusOK, "LMP-001", "The range is unknown.", "Give “Range (km)”.")
	if all := p.get("/hubs/tss/lamps"); !strings.Contains(all.body, "No lamps yet") {
		t.Error("a check stored a record")
	}
	made := p.post("/hubs/tss/lamps/new", "colour", "Red", "sectors[0].bearing", "90")
	at := pathOfRecord.FindString(made.header.Get("Location"))
	p.get(at).expect(t, http.StatusOK, "Red", "90", "LMP-001", "Draft", "Quay Ltd&#39;s owner created it", at+"/edit#rangeKm", at+"/steps/submit")
	p.get(at+"/edit").expect(t, http.StatusOK, `name="version" value="1"`, `value="90"`)
	p.post(at+"/edit", "colour", "Green", "rangeKm", "12", "version", "1").expect(t, http.StatusSeeOther)
	p.post(at+"/edit", "colour", "Blue", "version", "1").expect(t, http.StatusBadRequest, "Another user has changed this lamp")
	p.get(at).expect(t, http.StatusOK, "Green", "Quay Ltd&#39;s owner amended it: colour Red → Green; range set to 12 km; sector 1, bearing 90 removed", "No problems found")
	p.post(at+"/review").expect(t, http.StatusSeeOther)
	p.get(at+"/marks/mark-accepted").expect(t, http.StatusBadRequest)
	p.get(at+"/steps/mark-accepted").expect(t, http.StatusNotFound)
	p.get(at+"/steps/submit").expect(t, http.StatusOK, "Submit this lamp?", "Trinity House keeps the list.", "Green")
	p.post(at+"/steps/submit").expect(t, http.StatusSeeOther)
	p.post(at+"/steps/submit").expect(t, http.StatusBadRequest)
	p.get(at).expect(t, http.StatusOK, `<p class="simulated-mark">SIMULATED</p>`, "L-1", "This service did not send it. Submit it to the authority. After the authority has decided, an owner enters the decision.")
	p.get("/hubs/tss/lamps").expect(t, http.StatusOK, `<span class="tag bad">SIMULATED</span>`)
	p.get(at+"/edit").expect(t, http.StatusBadRequest, "can no longer be changed")
	p.post(at+"/marks/mark-rejected").expect(t, http.StatusBadRequest, "The reason is required")
	p.post(at+"/marks/mark-rejected", "reason", "Too <b>green").expect(t, http.StatusSeeOther)
	p.get(at).expect(t, http.StatusOK, "L-1", "Rejected", "Quay Ltd&#39;s owner marked it as rejected: “Too &lt;b&gt;green”", "Quay Ltd&#39;s owner reviewed it: no findings")
	id := at[strings.LastIndex(at, "/")+1:]
	p.get(at).expect(t, http.StatusOK, `<a class="button" href="/hubs/tss/lamps/new?copy=`+id+`">New like this</a>`, "It was rejected and cannot be changed. Too &lt;b&gt;green. Create a new one with the same details.")
	p.get("/hubs/tss/lamps/new?copy="+id).expect(t, http.StatusOK, "New lamp", `value="Green"`, `value="12"`)
	p.get("/hubs/tss/lamps/new?copy=unknown").expect(t, http.StatusNotFound)
	other := h.owner("Other Ltd", "otto@example.com")
	other.enable("tss")
	other.get("/hubs/tss/lamps/new?copy="+id).expect(t, http.StatusNotFound)
	p.get("/hubs/tss/lamps?status=REJECTED").expect(t, http.StatusOK, at, "Green")
	p.get("/hubs/tss/lamps?status=DRAFT").expect(t, http.StatusOK, "No lamps match the filter")
}

// Goods of a kind with classification are classified using its Type alone. In an unfinished form
// this stores nothing and reports no missing fields. For a record it records an event.
func TestClassify(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("trade", "tss")
	list := "/hubs/trade/licences"
	goods := []string{"productDescription", "Five-axis machining centre", "productCode", "2B001.b.2", "endUserCountry", "KR", "do", "classify"}
	p.post(list+"/new", goods...).expect(t, http.StatusOK, "Nothing is saved yet", "Needs licence", "2B001", `value="2B001.b.2"`)
	if a := p.post(list+"/new", goods...); strings.Contains(a.body, "is required") || strings.Contains(p.get(list).body, "2B001") {
		t.Error("a classification stored a record, or asks for fields that it does not need")
	}
	at := list + "/" + aFiling("trade.licence", aLicence)(p)
	p.get(at).expect(t, http.StatusOK, `action="`+at+`/classify"`)
	p.post(at+"/classify").expect(t, http.StatusOK, "Classification", "Needs licence", "Quay Ltd&#39;s owner classified it")
	p.post(at+"/edit", append(goods, "version", "1")...).expect(t, http.StatusOK, "Needs licence", `name="version" value="1"`)
	other := "/hubs/tss/declarations/" + aFiling("tss.declaration", aDeclaration)(p)
	p.post(other+"/classify").expect(t, http.StatusNotFound)
	if a := p.get(other); strings.Contains(a.body, "lassify") {
		t.Error("a kind that does not classify has the button")
	}
}

// A list continues after its last row; no record is listed twice or left out.
func TestPagesOfAList(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	make, seen := aFiling("client", aTrader), map[string]bool{}
	for range 103 {
		make(p)
	}
	record, next := regexp.MustCompile(`href="(/clients/[0-9a-f-]{36})"`), regexp.MustCompile(`href="([^"]+)" rel="next"`)
	path, pages := "/clients", 0
	for path != "" {
		a := p.get(path)
		for _, found := range record.FindAllStringSubmatch(a.body, -1) {
			if seen[found[1]] {
				t.Errorf("%s is listed twice", found[1])
			}
			seen[found[1]] = true
		}
		pages++
		if path = ""; next.MatchString(a.body) {
			path = strings.ReplaceAll(next.FindStringSubmatch(a.body)[1], "&amp;", "&")
		}
	}
	if pages != 3 || len(seen) != 103 {
		t.Errorf("%d pages have %d records", pages, len(seen))
	}
	p.get("/clients?after=nonsense").expect(t, http.StatusNotFound, "This page of the list does not exist")
}

// If there are too many records for a select control, the user types a record's name or another of its
// references. If several share a name, each can still be chosen. A text that matches no record is
// reported and kept.
func TestRecordOfMany(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	client := func(name, eori string) string {
		made := p.post("/clients/new", "name", name, "eori", eori, "country", "GB").redirect(t)
		return strings.TrimSuffix(strings.TrimPrefix(made, "/clients/"), "?done=filing-created")
	}
	first, twin, second := client("Alpha Ltd", "GB123456789000"), client("Twin Ltd", ""), client("Twin Ltd", "GB987654321000")
	p.get("/shipments/new").expect(t, http.StatusOK, `<select name="clientId"`, `<option value="`+first+`">Alpha Ltd</option>`)
	var table strings.Builder
	table.WriteString("Company\n")
	for n := range 210 {
		fmt.Fprintf(&table, "Trader %d\n", n)
	}
	at := "/import/" + p.upload("many.csv", table.String())
	p.post(at+"/columns", "column-0", "name").redirect(t)
	p.post(at + "/start").redirect(t)
	p.imported(at, "is imported")
	ship := func(typed string) pageResponse {
		return p.post("/shipments/new", "clientId", typed, "transportMode", "SEA", "portOfEntry", "GBFXT")
	}
	p.get("/shipments/new").expect(t, http.StatusOK, `list="clientId-offers"`, `<option value="Trader 209">`)
	p.get("/shipments/new?clientId="+first).expect(t, http.StatusOK, `value="Alpha Ltd"`)
	p.get("/shipments/new?clientId="+twin).expect(t, http.StatusOK, `value="Twin Ltd · `+twin[len(twin)-8:]+`"`)
	for typed, wanted := range map[string]string{
		"alpha ltd": first, "GB 123456789000": first, first: first, "Twin Ltd · " + twin[len(twin)-8:]: twin, "gb987654321000": second,
	} {
		p.get(ship(typed).redirect(t)).expect(t, http.StatusOK, `href="/clients/`+wanted+`"`)
	}
	for typed, near := range map[string]string{"Twin Ltd": "Similar records: “Twin Ltd · ", "Alph": "Similar records: “Alpha Ltd · ", "Unknown": "must be the name or reference of exactly one record"} {
		ship(typed).expect(t, http.StatusBadRequest, "must be the name or reference of exactly one record", near, `value="`+typed+`"`)
	}
}

// A client can be archived and taken out of the archive in the console. Only the filter by status shows it meanwhile.
func TestArchiveInTheConsole(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.get("/clients/new").expect(t, http.StatusOK, "Fill in “Name”. All other fields are optional.")
	at, _, _ := strings.Cut(p.post("/clients/new", "name", "Alpha Ltd", "country", "GB").redirect(t), "?")
	p.get(at).expect(t, http.StatusOK, at+"/steps/archive")
	p.get(at+"/steps/archive").expect(t, http.StatusOK, "Archive this client?", "new records cannot use it")
	p.post(at + "/steps/archive").redirect(t)
	if a := p.get("/clients"); strings.Contains(a.body, "Alpha Ltd") {
		t.Error("the list shows an archived client")
	}
	p.get("/clients?status=ARCHIVED").expect(t, http.StatusOK, "Alpha Ltd")
	p.get(at).expect(t, http.StatusOK, at+"/steps/unarchive")
	p.post(at + "/steps/unarchive").redirect(t)
	p.get("/clients").expect(t, http.StatusOK, "Alpha Ltd")
}

// buoy names a lamp.
type buoy struct {
	LampID string `json:"lampId" format:"uuid"`
}

// Records of a kind without an index of names are also found by name.
func TestRecordOfManyWithoutIndex(t *testing.T) {
	t.Parallel()
	buoys := filing.Definition[buoy]{
		Kind: "lights.buoy", Hub: "tss", Path: "/api/lights/buoys", Singular: "buoy", Plural: "buoys", Tag: "Lights", Lifecycle: lifecycle.Regulated,
		Reference: func(*ident.Source, time.Time, *buoy) filing.Reference { return filing.Reference{} },
		Needs: func(b *buoy) []filing.Need {
			return []filing.Need{{Field: "lampId", Kind: "lights.lamp", ID: b.LampID}}
		},
	}
	h := open(t, storetest.SQLite(t)).with(lamps.Type(), buoys.Type())
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("tss")
	var first string
	for n := range 201 {
		made := p.post("/hubs/tss/lamps/new", "colour", fmt.Sprint("Red ", n)).redirect(t)
		if n == 0 {
			first = pathOfRecord.FindString(made)
		}
	}
	p.get("/hubs/tss/buoys/new").expect(t, http.StatusOK, `list="lampId-offers"`, `<option value="Red 200">`)
	p.get(p.post("/hubs/tss/buoys/new", "lampId", "red 0").redirect(t)).expect(t, http.StatusOK, `href="`+first+`"`)
	p.post("/hubs/tss/buoys/new", "lampId", "Red").expect(t, http.StatusBadRequest, "must be the name or reference of exactly one record", "Similar records: “Red 200 · ")
}
