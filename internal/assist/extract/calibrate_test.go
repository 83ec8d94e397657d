package extract

import (
	"context"
	"testing"
)

// The calibrated confidence grows with the raw one, and stays within the measured points.
func TestCalibration(t *testing.T) {
	last := Confidence(-1)
	for raw := range Confidence(101) {
		c := onPages.confidence(raw)
		if c < last || c > 98 || raw <= 65 && c != raw {
			t.Errorf("%d becomes %d after %d", raw, c, last)
		}
		last = c
	}
}

// All fields are calibrated once, also those of parties and lines, and those that a model named are not.
func TestCalibratedFields(t *testing.T) {
	const text = "INVOICE\n\nSeller: Brenwick Ltd\nInvoice number A-7\n\nDescription      Qty      Unit price      Amount\nBrackets         10       2.50            25.00\n"
	read := func(raw bool) TradeDocument {
		e := New()
		e.Raw = raw
		a, err := e.Extract(context.Background(), Request{File: []byte(text), DocumentType: Invoice})
		if err != nil {
			t.Fatal(err)
		}
		return a.Document
	}
	raw, measured := read(true), read(false)
	for _, pair := range [][2]Confidence{
		{raw.Seller.Name.Confidence, measured.Seller.Name.Confidence}, {raw.InvoiceNumber.Confidence, measured.InvoiceNumber.Confidence},
		{raw.LineItems[0].Description.Confidence, measured.LineItems[0].Description.Confidence},
	} {
		if pair[1] != onPages.confidence(pair[0]) {
			t.Errorf("%d becomes %d", pair[0], pair[1])
		}
	}
	f := Text{Confidence: 75, Found: Place{Source: Provider}}
	if f.calibrate(); f.Confidence != 75 {
		t.Errorf("a model's field has %d", f.Confidence)
	}
}
