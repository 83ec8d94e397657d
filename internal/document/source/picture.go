package source

import (
	"bytes"
	order "encoding/binary"
	"errors"
	"image/jpeg"
	"image/png"
)

// Limits of a picture for a model: Anthropic accepts five megabytes in base64 and 8,000 pixels
// a side, others accept more.
const (
	maxPicture = 5 << 20 / 4 * 3
	maxSide    = 8000
)

// Reasons why a picture is not sent to a model.
var (
	errNoPicture   = errors.New("is not a readable picture")
	errTooLarge    = errors.New("has more than 3.75 MB")
	errTooManyDots = errors.New("has more than 8,000 pixels on one side")
)

// StripMetadata removes the metadata of cameras and programs from a picture, such as the place and the owner of
// the camera.
func StripMetadata(format Format, file []byte) ([]byte, error) {
	read, bare := png.DecodeConfig, stripPNG
	if format == JPEG {
		read, bare = jpeg.DecodeConfig, stripJPEG
	}
	head, err := read(bytes.NewReader(file))
	if err != nil {
		return nil, errNoPicture
	}
	if head.Width > maxSide || head.Height > maxSide {
		return nil, errTooManyDots
	}
	picture, ok := bare(file)
	if !ok {
		return nil, errNoPicture
	}
	if len(picture) > maxPicture {
		return nil, errTooLarge
	}
	return picture, nil
}

const (
	signatureLength = 8
	chunkFrame      = 12 // length, type and checksum of a chunk
)

// stripPNG keeps the chunks that are needed to display the picture: the critical ones, whose
// name begins with a capital, and transparency.
func stripPNG(file []byte) ([]byte, bool) {
	out := bytes.Clone(file[:signatureLength])
	for rest := file[signatureLength:]; len(rest) >= chunkFrame; {
		length := uint64(order.BigEndian.Uint32(rest)) + chunkFrame
		if length > uint64(len(rest)) {
			return nil, false
		}
		name := string(rest[4:8])
		if name[0] >= 'A' && name[0] <= 'Z' || name == "tRNS" {
			out = append(out, rest[:length]...)
		}
		if name == "IEND" {
			return out, true
		}
		rest = rest[length:]
	}
	return nil, false
}

// Markers of a JPEG.
const (
	jpegEnd, jpegScan     = 0xd9, 0xda
	jpegApp0, jpegApp15   = 0xe0, 0xef
	jpegAdobe             = 0xee // colour encoding
	jpegComment           = 0xfe
	firstAlone, lastAlone = 0xd0, 0xd7 // markers without a length
)

// stripJPEG removes comments and application segments.
func stripJPEG(file []byte) ([]byte, bool) {
	out := bytes.Clone(file[:2])
	for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker := rest[1]
		if marker == 0xff { // padding
			rest = rest[1:]
			continue
		}
		if marker == jpegEnd {
			return append(out, rest[:2]...), true
		}
		length := 2 + int(order.BigEndian.Uint16(rest[2:]))
		if marker == jpegScan && length <= len(rest) {
			length += scanned(rest[length:])
		}
		if length > len(rest) {
			return nil, false
		}
		if (marker < jpegApp0 || marker > jpegApp15 || marker == jpegAdobe) && marker != jpegComment {
			out = append(out, rest[:length]...)
		}
		if rest = rest[length:]; len(rest) == 2 && rest[1] == jpegEnd {
			return append(out, rest...), true
		}
	}
	return nil, false
}

// scanned returns the length of a scan's data: up to a marker that ends the scan.
func scanned(data []byte) int {
	for i := 0; i+1 < len(data); i++ {
		if m := data[i+1]; data[i] == 0xff && m != 0 && m != 0xff && (m < firstAlone || m > lastAlone) {
			return i
		}
	}
	return len(data)
}
