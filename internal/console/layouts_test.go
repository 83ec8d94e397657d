package console_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A company filing is filled in by the names of its form. What the layout does not know stays, and the record shows everything
// under the same labels.
func TestCompanyFiling(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("corporate")
	list := "/hubs/corporate/filings"
	p.get(list+"/new").expect(t, http.StatusOK, "Confirmation statement (CS01)", "Show the fields for this choice")
	if a := p.get(list + "/new"); strings.Contains(a.body, "formData.") {
		t.Error("fields of a form are shown before it is chosen")
	}
	company := []string{"filingType", "CONFIRMATION_STATEMENT", "companyNumber", "09876543", "companyName", "Harbour Kitchens Ltd", "subject", "Statement", "dueDate", "2026-12-14T23:59"}
	p.post(list+"/new", append(company, "do", "refill")...).expect(t, http.StatusOK, `name="formData.reviewPeriodEnd"`, `value="Harbour Kitchens Ltd"`, "Statement of capital")
	filled := append(company, "formData.reviewPeriodEnd", "2026-11-30", "formData.sicCodes", "47599\n1", "formData.lawfulPurposeStatement", "true", "formData~0~name", "filedBy", "formData~0~value", "Ann")
	p.post(list+"/new", append(filled, "do", "check")...).expect(t, http.StatusOK, "is not a SIC code", `href="#formData.sicCodes"`, `value="2026-11-30"`)
	at, _, _ := strings.Cut(p.post(list+"/new", filled...).redirect(t), "?")
	p.get(at).expect(t, http.StatusOK, "Confirmation date", "47599", "intended future activities", "Filed by", "Ann", "There is no “Registered email address”", "Give it in “Registered email address”.")
	p.get(at+"/edit").expect(t, http.StatusOK, `name="formData.reviewPeriodEnd"`, `value="filedBy"`, "autofocus")
	edit := append(company, "formData.reviewPeriodEnd", "2026-11-30", "version", "1", "filingType", "REGISTERED_OFFICE", "do", "refill")
	edit[1] = "REGISTERED_OFFICE"
	p.post(at+"/edit", edit...).expect(t, http.StatusOK, "New registered office", `name="formData~0~name"`, `value="reviewPeriodEnd"`)
}

var mrnPattern = regexp.MustCompile(`26GB[0-9A-Z]{14}`)

// A goods movement takes the MRNs of several declarations. Only accepted and cleared ones are offered, other organisations'
// never, and the page says what was taken before anything is saved.
func TestDeclarationsOnAVehicle(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("gvms")
	h.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error { return equip(tx) }))
	one, two, draft := p.declare("Kettles"), p.declare("Toasters"), p.declare("Drafts")
	for _, id := range []string{one, two} {
		p.post("/declarations/" + id + "/submit").redirect(t)
		h.cleared(p, id)
	}
	form := "/hubs/gvms/movements/new"
	typed := []string{"routeFrom", "FRCQF", "vehicleReg", "AB24 CDE"}
	p.get(form).expect(t, http.StatusOK, "Choose the declarations on the vehicle", `<option value="GBDVR">Dover</option>`)
	offer := p.post(form, append(typed, "do", "offer:declarations")...)
	offer.expect(t, http.StatusOK, `type="checkbox" name="take~record"`, one, two, "Kettles", `value="AB24 CDE"`)
	if strings.Contains(offer.body, draft) {
		t.Error("a draft is offered")
	}
	p.until("/palette?q=Toasters", two)
	found := p.post(form, append(typed, "do", "offer:declarations", "take~text", "Toasters")...)
	found.expect(t, http.StatusOK, two)
	if strings.Contains(found.body, one) {
		t.Error("a declaration is offered that does not contain the text")
	}
	p.post(form, append(typed, "do", "offer:declarations", "take~text", "Anchors")...).expect(t, http.StatusOK, "No record contains “Anchors”")
	taken := p.post(form, append(typed, "do", "take:declarations", "take~record", one, "take~record", two)...)
	taken.expect(t, http.StatusOK, "Taken from", "Nothing is saved yet", "Customs declarations</a>", `value="AB24 CDE"`, `value="GBFXT"`)
	if _, after, _ := strings.Cut(taken.body, `name="customsDeclarations"`); len(mrnPattern.FindAllString(after[:strings.Index(after, "</textarea>")], -1)) != 2 {
		t.Errorf("not both declarations are taken: %.400s", after)
	}
	if ship := p.post(form, "do", "take:declarations", "take~record", one); strings.Contains(ship.body, `value="9811000"`) {
		t.Error("the IMO number of a ship is taken as the registration of a vehicle")
	}
	_, client := p.recordsOf(one)
	road := p.record("shipment", `{"clientId":"%s","portOfEntry":"GBDVR","transportMode":"ROAD","transportId":"AB24 XYZ","transportNationality":"FR","arrived":true,"goodsLocation":"GBAUDVRDVRDVR","countryOfDispatch":"FR","counterpartyName":"Lille","counterpartyCountry":"FR"}`, client)
	lorry := p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","documents":[{"type":"N935","reference":"INV-7"}],"items":[{"commodityCode":"6109100010","description":"Shirts","netMassKg":1,"grossMassKg":2,"customsValueGbp":100,"countryOfOrigin":"FR","quantity":1}]}`, road)
	p.post("/declarations/" + lorry + "/submit").redirect(t)
	h.cleared(p, lorry)
	p.post(form, "do", "take:declarations", "take~record", lorry).expect(t, http.StatusOK, `value="AB24 XYZ"`)
	p.get(form+"?take=declarations&record="+one).expect(t, http.StatusOK, "Taken from")
	p.takesDUCR(form, p.export(one))
	p.get(form+"?take=declarations").expect(t, http.StatusNotFound)
	p.get(form+"?take=unknown&record="+one).expect(t, http.StatusNotFound)
	p.post(form, append(typed, "do", "take:unknown")...).expect(t, http.StatusNotFound)
	other := h.owner("Other Ltd", "otto@example.com")
	other.enable("gvms")
	other.get(form+"?take=declarations&record="+one).expect(t, http.StatusNotFound)
	other.post(form, append(typed, "do", "take:declarations", "take~record", one)...).expect(t, http.StatusNotFound)
	if a := other.post(form, append(typed, "do", "offer:declarations")...); strings.Contains(a.body, one) {
		t.Error("another organisation's declaration is offered")
	}
}

