package extract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// printed returns the values of an invoice that is printed on a page.
func printed(t *testing.T, text string) map[string]documents.Value {
	t.Helper()
	raw, err := json.Marshal(extracted(t, extract.Invoice, documents.PDF(text, documents.Packed)).Document)
	if err != nil {
		t.Fatal(err)
	}
	values, err := documents.Values(raw)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// wanted checks values, which a semicolon separates from each other and an equals sign from their field.
func wanted(t *testing.T, text, want string) {
	t.Helper()
	got := printed(t, text)
	for pair := range strings.SplitSeq(want, "; ") {
		field, value, _ := strings.Cut(pair, "=")
		if got[field].Text != value {
			t.Errorf("%s is %q, not %q, of\n%s", field, got[field].Text, value, text)
		}
	}
}

// Parties without labels are told apart by what senders say about themselves.
func TestPartiesWithoutLabels(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"Elektrohaus Brandauer · Lindenallee 12 · 20457 Hamburg\n\nNordwerk GmbH\nAm Hafen 3\n28195 Bremen\n\nRECHNUNG\n\nUSt-IdNr. DE123456781\n",
			"seller.name=Elektrohaus Brandauer; buyer.name=Nordwerk GmbH; seller.country=DE; buyer.country=DE"},
		{"Officine Velluti\nCorso Roma 7\n10121 Torino\nTel. +39 011 123456\n\n\nNordwerk GmbH\nAm Hafen 3\n28195 Bremen\nDEUTSCHLAND\n\nFATTURA\n",
			"seller.name=Officine Velluti; buyer.name=Nordwerk GmbH; buyer.country=DE"},
		{"          Kempenhof Import\n          Dorpsstraat 19, 5611 CD Eindhoven\n          BTW-nr.: NL987654321B01\n\nKlant:\nNordwerk GmbH\nAm Hafen 3\n28195 Bremen\n",
			"seller.name=Kempenhof Import; seller.country=NL; seller.vatNumber=NL987654321B01; buyer.name=Nordwerk GmbH"},
		{"INVOICE\n\nSeller                  ID:          4711\n                        Name:        Harlow and Finch\n                        Address:     14 Quay Street\n                                     Dover CT17 9BU\n", "seller.name=Harlow and Finch; seller.country=GB"},
	} {
		wanted(t, c.page, c.want)
	}
}

// Two letters before a postcode and a town are a country, behind a town they are a state.
func TestCountriesOfPostcodes(t *testing.T) {
	for town, want := range map[string]string{
		"DE 80333 Munich": "DE", "D-80333 Munich": "DE", "Wichita, KS 67202": "US", "5611 CD Eindhoven": "NL", "Dover CT17 9BU": "GB", "00-950 Warszawa": "PL", "IT 20121 Milano": "IT",
	} {
		wanted(t, "INVOICE\n\nBuyer:\nNordwerk Ltd\nHarbour Road 3\n"+town+"\n", "buyer.country="+want)
	}
}

// A number in a title is that of the invoice if the title says so or a date follows, and not if it is an order's.
func TestNumbersInTitles(t *testing.T) {
	for title, want := range map[string]string{
		"Bauvorhaben - Rechnung Nr. R-4711 vom 3.4.2026": "invoiceNumber=R-4711; invoiceDate=2026-04-03",
		"Abrechnungsbeleg Nr. B 77 vom 03.04.2026":       "invoiceNumber=B 77; invoiceDate=2026-04-03",
		"Unsere Bestellung Nr. 77 vom 03.04.2026":        "invoiceNumber=; invoiceDate=",
		"Kundenkonto Nr. 77":                             "invoiceNumber=",
	} {
		wanted(t, title+"\n\nNordwerk GmbH\nAm Hafen 3\n28195 Bremen\n", want)
	}
}

const twoLines = "\n\nDescription              Qty          Unit price      Amount\nOak brackets             10           2.50            25.00\nBrass bells              4            8.00            32.00\n\n"

// Totals may stand in a row below their headers, beside another table, or under any column.
func TestPlacesOfTotals(t *testing.T) {
	for _, c := range []struct{ foot, want string }{
		{"Subtotal            VAT              Grand total EUR\n57.00               11.40            68.40\n", "totals.goods=57; totals.vat=11.4; totals.grand=68.4"},
		{"Rate    Base       VAT                Subtotal          57.00\n20 %    57.00      11.40              Grand total       68.40\n", "totals.goods=57; totals.grand=68.4"},
		{"Subtotal                                       EUR          57.00\nVAT                                            EUR          11.40\nGrand total                                    EUR          68.40\n", "totals.goods=57; totals.vat=11.4; totals.grand=68.4; netMassKg="},
		{"Subtotal                    57.00\nVAT % 20\nVAT                         11.40\nGrand total                 68.40\n", "totals.vat=11.4"},
		{"Subtotal                                57.00\nVAT  7 %            19       -0.20\n", "totals.vat="},
	} {
		wanted(t, "INVOICE"+twoLines+c.foot, c.want+"; lineItems[1].amount=32; lineItems[2].amount=")
	}
}

