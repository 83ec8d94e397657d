package browser

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// guideFolder is the setting that names the folder for the guide's screenshots.
const guideFolder = "TIDEWAITER_GUIDE"

// most is the maximum size of the guide's screenshots, in bytes.
const most = 150 << 10

// picture takes a screenshot for the guide, if a folder for it is set.
func (w *window) picture(name string) {
	w.Helper()
	w.pictures = append(w.pictures, name)
	folder := os.Getenv(guideFolder)
	if folder == "" {
		return
	}
	taken, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		taken, err = lighter(taken)
	}
	if err == nil && len(taken) > most {
		w.Errorf("%s has %d bytes", name, len(taken))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), taken, 0o644)
	}
	if err != nil {
		w.Error(err)
	}
}

// lighter is a picture with its 256 most frequent colours: pages have few others, and this needs a third of the
// bytes.
func lighter(taken []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(taken))
	if err != nil {
		return nil, err
	}
	paletted := image.NewPaletted(full.Bounds(), frequent(full, 256))
	nearest := map[color.Color]uint8{}
	each(full, func(x, y int, c color.Color) {
		index, known := nearest[c]
		if !known {
			index = uint8(paletted.Palette.Index(c))
			nearest[c] = index
		}
		paletted.SetColorIndex(x, y, index)
	})
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, paletted)
	return out.Bytes(), err
}

// frequent are the most frequent colours of a picture.
func frequent(full image.Image, most int) (found color.Palette) {
	count := map[color.Color]int{}
	each(full, func(_, _ int, c color.Color) { count[c]++ })
	for c := range count {
		found = append(found, c)
	}
	slices.SortFunc(found, func(a, b color.Color) int { return cmp.Or(cmp.Compare(count[b], count[a]), darker(a, b)) })
	return found[:min(most, len(found))]
}

func darker(a, b color.Color) int {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return cmp.Or(cmp.Compare(ar, br), cmp.Compare(ag, bg), cmp.Compare(ab, bb))
}

func each(full image.Image, see func(x, y int, c color.Color)) {
	for y := full.Bounds().Min.Y; y < full.Bounds().Max.Y; y++ {
		for x := full.Bounds().Min.X; x < full.Bounds().Max.X; x++ {
			see(x, y, full.At(x, y))
		}
	}
}

// A picture keeps its size and, if it has few, its colours.
func TestReducedColoursLookTheSame(t *testing.T) {
	full := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for x := range 300 {
		for y := range 200 {
			full.Set(x, y, color.RGBA{uint8(x % 15 * 17), uint8(y % 15 * 17), 40, 255})
		}
	}
	var before bytes.Buffer
	if err := png.Encode(&before, full); err != nil {
		t.Fatal(err)
	}
	after, err := lighter(before.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(after))
	if err != nil || shown.Bounds() != full.Bounds() {
		t.Fatalf("%v, %v", shown.Bounds(), err)
	}
	each(full, func(x, y int, c color.Color) {
		if color.RGBAModel.Convert(shown.At(x, y)) != c {
			t.Fatalf("%d, %d has become %v", x, y, shown.At(x, y))
		}
	})
}
