package documents

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Packing is the way in which a PDF is written.
type Packing int

// Plain has a cross-reference table and uncompressed streams; Packed has compressed streams, objects in an object
// stream, and a cross-reference stream.
const (
	Plain Packing = iota
	Packed
)

// Dimensions of a page in points, for a text of 110 columns on A4 landscape.
const (
	columnWidth, lineHeight = 6.6, 12.5
	left, top               = 36, 560
)

// PDF prints a text: each run of words at the position of its column, in a proportional font. A form feed begins a
// page.
func PDF(text string, p Packing) []byte {
	w := pdfWriter{packing: p}
	var contents [][]byte
	for page := range strings.SplitSeq(text, "\f") {
		contents = append(contents, content(page))
	}
	return w.write(contents)
}

// content returns the drawing instructions of a page.
func content(page string) []byte {
	var out bytes.Buffer
	out.WriteString("BT\n")
	for n, line := range strings.Split(page, "\n") {
		runes := []rune(line)
		for at := 0; at < len(runes); {
			if runes[at] == ' ' {
				at++
				continue
			}
			end := at
			for end < len(runes) && (runes[end] != ' ' || end+1 < len(runes) && runes[end+1] != ' ') {
				end++
			}
			fmt.Fprintf(&out, "/F1 9 Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj\n", left+float64(at)*columnWidth, top-float64(n)*lineHeight, literal(string(runes[at:end])))
			at = end
		}
	}
	out.WriteString("ET\n")
	return out.Bytes()
}

// literal is a string in WinAnsi; characters outside it become question marks.
func literal(text string) string {
	var out strings.Builder
	for _, r := range text {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			b = substitute(r)
		}
		if strings.IndexByte(`()\`, b) >= 0 {
			out.WriteByte('\\')
		}
		out.WriteByte(b)
	}
	return out.String()
}

// The differences of the font's encoding: Polish letters at unused codes.
var differences = []struct {
	letter rune
	code   byte
	name   string
}{{'ą', 1, "aogonek"}, {'ę', 2, "eogonek"}, {'ł', 3, "lslash"}, {'ń', 4, "nacute"}, {'ś', 5, "sacute"}, {'ź', 6, "zacute"}, {'ż', 7, "zdotaccent"}, {'ć', 8, "cacute"}, {'Ł', 11, "Lslash"}}

func substitute(r rune) byte {
	for _, d := range differences {
		if d.letter == r {
			return d.code
		}
	}
	return '?'
}

// pdfWriter writes the objects of a file: 1 the catalogue, 2 the pages, 3 the font,
// and then a page and its content for each page.
type pdfWriter struct {
	packing Packing
	out     bytes.Buffer
	offsets map[int]int
}

func (w *pdfWriter) write(contents [][]byte) []byte {
	w.offsets = map[int]int{}
	w.out.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	var kids, names strings.Builder
	for i := range contents {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	for _, d := range differences {
		fmt.Fprintf(&names, "%d /%s ", d.code, d.name)
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 842 595] /Resources << /Font << /F1 3 0 R >> >> >>", kids.String(), len(contents)),
		fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [%s] >> >>", names.String()),
	}
	numbers := []int{1, 2, 3}
	for i, c := range contents {
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>", 5+2*i))
		numbers = append(numbers, 4+2*i)
		w.stream(5+2*i, "", c)
	}
	if w.packing == Packed {
		return w.packed(numbers, objects)
	}
	for i, o := range objects {
		w.offsets[numbers[i]] = w.out.Len()
		fmt.Fprintf(&w.out, "%d 0 obj\n%s\nendobj\n", numbers[i], o)
	}
	return w.table(4 + 2*len(contents))
}

func (w *pdfWriter) stream(number int, entries string, data []byte) {
	w.offsets[number] = w.out.Len()
	filter := ""
	if w.packing == Packed {
		data, filter = Deflate(data), "/Filter /FlateDecode "
	}
	fmt.Fprintf(&w.out, "%d 0 obj\n<< %s%s/Length %d >>\nstream\n%s\nendstream\nendobj\n", number, entries, filter, len(data), data)
}

func (w *pdfWriter) table(size int) []byte {
	at := w.out.Len()
	fmt.Fprintf(&w.out, "xref\n0 %d\n0000000000 65535 f \n", size)
	for n := 1; n < size; n++ {
		fmt.Fprintf(&w.out, "%010d 00000 n \n", w.offsets[n])
	}
	fmt.Fprintf(&w.out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", size, at)
	return w.out.Bytes()
}

// packed puts the non-stream objects into one stream, and writes the references as rows of one, four and two
// bytes.
func (w *pdfWriter) packed(numbers []int, objects []string) []byte {
	var head, body strings.Builder
	index := map[int]int{}
	for i, o := range objects {
		fmt.Fprintf(&head, "%d %d ", numbers[i], body.Len())
		body.WriteString(o + " ")
		index[numbers[i]] = i
	}
	pack := 4 + 2*len(w.offsets)
	w.stream(pack, fmt.Sprintf("/Type /ObjStm /N %d /First %d ", len(objects), head.Len()), []byte(head.String()+body.String()))
	references := pack + 1
	at := w.out.Len()
	w.offsets[references] = at
	var rows bytes.Buffer
	for n := range references + 1 {
		row := [7]byte{}
		offset, isPlain := w.offsets[n]
		i, isPacked := index[n]
		switch {
		case isPlain:
			row = [7]byte{1, byte(offset >> 24), byte(offset >> 16), byte(offset >> 8), byte(offset)}
		case isPacked:
			row = [7]byte{2, byte(pack >> 24), byte(pack >> 16), byte(pack >> 8), byte(pack), byte(i >> 8), byte(i)}
		}
		rows.Write(row[:])
	}
	w.stream(references, fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] /Root 1 0 R ", references+1), rows.Bytes())
	fmt.Fprintf(&w.out, "startxref\n%d\n%%%%EOF\n", at)
	return w.out.Bytes()
}

// Deflate compresses for FlateDecode.
func Deflate(data []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(data)
	_ = z.Close()
	return out.Bytes()
}
