package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// maxPage is the largest size of a page, in bytes.
const maxPage = 150_000

// The checks below share one harness because the assistants take time to start.
func TestDeclareMembers(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	for _, check := range []func(*harness){declareWholeDeclaration, longListsArePaged, errorsLeadToTheirSection, sectionOutlivesSession, typedAccessCodesAreSealed} {
		check(h)
	}
}

// declared is the body of a stored declaration.
func (p *user) declared(id string) (d customs.Declaration) {
	p.Helper()
	p.must(json.Unmarshal(p.stored("declaration", id).Body, &d))
	return d
}

// A declaration with a data set has a step for its other members and a page for those of each item. Rows are added and removed
// without scripts, all errors of a section are beside its fields, and what is saved is what was typed.
func declareWholeDeclaration(h *harness) {
	p := h.owner("Quay Ltd", "wholedeclaration@example.com")
	p.get("/declarations/new").expect(h, http.StatusOK, "Another kind of declaration", "H2 Customs warehousing", "Y Supplementary to C or F")
	journey := p.post("/declarations/new", "declarationType", "IMPORT", "client", "own", "dataSet", "H2", "additionalType", "A", "go", "next").redirect(h)
	details := p.post(journey, "shipment.transportMode", "SEA", "shipment.portOfEntry", "GBFXT", "go", "next").redirect(h)
	if !strings.HasSuffix(details, "/details") {
		h.Fatalf("the step after the shipment is %s", details)
	}
	page := p.get(details)
	page.expect(h, http.StatusOK, "Warehouse and offices", "Authorisations, guarantees and deferment", "Transport and location")
	if strings.Contains(page.body, "Safety and security") {
		h.Error("an import has a section for safety and security")
	}
	offices := details + "?section=offices"
	page = p.get(offices)
	page.expect(h, http.StatusOK, "Identification of warehouse", "2/7", "Private customs warehouse", "Supervising customs office", "5/27")
	if strings.Contains(page.body, "Office of declaration") || !strings.Contains(p.get(offices+"&all=yes").body, "Office of declaration") {
		h.Error("a member that the data set does not have is shown, or not with all members")
	}
	p.post(details, "section", "offices", "warehouse.type", "U", "warehouse.id", strings.Repeat("9", 36), "supervisingOffice", strings.Repeat("X", 18), "go", "next").expect(h, http.StatusBadRequest,
		"There is a problem", "Number must have at most 35 characters", "Supervising customs office must have at most 17 characters", `value="XXXXXXXXXXXXXXXXXX"`)
	p.post(details, "section", "offices", "warehouse.type", "U", "warehouse.id", "1212342GB", "supervisingOffice", "GBLBA001", "go", "next").redirect(h)
	p.post(details, "section", "authorisations", "authorisations[0].type", "CWP", "add", "authorisations").expect(h, http.StatusOK, `name="authorisations[1].holder"`)
	p.post(details, "section", "authorisations", "authorisations[0].type", "CWP", "authorisations[0].holder", "GB123456789000", "authorisations[1].type", "DPO", "remove", "authorisations[1]").expect(h, http.StatusOK, `value="CWP"`)
	p.post(details, "section", "authorisations", "authorisations[0].type", "CWP", "authorisations[0].holder", "GB123456789000", "go", "next").redirect(h)
	goods := p.post(details, "go", "next").redirect(h)
	p.post(goods, "item", "1", "items[0].description", "Coffee", "items[0].commodityCode", "0901110000", "items[0].procedureCode", "7100", "items[0].additionalProcedureCodes", "000", "go", "members").redirect(h)
	item := step(goods, worksheet.StepItem)
	p.get(item+"?item=1&section=valuation&all=yes").expect(h, http.StatusOK, "Item 1: Valuation and taxes", "Item price", "4/14")
	p.post(item, "item", "1", "section", "valuation", "itemPrice.amount", "dear", "itemPrice.currency", "usd", "go", "next").expect(h, http.StatusBadRequest, "Amount must be a number", "Currency must look like USD")
	p.post(item, "item", "1", "section", "valuation", "itemPrice.amount", "1,200.50", "itemPrice.currency", "USD", "go", "next").redirect(h)
	p.post(item, "item", "1", "section", "documents", "documents[0].type", "C517", "documents[0].reference", "GBCWP123", "documents[0].writeOff.quantity.value", "2", "documents[0].writeOff.quantity.unit", "KGM", "go", "next").redirect(h)
	check := step(goods, worksheet.StepCheck)
	p.get(check).expect(h, http.StatusOK, "data set H2, type A", "More details")
	saved := p.post(check, "go", "save").redirect(h)
	id := strings.TrimSuffix(strings.TrimPrefix(saved, "/declarations/"), "?done=declaration-saved")
	d := p.declared(id)
	i := d.Items[0]
	if d.DataSet != "H2" || d.AdditionalType != "A" || d.Warehouse == nil || d.Warehouse.ID != "1212342GB" || len(d.Authorisations) != 1 || d.Authorisations[0].Holder != "GB123456789000" ||
		i.ItemPrice == nil || i.ItemPrice.Amount.String() != "1200.5" || len(i.Documents) != 1 || i.Documents[0].WriteOff.Quantity.Unit != "KGM" || i.ProcedureCode != "7100" {
		h.Errorf("stored %s", p.stored("declaration", id).Body)
	}
	p.post("/declarations/form/"+id+"/details", "section", "offices", "warehouse.type", "", "warehouse.id", "", "supervisingOffice", "GBLBA002", "go", "next").redirect(h)
	p.post("/declarations/form/"+id+"/check", "go", "save").redirect(h)
	if d := p.declared(id); d.Warehouse != nil || len(d.Items[0].Documents) != 1 || d.SupervisingOffice != "GBLBA002" || len(d.Authorisations) != 1 {
		h.Errorf("after a change %s", p.stored("declaration", id).Body)
	}
}

