package extract_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
)

func readInvoice(t *testing.T, text string) extract.TradeDocument {
	t.Helper()
	a, err := extract.New().Extract(context.Background(), extract.Request{File: []byte(text), DocumentType: extract.Invoice})
	if err != nil {
		t.Fatal(err)
	}
	return a.Document
}

func valueOf(f *extract.Text) string {
	if f == nil {
		return ""
	}
	return f.Value
}

// A credit note has its kind, its own number, the number of the invoice that it corrects, and the signs of its amounts.
func TestCreditNotes(t *testing.T) {
	for _, c := range []struct{ text, number, invoice, grand string }{
		{"Credit note CN-2026-17\nDate: 4 May 2026\nOriginal invoice no: INV-4410\nTotal credit: GBP -120.50", "CN-2026-17", "INV-4410", "-120.5"},
		{"CREDIT NOTE\nCredit note no: 881\nInvoice no: 77120\nTotal: -1,250.00 USD", "881", "77120", "-1250"},
		{"Credit memo\nCredit note number: CM-9\nRelated invoice: A-552\nTotal amount: (340.00)", "CM-9", "A-552", "-340"},
		{"Gutschrift Nr. G-2026-004 vom 03.04.2026\nZu unserer Rechnung Nr. 471102 vom 05.03.2026\nGesamtbetrag: -595,00 EUR", "G-2026-004", "471102", "-595"},
		{"Rechnungskorrektur Nr. RK-881\nUrsprungsrechnung: R-4410\nBruttobetrag: 119,00- EUR", "RK-881", "R-4410", "-119"},
		{"Stornorechnung\nRechnungsnummer: ST-2026-3\nBezug: Rechnung 2026-117\nZahlbetrag: -88,40 EUR", "ST-2026-3", "2026-117", "-88.4"},
		{"Avoir n° AV-2026-5\nDate : 12/02/2026\nFacture d'origine : FA-2026-0010\nTotal TTC : -233,47 €", "AV-2026-5", "FA-2026-0010", "-233.47"},
		{"FACTURE D'AVOIR N° 118\nRelatif à la facture n° F-4410\nNet à payer : −54,00 EUR", "118", "F-4410", "-54"},
		{"Nota de crédito NC-77\nFactura rectificada: A-2026-551\nTotal: -410,00 EUR", "NC-77", "A-2026-551", "-410"},
		{"FACTURA RECTIFICATIVA R-12\nFecha: 09/02/2026\nRectifica la factura A-300\nTotal a pagar: -99,95 EUR", "R-12", "A-300", "-99.95"},
		{"Nota di credito n. 9/C del 03/03/2026\nRif. fattura n. 118/E\nTotale documento: -1.310,00 EUR", "9/C", "118/E", "-1310"},
		{"Creditnota 20260004\nDatum: 15-01-2026\nBetreft factuur 20250977\nTotaal te betalen: -605,00 EUR", "20260004", "20250977", "-605"},
		{"Creditfactuur\nFactuurnummer: CF-31\nOorspronkelijke factuur: VF-1090\nTotaal: -42,35 EUR", "CF-31", "VF-1090", "-42.35"},
		{"Tax credit note TCN-5\nThis credit note corrects our invoice no. TX-88120 of 3 May 2026.\nTotal due: -$75.00", "TCN-5", "TX-88120", "-75"},
		{"Credit Note\nNumber: 5512\nAgainst invoice: 4999\nGrand total: 600.00", "5512", "4999", "600"},
	} {
		d := readInvoice(t, c.text)
		grand := ""
		if d.Totals != nil && d.Totals.Grand != nil {
			grand = d.Totals.Grand.Value.String()
		}
		if valueOf(d.InvoiceKind) != "credit_note" || valueOf(d.InvoiceNumber) != c.number || valueOf(d.InvoiceReference) != c.invoice || grand != c.grand {
			t.Errorf("%s:\nkind %q, number %q, invoice %q, total %q", c.text, valueOf(d.InvoiceKind), valueOf(d.InvoiceNumber), valueOf(d.InvoiceReference), grand)
		}
	}
}

