// Package xlsxio writes tables as XLSX workbooks (ECMA-376) with one sheet. The same table gives the same bytes.
package xlsxio

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// ContentType is the media type of a workbook.
const ContentType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// maxCell is the most characters that a spreadsheet accepts in a cell.
const maxCell = 32767

// Cell is a cell: a number in decimal notation, or a text, which no spreadsheet runs as a formula.
type Cell struct {
	Text   string
	Number bool
}

// parts are the files of a workbook besides its sheet, in order.
var parts = []struct{ name, content string }{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + ContentType + `.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="Records" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
}

const sheetName = "xl/worksheets/sheet1.xml"

// Write writes a workbook with the rows of a table.
func Write(out io.Writer, rows [][]Cell) error {
	archive := zip.NewWriter(out)
	for _, p := range parts {
		if err := write(archive, p.name, p.content); err != nil {
			return err
		}
	}
	if err := write(archive, sheetName, sheet(rows)); err != nil {
		return err
	}
	return archive.Close()
}

// write adds a file. Its time is the earliest that an archive can have.
func write(archive *zip.Writer, name, content string) error {
	file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err == nil {
		_, err = io.WriteString(file, xml.Header+content)
	}
	return err
}

// sheet returns the XML of the sheet.
func sheet(rows [][]Cell) string {
	var text strings.Builder
	text.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	for _, cells := range rows {
		text.WriteString("<row>")
		for _, c := range cells {
			c.append(&text)
		}
		text.WriteString("</row>")
	}
	text.WriteString("</sheetData></worksheet>")
	return text.String()
}

// append writes the cell after those before it in its row.
func (c Cell) append(text *strings.Builder) {
	switch {
	case c.Text == "":
		text.WriteString("<c/>")
	case c.Number:
		text.WriteString("<c><v>" + c.Text + "</v></c>")
	default:
		text.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
		_ = xml.EscapeText(text, []byte(shortened(c.Text))) // a strings.Builder does not fail
		text.WriteString("</t></is></c>")
	}
}

// shortened cuts a text that is too long for a cell.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxCell {
		return text
	}
	return string([]rune(text)[:maxCell])
}
