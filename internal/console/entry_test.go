package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// The checks below share one harness because the assistants take time to start.
func TestEntry(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	for _, check := range []func(*harness){entryByHand, entryWithMistakes, entryWithButtons, entryWithLines, entryWithProducts, entryInDollars, entryWithoutARate, entryOfADraft, entryOfAnExport, entryOutlivesSession} {
		check(h)
	}
}

// aPlainImport is what a clerk types for one line.
var aPlainImport = []string{
	"declarationType", "IMPORT", "client", "own", "shipment.transportMode", "SEA", "shipment.portOfEntry", "GBFXT", "shipment.counterpartyName", "Chittagong Knitwear Ltd",
	"shipment.counterpartyCountry", "Bangladesh", "items[0].description", "Men's knitted cotton T-shirts", "items[0].commodityCode", "6109 1000 10",
	"items[0].countryOfOrigin", "bd", "items[0].netMassKg", "120.5", "items[0].itemPrice.amount", "1,850.00", "items[0].itemPrice.currency", "gbp",
	"documents[0].type", "n935", "documents[0].reference", "INV-1",
}

// typed returns a plain import with some values changed or added.
func typed(pairs ...string) []string {
	all := append([]string{}, aPlainImport...)
	for i := 0; i < len(pairs); i += 2 {
		at := -1
		for k := 0; k < len(all); k += 2 {
			if all[k] == pairs[i] {
				at = k
			}
		}
		if at < 0 {
			all = append(all, pairs[i], pairs[i+1])
		} else {
			all[at+1] = pairs[i+1]
		}
	}
	return all
}

// valuedItem is what the tests look at of a stored item.
type valuedItem struct {
	Description     string
	CustomsValueGBP json.Number
	ItemPrice       struct {
		Amount   json.Number
		Currency string
	}
}

// items returns the items of the organisation's only declaration, and its additions.
func (p *user) items() (all []valuedItem, additions string) {
	p.Helper()
	declarations := p.records("declaration")
	if len(declarations) != 1 {
		p.Fatalf("there are %d declarations", len(declarations))
	}
	var body struct {
		Items                []valuedItem
		ValuationAdjustments json.RawMessage
	}
	p.must(json.Unmarshal(p.stored("declaration", declarations[0].ID).Body, &body))
	return body.Items, string(body.ValuationAdjustments)
}

// What is typed on one page is checked without being stored, and stored by one press. The user's choice of form is remembered.
func entryByHand(h *harness) {
	p := h.owner("Quay Ltd", "onepage@example.com")
	p.get("/declarations/new").expect(h, http.StatusOK, "Start from a document", "Enter everything on one page")
	p.get("/declarations/new?form=page").expect(h, http.StatusOK, `name="items[0].description"`)
	p.get("/declarations/new").expect(h, http.StatusOK, `name="items[0].description"`)
	p.post("/declarations/new/page", typed("go", "check")...).expect(h, http.StatusOK, "£222.00", "£414.40", "Complete", `placeholder="1850.00"`)
	p.post("/declarations/new/page", typed("items[0].commodityCode", "61091000", "go", "check")...).expect(h, http.StatusOK, "61091000 has 8 digits", `href="#part-goods">Goods</a> <span data-tick="goods"><span class="tag bad">2 to mend</span>`)
	p.get("/declarations/new?form=steps").expect(h, http.StatusOK, "Start from a document")
	if n := len(p.records("declaration")) + len(p.records("client")); n != 0 || strings.Contains(p.get("/declarations/new").body, "Unfinished declarations") {
		h.Fatalf("a check has stored %d records, or a form", n)
	}
	next := p.post("/declarations/new/page", typed("go", "submit")...).redirect(h)
	if id := p.records("declaration")[0].ID; next != "/declarations/"+id+"/submit" {
		h.Errorf("the next page is %s", next)
	}
	if all, _ := p.items(); fmt.Sprint(all) != "[{Men's knitted cotton T-shirts 1850 {1850.00 GBP}}]" {
		h.Errorf("stored %v", all)
	}
}

