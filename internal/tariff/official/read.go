package official

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/raw"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// File is a file to import.
type File struct {
	Name string
	io.Reader
}

// peeked is the number of bytes that are read to recognise a file.
const peeked = 64 << 10

// part is a table that was read, with its description.
type part struct {
	Table
	rows   [][]string
	pieces []Part       // of a table that is stored in pieces, instead of rows
	table  *table.Table // of a table of measures that was read
	report Kind         // the table of measures that it was read with
	fresh  bool         // of the files that are imported, not of the edition before
}

// readFile reads a file, which it recognises by its content.
func readFile(in File, how ImportOptions, today string, f *rowErrors) (parts []part) {
	from := bufio.NewReaderSize(in.Reader, peeked)
	beginning, err := from.Peek(peeked)
	if err != nil && err != io.EOF {
		f.add(0, err)
		return nil
	}
	var l layout
	var tables []read
	switch {
	case isJSON(beginning) || isArray(beginning):
		document, err := readDocumentBytes(from)
		if err != nil {
			f.add(0, err)
			return nil
		}
		if recording.IsRecording(document) {
			return readAnswer(in.Name, document, how, f)
		}
		if list, ok := listOf(document); ok {
			l, tables = layout{title: list.title}, []read{list.read(how.Service, f)}
			break
		}
		if isArray(document) {
			f.add(0, errShape)
			return nil
		}
		if _, named := recording.ParseName(path.Base(in.Name)); named {
			f.add(0, errNoAnswer)
			return nil
		}
		title, t := readDocument(bufio.NewReader(bytes.NewReader(document)), f)
		l, tables = layout{title: title}, []read{t}
	case isDocument(beginning):
		title, t := readDocument(from, f)
		l, tables = layout{title: title}, []read{t}
	default:
		l, tables = readCSV(from, reading{in.Name, how.Service, today, how.raw}, f)
	}
	for _, t := range tables {
		info := Table{Kind: t.kind, AsOf: firstDay(how.AsOf, t.newest, l.day, today), Source: sourceOf(l, &t), File: in.Name, Rows: len(t.rows)}
		p := part{Table: info, rows: t.rows, table: t.table, report: t.report}
		if t.table != nil {
			var err error
			if p.pieces, err = measurePieces(t.kind, t.table); err != nil {
				f.add(0, err)
			}
			p.Rows = t.table.Len()
		}
		parts = append(parts, p)
	}
	return parts
}

// readDocumentBytes reads a document whole, as its kind can stand at its end.
func readDocumentBytes(from io.Reader) ([]byte, error) {
	document, err := io.ReadAll(io.LimitReader(from, maxRecording+1))
	if err == nil && len(document) > maxRecording {
		err = errLongRecording
	}
	return document, err
}

// readAnswer reads a recorded answer of the tariff service.
func readAnswer(file string, document []byte, how ImportOptions, f *rowErrors) []part {
	p, err := readRecording(file, document, how)
	if err != nil {
		f.add(0, err)
		return nil
	}
	return []part{p}
}

// Recognise reports whether a file is a recorded answer of the tariff service, a reference list or a table with a known header, so that those of
// a folder can be found.
func Recognise(content []byte) bool {
	if isJSON(content) || isArray(content) {
		_, list := listOf(content)
		return list || recording.IsRecording(content)
	}
	header, err := csv.NewReader(&limitedReader{from: bytes.NewReader(content)}).Read()
	if err != nil {
		return false
	}
	header = headings(header)
	_, ok := known(header)
	return ok || raw.Is(header)
}

// isJSON reports whether a file is a JSON object.
func isJSON(beginning []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(bytes.TrimSpace(beginning), []byte(byteOrderMark)), []byte("{"))
}

// isArray reports whether a file is a JSON array.
func isArray(beginning []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(bytes.TrimSpace(beginning), []byte(byteOrderMark)), []byte("["))
}

// isDocument reports whether a file is a list in JSON or YAML and not a table.
func isDocument(beginning []byte) bool {
	text := bytes.TrimPrefix(bytes.TrimSpace(beginning), []byte(byteOrderMark))
	return bytes.HasPrefix(text, []byte("{")) || bytes.Contains(text, []byte("\n  :title:"))
}

// firstDay returns the first day that is not empty.
func firstDay(days ...string) string {
	for _, day := range days {
		if day != "" {
			return day
		}
	}
	return ""
}

// comesInFiles reports whether several files are one table: quotas and values are answered page by page.
func comesInFiles(k Kind) bool {
	several := slices.Concat([]Kind{Labelled}, []Kind{Quotas, SPVValues}, []Kind{Quotas.of(measure.XI), SPVValues.of(measure.XI)})
	return slices.Contains(several, k)
}

// join joins lists of the same kind, and refuses two tables of one kind.
func join(parts []part, f *importerr.Error) []part {
	var joined []part
	for _, p := range parts {
		at := slices.IndexFunc(joined, func(j part) bool { return j.Kind == p.Kind })
		switch {
		case at < 0:
			joined = append(joined, p)
		case p.Kind == Recordings:
			joinRecordings(f, &joined[at], p)
		case sameReports(&joined[at], &p):
			if p.report == Measures {
				joined[at] = p
			}
		case !comesInFiles(p.Kind):
			of(f, p.File).add(0, fmt.Errorf("has the table %s, as %s has", p.Kind, joined[at].File))
		default:
			j := &joined[at]
			j.rows, j.Rows = append(j.rows, p.rows...), j.Rows+p.Rows
			j.File, j.AsOf = strings.Join([]string{j.File, p.File}, ", "), max(j.AsOf, p.AsOf)
		}
	}
	return joined
}