// Words for credit in other places make no credit note, and a dash between label and amount is no sign.
func TestNoCreditNotes(t *testing.T) {
	for text, grand := range map[string]string{
		"Invoice 4410\nCredit terms: 30 days\nTotal: 120.00 EUR":                                         "120",
		"Invoice 4411\nLetter of credit no: LC-7781\nTotal – 99.50 EUR":                                  "99.5",
		"Rechnung 4412\nBetreff: Lieferung Mai\nGesamtbetrag: 50,- EUR":                                  "50",
		"Invoice 4413\nPaid by credit card\nTotal - GBP 12.40":                                           "12.4",
		"Invoice 4414\nPlease quote this number on credit notes\nSubtotal: 14.00\nTotal: 16.80\nEUR":     "16.8",
		"Invoice 4415\nLess discount: -4.00\nTotal: 96.00 EUR":                                           "96",
		"Proforma invoice 4416\nCredit insurance: 3.00\nTotal: 103.00 EUR":                               "103",
		"Invoice 4417\nA credit note for the pallets follows with the next delivery.\nTotal: 103.00 EUR": "103",
	} {
		d := readInvoice(t, text)
		if d.InvoiceKind != nil || d.Totals == nil || d.Totals.Grand == nil || d.Totals.Grand.Value.String() != grand {
			t.Errorf("%s: kind %q, totals %+v", text, valueOf(d.InvoiceKind), d.Totals)
		}
	}
}

// Lines of a credit note may have their sign in the quantity or in the amount, and discounts between price and amount. There is no
// draft of a declaration.
func TestLinesOfCreditNotes(t *testing.T) {
	for _, text := range []string{
		"Credit note 1\n\nDescription,Quantity,Unit price,Amount\nMugs,-5,1.50,-7.50\nPlates,-2,4.00,-8.00\n",
		"Credit note 1\n\nDescription,Quantity,Unit price,Amount\nMugs,5,1.50,(7.50)\nPlates,2,4.00,(8.00)\n",
		"Credit note 1\n\nDescription,Quantity,Unit price,Amount\nMugs,5,1.50,7.50-\nPlates,2,4.00,8.00-\n",
		"Credit note 1\n\nGoods,How many,At,Reduction,Sum\nMugs,5,1.50,0%,-7.50\nPlates,2,5.00,20%,-8.00\nBowls,3,2.00,50%,-3.00\n",
	} {
		a, err := extract.New().Extract(context.Background(), extract.Request{File: []byte(text), DocumentType: extract.Invoice})
		if err != nil {
			t.Fatal(err)
		}
		lines := a.Document.LineItems
		if len(lines) < 2 || lines[0].Amount == nil || lines[0].Amount.Value.String() != "-7.5" || lines[1].Amount == nil || lines[1].Amount.Value.String() != "-8" {
			t.Errorf("%s: %+v", text, lines)
		}
		if a.Document.Draft != nil || !strings.Contains(strings.Join(a.Notes, " "), "credit note") {
			t.Errorf("%s: draft %v, notes %v", text, a.Document.Draft, a.Notes)
		}
	}
}

func TestStandardCreditNotes(t *testing.T) {
	const ubl = `<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2" xmlns:c="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">
<c:ID>CN-1</c:ID><c:IssueDate>2026-05-04</c:IssueDate><c:DocumentCurrencyCode>EUR</c:DocumentCurrencyCode>
<a:BillingReference><a:InvoiceDocumentReference><c:ID>INV-7</c:ID></a:InvoiceDocumentReference></a:BillingReference>
<a:CreditNoteLine><c:CreditedQuantity unitCode="C62">2</c:CreditedQuantity><c:LineExtensionAmount>8.00</c:LineExtensionAmount><a:Item><c:Name>Plates</c:Name></a:Item></a:CreditNoteLine></CreditNote>`
	const cii = `<r:CrossIndustryInvoice xmlns:r="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"><r:ExchangedDocument><r:ID>CN-1</r:ID><r:TypeCode>381</r:TypeCode></r:ExchangedDocument>
<r:SupplyChainTradeTransaction><r:ApplicableHeaderTradeSettlement><r:InvoiceReferencedDocument><r:IssuerAssignedID>INV-7</r:IssuerAssignedID></r:InvoiceReferencedDocument></r:ApplicableHeaderTradeSettlement></r:SupplyChainTradeTransaction></r:CrossIndustryInvoice>`
	for _, text := range []string{ubl, cii} {
		d := readInvoice(t, text)
		if valueOf(d.InvoiceKind) != "credit_note" || valueOf(d.InvoiceNumber) != "CN-1" || valueOf(d.InvoiceReference) != "INV-7" {
			t.Errorf("kind %q, number %q, invoice %q", valueOf(d.InvoiceKind), valueOf(d.InvoiceNumber), valueOf(d.InvoiceReference))
		}
		if text == ubl && (len(d.LineItems) != 1 || d.LineItems[0].Quantity == nil || d.LineItems[0].Quantity.Value.String() != "2") {
			t.Errorf("lines %+v", d.LineItems)
		}
	}
}
