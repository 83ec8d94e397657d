package source_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

func drawn() *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 {
		p.Set(i, i*3/4, color.RGBA{uint8(6 * i), 200, 30, 255})
	}
	return p
}

func segment(marker byte, text string) string {
	return string(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(text)+2))) + text
}

func chunk(name, text string) string {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	out = append(out, name+text...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(name+text))))
}

// A picture keeps every pixel and loses its metadata.
func TestBare(t *testing.T) {
	var jpg, pic bytes.Buffer
	if jpeg.Encode(&jpg, drawn(), nil) != nil || png.Encode(&pic, drawn()) != nil {
		t.Fatal("no pictures")
	}
	const secret = "51.5N 0.1W, taken by A. Person"
	for format, file := range map[source.Format]string{
		source.JPEG: jpg.String()[:2] + segment(0xe1, "Exif\x00\x00"+secret) + segment(0xfe, secret) + segment(0xed, secret) + jpg.String()[2:] + secret,
		source.PNG:  pic.String()[:33] + chunk("tEXt", "Author\x00"+secret) + chunk("eXIf", secret) + pic.String()[33:] + secret,
	} {
		bare, err := source.StripMetadata(format, []byte(file))
		if err != nil || bytes.Contains(bare, []byte(secret)) {
			t.Errorf("%s: %v, %d bytes of %d", format, err, len(bare), len(file))
			continue
		}
		before, _, _ := image.Decode(bytes.NewReader([]byte(file)))
		after, _, err := image.Decode(bytes.NewReader(bare))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		for y := range 30 {
			for x := range 40 {
				if before.At(x, y) != after.At(x, y) {
					t.Fatalf("%s: another dot at %d, %d", format, x, y)
				}
			}
		}
	}
}

// An incomplete or too large picture is refused, without a panic.
func TestNoPicture(t *testing.T) {
	var jpg, pic bytes.Buffer
	if jpeg.Encode(&jpg, drawn(), nil) != nil || png.Encode(&pic, drawn()) != nil {
		t.Fatal("no pictures")
	}
	huge := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 100_000), 10)
	for name, c := range map[string]struct {
		format source.Format
		file   string
	}{
		"words as JPEG": {source.JPEG, "\xff\xd8\xff\xe0 an invoice"}, "a PNG as JPEG": {source.JPEG, pic.String()}, "nothing": {source.PNG, ""},
		"too wide":  {source.PNG, pic.String()[:8] + chunk("IHDR", string(huge)+"\x08\x02\x00\x00\x00") + pic.String()[33:]},
		"too heavy": {source.PNG, pic.String()[:33] + chunk("IDAT", string(make([]byte, 4<<20))) + pic.String()[33:]},
	} {
		if p, err := source.StripMetadata(c.format, []byte(c.file)); err == nil {
			t.Errorf("%s: %d bytes", name, len(p))
		}
	}
	for format, file := range map[source.Format][]byte{source.JPEG: jpg.Bytes(), source.PNG: pic.Bytes()} {
		for n := range file {
			if p, err := source.StripMetadata(format, file[:n]); err == nil && len(p) > n {
				t.Errorf("%s cut at %d became %d bytes", format, n, len(p))
			}
		}
	}
}
