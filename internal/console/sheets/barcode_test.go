package sheets

import (
	"slices"
	"testing"
)

// A barcode begins with the start symbol (2 1 1 2 1 4, 2 or 3 2 at its end), ends with the stop symbol, has eleven modules for each
// symbol, and an empty space on both sides. A text without a symbol in Code 128 is an error.
func TestBarcode(t *testing.T) {
	c, err := barcodeOf("GMRI000023KN")
	if err != nil {
		t.Fatal(err)
	}
	first, last := c.Bars[0], c.Bars[len(c.Bars)-1]
	if first != (bar{0, 2}) || last.Width != 2 || last.At+last.Width+2*quietZone != c.Quiet || (c.Quiet-2*quietZone-13)%11 != 0 {
		t.Errorf("%+v", c)
	}
	if !slices.IsSortedFunc(c.Bars, func(a, b bar) int { return a.At + a.Width - b.At }) {
		t.Errorf("bars touch or overlap: %+v", c.Bars)
	}
	if _, err := barcodeOf("é"); err == nil {
		t.Error("a text that has no barcode is drawn")
	}
}
