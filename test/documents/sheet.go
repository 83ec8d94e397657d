package documents

import (
	"bytes"
	"fmt"
)

// sheet is a page on which texts are put at positions, in points from the lower left corner.
type sheet struct {
	out bytes.Buffer
	y   float64 // of the next line

	shift func() float64 // by which places are off, in points; may be nil
}

// put writes a text in a proportional font.
func (s *sheet) put(x, y, size float64, text string) {
	if s.shift != nil {
		x, y = x+4*s.shift(), y+s.shift()
	}
	fmt.Fprintf(&s.out, "/F1 %.1f Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj\n", size, x, y, literal(text))
}

// column writes lines below each other.
func (s *sheet) column(x, y, step float64, lines ...string) {
	for i, line := range lines {
		s.put(x, y-float64(i)*step, 9, line)
	}
}

// width is about the width of a text in points: half of the size for each character.
func width(text string, size float64) float64 { return float64(len([]rune(text))) * size / 2 }

// file returns the page as a PDF.
func (s *sheet) file() []byte {
	w := pdfWriter{packing: Packed}
	return w.write([][]byte{[]byte("BT\n" + s.out.String() + "ET\n")})
}