// manyEntries is a declaration whose lists are as long as they can be.
func manyEntries(p *user) string {
	p.Helper()
	var previous, seals, documents []string
	for n := range 999 {
		previous = append(previous, fmt.Sprintf(`{"category":"Z","type":"DCR","reference":"DOC-%03d"}`, n))
		if n < 99 {
			seals = append(seals, fmt.Sprintf(`{"id":"SEAL-%02d"}`, n))
			documents = append(documents, fmt.Sprintf(`{"type":"N935","reference":"INV-%02d"}`, n))
		}
	}
	equipment := strings.Repeat(`{"container":"MSKU1234565","seals":[`+strings.Join(seals, ",")+`]},`, 20)
	client := p.record("client", `{"name":"Canary","eori":"GB123456789000","country":"GB"}`)
	shipment := p.record("shipment", `{"clientId":"%s","portOfEntry":"GBFXT","transportMode":"SEA"}`, client)
	return p.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","dataSet":"H1","additionalType":"A","previousDocuments":[%s],"equipment":[%s],"items":[{"description":"Tea","documents":[%s]},{}]}`,
		shipment, strings.Join(previous, ","), strings.TrimSuffix(equipment, ","), strings.Join(documents, ","))
}

// A long list is shown in parts. A part can be changed without a change of the others, and each page stays small.
func longListsArePaged(h *harness) {
	p := h.owner("Quay Ltd", "longlists@example.com")
	id := manyEntries(p)
	form := "/declarations/form/" + id
	page := p.get(form + "/details?section=previous")
	page.expect(h, http.StatusOK, `value="DOC-000"`, "1 to 20 of 999", "Next")
	if strings.Contains(page.body, "DOC-020") || strings.Contains(page.body, `value="previousDocuments">Add`) {
		h.Error("the page has entries of another part, or a button that adds entries in the middle")
	}
	at := p.post(form+"/details", "section", "previous", "window.previousDocuments", "0:20", "previousDocuments[0].reference", "CHANGED", "previousDocuments[1].reference", "DOC-001", "go", "window:previousDocuments:980").redirect(h)
	page = p.get(strings.Split(at, "#")[0])
	page.expect(h, http.StatusOK, `value="DOC-998"`)
	p.post(form+"/check", "go", "save").redirect(h)
	d := p.declared(id)
	if len(d.PreviousDocuments) != 981 || d.PreviousDocuments[0].Reference != "CHANGED" || d.PreviousDocuments[2].Reference != "DOC-020" || d.PreviousDocuments[980].Reference != "DOC-998" {
		h.Errorf("%d previous documents, first %+v", len(d.PreviousDocuments), d.PreviousDocuments[:3])
	}
	for _, path := range []string{
		form + "/details", form + "/details?section=previous&all=yes", form + "/details?section=containers&all=yes", form + "/details?section=containers", form + "/item?item=1&section=documents&all=yes", form + "/goods",
		form + "/details?section=parties&all=yes", form + "/details?section=transport&all=yes", form + "/item?item=1&section=valuation&all=yes", form + "/item?item=1&section=goods&all=yes", form + "/check",
		"/declarations/new", "/shipments/new", "/clients/new", "/settings/customs",
	} {
		page := p.get(path)
		if page.expect(h, http.StatusOK); len(page.body) > maxPage {
			h.Errorf("%s has %d bytes", path, len(page.body))
		}
	}
}

