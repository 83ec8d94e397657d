package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

func (c *caller) extract(file, documentType string) answer {
	c.t.Helper()
	return c.call("POST", "/api/ai/extract-document", form("file", file, "documentType", documentType), formHeader...)
}

const importInvoice = "Seller: Padma Knitwear Ltd\n        Chattogram\n        Bangladesh\n\nBuyer: Kestrel Clothing Ltd\n       Leicester LE1 3AA\n       United Kingdom\n\n" +
	"Invoice No: PK-77    Invoice date: 2 March 2026    Currency: GBP\n\n" +
	"Description                HS code      Origin    Qty    Unit price    Amount      Net kg    Gross kg\n" +
	"Men's knitted T-shirts     6109100010   BD        600    3.00          1800.00     120.5     131\n" +
	"Total                                                                  1800.00\n"

// Every role that may read may extract a document, with the same result each time. Wrong fields are named, and a
// document whose bytes have another format is refused.
func TestExtractDocument(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		first := c.as("VIEWER").extract(importInvoice, "invoice").want(t, 200)
		if first.in("document", "invoiceNumber", "value") != "PK-77" || first.header.Get("X-AI-Source") != "offline" || first.header.Get("X-RateLimit-Limit") != helperBudget {
			t.Errorf("%v %s", first.header, first.text)
		}
		if again := c.extract(importInvoice, "invoice"); again.text != first.text {
			t.Errorf("second answer %s, want %s", again.text, first.text)
		}
		printed := c.extract(string(documents.PDF(importInvoice, documents.Packed)), "invoice").want(t, 200)
		if printed.in("document", "format") != "pdf" || printed.in("document", "totals", "grand", "value") != 1800.0 {
			t.Errorf("printed: %s", printed.text)
		}
		if image := c.extract("\xff\xd8\xff\xe0 an invoice", "invoice").want(t, 200); image.body["confidence"] != 0.0 || image.in("document", "format") != "jpeg" {
			t.Errorf("an image: %s", image.text)
		}
		for body, field := range map[string]string{
			form("file", "A", "documentType", "letter"): "documentType",
			form("file", "A"):                                                       "documentType",
			form("documentType", "invoice"):                                         "file",
			form("file", "", "documentType", "invoice"):                             "file",
			form("file", "A", "file", "B", "documentType", "invoice"):               "file",
			form("file", "A", "documentType", "invoice", "documentType", "invoice"): "documentType",
			form("file", "A", "documentType", "invoice", "org", "B"):                "org",
			form("file", "%PDF-1.7 broken", "documentType", "invoice"):              "file",
			form("file", "A", "documentType", strings.Repeat("i", 2000)):            "documentType",
			"no form": "file",
		} {
			a := c.call("POST", "/api/ai/extract-document", body, formHeader...).refused(t, 400, "invalid_request")
			if !strings.Contains(a.text, fmt.Sprintf(`"field":%q`, field)) {
				t.Errorf("%.80q: %s", body, a.text)
			}
		}
		c.call("POST", "/api/ai/extract-document", map[string]any{"file": "A"}).refused(t, 415, "unsupported_media_type")
		c.extract(strings.Repeat("A", 20<<20+1), "invoice").refused(t, 413, "payload_too_large")
		c.extract("Invoice No: LARGE-1\n"+strings.Repeat("A", 20<<20-20), "invoice").want(t, 200)
	})
}

// The draft of an extraction is a valid declaration once its shipment is named.
func TestDraftBecomesDeclaration(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		draft := c.extract(importInvoice, "invoice").want(t, 200).in("document", "draft").(map[string]any)
		if missing := fmt.Sprint(draft["missing"]); missing != "[shipmentId]" {
			t.Fatalf("missing %s", missing)
		}
		body := draft["body"].(map[string]any)
		body["shipmentId"] = c.call("POST", "/api/shipments", map[string]any{"clientId": c.client(), "portOfEntry": "GBFXT", "transportMode": "SEA"}).want(t, 201).id()
		made := c.call("POST", "/api/declarations", body).want(t, 201)
		if !strings.Contains(made.text, `"commodityCode":"6109100010"`) || !strings.Contains(made.text, `"customsValueGbp":1800`) || made.body["declarationType"] != "IMPORT" {
			t.Errorf("%s", made.text)
		}
	})
}
