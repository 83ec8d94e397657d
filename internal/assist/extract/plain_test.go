package extract_test

import (
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/documents"
)

// What no label that the reader knows introduces is read by its place and by arithmetic.
func TestUnknownLabels(t *testing.T) {
	const text = `Quagga Trading Ltd
4 Mill Lane, Leeds LS1 4AP

Herrn
Karl Mayer
Dorfstr. 17
10122 Berlin

Ref. no. QT-0417                          3 March 2026

Item                     Qty     Each      Line total
Ridge tent               12      164.00    1,968.00
Down jacket              20      98.50     1,970.00

                         Qwert             3,938.00
                         Yxcvb 19 %        748.22
                         Asdf              EUR 4,686.22

Registered GB 412 7781 09
`
	raw, err := json.Marshal(readInvoice(t, text))
	if err != nil {
		t.Fatal(err)
	}
	found, err := documents.Values(raw)
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"invoiceNumber": "QT-0417", "invoiceDate": "2026-03-03", "buyer.name": "Karl Mayer", "lineItems[0].description": "Ridge tent",
		"totals.goods": "3938", "totals.vat": "748.22", "totals.grand": "4686.22", "currency": "EUR", "seller.vatNumber": "GB412778109",
	} {
		if found[field].Text != want {
			t.Errorf("%s is %q, not %q", field, found[field].Text, want)
		}
	}
}

// Letters of an Italian province are no country, and a sentence above an address is no name.
func TestAddressesWithoutLabels(t *testing.T) {
	const text = `Officine Rossi S.r.l.
Via Garibaldi 7
20090 Segrate (MI)

Invoice no. 12                            12/05/2026

Consegna gratuita a partire dal 2026.
Ferramenta Bianchi S.a.s.
Corso Garibaldi 55
10122 Torino (TO)

Item                     Qty     Each      Line total
Viti M8                  500     0.12      60.00
`
	d := readInvoice(t, text)
	if d.Buyer == nil || d.Buyer.Name == nil || d.Buyer.Name.Value != "Ferramenta Bianchi S.a.s." {
		t.Fatalf("%+v", d.Buyer)
	}
	if d.Buyer.Country == nil || d.Buyer.Country.Value != "IT" {
		t.Errorf("%+v", d.Buyer.Country)
	}
}