// Mistakes are named at their fields, in the ticks and at the side. What was typed is kept, also on the server.
func entryWithMistakes(h *harness) {
	p := h.owner("Quay Ltd", "mistakes@example.com")
	a := p.post("/declarations/new/page", typed("items[0].netMassKg", "heavy", "shipment.portOfEntry", "", "items[0].itemPrice.amount", "dear", "go", "submit")...)
	a.expect(h, http.StatusBadRequest, "There is a problem", "The net mass must be a number", "The UK port or airport is required", `value="heavy"`, `value="dear"`,
		`aria-describedby="items[0].netMassKg-error" aria-invalid="true"`, "1 to fill in", "2 to mend")
	form := regexp.MustCompile(`action="(/declarations/form/[^"/]*/page)"`).FindStringSubmatch(a.body)
	if form == nil || len(p.records("declaration")) != 0 {
		h.Fatalf("the form is sent to %v", form)
	}
	p.get(form[1]).expect(h, http.StatusOK, `value="heavy"`, `value="dear"`, "The net mass must be a number", `value="INV-1"`)
	p.get("/declarations/new?form=steps").expect(h, http.StatusOK, "Unfinished declarations", form[1])
	p.post(form[1], typed("go", "save")...).redirect(h)
	p.get(form[1]).expect(h, http.StatusNotFound)
	if all, _ := p.items(); len(all) != 1 {
		h.Errorf("stored %v", all)
	}
	p.post("/declarations/new/page", typed("go", "dance")...).expect(h, http.StatusNotFound)
	p.post("/declarations/new/page", typed("goods.lines", "[1]", "go", "save")...).expect(h, http.StatusBadRequest, "cannot be read")
}

// Without scripts, buttons add, copy and remove lines and documents, add pasted lines, merge equal lines, and lead to details.
func entryWithButtons(h *harness) {
	p := h.owner("Quay Ltd", "buttons@example.com")
	next := p.post("/declarations/new/page", typed("go", "add-line")...).redirect(h)
	form, _, _ := strings.Cut(next, "?")
	if !strings.HasSuffix(next, "/page?from=0#line-2") {
		h.Errorf("a new line is at %s", next)
	}
	p.get(form).expect(h, http.StatusOK, `name="items[1].description"`, "2 lines", `value="Men&#39;s knitted cotton T-shirts"`)
	p.post(form, typed("go", "remove-line:1")...).redirect(h)
	p.post(form, typed("go", "copy-line:0")...).redirect(h)
	a := p.get(form)
	a.expect(h, http.StatusOK, "2 lines", "Merge equal lines", "Lines 1, 2: Net mass (kg) 241.0, Item price 3700.00")
	p.post(form, "go", "merge").redirect(h)
	p.get(form).expect(h, http.StatusOK, "1 line", `value="241.0"`, `value="3700.00"`)
	p.post(form, "go", "paste", "pasted", "Goods\tHS code\tNet kg\tColour\nSocks\t6115950000\t1,850\tred").expect(h, http.StatusOK,
		"1 line is added. Check the cell that is marked. Columns that are not used: Colour.", `value="Socks"`, "“1,850” can be 1850 or 1.850")
	p.post(form, "go", "paste", "pasted", " ").expect(h, http.StatusBadRequest, "has no lines")
	p.post(form, "go", "add-document").redirect(h)
	p.post(form, "documents[0].type", "N935", "documents[0].reference", "INV-1", "documents[1].type", "N271", "documents[1].reference", "PL-1", "go", "remove-document:0").redirect(h)
	p.get(form).expect(h, http.StatusOK, `value="PL-1"`)
	if to := p.post(form, "go", "line:1").redirect(h); !strings.HasSuffix(to, "/goods?item=2#item") {
		h.Errorf("details of a line are at %s", to)
	}
	if to := p.post(form, "go", "details").redirect(h); !strings.HasSuffix(to, "/details") {
		h.Errorf("other details are at %s", to)
	}
	p.post(form, "client", "new", "go", "find", "looked", "x").expect(h, http.StatusOK, `value="new" checked`)
}

