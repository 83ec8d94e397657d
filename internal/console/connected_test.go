package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// recordsOf returns the shipment and the client of a declaration.
func (p *user) recordsOf(declaration string) (shipment, client string) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := tx.Filing(customs.DeclarationKind, declaration)
		if err != nil {
			return err
		}
		var d struct{ ShipmentID, ClientID string }
		if err := json.Unmarshal(f.Body, &d); err != nil {
			return err
		}
		shipment = d.ShipmentID
		s, err := tx.Filing("shipment", shipment)
		if err != nil {
			return err
		}
		client, d.ClientID = "", ""
		if err := json.Unmarshal(s.Body, &d); err != nil {
			return err
		}
		client = d.ClientID
		return nil
	}))
	return shipment, client
}

// The pages of a client and of a shipment show their declarations, what customs rejected, the money of the cleared ones by month
// and the documents, and no record of other clients. A declaration of a shipment begins with its client and its journey.
func TestConnectedRecords(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		h.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error { return equip(tx) }))
		cleared, rejected, foreign := p.declareOn("Cotton T-shirts", "INV-42"), p.declareOn("Woollen socks", "SIM-B-1"), p.declareOn("Silk ties", "INV-99")
		p.post("/declarations/"+cleared+"/submit").expect(h, 303)
		p.post("/declarations/"+rejected+"/submit").expect(h, 303)
		p.until("/declarations/"+cleared, "Customs has released the goods")
		p.until("/declarations/"+rejected, "Errors found by customs")
		shipment, client := p.recordsOf(cleared)
		for _, path := range []string{"/clients/" + client, "/shipments/" + shipment} {
			shown := p.get(path)
			shown.expect(h, http.StatusOK, "Cotton T-shirts", "/declarations/"+cleared, "Money by month", "£1,850.00", "£222.00", "£414.40", "INV-42")
			for _, other := range []string{rejected, foreign, "Silk ties", "INV-99"} {
				if strings.Contains(shown.body, other) {
					h.Errorf("%s shows %s", path, other)
				}
			}
		}
		p.get("/clients/"+client).expect(h, http.StatusOK, "/declarations?client="+client, "/shipments/"+shipment)
		shipment, client = p.recordsOf(rejected)
		for _, path := range []string{"/clients/" + client, "/shipments/" + shipment} {
			p.get(path).expect(h, http.StatusOK, "Rejected by customs", "/declarations/"+rejected)
		}
		form := p.post("/shipments/" + shipment + "/declaration").redirect(h)
		if !strings.HasPrefix(form, "/declarations/form/") {
			h.Fatal(form)
		}
		p.get(form).expect(h, http.StatusOK, "Canary Client")
		p.get(strings.Replace(form, "/what", "/journey", 1)).expect(h, http.StatusOK, "Dhaka Knits")
	})
}

// The pages of a client and of a shipment list the drafts that customs would reject, with what must be fixed.
func TestDraftsToMend(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	shipment, client := p.recordsOf(p.declare("Woollen socks"))
	faulty := p.file("declaration", map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "items": []any{map[string]any{
		"commodityCode": "6109100010", "description": "Cotton shirts", "netMassKg": 120.5, "grossMassKg": 100, "customsValueGbp": 1850, "countryOfOrigin": "BD"}}})
	for _, path := range []string{"/clients/" + client, "/shipments/" + shipment} {
		page := p.get(path)
		page.expect(t, http.StatusOK, "Drafts that customs would reject", `href="/declarations/`+faulty+`#review"`, "mass")
		if strings.Count(page.body, "#review") != 1 {
			t.Error("a draft without a fault is among them")
		}
	}
}

// A record of another Hub that names the client's EORI is on the page of the client.
func TestNamedInOtherHubs(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	_, client := p.recordsOf(p.declare("T-shirts"))
	if shown := p.get("/clients/" + client); strings.Contains(shown.body, "In other Hubs") {
		t.Error("another Hub has a record")
	}
	p.file("gvms.movement", map[string]any{"direction": "UK_INBOUND", "unaccompanied": true, "metadata": map[string]any{"eori": "GB123456789000"}})
	p.get("/clients/"+client).expect(h, http.StatusOK, "In other Hubs", "Records that name GB123456789000")
}

