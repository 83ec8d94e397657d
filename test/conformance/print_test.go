package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
)

// printed returns the text of each page of a PDF of a declaration.
func (c *caller) printed(id, of string) (pages []string, file string) {
	c.t.Helper()
	return c.document("/api/declarations/"+id+"/document.pdf?of="+of, of+"-TW")
}

// document returns the text of each page of a PDF, whose file has a name that begins with a text.
func (c *caller) document(path, of string) (pages []string, file string) {
	c.t.Helper()
	a := c.call("GET", path, nil).want(c.t, 200)
	if kind := a.header.Get("Content-Type"); kind != "application/pdf" || !strings.Contains(a.header.Get("Content-Disposition"), `filename="`+of) {
		c.t.Errorf("%s: %s, %s", of, kind, a.header.Get("Content-Disposition"))
	}
	if folder := os.Getenv("TIDEWAITER_PRINTS"); folder != "" {
		if err := os.WriteFile(fmt.Sprintf("%s/%s-%d.pdf", folder, of, len(a.text)), []byte(a.text), 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
	_, err := pdf.Read(context.Background(), []byte(a.text), func(glyphs []pdf.Glyph) {
		var text strings.Builder
		for i, g := range glyphs {
			if i > 0 && (g.Y != glyphs[i-1].Y || g.X < glyphs[i-1].X) {
				text.WriteByte('\n')
			}
			text.WriteString(g.Text)
		}
		pages = append(pages, text.String())
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return pages, a.text
}

// A VAT return is printed with the boxes of HMRC's form, a CBAM report with its totals and parts. The same record has the same
// bytes, and each page says that it is simulated.
func TestPrintStatements(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, hub := range []string{"cbam", "tax"} {
			c.call("POST", "/api/hubs/"+hub, nil).want(t, 200)
		}
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		report := c.call("POST", "/api/cbam/reports", nil).want(t, 200).id()
		made := c.call("POST", "/api/tax/returns", map[string]any{
			"periodId": c.period(), "box1VatDueSales": 8420.5, "box4AdditionalReclaim": 2310.75, "box6TotalSales": 46780, "box7TotalPurchases": 19340}).want(t, 200).id()
		for path, want := range map[string][]string{
			"/api/cbam/reports/" + report: {"CBAM report", thisQuarter(), "24,500 kg", "51,450 kg CO2e", "By country of origin", "Iron and steel"},
			"/api/tax/returns/" + made:    {"VAT return", "Total VAT due (the sum of boxes 1 and 2)", "£8,420.50", "£6,109.75", "£46,780.00", "to pay to HMRC"},
		} {
			pages, file := c.document(path+"/document.pdf", map[bool]string{true: "cbam-report-", false: "vat-return-"}[strings.Contains(path, "cbam")])
			for _, text := range append(want, "SIMULATED", "Draft, not submitted") {
				if !strings.Contains(strings.ReplaceAll(strings.Join(pages, "\n"), "\n", " "), text) {
					t.Errorf("%s lacks %q: %s", path, text, pages)
				}
			}
			if _, again := c.document(path+"/document.pdf", ""); again != file || !strings.Contains(file, "/StructTreeRoot") {
				t.Errorf("%s has other bytes, or no tags", path)
			}
		}
	})
}

// A cleared declaration is printed with its names, references, status, time, goods, money and all details. The same record has
// the same bytes, at any time, and each page says that it is simulated.
func TestPrint(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		body := goods(shipment, "INV-17")
		body["reference"] = "PO-2026-17"
		id := c.call("POST", "/api/declarations", body).want(t, 201).id()
		if a := c.call("GET", "/api/declarations/"+id+"/document.pdf?of=clearance", nil); a.status != 400 || !strings.Contains(a.text, "not cleared") {
			t.Errorf("clearance of a draft: %s", a.text)
		}
		c.call("GET", "/api/declarations/"+id+"/document.pdf?of=invoice", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/declarations/"+unknownID+"/document.pdf", nil).refused(t, 404, "not_found")
		draft, _ := c.printed(id, "declaration")
		if !strings.Contains(draft[0], "Draft, not sent to customs") || strings.Contains(draft[0], "MRN\n") {
			t.Errorf("draft: %s", draft[0])
		}
		c.submit(id).want(t, 200)
		cleared := c.settled(id)
		lrn, mrn := cleared.in("declaration", "lrn").(string), cleared.in("declaration", "mrn").(string)
		for of, wants := range map[string][]string{
			"declaration": {"Import declaration", "Cotton T-shirts", "6109100010", "£1,850.00", "£222.00", "£414.40", "Commercial invoice (N935)", "INV-17", "Further details with their data elements", "2/2", "Usual value"},
			"clearance":   {"Import clearance", "Customs has released the goods", "A00", "B00", "£414.40", "The figures of customs are final"},
			"review":      {"Review of the import declaration", "as it was submitted", "DEC-201", "Nothing states the procedure of item 1"},
		} {
			pages, file := c.printed(id, of)
			text := strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
			for _, want := range append(wants, "PO-2026-17", lrn, mrn, "Cleared", "SIMULATED", "from the simulator of this service") {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %q: %s", of, want, text)
				}
			}
			for n, page := range pages {
				if !strings.Contains(page, fmt.Sprintf("Page %d of %d", n+1, len(pages))) || !strings.Contains(page, "SIMULATED") || !strings.Contains(page, "Version ") {
					t.Errorf("page %d of the %s: %s", n+1, of, page)
				}
			}
			if _, again := c.printed(id, of); again != file {
				t.Errorf("the %s has other bytes the second time", of)
			}
		}
	})
}

// A declaration of 999 items is printed, with the head of the table on each page of goods.
func TestPrintOfManyItems(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := goods(c.shipment(), "INV-18")
		var items []any
		for n := range 999 {
			items = append(items, map[string]any{"commodityCode": "6109100010", "description": fmt.Sprintf("Cotton T-shirts of lot %d", n+1), "netMassKg": 120.5, "customsValueGbp": 1850, "countryOfOrigin": "BD"})
		}
		body["items"] = items
		id := c.call("POST", "/api/declarations", body).want(t, 201).id()
		pages, _ := c.printed(id, "declaration")
		goodsPages := 0
		for _, page := range pages {
			page = strings.Join(strings.Fields(page), " ")
			if strings.Contains(page, "Cotton T-shirts of lot") && strings.Contains(page, "Procedure") && strings.Contains(page, "Net kg") {
				goodsPages++
			}
		}
		text := strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
		if goodsPages < 15 || !strings.Contains(text, "Cotton T-shirts of lot 999") || !strings.Contains(text, "£1,848,150.00") {
			t.Errorf("%d pages, %d of goods", len(pages), goodsPages)
		}
		review, _ := c.printed(id, "review")
		if len(review) > 10 {
			t.Errorf("the review has %d pages", len(review))
		}
	})
}