// A page of 999 lines stays small. Scripts get the other lines by themselves and send all of them; they are not taken for other items
// than they were made from.
func entryWithLines(h *harness) {
	p := h.owner("Quay Ltd", "manylines@example.com")
	var lines []worksheet.Line
	for n := range worksheet.MaxItems {
		lines = append(lines, worksheet.Line{Was: -1, Cells: []string{"", fmt.Sprintf("Knitted cotton T-shirts of size %d", n), "6109100010", "BD", "10", "", "12.5", "13", "1", "CT", "100.5", "GBP", ""}})
	}
	all, err := json.Marshal(lines)
	h.must(err)
	next := p.post("/declarations/new/page", typed("goods.lines", string(all), "goods.digest", digestOf(p.get("/declarations/new?form=page").body), "go", "lines:980")...).redirect(h)
	form, _, _ := strings.Cut(next, "?")
	a := p.get(next)
	a.expect(h, http.StatusOK, "Lines 981 to 999 of 999", "size 998", `data-lines="`+strings.TrimSuffix(form, "page")+`lines"`, "£100,399.50")
	if size := len(a.body); size > 150<<10 {
		h.Errorf("the page has %d bytes", size)
	}
	var read []worksheet.Line
	h.must(json.Unmarshal([]byte(p.get(strings.TrimSuffix(form, "page")+"lines").body), &read))
	if len(read) != worksheet.MaxItems || read[7].Was != 7 || read[7].Cells[1] != lines[7].Cells[1] {
		h.Errorf("read %d lines, %v", len(read), read[7])
	}
	read = append(read[900:], read[3])
	all, err = json.Marshal(read)
	h.must(err)
	a = p.post(form, "goods.lines", string(all), "goods.digest", "0123456789abcdef", "go", "save")
	a.expect(h, http.StatusBadRequest, "changed in another window", `name="goods.lines"`)
	p.post(form, typed("goods.lines", string(all), "goods.digest", digestOf(a.body), "go", "save")...).redirect(h)
	if items, _ := p.items(); len(items) != 100 || items[0].Description != lines[900].Cells[1] || items[99].Description != lines[3].Cells[1] {
		h.Errorf("stored %d items", len(items))
	}
	a = p.post("/declarations/new/page", typed("goods.lines", string(all), "goods.line", "17", "goods.from", "0", "go", "check")...)
	a.expect(h, http.StatusOK, "Line 16: duty", "Line 20: duty")
	if strings.Contains(a.body, "Line 15: duty") {
		h.Error("the estimate shows lines before the one with the focus")
	}
	p.post("/declarations/new/lines", "pasted", "Net\tGross\n1\t2", "first", "description").expect(h, http.StatusOK, `"columns":["netMassKg","grossMassKg"]`)
	p.post("/declarations/new/lines", "pasted", "").expect(h, http.StatusBadRequest)
}

