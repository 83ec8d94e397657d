package browser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/internal/app"
)

// kindPages are the list and the empty form of every kind.
func kindPages() (lists []string) {
	for _, k := range app.Kinds() {
		if k.Hub == "customs" {
			lists = append(lists, "/"+k.Plural)
		} else {
			lists = append(lists, "/hubs/"+k.Hub+"/"+k.Plural)
		}
	}
	return lists
}

// put types into a control by its name, which may contain brackets.
func (w *window) put(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.do(chromedp.SetValue(fmt.Sprintf(`[name=%q]`, pairs[i]), pairs[i+1]))
	}
}

// A Hub filing with findings shows warnings, is corrected and submitted, and the authority's answer is recorded.
func TestFilingJourney(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/hubs/tss")
	w.sees("This Hub is not enabled")
	w.shot("filings-shut")
	w.press("Enable")
	w.visit("/hubs/tss")
	w.sees("No declarations yet")
	w.shot("filings-hub-empty")
	w.press("New declaration")
	w.press("Save declaration")
	w.sees("There is a problem", "Direction is required", "Net mass (kg) is required")
	w.shot("filings-form-errors")
	w.accessible("form with errors")
	w.put("movementType", "IMPORT_TO_NI", "traderEori", "XI123456789000", "consignorName", "Harbour Kitchens Ltd", "consigneeName", "Lagan Interiors Ltd",
		"commodityCode", "9403409000", "goodsDescription", "goods", "netMassKg", "1,250.5", "scheduledDispatchAt", "2026-12-01T06:30")
	w.press("Check without saving")
	w.sees("Review", "Check")
	w.shot("filings-form-findings")
	w.accessible("form with findings")
	if mass := eval[string](w, `document.querySelector('[name="netMassKg"]').value`); mass != "1,250.5" {
		t.Errorf("what was typed has become %q", mass)
	}
	w.put("goodsDescription", "Flat-packed wooden kitchen cupboards", "movementType", "GB_NI")
	w.press("Save declaration")
	w.sees("The record is saved", "Flat-packed wooden kitchen cupboards", "1,250.5", "Timeline", "created it")
	w.shot("filings-show")
	w.accessible("record")
	w.press("Change")
	w.put("consigneeName", "Foyle Interiors Ltd")
	w.press("Save changes")
	w.sees("The changes are saved", "amended it: consignee name Lagan Interiors Ltd → Foyle Interiors Ltd")
	w.press("Submit")
	w.sees("Submit this declaration?", "Details to submit", "Trader Support Service")
	w.shot("filings-submit")
	w.accessible("submit")
	w.press("Submit declaration")
	w.sees("The status is updated", "Submitted", "MRN")
	w.press("Mark rejected")
	w.press("Mark declaration rejected")
	w.sees("The reason is required")
	w.put("reason", "The commodity code is wrong.")
	w.press("Mark declaration rejected")
	w.sees("Rejected", "The commodity code is wrong.")
	w.shot("filings-rejected")
	w.visit("/hubs/tss/declarations?status=REJECTED")
	w.sees("Flat-packed wooden kitchen cupboards")
	w.visit("/hubs/tss/declarations?status=DRAFT")
	w.sees("No results")
}

// Goods are classified on the form, and again on the record; the country is typed by its name.
func TestClassifyJourney(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/hubs/trade")
	w.press("Enable")
	w.visit("/hubs/trade/licences/new")
	w.put("endUserCountry", "South Korea", "productCode", "2B001.b.2", "productDescription", "Five-axis CNC machining centre for milling turbine blades")
	w.press("Classify without saving")
	w.sees("Classification", "Nothing is saved yet", "2B001")
	w.shot("filings-classified-form")
	w.accessible("form with a classification")
	w.put("licenceType", "DUAL_USE_SIEL", "exporterName", "Pennine Machine Tools Ltd", "endUserName", "Hanbit Turbine Co., Ltd.")
	w.press("Save licence")
	w.sees("South Korea (KR)")
	w.press("Classify")
	w.sees("Classification", "2B001", "classified it")
	w.shot("filings-classified")
	w.accessible("record with a classification")
}

// A client and its shipment are created with forms; the shipment's client is chosen from the existing ones.
func TestShipmentJourney(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/clients/new")
	w.put("name", "Harbour Textiles Ltd", "eori", "GB123456789000", "country", "United Kingdom")
	w.press("Save client")
	w.sees("The record is saved", "Harbour Textiles Ltd", "United Kingdom (GB)")
	w.press("New shipment")
	w.put("portOfEntry", "GBFXT", "transportMode", "SEA", "expectedArrival", "2026-12-24T06:00", "containers", "MSKU1234565\nTGHU1234560")
	w.press("Save shipment")
	w.sees("SHP-2026-", "Harbour Textiles Ltd", "MSKU1234565", "24 Dec 2026")
	w.shot("filings-shipment")
	w.follow(chromedp.Click(`//main//dd/a[contains(., "Harbour Textiles Ltd")]`))
	w.sees("GB123456789000")
}

