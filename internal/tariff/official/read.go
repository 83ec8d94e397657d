package official

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// File is a file to import.
type File struct {
	Name string
	io.Reader
}

// peeked is how much of a file is looked at to tell what it is.
const peeked = 64 << 10

// part is a table that was read, with what is known of it.
type part struct {
	Table
	rows [][]string
}

// readFile reads a file that is known by its contents.
func readFile(in File, asOf, today string, f *faults) (parts []part) {
	from := bufio.NewReaderSize(in.Reader, peeked)
	beginning, err := from.Peek(peeked)
	if err != nil && err != io.EOF {
		f.add(0, err)
		return nil
	}
	var l layout
	var tables []read
	if isDocument(beginning) {
		title, t := readDocument(from, f)
		l, tables = layout{title: title}, []read{t}
	} else {
		l, tables = readCSV(from, today, f)
	}
	for _, t := range tables {
		info := Table{Kind: t.kind, AsOf: firstDay(asOf, t.newest, l.day, today), Source: l.title, File: in.Name, Rows: len(t.rows)}
		parts = append(parts, part{info, t.rows})
	}
	return parts
}

// isDocument tells a list in JSON or YAML from a table.
func isDocument(beginning []byte) bool {
	text := bytes.TrimPrefix(bytes.TrimSpace(beginning), []byte(byteOrderMark))
	return bytes.HasPrefix(text, []byte("{")) || bytes.Contains(text, []byte("\n  :title:"))
}

// firstDay is the first of several days that is one.
func firstDay(days ...string) string {
	for _, day := range days {
		if day != "" {
			return day
		}
	}
	return ""
}

// join makes one table of lists of the same kind, and refuses two tables.
func join(parts []part, f *Faulty) []part {
	var joined []part
	for _, p := range parts {
		at := slices.IndexFunc(joined, func(j part) bool { return j.Kind == p.Kind })
		switch {
		case at < 0:
			joined = append(joined, p)
		case p.Kind != Labelled:
			f.of(p.File).add(0, fmt.Errorf("has the table %s, as %s has", p.Kind, joined[at].File))
		default:
			j := &joined[at]
			j.rows, j.Rows = append(j.rows, p.rows...), j.Rows+p.Rows
			j.File, j.AsOf = strings.Join([]string{j.File, p.File}, ", "), max(j.AsOf, p.AsOf)
		}
	}
	return joined
}
