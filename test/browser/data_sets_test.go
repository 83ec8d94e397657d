package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// section fills a section of the other members of the declaration, or of an item of it, as a user would: entries are added to
// lists with their buttons, and the section is saved.
func (w *window) section(step, section string, pairs ...string) {
	w.Helper()
	worksheet := eval[string](w, `location.pathname.split("/")[3]`)
	w.visit(fmt.Sprintf("/declarations/form/%s/%s&section=%s", worksheet, step, section))
	w.typeEntries(pairs...)
	w.press("Save and continue")
}

// typeEntries fills fields. It adds the entries of lists that the paths name and the page does not have; an empty entry is
// dropped when another is added, so each is filled before.
func (w *window) typeEntries(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		for at, r := range pairs[i] {
			if r != ']' || eval[bool](w, fmt.Sprintf(`document.getElementById(%q) !== null`, pairs[i][:at+1])) {
				continue
			}
			list := pairs[i][:strings.LastIndex(pairs[i][:at], "[")]
			w.follow(chromedp.Click(chromedp.CSS(fmt.Sprintf(`button[name="add"][value="%s"]`, list))))
		}
		w.typeInto(pairs[i], pairs[i+1])
	}
}

const (
	ofAll  = "details?all="
	ofItem = "item?item=1"
)

// kindOfDeclaration starts a declaration of the organisation itself.
func (w *window) kindOfDeclaration(set, additional string) {
	w.Helper()
	w.visit("/declarations/new")
	w.do(chromedp.Click(chromedp.CSS(`form#sheet details.more summary`)))
	w.typeInto("dataSet", set, "additionalType", additional)
	w.press("Continue")
}