// The fields of a company filing follow from its form, without scripts by a button. Details without a field of their own are
// rows of name and value.
func TestCompanyFiling(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/hubs/corporate")
	w.press("Enable")
	w.visit("/hubs/corporate/filings/new")
	w.put("filingType", "CONFIRMATION_STATEMENT", "companyNumber", "09876543", "companyName", "Harbour Kitchens Ltd", "subject", "Confirmation statement", "dueDate", "2026-12-14T23:59")
	w.press("Show the fields for this choice")
	w.put("formData.reviewPeriodEnd", "2026-11-30", "formData.sicCodes", "47599\nnonsense", "formData.lawfulPurposeStatement", "true")
	w.press("Add director")
	w.put("formData.directors[0].name", "Ann Example")
	w.do(chromedp.Click(`#part-other > summary`))
	w.press("Add more of the form")
	w.put("formData~0~name", "filedBy", "formData~0~value", "Ann")
	w.press("Check without saving")
	w.sees("Review", "is not a SIC code")
	w.everyLook("filings-company-form")
	w.press("Save filing")
	w.sees("Confirmation date", "30 Nov 2026", "47599", "Filed by")
	w.everyLook("filings-company-record")
}

// A goods movement takes the MRNs of the declarations on the vehicle, which are chosen with the keyboard alone.
func TestTakeFromRecords(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, desktop, 900)
	w.signIn(p.email, p.password)
	w.visit("/hubs/gvms/movements/new")
	w.put("routeFrom", "FRCQF", "vehicleReg", "AB24 CDE")
	w.press("Choose the declarations on the vehicle")
	w.sees("Search by reference, name or goods")
	w.everyLook("filings-offer")
	w.do(chromedp.Focus(`#take-0`))
	w.do(chromedp.KeyEvent(" "), chromedp.KeyEvent("\t"), chromedp.KeyEvent(" "))
	w.press("Take from the chosen")
	w.sees("Taken from", "Nothing is saved yet", "Customs declarations")
	w.everyLook("filings-taken")
	w.visit("/hubs/corporate/filings/new")
	w.put("filingType", "PSC_NOTIFICATION")
	w.press("Show the fields for this choice")
	w.sees("Natures of control", "Date on which the control began")
	w.everyLook("filings-psc")
	for _, form := range []string{"ics2/filings", "emcs/movements", "tss/declarations", "trade/licences", "cbam/imports"} {
		w.visit("/hubs/" + form + "/new")
		w.everyLook("filings-form-" + form)
	}
}

// The guide, its search and the page that classifies goods pass all checks of accessibility and layout.
func TestHelpAndClassification(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.visit("/help#the-hubs")
	w.everyLook("help")
	w.visit("/help?q=reject")
	w.everyLook("help-found")
	w.visit("/classify")
	w.put("description", "Men's knitted cotton T-shirts")
	w.press("Suggest codes")
	w.sees("6109100010", "Third-country duty")
	w.everyLook("classified")
	w.press("Use in a new declaration")
	w.sees("are in the first item")
}

// The record page of every kind, made of the document's own example, passes all checks of accessibility and
// layout; its list and form are among every page.
func TestKinds(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_LIMIT_STANDARD=0")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	machine := w.caller("For the test")
	enabled := map[string]bool{"customs": true}
	ids := map[string]string{}
	for i, k := range app.Kinds() {
		if !enabled[k.Hub] {
			enabled[k.Hub] = true
			machine.send("POST", "/hubs/"+k.Hub, "")
		}
		ids[k.Kind] = machine.send("POST", strings.TrimPrefix(k.Path, "/api"), exampleOf(k.Body, "clientId", ids["client"]))
		w.visit(kindPages()[i] + "/" + ids[k.Kind])
		w.everyLook(k.Kind + "-record")
	}
}

// exampleOf is a body of the examples in a struct's tags, with one member set by the test.
func exampleOf(of reflect.Type, name, value string) string {
	members := map[string]any{}
	for field := range of.Fields() {
		member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		example := field.Tag.Get("example")
		switch elem := strings.TrimLeft(field.Type.String(), "*"); {
		case member == name:
			members[member] = value
		case example == "":
		case strings.HasPrefix(elem, "quantity.") || strings.HasPrefix(elem, "int") || strings.HasPrefix(elem, "[]") || elem == "filing.FreeForm" || elem == "filing.Content":
			members[member] = json.RawMessage(example)
		default:
			members[member] = example
		}
	}
	body, _ := json.Marshal(members)
	return string(body)
}
