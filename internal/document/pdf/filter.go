package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"io"
)

// maxStream is the size limit of one stream after decompression.
const maxStream = 16 << 20

// applyFilters applies the filters of a stream. For a damaged stream it returns what comes before the
// damage, for an image filter nothing.
func (f *file) applyFilters(s stream) []byte {
	filters, params := f.list(s.dict["Filter"]), f.list(s.dict["DecodeParms"])
	data := s.raw
	for i, filter := range filters {
		if i >= maxFilters {
			return nil
		}
		var param dict
		if i < len(params) {
			param, _ = f.resolve(params[i]).(dict)
		}
		switch nameOf(f.resolve(filter)) {
		case "FlateDecode", "Fl":
			data = f.undoPredictor(f.inflate(data), param)
		case "ASCII85Decode", "A85":
			data = f.decodeASCII85(data)
		case "ASCIIHexDecode", "AHx":
			data = []byte((&lexer{data: data}).hex())
		case "RunLengthDecode", "RL":
			data = f.decodeRunLength(data)
		default:
			return nil
		}
	}
	return data
}

// maxFilters is the number of filters that one stream may have.
const maxFilters = 4

// list returns an array, or a single object as an array of one.
func (f *file) list(v any) array {
	switch v := f.resolve(v).(type) {
	case nil:
		return nil
	case array:
		return v
	default:
		return array{v}
	}
}

// spend takes bytes from the file's decompression budget, and returns how many it got.
func (f *file) spend(n int) int {
	n = min(n, f.budget)
	f.budget -= n
	if f.budget == 0 {
		f.exhausted = true
	}
	return n
}

func (f *file) inflate(data []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(r, int64(min(maxStream, f.budget)))) // use what comes before any damage
	return out[:f.spend(len(out))]
}

func (f *file) decodeASCII85(data []byte) []byte {
	if at := bytes.Index(data, []byte("~>")); at >= 0 {
		data = data[:at]
	}
	r := ascii85.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("<~"))))
	out, _ := io.ReadAll(io.LimitReader(r, int64(min(maxStream, f.budget))))
	return out[:f.spend(len(out))]
}

func (f *file) decodeRunLength(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data) && data[i] != 128 && len(out) < maxStream; {
		n := int(data[i])
		i++
		if n < 128 {
			stop := min(i+n+1, len(data))
			out = append(out, data[i:stop]...)
			i = stop
		} else if i < len(data) {
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	return out[:f.spend(len(out))]
}

// undoPredictor undoes the PNG predictors (RFC 2083, 6), which may differ by row.
func (f *file) undoPredictor(data []byte, param dict) []byte {
	if toInt(f.resolve(param["Predictor"])) < 10 {
		return data
	}
	setting := func(key name, otherwise int) int {
		if n := toInt(f.resolve(param[key])); n > 0 && n < 1<<16 {
			return n
		}
		return otherwise
	}
	bits := setting("Colors", 1) * setting("BitsPerComponent", 8)
	pixel := max(1, bits/8)
	width := (bits*setting("Columns", 1) + 7) / 8
	var out []byte
	before := make([]byte, width)
	for len(data) > width {
		row := data[1 : width+1]
		unfilter(data[0], row, before, pixel)
		out = append(out, row...)
		before, data = row, data[width+1:]
	}
	return out
}

func unfilter(kind byte, row, before []byte, pixel int) {
	for i := range row {
		var left, corner byte
		if i >= pixel {
			left, corner = row[i-pixel], before[i-pixel]
		}
		switch kind {
		case 1:
			row[i] += left
		case 2:
			row[i] += before[i]
		case 3:
			row[i] += byte((int(left) + int(before[i])) / 2) // #nosec G115 -- half of two bytes
		case 4:
			row[i] += paeth(left, before[i], corner)
		}
	}
}

func paeth(left, up, corner byte) byte {
	a, b, c := int(left), int(up), int(corner)
	toLeft, toUp, toCorner := distance(b, c), distance(a, c), distance(a+b, 2*c)
	switch {
	case toLeft <= toUp && toLeft <= toCorner:
		return left
	case toUp <= toCorner:
		return up
	}
	return corner
}

func distance(a, b int) int { return max(a-b, b-a) }
