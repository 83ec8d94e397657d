package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// invoice is one in pounds, of goods that come to Felixstowe.
const invoice = `COMMERCIAL INVOICE

Seller: Chittagong Knitwear Ltd                 Invoice No: CK-2026-118
        14 Strand Road                          Invoice date: 2026-11-10
        Chattogram 4000
        Bangladesh

Buyer:  Quay Customs Ltd
        2 Harbour Street
        Felixstowe IP11 3SY
        United Kingdom

Terms of delivery: CIF Felixstowe
Currency: GBP

Description                        HS code       Origin    Qty    Net kg    Amount
Men's knitted cotton T-shirts      6109100010    BD        600    120.5     1,850.00
Women's cotton trousers            6204623190    BD        200    90        2,400.00

Total GBP                                                                   4,250.00
`

// type fills fields of the form of a declaration, whose names are paths.
func (w *window) typeInto(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.do(chromedp.SetValue(fmt.Sprintf(`[id="%s"]`, pairs[i]), pairs[i+1]))
	}
}

// held is what a field has.
func (w *window) held(path string) string {
	w.Helper()
	return eval[string](w, fmt.Sprintf(`document.getElementById(%q).value`, path))
}

// pick chooses one of the choices that are shown as cards.
func (w *window) pick(name, value string) {
	w.Helper()
	w.do(chromedp.Click(fmt.Sprintf(`input[name="%s"][value="%s"]`, name, value)))
}

// themes looks at a page in light and dark, and holds both to the rules.
func (w *window) themes(what string) {
	w.Helper()
	for _, theme := range []string{"light", "dark"} {
		w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme)))
		w.accessible(what + ", " + theme)
		w.shot(strings.ReplaceAll(what, " ", "-") + "-" + theme)
	}
	w.do(chromedp.Evaluate[chromedp.Void](`delete document.documentElement.dataset.theme`))
	if wide := eval[bool](w, `document.documentElement.scrollWidth > document.documentElement.clientWidth`); wide {
		w.Errorf("%s is wider than the window", what)
	}
}

// An invoice fills the form in, each value with its place; what is missing is typed
// with the help of the classifier, and customs clears what was saved.
func TestDeclarationFromInvoice(t *testing.T) {
	t.Parallel()
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desk", 1280, 900}, {"phone", 390, 844}} {
		t.Run(size.name, func(t *testing.T) {
			p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
			w := look(t, p, size.width, size.height)
			w.found(p)
			file := filepath.Join(t.TempDir(), "invoice.pdf")
			if err := os.WriteFile(file, documents.PDF(invoice, documents.Packed), 0o600); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			w.visit("/declarations/new")
			w.themes("declare start " + size.name)
			w.do(chromedp.SetUploadFiles("#file", []string{file}))
			w.press("Read it")
			w.sees("The document is read", "Filled in from your invoice")
			w.themes("declare what " + size.name)
			w.press("Continue")
			if port := w.held("shipment.portOfEntry"); port != "GBFXT" {
				t.Errorf("the port is %q", port)
			}
			w.sees("Found in the invoice, page 1", "Chittagong Knitwear Ltd", "check this")
			w.themes("declare journey " + size.name)
			w.press("Continue")
			w.sees("Item 1 of 2", "2 items", "% sure")
			w.themes("declare goods " + size.name)
			w.press("Continue")
			w.press("Continue")
			w.sees("Customs value", "£4,250.00", "Review", "Save and go to submit")
			w.themes("declare check " + size.name)
			w.press("Save draft")
			took := time.Since(began)
			b := w.broker(p)
			id := b.only()
			b.submit(id)
			if status := b.ends(id); status != "CLEARED" {
				t.Errorf("it ends as %s", status)
			}
			t.Logf("from the invoice to a saved declaration in %v", took.Round(time.Millisecond))
		})
	}
}

// broker is a program with a key of the organisation.
type broker struct {
	*testing.T
	base, key string
}

func (w *window) broker(p *program) *broker {
	w.Helper()
	w.visit("/settings/keys")
	w.fill("name", "Broker")
	w.press("Make key")
	return &broker{w.T, p.base, eval[string](w, `document.getElementById("shown-once").textContent`)}
}

// call sends a body to the API and reads the answer.
func (b *broker) call(method, path, body string, into any) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method, b.base+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+b.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		b.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, answer, err)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		b.Fatalf("%s %s: %s: %v", method, path, answer, err)
	}
}

// made is the id of a new record.
func (b *broker) made(path, body string, args ...any) string {
	b.Helper()
	var record struct{ ID string }
	b.call(http.MethodPost, path, fmt.Sprintf(body, args...), &record)
	return record.ID
}

// only is the one declaration that there is.
func (b *broker) only() string {
	b.Helper()
	var page struct{ Declarations []struct{ ID string } }
	b.call(http.MethodGet, "/api/declarations", "", &page)
	if len(page.Declarations) != 1 {
		b.Fatalf("there are %d declarations", len(page.Declarations))
	}
	return page.Declarations[0].ID
}