// A cell under the headers of quantity and tax belongs to both.
func TestCellsUnderSeveralHeaders(t *testing.T) {
	const page = "INVOICE\n\nDescription              Unit price      Qty   VAT               Amount\nOak brackets             2.50            10 pcs 20 % S           25.00\n"
	wanted(t, page, "lineItems[0].quantity=10; lineItems[0].unit=pcs; lineItems[0].amount=25")
}

// A heading above a table is no payment term, and a sentence about a bank's account states the day of payment.
func TestPaymentSentences(t *testing.T) {
	wanted(t, "INVOICE\n\nInvoice date: 3 March 2026\nPayment terms:\nDescription              Date\nThe amount of EUR 68.40 will be debited on 20 March 2026 from your account with us.\n", "paymentTerms=; dueDate=2026-03-20")
}

// Invoices in the layouts of letters are read in all languages.
func TestLetters(t *testing.T) {
	made, held := documents.Split(documents.Letters())
	engine := extract.New()
	for _, side := range []struct {
		samples           []documents.Sample
		recall, precision float64
	}{{made, 99.5, 99.5}, {held, 90, 98.5}} {
		r, err := documents.Measure(side.samples, func(s documents.Sample) ([]byte, error) { return document(t, read(t, engine, s)), nil })
		if err != nil {
			t.Fatal(err)
		}
		if s := r.All(); len(side.samples) < 200 || s.Recall() < side.recall || s.Precision() < side.precision {
			t.Errorf("%d documents: recall %.1f, precision %.1f", len(side.samples), s.Recall(), s.Precision())
		}
	}
}

// Invoices composed at random of parts are read: parties flush right, centred, in the foot or in pairs, and totals of several rates.
func TestPapers(t *testing.T) {
	engine := extract.New()
	r, err := documents.Measure(documents.Papers(), func(s documents.Sample) ([]byte, error) { return document(t, read(t, engine, s)), nil })
	if err != nil {
		t.Fatal(err)
	}
	const least = 99.9
	if s := r.All(); r.Documents < 700 || s.Recall() < least || s.Precision() < least {
		t.Errorf("%d documents: recall %.2f, precision %.2f", r.Documents, s.Recall(), s.Precision())
		for _, m := range r.Misses {
			t.Logf("%s: %s is %q, not %q", m.Sample, m.Field, m.Got, m.Want)
		}
	}
}

// "Company" names the party whose label stands above it, and the buyer below the address of the sender.
func TestLabelsOfCompanies(t *testing.T) {
	const goods = "\nInvoice no.: 12\n\nDescription                   Qty     Unit price     Amount\nBell                            2          10.00      20.00\n\nTotal   20.00\n"
	for _, c := range []struct{ page, want string }{
		{"INVOICE\n\nHarbour Tools Ltd\n14 Quay Street\nDover CT17 9BU\n\nBill to\nCompany: Brandt GmbH\nCity: 20457 Hamburg\n", "seller.name=Harbour Tools Ltd; buyer.name=Brandt GmbH"},
		{"INVOICE\n\nHarbour Tools Ltd\n14 Quay Street\nDover CT17 9BU\n\nCompany: Brandt GmbH\nStreet: Lindenallee 12\nCity: 20457 Hamburg\n", "seller.name=Harbour Tools Ltd; buyer.name=Brandt GmbH; buyer.address=Lindenallee 12, 20457 Hamburg"},
		{"INVOICE\n\nCompany: Harbour Tools Ltd\nAddress: 14 Quay Street, Dover CT17 9BU\n\nBill to: Brandt GmbH\n", "seller.name=Harbour Tools Ltd; buyer.name=Brandt GmbH"},
	} {
		wanted(t, c.page+goods, c.want)
	}
}

// A word for an address begins the names of streets, and one for a date the names of companies.
func TestLabelsInNames(t *testing.T) {
	wanted(t, "FACTURE\n\nLe Comptoir du Quai\nRue du Port 12\n44000 Nantes\nTVA FR19333444555\n\nClient :\nSaveurs SPRL\nRue Haute 88\n1000 Bruxelles\n",
		"seller.name=Le Comptoir du Quai; seller.address=Rue du Port 12, 44000 Nantes; buyer.name=Saveurs SPRL; buyer.address=Rue Haute 88, 1000 Bruxelles; invoiceDate=")
}
