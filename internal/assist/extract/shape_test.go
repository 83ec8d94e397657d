package extract_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
)

// A table without a header, or with headers of no known name, is found by its shape: lines of the same cells, of which two multiply to a third.
func TestTablesWithoutKnownHeaders(t *testing.T) {
	const lines = "Rattan baskets, round        120     6.50      780.00\nRattan trays                 60      4.25      255.00\nBamboo bowls                 200     1.10      220.00\n"
	const head = "INVOICE  78-B\nDate: 2026-11-02\n\n"
	for name, text := range map[string]string{
		"no header":       head + lines + "\nTotal USD 1,255.00\n",
		"unknown headers": head + "Zorb                         Fnord   Quux      Blarg\n" + lines,
		"a sheet":         "Zorb;Fnord;Quux;Blarg\n" + strings.NewReplacer("        120     6.50      ", ";120;6.50;", "                 60      4.25      ", ";60;4.25;", "                 200     1.10      ", ";200;1.10;").Replace(lines),
	} {
		got := found(t, extract.Invoice, text)
		for field, want := range map[string]string{
			"lineItems[0].description": "Rattan baskets, round", "lineItems[0].quantity": "120", "lineItems[0].unitPrice": "6.5", "lineItems[0].amount": "780",
			"lineItems[2].description": "Bamboo bowls", "lineItems[2].quantity": "200", "lineItems[2].amount": "220", "lineItems[3].description": "",
		} {
			if got[field].Text != want {
				t.Errorf("%s: %s is %q, want %q", name, field, got[field].Text, want)
			}
		}
	}
	if got := found(t, extract.PackingList, "PACKING LIST\n\n"+lines); got["lineItems[0].unitPrice"].Text != "" {
		t.Error("pieces in cartons are no price")
	}
	if got := found(t, extract.Invoice, head+"Rattan baskets  120  6.50  781.00\nRattan trays  60  4.25  251.00\n"); got["lineItems[0].amount"].Text != "" {
		t.Error("numbers of which none is a product are no lines of goods")
	}
}

// Sentences state packages, masses before or behind the word for gross or net, and origins, also several on one line.
func TestSentencesOnOneLine(t *testing.T) {
	for _, c := range []struct{ text, field, want string }{
		{"8 crates machine parts weighing 1,950.5 kg gross. Made in Japan.", "grossMassKg", "1950.5"},
		{"8 crates machine parts weighing 1,950.5 kg gross. Made in Japan.", "countryOfOrigin", "JP"},
		{"Wir versenden 12 Paletten Fliesen, 9.400,5 kg brutto (9.100,5 kg netto). Ursprung: Italien.", "grossMassKg", "9400.5"},
		{"Wir versenden 12 Paletten Fliesen, 9.400,5 kg brutto (9.100,5 kg netto). Ursprung: Italien.", "netMassKg", "9100.5"},
		{"Wir versenden 12 Paletten Fliesen, 9.400,5 kg brutto (9.100,5 kg netto). Ursprung: Italien.", "seller.name", ""},
		{"gross 1,900.5 kg, net 1,760.5 kg", "netMassKg", "1760.5"},
		{"Envoi de 35 caisses de vin, poids brut 630 kg, poids net 560 kg. Produit de France.", "packageCount", "35"},
		{"Envoi de 35 caisses de vin, poids brut 630 kg, poids net 560 kg. Produit de France.", "countryOfOrigin", "FR"},
		{"3 palettes de carrelage. Poids brut : 2 450 kg. Origine : Portugal.", "packageCount", "3"},
		{"3 palettes de carrelage. Poids brut : 2 450 kg. Origine : Portugal.", "countryOfOrigin", "PT"},
		{"Said to contain 142 cartons household articles", "packageCount", "142"},
		{"24 drums solvent, total 4,800.5 kg gross and 4,560.5 kg net. Origin: Belgium.", "netMassKg", "4560.5"},
		{"20 colli di piastrelle, 900,5 kg lordi, 860,5 kg netti. Prodotto in Italia.", "grossMassKg", "900.5"},
		{"12 boxes per carton", "packageCount", ""},
	} {
		if got := found(t, extract.PackingList, "PACKING LIST\n\n"+c.text+"\n")[c.field].Text; got != c.want {
			t.Errorf("%q: %s is %q, want %q", c.text, c.field, got, c.want)
		}
	}
}

// A header that begins with the name of a column is the field of the document that all its words name; parties are named by verbs too.
func TestHeadersOfMoreWords(t *testing.T) {
	got := found(t, extract.PackingList, "packing_list_no,ragione_sociale_fornitore,sold_to_nm,goods_description,pieces,grs_wgt_kg\nPL-1,Nordwerk SpA,Brenwick Tools Ltd,T-shirts,100,12.5\nPL-1,Nordwerk SpA,Brenwick Tools Ltd,Trousers,60,15\n")
	for field, want := range map[string]string{"packingListNumber": "PL-1", "seller.name": "Nordwerk SpA", "buyer.name": "Brenwick Tools Ltd", "lineItems[1].grossMassKg": "15"} {
		if got[field].Text != want {
			t.Errorf("%s is %q, want %q", field, got[field].Text, want)
		}
	}
}

// A mass with a point and three digits behind it may be one of tonnes or of grams if no other number tells.
func TestDoubtfulMass(t *testing.T) {
	d := extracted(t, extract.PackingList, []byte("PACKING LIST\n\nGross weight: 9.400 kg\n")).Document
	if d.GrossMassKg == nil || d.GrossMassKg.Confidence > 65 {
		t.Errorf("%+v", d.GrossMassKg)
	}
}