// takesDUCR expects that a form names an export by its DUCR.
func (p *user) takesDUCR(form, export string) {
	p.Helper()
	p.post("/declarations/" + export + "/submit").redirect(p)
	p.until("/declarations/"+export, "Customs has released the goods")
	var added struct{ DUCR, MRN string }
	p.must(json.Unmarshal(p.stored("declaration", export).Added, &added))
	taken := p.post(form, "do", "take:declarations", "take~record", export)
	taken.expect(p, http.StatusOK, "Taken from", added.DUCR)
	if _, after, _ := strings.Cut(taken.body, `name="customsDeclarations"`); added.DUCR == "" || strings.Contains(after[:strings.Index(after, "</textarea>")], added.MRN) {
		p.Errorf("the export %s is named by its MRN: %.400s", added.DUCR, after)
	}
}

// The goods of a declaration are taken item by item, and parties from the client and the shipment that belong to it. A value
// that was typed before is named when it is replaced.
func TestTakeAnItem(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("cbam", "tss", "ics2")
	single := p.declare("Steel plates")
	p.post("/hubs/cbam/imports/new", "commodityCode", "72085120", "do", "take:declaration", "take~record", single).expect(t, http.StatusOK,
		`value="6109100010"`, "before: 72085120", `value="1850"`, `value="BD"`)
	client := p.file("client", map[string]any{"name": "Lagan Interiors Ltd", "eori": "GB205672212000", "xiEori": "XI123456789000", "country": "GB"})
	p.post("/hubs/tss/declarations/new", "do", "take:consignee", "take~record", client).expect(t, http.StatusOK, "Taken from Lagan Interiors Ltd", `value="XI123456789000"`)
	shipment := p.file("shipment", map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"})
	several := p.file("declaration", map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "items": []any{
		map[string]any{"commodityCode": "7208512000", "description": "Plates", "netMassKg": 10, "customsValueGbp": 5, "packageCount": 2, "grossMassKg": 10.25},
		map[string]any{"commodityCode": "7210410000", "description": "Sheets", "netMassKg": 20, "customsValueGbp": 6, "packageCount": 3, "grossMassKg": 20.5},
	}})
	p.post("/hubs/cbam/imports/new", "do", "take:declaration", "take~record", several).expect(t, http.StatusOK, `value="`+several+`#2"`, "7210410000", "item 2")
	p.post("/hubs/cbam/imports/new", "do", "take:declaration", "take~record", several+"#2").expect(t, http.StatusOK, `value="7210410000"`, "Taken from")
	p.post("/hubs/cbam/imports/new", "do", "take:declaration", "take~record", several+"#9").expect(t, http.StatusOK, `value="`+several+`#1"`)
	p.post("/hubs/ics2/filings/new", "filingType", "ENS_SEA", "do", "take:declaration", "take~record", several).expect(t, http.StatusOK,
		"7208512000\n7210410000", "Plates; Sheets", `value="5"`, `value="30.75"`, "Lagan Interiors Ltd", "Bill of lading")
}

// labelled is a label with the hint below it.
var labelled = regexp.MustCompile(`<label for="[^"]+">([^<]+?) *(?:<span[^>]*>[^<]*</span>)?</label>\s*<p class="hint"[^>]*>([^<]+)</p>`)

// The first field of a page with one task has the focus, but not while the page names problems or shows results.
func TestFocusOfTheFirstField(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	h.visitor().get("/sign-in").expect(t, http.StatusOK, `name="email" autofocus`)
	p.get("/classify").expect(t, http.StatusOK, `name="description" autofocus`)
	if a := p.post("/classify", "description", ""); strings.Contains(a.body, "autofocus") {
		t.Error("a field has the focus beside a problem")
	}
}

// A hint says more than the label above it.
func TestHintsAddToLabels(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.enable("cbam", "emcs", "tss", "trade", "ics2", "gvms")
	for _, form := range []string{"/hubs/cbam/imports/new", "/hubs/emcs/movements/new", "/hubs/tss/declarations/new", "/hubs/trade/licences/new", "/hubs/ics2/filings/new", "/hubs/gvms/movements/new", "/products/new", "/classify"} {
		page := p.get(form)
		page.expect(t, http.StatusOK)
		found := labelled.FindAllStringSubmatch(page.body, -1)
		for _, f := range found {
			if strings.EqualFold(strings.TrimSpace(f[1]), strings.TrimSpace(f[2])) {
				t.Errorf("%s: the hint of %q repeats it", form, f[1])
			}
		}
		if len(found) == 0 {
			t.Errorf("%s: no hints", form)
		}
	}
}
