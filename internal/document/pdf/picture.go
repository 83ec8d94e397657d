package pdf

import (
	"bytes"
	"context"
	"image"
	"image/png"
)

// Limits of pictures.
const (
	maxPictures = 50 // drawn on a page
	maxScans    = 20 // pages of a file whose pictures are returned
	maxPixels   = 30_000_000
)

// Scan is the largest picture on a page without text, as PNG or JPEG, and its edges in points.
type Scan struct {
	Page                     int // from 1
	Data                     []byte
	Left, Bottom, Right, Top float64
}

// Scans calls scan with the picture of each page that has no text.
func Scans(ctx context.Context, data []byte, scan func(Scan)) error {
	w := &walk{page: func([]Glyph) {}, scan: scan}
	_, err := w.read(ctx, data)
	return err
}

// placed is a picture that a page draws, and where: the matrix of its unit square.
type placed struct {
	stream stream
	view   matrix
}

func (p placed) area() float64 { return p.view[0] * p.view[3] }

// isUpright reports whether the picture is neither turned nor mirrored.
func (p placed) isUpright() bool {
	return p.view[0] > 0 && p.view[3] > 0 && abs(p.view[1]) < p.view[0]/10 && abs(p.view[2]) < p.view[3]/10
}

// scanned passes the largest picture of a page without text on.
func (w *walk) scanned(p *painter) {
	var best placed
	for _, picture := range p.pictures {
		if picture.isUpright() && picture.area() > best.area() {
			best = picture
		}
	}
	if best.area() == 0 || w.scans >= maxScans {
		return
	}
	if data := w.file.picture(best.stream); data != nil {
		w.scans++
		v := best.view
		w.scan(Scan{Page: w.pages, Data: data, Left: v[4], Bottom: v[5], Right: v[4] + v[0], Top: v[5] + v[3]})
	}
}

// picture returns an image as JPEG if it is stored so, or as PNG. Fax and JPEG 2000 images are not supported.
func (f *file) picture(s stream) []byte {
	filters := f.list(s.dict["Filter"])
	if n := len(filters); n > 0 {
		if last := nameOf(f.resolve(filters[n-1])); last == "DCTDecode" || last == "DCT" {
			return f.applyFilters(stream{dict: dict{"Filter": filters[:n-1]}, raw: s.raw})
		}
	}
	width, height, bits := toInt(f.resolve(s.dict["Width"])), toInt(f.resolve(s.dict["Height"])), toInt(f.resolve(s.dict["BitsPerComponent"]))
	if width <= 0 || height <= 0 || width > maxPixels/height {
		return nil
	}
	colors := f.colors(s.dict["ColorSpace"])
	if f.resolve(s.dict["ImageMask"]) == true {
		colors, bits = 1, 1
	}
	data := f.applyFilters(s)
	row := (width*colors*bits + 7) / 8
	if colors == 0 || bits != 8 && (bits != 1 || colors != 1) || len(data) < row*height {
		return nil
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, picture(data, width, height, colors, bits)); err != nil {
		return nil
	}
	return out.Bytes()
}

// colors is the number of components of a colour space: 1 for grey, 3 for red, green and blue, 0 for others.
func (f *file) colors(v any) int {
	switch space := f.resolve(v).(type) {
	case name:
		return map[name]int{"DeviceGray": 1, "G": 1, "DeviceRGB": 3, "RGB": 3}[space]
	case array:
		if len(space) < 2 {
			return 0
		}
		switch nameOf(f.resolve(space[0])) {
		case "CalGray":
			return 1
		case "CalRGB":
			return 3
		case "ICCBased":
			if profile, ok := f.resolve(space[1]).(stream); ok {
				if n := toInt(f.resolve(profile.dict["N"])); n == 1 || n == 3 {
					return n
				}
			}
		}
	}
	return 0
}

// picture makes an image of rows of samples.
func picture(data []byte, width, height, colors, bits int) image.Image {
	if colors == 3 {
		img := image.NewNRGBA(image.Rect(0, 0, width, height))
		for i := range width * height {
			copy(img.Pix[4*i:], data[3*i:3*i+3])
			img.Pix[4*i+3] = 0xff
		}
		return img
	}
	img := image.NewGray(image.Rect(0, 0, width, height))
	if bits == 8 {
		copy(img.Pix, data)
		return img
	}
	row := (width + 7) / 8
	for i := range img.Pix {
		if x, y := i%width, i/width; data[y*row+x/8]>>(7-x%8)&1 == 1 {
			img.Pix[i] = 0xff
		}
	}
	return img
}
