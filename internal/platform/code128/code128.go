// Package code128 draws texts as barcodes of Code 128 (ISO/IEC 15417), code set B.
package code128

import "fmt"

// Symbols of the code besides the characters.
const (
	startB  = 104
	stop    = 106
	modulus = 103

	quietZone = 10 // modules on each side
)

// widths are the widths of bars and spaces of each symbol, in modules.
var widths = [...]string{
	"212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221",
	"223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121", "111323", "131123", "131321",
	"112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331", "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131",
	"311123", "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114",
	"122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
	"214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311", "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
}

// Bar is a bar with its place, in modules from the left.
type Bar struct{ At, Width int }

// Code is a barcode.
type Code struct {
	Bars  []Bar
	Width int // in modules, without the quiet zones on both sides
}

// Quiet returns the width with the quiet zones.
func (c *Code) Quiet() int { return c.Width + 2*quietZone }

// Encode returns the barcode of a text of printable ASCII characters.
func Encode(text string) (c Code, err error) {
	sum := startB
	c.add(startB)
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return Code{}, fmt.Errorf("code128: %q has no symbol in code set B", text[i])
		}
		symbol := int(text[i] - ' ')
		sum += symbol * (i + 1)
		c.add(symbol)
	}
	c.add(sum % modulus)
	c.add(stop)
	return c, nil
}

// add adds a symbol, whose widths are of bars and spaces in turn.
func (c *Code) add(symbol int) {
	for i, w := range widths[symbol] {
		width := int(w - '0')
		if i%2 == 0 {
			c.Bars = append(c.Bars, Bar{c.Width, width})
		}
		c.Width += width
	}
}
