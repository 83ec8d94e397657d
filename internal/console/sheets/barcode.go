package sheets

import (
	"fmt"
	"image/color"

	"github.com/boombuler/barcode/code128"
)

// quietZone is the empty space on each side of a barcode, in modules (ISO/IEC 15417).
const quietZone = 10

// bar is a bar with its place, in modules from the left.
type bar struct{ At, Width int }

// code is a barcode of Code 128.
type code struct {
	Bars  []bar
	Quiet int // width in modules, with the quiet zones
}

// barcodeOf returns the barcode of a text.
func barcodeOf(text string) (*code, error) {
	drawn, err := code128.Encode(text)
	if err != nil {
		return nil, fmt.Errorf("sheets: barcode: %w", err)
	}
	width := drawn.Bounds().Dx()
	c := &code{Quiet: width + 2*quietZone}
	for x := range width {
		switch last := len(c.Bars) - 1; {
		case drawn.At(x, 0) != color.Black:
		case last >= 0 && c.Bars[last].At+c.Bars[last].Width == x:
			c.Bars[last].Width++
		default:
			c.Bars = append(c.Bars, bar{x, 1})
		}
	}
	return c, nil
}
