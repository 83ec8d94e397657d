package worksheet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

const (
	anInvoice = "Commercial invoice\nInvoice No: 7\nCurrency: GBP\nTerms of delivery: CIF Felixstowe\n\n" +
		"Description;HS code;Qty;Amount\nMen's shirts;6109100010;600;1850\nTrousers;6204623190;200;2400\n"
	aPackingList = "Packing list\n\nDescription;Qty;Net kg;Gross kg\ntrousers;200;90;99\nMEN'S SHIRTS;600;120.5;131\nHats;5;1;2\n"
)

func readText(t *testing.T, kind extract.DocumentType, text string) extract.Extraction {
	t.Helper()
	x, err := extract.New().Extract(t.Context(), extract.Request{File: []byte(text), DocumentType: kind})
	if err != nil {
		t.Fatal(err)
	}
	x.Convert(func(string) (duty.Rate, bool) { return duty.Rate{}, false })
	return x
}

// A packing list completes the items of the invoice, whatever its order, and adds none. A line without an item is named. Each
// value says from which file it is.
func TestFillFromSeveral(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Sources = []attachment.Source{{ID: "a", DocumentType: "invoice"}, {ID: "b", DocumentType: "packing_list"}}
	s.Fill(readText(t, extract.Invoice, anInvoice), "a")
	s.Fill(readText(t, extract.PackingList, aPackingList), "b")
	if len(s.Items) != 2 {
		t.Fatalf("%d items: %+v", len(s.Items), s.Items)
	}
	shirts := &s.Items[0]
	if shirts.Get("netMassKg") != "120.5" || shirts.Found["netMassKg"].Source != "b" || shirts.Found["description"].Source != "a" || s.Items[1].Get("grossMassKg") != "99" {
		t.Errorf("%+v", s.Items)
	}
	if name := s.DocumentOf(shirts.Found["netMassKg"]); name != "packing list" {
		t.Errorf("the mass is from the %q", name)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "1 of the 3 lines of the packing list") }) {
		t.Errorf("the notes do not name the line that was left out: %q", s.Notes)
	}
}

// A second file does not replace a value of the first. If they differ, a note says so.
func TestSecondFileDiffers(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Fill(readText(t, extract.Invoice, "Invoice\nInvoice No: 7\nTerms of delivery: CIF Felixstowe\n"), "a")
	s.Fill(readText(t, extract.Invoice, "Invoice\nInvoice No: 8\nTerms of delivery: FOB Shanghai\n"), "b")
	if s.Shipment.Get("incoterm") != "CIF" || s.Shipment.Found["incoterm"].Source != "a" {
		t.Errorf("%+v", s.Shipment)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "FOB") && strings.Contains(n, "CIF") }) {
		t.Errorf("%q", s.Notes)
	}
}

// A found value can be taken again after it was changed, until its file is removed; the value itself stays.
func TestTake(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Sources = []attachment.Source{{ID: "a", DocumentType: "invoice"}}
	s.Fill(readText(t, extract.Invoice, anInvoice), "a")
	s.Items[1].Set("commodityCode", "1")
	if !s.Take("items[1].commodityCode") || s.Items[1].Get("commodityCode") != "6204623190" {
		t.Errorf("%+v", s.Items[1])
	}
	if len(s.FoundIn("a", 1, 100)) < 6 || s.FoundIn("a", 1, 2)[1].Path == "" {
		t.Errorf("%+v", s.FoundIn("a", 1, 100))
	}
	s.DropSource("a")
	if s.Take("items[1].commodityCode") || s.Items[1].Get("commodityCode") != "6204623190" || len(s.Sources) != 0 || s.FoundIn("a", 1, 100) != nil {
		t.Errorf("%+v", s.Items[1])
	}
	for _, unknown := range []string{"", "items[9].commodityCode", "items[x].y", "nothing.here", "client."} {
		if s.Take(unknown) {
			t.Errorf("%q has a value", unknown)
		}
	}
}