func digestOf(page string) string {
	found := regexp.MustCompile(`name="goods.digest" value="([0-9a-f]+)"`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return found[1]
}

// A product shows what it fills into absent cells; the service fills it in when the declaration is stored. An unknown code is named.
func entryWithProducts(h *harness) {
	p := h.owner("Quay Ltd", "products@example.com")
	client := p.record("client", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	p.record("product", `{"clientId":"%s","code":"TS-1","description":"Men's knitted cotton T-shirts","commodityCode":"6109100010","countryOfOrigin":"BD"}`, client)
	form := typed("client", client, "items[0].productCode", "TS-1", "items[0].description", "", "items[0].commodityCode", "", "items[0].countryOfOrigin", "")
	p.post("/declarations/new/page", append(form, "go", "check")...).expect(h, http.StatusOK, `placeholder="6109100010" data-name="Commodity code" class="computed"`, "£222.00")
	unknown := typed("client", client, "items[0].productCode", "TS-2", "go", "save")
	p.post("/declarations/new/page", unknown...).expect(h, http.StatusBadRequest, "The product code is the code of no product of the client", `value="TS-2"`)
	p.post("/declarations/new/page", append(form, "go", "save")...).redirect(h)
	stored := p.stored("declaration", p.records("declaration")[0].ID)
	if !strings.Contains(string(stored.Added), `"field":"items[0].commodityCode","value":"6109100010","from":"product"`) {
		h.Errorf("what the product filled in is not said: %s", stored.Added)
	}
}

// Prices in dollars become pounds by the rate of the month, freight and insurance are spread over the lines, and the working is shown.
// What is stored are price, additions and the value that follows.
func entryInDollars(h *harness) {
	p := h.owner("Quay Ltd", "dollars@example.com")
	month := time.Date(h.clock().Year(), h.clock().Month(), 1, 0, 0, 0, 0, time.UTC)
	last := month.AddDate(0, 1, -1)
	rate := fmt.Sprintf("USD,%s,%s,1.25\n", month.Format("02/01/2006"), last.Format("02/01/2006"))
	_, err := rates.Run(h.Context(), h.app.Store, []rates.File{{Name: "monthly.csv", Reader: strings.NewReader(rate)}})
	h.must(err)
	h.must(h.app.Rates.Refresh(h.Context(), h.app.Store))
	form := typed("items[0].itemPrice.amount", "1000", "items[0].itemPrice.currency", "USD", "items[1].description", "Cotton socks", "items[1].commodityCode", "6115950000",
		"items[1].countryOfOrigin", "BD", "items[1].netMassKg", "241", "items[1].itemPrice.amount", "500", "items[1].itemPrice.currency", "USD",
		"freight.amount", "100", "freight.currency", "USD", "insurance.amount", "", "insurance.currency", "GBP", "spread", "value")
	p.post("/declarations/new/page", append(form, "go", "check")...).expect(h, http.StatusOK, "Price USD 1000 ÷ 1.25 = £800.00", "HMRC monthly rate, "+month.Format("2 January")+" to "+last.Format("2 January 2006"),
		"Freight, insurance and other additions by value (DE 4/9): £53.34", "Customs value £853.34, rounded once to the penny", `placeholder="426.66"`)
	for n := range form {
		if form[n] == "spread" {
			form[n+1] = "mass"
		}
	}
	p.post("/declarations/new/page", append(form, "go", "check")...).expect(h, http.StatusOK, "by net mass (DE 4/9): £26.66", `placeholder="826.66"`, `placeholder="453.34"`)
	wrong := append(append([]string{}, form...), "items[1].netMassKg", "")
	p.post("/declarations/new/page", append(wrong, "go", "check")...).expect(h, http.StatusOK)
	p.post("/declarations/new/page", append(form, "go", "save")...).redirect(h)
	all, additions := p.items()
	if got := fmt.Sprint(all); got != "[{Men's knitted cotton T-shirts 826.66 {1000 USD}} {Cotton socks 453.34 {500 USD}}]" || additions != "" {
		h.Errorf("stored %s, additions %s", got, additions)
	}
	body := string(p.stored("declaration", p.records("declaration")[0].ID).Body)
	if strings.Count(body, `"code":"AK"`) != 2 || !strings.Contains(body, `"amount":33.33,`) || !strings.Contains(body, `"amount":66.67,`) {
		h.Errorf("the shares are not stored: %s", body)
	}
	form[len(form)-1] = "value"
	edit := "/declarations/form/" + p.records("declaration")[0].ID + "/page"
	p.get(edit).expect(h, http.StatusOK, `<option value="mass" selected>`, `value="100"`, `placeholder="826.66"`)
	p.post("/declarations/new/page", typed("items[0].itemPrice.currency", "XTS", "go", "check")...).expect(h, http.StatusOK, "no exchange rate of XTS for "+h.clock().Format("January 2006"), "The line has no estimate yet")
}

// Without an exchange rate the form offers a field for it. The declaration can be saved and submitted without: customs converts the
// price. With a typed rate it has the customs value, and names the source.
func entryWithoutARate(h *harness) {
	p := h.owner("Quay Ltd", "norate@example.com")
	form := typed("items[0].itemPrice.amount", "1000", "items[0].itemPrice.currency", "XTS")
	p.post("/declarations/new/page", append(form, "go", "check")...).expect(h, http.StatusOK, `name="rate.XTS"`, "are not imported", "You can submit without it")
	rate := append(form, "rates", "XTS", "rate.XTS", "abc", "rate-source.XTS", "OTHER")
	p.post("/declarations/new/page", append(rate, "go", "check")...).expect(h, http.StatusOK, `id="rate.XTS-error"`, `href="#rate.XTS"`)
	rate[len(rate)-3] = "1.6"
	p.post("/declarations/new/page", append(rate, "go", "check")...).expect(h, http.StatusOK, "Price XTS 1000 ÷ 1.6 = £625.00", "Rate as entered", `value="1.6"`)
	to := p.post("/declarations/new/page", append(form, "go", "submit")...).redirect(h)
	all, _ := p.items()
	if got := fmt.Sprint(all); got != "[{Men's knitted cotton T-shirts  {1000 XTS}}]" {
		h.Errorf("stored %s", got)
	}
	p.get(to).expect(h, http.StatusOK, "XTS 1,000", "Submit anyway")
	id := p.records("declaration")[0].ID
	p.get("/declarations").expect(h, http.StatusOK, "XTS 1,000")
	edit := "/declarations/form/" + id + "/page"
	p.get(edit).expect(h, http.StatusOK, `name="rate.XTS"`)
	p.post(edit, append(rate, "go", "save")...).redirect(h)
	if all, _ = p.items(); all[0].CustomsValueGBP != "625" {
		h.Errorf("the value is %s", all[0].CustomsValueGBP)
	}
	if body := string(p.stored("declaration", id).Body); !strings.Contains(body, `"exchangeRates":[{"currency":"XTS","rate":1.6,"source":"OTHER"}]`) {
		h.Errorf("the rate is not stored: %s", body)
	}
	p.get(edit).expect(h, http.StatusOK, `value="1.6"`, `placeholder="625.00"`)
	p.post(edit, append(form, "rates", "XTS", "rate.XTS", "", "go", "save")...).redirect(h)
	if body := string(p.stored("declaration", id).Body); strings.Contains(body, "exchangeRates") || strings.Contains(body, "customsValueGbp") {
		h.Errorf("the rate is still stored: %s", body)
	}
	goods := "/declarations/form/" + id + "/goods"
	p.get(edit)
	p.get(goods).expect(h, http.StatusOK, "XTS for one pound", `name="rate.XTS"`, "You can submit without it")
	p.post(goods, "item", "1", "rates", "XTS", "rate.XTS", "abc", "rate-source.XTS", "OTHER", "go", "next").expect(h, http.StatusBadRequest, `id="rate.XTS-error"`, `href="#rate.XTS"`)
	p.post(goods, "item", "1", "rates", "XTS", "rate.XTS", "1.6", "rate-source.XTS", "OTHER", "go", "next").redirect(h)
	p.get(goods).expect(h, http.StatusOK, `value="1.6"`)
}

// A draft is changed on one page. A value that follows from the price follows a new price; one that was entered stays.
func entryOfADraft(h *harness) {
	p := h.owner("Quay Ltd", "changes@example.com")
	p.post("/declarations/new/page", typed("go", "save")...).redirect(h)
	id := p.records("declaration")[0].ID
	p.get("/declarations/new?form=page")
	if to := p.get("/declarations/" + id + "/edit?field=items[0].netMassKg").redirect(h); to != "/declarations/form/"+id+"/page?faults=shown&from=0#items%5B0%5D.netMassKg" {
		h.Errorf("a field is changed at %s", to)
	}
	form := p.get("/declarations/" + id + "/edit").redirect(h)
	p.get(form).expect(h, http.StatusOK, "Change declaration", `placeholder="1850.00"`, "Save changes")
	p.post(form, "items[0].description", "Men's knitted cotton T-shirts", "items[0].itemPrice.amount", "2000", "go", "save").redirect(h)
	if all, _ := p.items(); all[0].CustomsValueGBP != "2000" {
		h.Errorf("the value is %s", all[0].CustomsValueGBP)
	}
	p.post(form, "items[0].description", "Men's knitted cotton T-shirts", "items[0].customsValueGbp", "2100", "go", "save").redirect(h)
	p.get(form).expect(h, http.StatusOK, `value="2100"`, "Customs value £2100.00 as entered")
	p.post(form, "items[0].description", "Men's knitted cotton T-shirts", "go", "steps").redirect(h)
	p.get("/declarations/form/"+id+"/goods").expect(h, http.StatusOK, `value="2100"`)
}

// An export has its value in pounds, and no price, freight or insurance.
func entryOfAnExport(h *harness) {
	p := h.owner("Quay Ltd", "exports@example.com")
	form := typed("declarationType", "EXPORT", "items[0].commodityCode", "61091000", "items[0].itemPrice.amount", "", "items[0].customsValueGbp", "1850", "shipment.counterpartyCountry", "FR")
	a := p.post("/declarations/new/page", append(form, "go", "check")...)
	a.expect(h, http.StatusOK, `class="goods exports"`, "Who exports the goods?", "£1,850.00")
	if strings.Contains(a.body, "part-costs") {
		h.Error("an export has freight and insurance")
	}
	p.post("/declarations/new/page", append(form, "go", "save")...).redirect(h)
	if all, _ := p.items(); fmt.Sprint(all) != "[{Men's knitted cotton T-shirts 1850 { }}]" {
		h.Errorf("stored %v", all)
	}
}

// A session that ends in the middle loses nothing that was typed.
func entryOutlivesSession(h *harness) {
	p := h.owner("Quay Ltd", "pageoutlives@example.com")
	p.client.Jar = h.visitor().client.Jar
	lines := `[{"was":0,"cells":["","Cotton socks"]},{"was":-1,"cells":["","Cotton shirts"]}]`
	a := p.post("/declarations/new/page", typed("goods.lines", lines, "go", "save")...)
	a.expect(h, http.StatusUnauthorized, "Your session has ended", `name="kept.goods.lines" value="[{&#34;was&#34;:0`, `name="kept.go" value="save"`)
	kept := []string{"email", p.email, "password", password, "next", "/declarations/new/page"}
	for _, field := range regexp.MustCompile(`name="(kept\.[^"]*)" value="([^"]*)"`).FindAllStringSubmatch(a.body, -1) {
		kept = append(kept, field[1], html.UnescapeString(field[2]))
	}
	p.post("/sign-in", kept...).expect(h, http.StatusOK, "Continue with your form", "Cotton shirts")
}

// Checks while typing are counted apart from suggestions. When they are used up, the form goes on.
func TestChecksAreCounted(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) { c.LimitAI = 1 })
	p := h.owner("Quay Ltd", "olive@example.com")
	for range 20 {
		if body := p.post("/declarations/new/page", typed("go", "check")...).body; !strings.Contains(body, "<h2>Review</h2>") {
			t.Fatalf("no review: %s", main(body))
		}
	}
	p.post("/declarations/new/page", typed("go", "check")...).expect(t, http.StatusOK, "has reached its limit for this minute", "£222.00")
}
