package documents

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png" // the format of the scans
	"path"
	"strings"
)

// Scans are pictures of printed documents of the development side, in black and white with 200 dots per inch, each as
// a picture and as a PDF of one page that shows it.
func Scans() ([]Sample, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	names, err := files.ReadDir("testdata/scan")
	if err != nil {
		return nil, err
	}
	var scans []Sample
	for _, entry := range names {
		picture, err := files.ReadFile(path.Join("testdata/scan", entry.Name()))
		if err != nil {
			return nil, err
		}
		page, err := scannedPage(picture)
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if s.Name == strings.TrimSuffix(entry.Name(), ".png") {
				scans = append(scans, Sample{Name: s.Name + ".png", Type: s.Type, Format: "png", File: picture, Want: s.Want},
					Sample{Name: s.Name + ".pdf", Type: s.Type, Format: "pdf", File: page, Want: s.Want})
			}
		}
	}
	return scans, nil
}

// scannedPage is a PDF with a picture on its only page.
func scannedPage(picture []byte) ([]byte, error) {
	img, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	width, height := img.Bounds().Dx(), img.Bounds().Dy()
	samples := make([]byte, 0, width*height)
	for y := range height {
		for x := range width {
			r, _, _, _ := img.At(x, y).RGBA()
			samples = append(samples, byte(r>>8)) // #nosec G115 -- eight bits
		}
	}
	w := pdfWriter{offsets: map[int]int{}}
	w.out.WriteString("%PDF-1.5\n")
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 842 595] >>",
		"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /XObject << /P 4 0 R >> >> >>",
	}
	for i, o := range objects {
		w.offsets[i+1] = w.out.Len()
		fmt.Fprintf(&w.out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	w.stream(4, fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode ", width, height), Deflate(samples))
	w.stream(5, "", []byte("q 842 0 0 595 0 0 cm /P Do Q"))
	return w.table(6), nil
}