// atSea fills the shipment.
func (w *window) atSea() {
	w.Helper()
	w.typeInto("shipment.portOfEntry", "GBFXT", "shipment.transportMode", "SEA")
	w.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("shipment.arrived").checked = true`))
	w.press("Continue")
}

// arrangements sets what the organisation agrees on with customs.
func (w *window) arrangements(eori string) {
	w.Helper()
	w.visit("/settings")
	w.fill("eori", eori, "representation", "self", "defermentAccount", "1108654")
	w.press("Save")
	w.visit("/settings/customs")
	w.accessible("settings-customs")
	pairs := []string{
		"paymentMethod", "E", "defermentAuthority", "STANDING", "vatDefermentAccount", "1108655", "guarantees[0].type", "1", "guarantees[0].reference", "GBCGU55320273485220191113093459",
		"authorisations[0].type", "DPO", "authorisations[0].number", "GBDPO1108654", "authorisations[1].type", "CGU", "authorisations[1].number", "GBCGU55320273485220191113093459",
		"authorisations[2].type", "SDE", "authorisations[2].number", "GBSDE553202734852I", "authorisations[3].type", "CWP", "authorisations[3].number", "GBCWP20190901400020191001051954",
	}
	w.typeEntries(pairs...)
	w.press("Save")
	w.sees("The organisation's settings are saved")
	w.everyLook("settings-customs-filled")
}

// submits saves the declaration, submits it, and waits for its clearance.
func (w *window) submits(name string) {
	w.Helper()
	worksheet := eval[string](w, `location.pathname.split("/")[3]`)
	w.visit("/declarations/form/" + worksheet + "/check")
	w.press("Save and continue to submit")
	w.press("Submit")
	w.shot(name + "-submitted")
	w.updatesTo("Customs has released the goods")
}

// worksheet is the path of the form that is open.
func (w *window) worksheet() string {
	w.Helper()
	return "/declarations/form/" + eval[string](w, `location.pathname.split("/")[3]`)
}

// exporter fills the exporter.
func (w *window) exporter(country string) {
	w.Helper()
	w.section(ofAll, "parties", "exporter.name", "Nile Trading", "exporter.address.line", "10 Nile Ave", "exporter.address.city", "Cairo", "exporter.address.postcode", "C41 2RO", "exporter.address.country", country)
}

// fillTransport fills in the sections about transport.
func (w *window) fillTransport(country string) {
	w.Helper()
	w.section(ofAll, "transport", "transport.border.mode", "1", "transport.border.nationality", country, "transport.arrival.idType", "10", "transport.arrival.id", "12345",
		"location.country", "GB", "location.type", "A", "location.qualifier", "U", "location.name", "WLALONBTW", "dispatchCountry", country, "destination.country", "GB")
	w.section(ofAll, "containers", "containerised", "true", "equipment[0].container", "DM1234")
	w.section(ofAll, "previous", "previousDocuments[0].category", "Z", "previousDocuments[0].type", "355", "previousDocuments[0].reference", "24GBCDS987654321R1", "previousDocuments[0].goodsItem", "1",
		"previousDocuments[1].category", "Z", "previousDocuments[1].type", "DCR", "previousDocuments[1].reference", "4GB553202734852-30042024")
}

// goods fills the first item with its packages, its invoice and the importer's statement.
func (w *window) goods(pairs ...string) {
	w.Helper()
	at := w.worksheet()
	w.visit(at + "/goods")
	w.typeInto(pairs...)
	w.press("More details of this item")
	w.section(ofItem, "goods", "nationalAdditionalCodes", "VATZ", "packages[0].type", "BX", "packages[0].count", "10", "packages[0].marks", "BX12345")
	w.section(ofItem, "documents", "documents[0].type", "N935", "documents[0].reference", "0054038", "documents[0].status", "AC", "additionalInformation[0].code", "00500", "additionalInformation[0].text", "IMPORTER")
}

// onlyLong skips a test in the short run, which fills in one declaration of a data set.
func onlyLong(t *testing.T) {
	t.Helper()
	if !long() {
		t.Skip("only in the long run")
	}
}

// A simplified declaration is made in the form and cleared. Its supplementary declaration starts from it, is completed with what
// the form lists as missing, and is accepted.
func TestSimplifiedThenSupplementary(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.arrangements("GB553202734852")
	w.kindOfDeclaration("I1", "C")
	w.atSea()
	w.sees("as far as data set I1 has it")
	w.everyLook("details")
	w.exporter("EG")
	w.fillTransport("EG")
	w.goods("items[0].description", "Fresh courgettes from Egypt, 15000kg", "items[0].commodityCode", "0709931000", "items[0].netMassKg", "7000", "items[0].grossMassKg", "7500", "items[0].countryOfOrigin", "EG",
		"items[0].procedureCode", "4000", "items[0].additionalProcedureCodes", "000", "items[0].preferenceCode", "100")
	w.everyLook("details-of-item")
	w.submits("simplified")
	w.press("Supplementary declaration")
	w.sees("The draft of the supplementary declaration is made")
	if chosen := eval[string](w, `document.getElementById("supplements").selectedOptions[0].label`); !strings.Contains(chosen, "GB") || !strings.HasSuffix(chosen, ", I1") {
		w.Errorf("the simplified declaration is %q", chosen) // its MRN and data set
	}
	w.everyLook("supplementary")
	at := w.worksheet()
	w.visit(at + "/check")
	w.press("Save and continue to submit")
	w.press("Submit")
	w.sees("The declaration is not complete. Nothing was sent.", "What to add or correct", "CDS10001")
	w.everyLook("incomplete")
	w.press("Item 1, valuation method")
	w.sees("Item 1: Valuation and taxes")
	w.typeEntries("valuationMethod", "1", "valuationIndicators", "0000", "itemPrice.amount", "6500", "itemPrice.currency", "GBP")
	w.everyLook("details-of-item-valuation")
	w.press("Save and continue")
	w.section(ofAll, "valuation", "transactionNature", "1", "invoiceTotal.amount", "6500", "invoiceTotal.currency", "GBP", "deliveryTerms.incoterm", "CIF", "deliveryTerms.place", "GBWLA")
	w.submits("supplementary")
	w.sees("All details with their data elements", "Added by the service", "Y Supplementary to C or F")
	w.everyLook("declaration-with-data-set")
	w.press("Fresh courgettes from Egypt")
	w.sees("Item 1 of 1", "Valuation method", "4/16", "Transaction value", "Commercial invoice (N935)")
	w.everyLook("members-of-item")
}

// Goods enter a customs warehouse: data set H2 with procedure 7100.
func TestWarehouseEntry(t *testing.T) {
	t.Parallel()
	onlyLong(t)
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.arrangements("GB553202734852")
	w.kindOfDeclaration("H2", "A")
	w.atSea()
	w.fillTransport("US")
	w.section(ofAll, "offices", "warehouse.type", "U", "warehouse.id", "1212342GB", "supervisingOffice", "GBLBA001")
	w.section(ofAll, "valuation", "transactionNature", "1")
	w.goods("items[0].description", "Vanity case with outer surface of plastic sheet", "items[0].commodityCode", "4202121900", "items[0].netMassKg", "140", "items[0].grossMassKg", "150", "items[0].countryOfOrigin", "US",
		"items[0].procedureCode", "7100", "items[0].additionalProcedureCodes", "000")
	w.section(ofItem, "valuation", "statisticalValue.amount", "5000", "statisticalValue.currency", "GBP")
	w.submits("warehouse")
	w.sees("Identification of warehouse", "2/7", "1212342GB")
}

// A quota is claimed: preference 120 with its order number.
func TestQuotaClaim(t *testing.T) {
	t.Parallel()
	onlyLong(t)
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.arrangements("GB553202734852")
	w.kindOfDeclaration("H1", "A")
	w.atSea()
	w.exporter("AR")
	w.fillTransport("AR")
	w.section(ofAll, "valuation", "invoiceTotal.amount", "1950.50", "invoiceTotal.currency", "GBP", "deliveryTerms.incoterm", "CIF", "deliveryTerms.place", "GBWLA", "transactionNature", "1")
	w.goods("items[0].description", "Plucked and drawn chickens, 65% chickens", "items[0].commodityCode", "0207129000", "items[0].netMassKg", "1000", "items[0].grossMassKg", "1100", "items[0].countryOfOrigin", "AR",
		"items[0].procedureCode", "4000", "items[0].additionalProcedureCodes", "000", "items[0].preferenceCode", "120")
	w.section(ofItem, "goods", "quotaOrderNumber", "094067")
	w.section(ofItem, "valuation", "valuationMethod", "1", "valuationIndicators", "0000", "itemPrice.amount", "1950.50", "itemPrice.currency", "GBP")
	w.section(ofItem, "documents", "documents[1].type", "L001", "documents[1].reference", "GBCPI1AB12345", "documents[1].status", "EP", "documents[1].writeOff.quantity.value", "4", "documents[1].writeOff.quantity.unit", "KGM#G",
		"documents[2].type", "N853", "documents[2].reference", "GBCHD20191234567", "documents[2].status", "JE")
	w.submits("quota")
	w.press("Plucked and drawn chickens")
	w.sees("Quota order number", "094067", "120 Tariff quota without preference")
}

// A declaration that exists as XML is previewed, imported and shown with what was assumed.
func TestImportedFromXML(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	c := w.caller("Broker")
	client := c.send("POST", "/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	shipment := c.send("POST", "/shipments", fmt.Sprintf(`{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD","arrived":true}`, client))
	id := c.send("POST", "/declarations", fmt.Sprintf(`{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"BD"}],"documents":[{"type":"N935","reference":"INV-1"}]}`, shipment))
	document := eval[string](w, fmt.Sprintf(`fetch("/declarations/%s/declaration.xml").then(r => r.text())`, id))
	file := filepath.Join(t.TempDir(), "entry.xml")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	w.visit("/declarations/new")
	w.press("Import a declaration that exists as XML")
	w.everyLook("import-xml")
	w.do(chromedp.SetUploadFiles("#file", []string{file}))
	w.press("Preview")
	w.sees("Nothing is saved yet", "knitted cotton T-shirts", "A shipment would be created")
	w.everyLook("import-xml-preview")
	w.press("Import this declaration")
	w.sees("The declaration is imported as a draft", "Imported from XML", "entry.xml")
	w.everyLook("imported-declaration")
	w.press("Submit to customs")
	w.press("Submit")
	w.updatesTo("Customs has released the goods")
}