// Everything is found from the palette by what it is called on paper.
func TestFoundByEveryReference(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.aBroker("finder@example.com")
	client := p.record("client", `{"name":"Harbour Textiles","eori":"GB987654321000","country":"GB"}`)
	shipment := p.record("shipment", `{"clientId":"%s","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide","containers":["MSKU1234565"],"counterpartyName":"Dhaka Knits","counterpartyCountry":"BD"}`, client)
	declaration := p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","reference":"PO-77","documents":[{"type":"N935","reference":"INV/2026/0042"}],"items":[{"description":"Cotton","commodityCode":"6109100010","netMassKg":1,"customsValueGbp":1}],
		"ucr":{"reference":"6GB123456789000-TW17","traderReference":"TR-5"},"previousDocuments":[{"category":"Z","type":"MCR","reference":"GB/ABCD-1234567"}]}`, shipment)
	found := func(text string) string { return p.get("/palette?q=" + url.QueryEscape(text)).body }
	for _, c := range []struct{ name, text, path string }{
		{"container", "MSKU1234565", "/shipments/" + shipment}, {"vessel", "ever tide", "/shipments/" + shipment}, {"exporter", "Dhaka Knits", "/shipments/" + shipment},
		{"EORI", "GB987654321000", "/clients/" + client}, {"DUCR", "6GB123456789000-TW17", "/declarations/" + declaration}, {"MUCR", "GB/ABCD-1234567", "/declarations/" + declaration},
		{"invoice", "INV/2026/0042", "/declarations/" + declaration}, {"own reference", "PO-77", "/declarations/" + declaration},
	} {
		if got := found(c.text); !strings.Contains(got, c.path) {
			t.Errorf("%s: %s does not have %s", c.name, got, c.path)
		}
		list := p.get("/declarations?q=" + url.QueryEscape(c.text))
		if c.name != "EORI" && !strings.Contains(list.body, "/declarations/"+declaration) {
			t.Errorf("the list of declarations does not find the %s", c.name)
		}
	}
	if got := found("MSKU1234565"); !strings.Contains(got, "Active · Containers: MSKU1234565") {
		t.Errorf("a container is found as %s", got)
	}
	if got := found(client); !strings.Contains(got, "/shipments/"+shipment) {
		t.Errorf("a whole UUID finds %s", got)
	}
	for _, part := range strings.Split(client, "-") {
		if got := found(part); strings.Contains(got, shipment) {
			t.Errorf("a part of a UUID, %s, finds %s", part, got)
		}
	}
	p.enable("gvms")
	p.enable("emcs")
	for text, want := range map[string]string{"new movement": `"name":"New movement","detail":"Excise movements (EMCS)"`, "new gvms": `"name":"New movement","detail":"Goods vehicle movements (GVMS)"`} {
		if got := found(text); !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// The main action of a record is a step, or a new record that refers to it, and never a page that only shows it.
func TestPagesAreNoMainAction(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	shipment, client := p.recordsOf(p.declare("T-shirts"))
	p.get("/shipments/"+shipment).expect(h, http.StatusOK, `<a class="button plain" href="/shipments/`+shipment+`/timeline">`)
	p.get("/clients/"+client).expect(h, http.StatusOK, `<a class="button" href="/shipments/new?clientId=`+client+`">New shipment</a>`)
}

// The page of a declaration is called by its own reference. Findings that several items have are one line with the numbers, the
// review is open in a draft and folded after the submission, and one action is primary.
func TestRecordPage(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error { return equip(tx) }))
	first := p.declareOn("Cotton T-shirts", "INV-42")
	shipment, client := p.recordsOf(first)
	item := `{"commodityCode":"6109100010","description":"Cotton T-shirts","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"BD","quantity":600}`
	id := p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","reference":"PO-2026-17","documents":[{"type":"N935","reference":"INV-43"}],"items":[`+item+","+item+","+item+`]}`, shipment)
	path := "/declarations/" + id
	draft := p.get(path)
	draft.expect(h, http.StatusOK, "<h1>PO-2026-17</h1>", "Cotton T-shirts and 2 items more", `href="/clients/`+client, `id="review">Review</h2>`, path+"/document.pdf", "On this page")
	unreferenced := p.stored("declaration", first)
	lrn := unreferenced.Name()
	_, heading, _ := strings.Cut(p.get("/declarations/"+first).body, `<p class="over">`)
	if heading, _, _ = strings.Cut(heading, "</h1>"); strings.Count(heading, lrn) != 1 || !strings.Contains(heading, `<span class="kind">LRN</span> `+lrn) {
		t.Errorf("the heading does not name %s once: %s", lrn, heading)
	}
	primary := regexp.MustCompile(`<(a|button) class="button"`)
	_, actions, _ := strings.Cut(draft.body, `aria-label="Actions"`)
	actions, _, _ = strings.Cut(actions, `class="quiet"`)
	if n := len(primary.FindAllString(actions, -1)); n != 1 {
		t.Errorf("%d primary actions", n)
	}
	if strings.Count(draft.body, "DEC-062") != 1 || !strings.Contains(draft.body, "Also items 2 and 3.") {
		t.Errorf("findings: %s", main(draft.body))
	}
	if strings.Contains(draft.body, "of=clearance") {
		t.Error("a draft has a clearance")
	}
	p.post(path+"/submit").expect(h, 303)
	sent := p.until(path, "Customs has released the goods")
	sent.expect(h, http.StatusOK, `<details class="card" id="review"><summary>Review at submission (`, "of=clearance", "Payable")
	pdf := p.get(path + "/document.pdf?of=clearance")
	if pdf.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(pdf.body, "%PDF-") {
		t.Errorf("%v %.20s", pdf.header, pdf.body)
	}
	p.get(path+"/document.pdf?of=x").expect(h, http.StatusNotFound)
}