func (b *broker) submit(id string) {
	b.Helper()
	b.call(http.MethodPost, "/api/cds/submit", fmt.Sprintf(`{"declarationId":%q}`, id), new(any))
}

// ends waits until customs has decided.
func (b *broker) ends(id string) string {
	b.Helper()
	for range 200 {
		var d struct{ Declaration struct{ Status string } }
		b.call(http.MethodGet, "/api/declarations/"+id, "", &d)
		if s := d.Declaration.Status; s == "CLEARED" || s == "REJECTED" {
			return s
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "nothing yet"
}

// What customs rejected is explained at its field; corrected there and sent again, it
// is cleared.
func TestRejectedDeclaration(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_SIMULATOR_DELAY=10ms")
	w := look(t, p, 1280, 900)
	w.found(p)
	b := w.broker(p)
	client := b.made("/api/clients", `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`)
	shipment := b.made("/api/shipments", `{"clientId":%q,"portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD"}`, client)
	id := b.made("/api/declarations", `{"shipmentId":%q,"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":100,"customsValueGbp":1850,"countryOfOrigin":"BD"}]}`, shipment)
	b.submit(id)
	if status := b.ends(id); status != "REJECTED" {
		t.Fatalf("goods lighter than they are end as %s", status)
	}
	w.visit("/declarations/" + id + "/edit")
	w.sees("Change declaration", "Customs rejected this (CDS11006)", "The goods")
	w.themes("declare rejected")
	w.typeInto("items[0].grossMassKg", "131")
	w.press("Continue")
	w.press("Continue")
	w.sees("Save changes", "Review")
	w.press("Save changes")
	b.submit(id)
	if status := b.ends(id); status != "CLEARED" {
		t.Errorf("corrected, it ends as %s", status)
	}
}

// With scripts, what is wrong is said when a field is left, and suggested codes come
// without a new page; a code is taken with its estimate.
func TestDeclareByHand(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := look(t, p, 1280, 900)
	w.found(p)
	w.visit("/declarations/new")
	w.pick("client", "new")
	w.press("Continue")
	w.sees("There is a problem", "The name is required")
	w.themes("declare wrong")
	w.typeInto("client.name", "Harbour Textiles Ltd", "client.eori", "gb 123456789000")
	w.press("Continue")
	w.typeInto("shipment.portOfEntry", "Felixstowe", "shipment.counterpartyCountry", "BD")
	w.press("Continue")
	w.leave("items[0].netMassKg", "heavy")
	w.do(chromedp.WaitVisible(`[data-field="items[0].netMassKg"] .error`))
	w.sees("The net mass must be a number")
	w.leave("items[0].netMassKg", "120.5")
	w.do(chromedp.WaitNotPresent(`[data-field="items[0].netMassKg"] .error`))
	w.typeInto("items[0].description", "Men's knitted cotton T-shirts", "items[0].customsValueGbp", "1,850", "items[0].countryOfOrigin", "bd")
	w.do(chromedp.Click(`[data-suggest]`), chromedp.WaitVisible(`[data-pick="6109100010"]`))
	w.sees("Codes that fit", "On this item: duty £222.00")
	w.themes("declare suggestions")
	w.do(chromedp.Click(`[data-pick="6109100010"]`))
	if code := w.held("items[0].commodityCode"); code != "6109100010" {
		t.Errorf("the code that was taken is %q", code)
	}
	w.press("Continue")
	w.press("Add a document")
	w.themes("declare documents")
	w.typeInto("documents[0].type", "N935", "documents[0].reference", "INV-1")
	w.press("Continue")
	w.sees("Save draft", "Harbour Textiles Ltd", "£1,850.00")
	w.press("Throw away")
	w.sees("Throw this away?")
	w.themes("declare discard")
}

// leave types into a field and goes on to the next.
func (w *window) leave(path, text string) {
	w.Helper()
	w.typeInto(path, text)
	w.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById(%q).dispatchEvent(new Event("change", {bubbles: true}))`, path)))
}

// A session that ends in the middle of the form costs nothing of what was typed.
func TestSessionEndsWhileDeclaring(t *testing.T) {
	t.Parallel()
	p := start(t)
	one, two := look(t, p, 1280, 900), look(t, p, 390, 844)
	one.found(p)
	two.signIn("olive@example.com", password)
	two.visit("/declarations/new")
	two.press("Continue")
	two.typeInto("shipment.portOfEntry", "GBFXT", "shipment.counterpartyName", "Ningbo Cotton Works")
	one.visit("/account/sign-out-everywhere")
	one.press("Sign out everywhere")
	two.press("Continue")
	two.sees("Your session has ended", "What you typed is kept")
	two.fill("email", "olive@example.com", "password", password)
	two.press("Sign in")
	two.sees("Continue where you were")
	two.press("Send what I typed")
	two.sees("The goods")
	two.press("Back")
	if name := two.held("shipment.counterpartyName"); name != "Ningbo Cotton Works" {
		t.Errorf("what was typed has become %q", name)
	}
}