// An error in any member is listed on the last step and leads to its section, with the part of the list that has it.
func errorsLeadToTheirSection(h *harness) {
	p := h.owner("Quay Ltd", "sectionerrors@example.com")
	id := manyEntries(p)
	form := "/declarations/form/" + id
	p.post(form+"/details", "section", "previous", "window.previousDocuments", "40:1", "previousDocuments[0].reference", strings.Repeat("x", 71), "go", "window:previousDocuments:0").redirect(h)
	p.post(form+"/item", "item", "2", "section", "valuation", "valuationMethod", "1234", "go", "back").redirect(h)
	check := p.get(form + "/check")
	check.expect(h, http.StatusOK, "To complete", "Previous document 41, reference must have at most 70 characters", "section=previous", "from.previousDocuments=40", "#previousDocuments%5B0%5D.reference", "section=valuation", "item=2")
	p.get(form+"/details?faults=shown&section=previous&from.previousDocuments=40").expect(h, http.StatusBadRequest, "There is a problem", "Previous document 41: Reference must have at most 70 characters")
	p.get(form+"/details").expect(h, http.StatusOK, "To correct")
	p.get("/declarations/" + id + "/edit?field=items[1].valuationMethod").redirect(h)
}

// A section that is sent after the session has ended keeps its input, also that of entries of lists.
func sectionOutlivesSession(h *harness) {
	p := h.owner("Quay Ltd", "sectionsession@example.com")
	details := step(p.beginDeclaration(), worksheet.StepDetails)
	p.client.Jar = h.visitor().client.Jar
	a := p.post(details, "section", "previous", "previousDocuments[0].reference", "24GBCDS987654321R1", "go", "next")
	a.expect(h, http.StatusUnauthorized, "Your session has ended", `name="kept.previousDocuments[0].reference"`, `name="kept.section" value="previous"`)
	kept := []string{"email", p.email, "password", password, "next", details}
	for _, field := range regexp.MustCompile(`name="(kept\.[^"]*)" value="([^"]*)"`).FindAllStringSubmatch(a.body, -1) {
		kept = append(kept, field[1], field[2])
	}
	p.post("/sign-in", kept...).expect(h, http.StatusOK, "Continue with your form", `name="previousDocuments[0].reference" value="24GBCDS987654321R1"`)
}

// An access code that was typed into a form that is not saved yet is stored encrypted, and is saved with the declaration.
func typedAccessCodesAreSealed(h *harness) {
	p := h.owner("Seal Ltd", "seal@example.com")
	journey := p.post("/declarations/new", "declarationType", "IMPORT", "client", "own", "dataSet", "H1", "additionalType", "A", "go", "next").redirect(h)
	details := p.post(journey, "shipment.transportMode", "SEA", "shipment.portOfEntry", "GBFXT", "go", "next").redirect(h)
	p.post(details, "section", "authorisations", "guarantees[0].type", "1", "guarantees[0].reference", "GBCGU1", "guarantees[0].accessCode", "¤§¶µ", "go", "next").redirect(h)
	id := strings.Split(details, "/")[3]
	var kept worksheet.Worksheet
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) { kept, err = tx.Worksheet(p.id, id); return err }))
	if text, err := kept.Encode(); err != nil || kept.Sealed == "" || strings.Contains(string(text), "¤§¶µ") {
		h.Errorf("stored %s, %v", text, err)
	}
	goods := p.post(details, "go", "next").redirect(h)
	p.post(goods, "item", "1", "items[0].description", "Coffee", "items[0].commodityCode", "0901110000", "go", "next").redirect(h)
	saved := p.post(step(goods, worksheet.StepCheck), "go", "save").redirect(h)
	d := p.declared(strings.TrimSuffix(strings.TrimPrefix(saved, "/declarations/"), "?done=declaration-saved"))
	if len(d.Guarantees) != 1 || d.Guarantees[0].AccessCode != secret.Mask {
		h.Errorf("saved with the guarantees %v", d.Guarantees)
	}
}
