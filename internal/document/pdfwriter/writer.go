// Package pdfwriter writes documents of headings, facts, paragraphs and tables on A4 pages as PDF. The same document gives the
// same bytes. A document has title, language and tags, so that a screen reader can read it.
package pdfwriter

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Lengths in points.
const (
	pageWidth, pageHeight = 595.28, 841.89 // A4
	margin                = 42.0
	innerWidth            = pageWidth - 2*margin
	top                   = 64.0
	bottom                = pageHeight - 54
	small                 = 7.5
	plain                 = 9.0
	leading               = 1.32 // height of a line, in sizes
)

// maxPages is the maximum number of pages. All members of 999 items need about 400.
const maxPages = 2000

// Head is what stands at the top of a document, and in short on each page.
type Head struct {
	Title        string // what the document is, such as Import declaration
	Name         string // of the record
	Organisation string
	Facts        []Fact // names, references, status and time of the record
	Running      string // references on each further page
	Version      string // of the record, at the bottom of each page
	Mark         string // such as Simulated, on each page; empty for none
	Changed      time.Time
}

// Fact is a named value.
type Fact struct{ Name, Value string }

// Writer lays out one document. It holds the pages until they are written.
type Writer struct {
	pdf        *fpdf.Fpdf
	fonts      *Fonts
	head       Head
	y          float64 // where the next text begins
	widths     map[glyph]float64
	otherAdded bool
	missing    map[rune]bool // characters that no font has
	tags       tags
	table      *element // the last table
}

// New begins a document.
func New(fonts *Fonts, head Head) *Writer {
	w := &Writer{pdf: fpdf.New("P", "pt", "A4", ""), fonts: fonts, head: head, widths: map[glyph]float64{}, missing: map[rune]bool{}, tags: newTags()}
	w.pdf.SetAutoPageBreak(false, 0)
	w.pdf.SetCatalogSort(true)
	w.pdf.SetCreationDate(head.Changed.UTC())
	w.pdf.SetModificationDate(head.Changed.UTC())
	w.pdf.SetTitle(head.Title+" "+head.Name, true)
	w.pdf.SetAuthor(head.Organisation, true)
	w.pdf.SetCreator("Tidewaiter", true)
	w.pdf.SetProducer("Tidewaiter", true)
	w.pdf.SetLang("en-GB")
	for _, font := range fonts.own {
		w.pdf.AddUTF8FontFromBytes(font.family, font.style, font.file)
	}
	w.addPage()
	w.drawHead()
	return w
}

// Heading begins a section.
func (w *Writer) Heading(text string) {
	w.need(4 * plain * leading)
	w.y += 14
	w.tags.in(section, func() { w.put(margin, w.y, text, 12, bold) })
	w.y += 6
	w.rule(0.8, 120)
	w.y += 4
}

// Paragraph writes a text.
func (w *Writer) Paragraph(text string) { w.paragraph(text, plain, regular) }

// Note writes a text in small letters.
func (w *Writer) Note(text string) { w.paragraph(text, small, regular) }

func (w *Writer) paragraph(text string, size float64, in weight) {
	w.tags.in(paragraph, func() {
		for _, line := range w.lines(text, innerWidth, size, in) {
			w.need(size * leading)
			w.y += size * leading
			w.put(margin, w.y-size*(leading-1), line, size, in)
		}
	})
	w.y += 3
}

// Columns writes two lists of facts side by side.
func (w *Writer) Columns(left, right []Fact) {
	if len(left)+len(right) > 0 {
		w.tags.in(list, func() { w.columns(left, right) })
	}
	w.y += 4
}

func (w *Writer) columns(left, right []Fact) {
	const gap = 18.0
	width := (innerWidth - gap) / 2
	for i := range max(len(left), len(right)) {
		var cells [2]factLines
		for side, facts := range [][]Fact{left, right} {
			if i < len(facts) {
				cells[side] = w.factLines(facts[i], width)
			}
		}
		height := max(cells[0].height(), cells[1].height())
		w.need(height)
		w.putFact(margin, cells[0])
		w.putFact(margin+width+gap, cells[1])
		w.y += height
	}
}

// nameWidth is the width of the names of facts.
const nameWidth = 88.0

// factLines is a fact that is broken into lines.
type factLines struct{ names, values []string }

func (w *Writer) factLines(f Fact, width float64) factLines {
	return factLines{w.lines(f.Name, nameWidth-6, small, regular), w.lines(f.Value, width-nameWidth, plain, regular)}
}

func (f factLines) height() float64 {
	return max(float64(len(f.names))*small*leading, float64(len(f.values))*plain*leading) + 2
}

func (w *Writer) putFact(x float64, f factLines) {
	if f.names == nil {
		return
	}
	w.tags.in(listItem, func() {
		w.pdf.SetTextColor(85, 85, 85)
		w.tags.in(label, func() {
			for i, line := range f.names {
				w.put(x, w.y+plain+float64(i)*small*leading, line, small, regular)
			}
		})
		w.pdf.SetTextColor(0, 0, 0)
		w.tags.in(body, func() {
			for i, line := range f.values {
				w.put(x+nameWidth, w.y+plain+float64(i)*plain*leading, line, plain, regular)
			}
		})
	})
}

// Write ends the document and writes it.
func (w *Writer) Write(out io.Writer) error {
	if len(w.missing) > 0 {
		w.Note(w.aboutMissing())
	}
	pages := w.pdf.PageCount()
	if pages > maxPages {
		return errTooLong
	}
	for n := 1; n <= pages; n++ {
		w.pdf.SetPage(n)
		w.use(w.fonts.own[regular], measured) // the page may have ended with another font, which the library would not select again
		w.tags.within(nil, func() { w.drawFoot(n, pages) })
	}
	var file bytes.Buffer
	if err := w.pdf.Output(&file); err != nil {
		return err
	}
	tagged, err := appendTags(file.Bytes(), &w.tags)
	if err != nil {
		return err
	}
	_, err = out.Write(tagged)
	return err
}

// need begins a page if the current one has less room than a height.
func (w *Writer) need(height float64) {
	if w.y+height > bottom {
		w.addPage()
	}
}

// addPage begins a page. After the first, it has the references at the top.
func (w *Writer) addPage() {
	if w.pdf.PageCount() > maxPages {
		w.y = top
		return // Write fails
	}
	w.pdf.AddPage()
	w.y = top
	if w.pdf.PageNo() == 1 {
		return
	}
	w.tags.within(nil, func() {
		w.put(margin, 40, w.head.Title+" "+w.head.Name, small, bold)
		w.putRight(pageWidth-margin, 40, w.head.Organisation, small, regular)
		w.put(margin, 51, w.head.Running, small, regular)
	})
	w.y = 54
	w.rule(0.4, 160)
	w.y = top
}

// drawHead writes the top of the first page.
func (w *Writer) drawHead() {
	w.y = 56
	w.tags.in(paragraph, func() { w.put(margin, w.y, w.head.Organisation, 10, bold) })
	if w.head.Mark != "" {
		w.tags.in(paragraph, func() { w.drawMark(w.y) })
	}
	w.y += 26
	w.tags.in(title, func() {
		w.put(margin, w.y, w.head.Title, 11, regular)
		for _, line := range w.lines(w.head.Name, innerWidth, 18, bold) {
			w.y += 21
			w.put(margin, w.y, line, 18, bold)
		}
	})
	w.y += 10
	w.rule(1.2, 0)
	w.y += 4
	half := (len(w.head.Facts) + 1) / 2
	w.Columns(w.head.Facts[:half], w.head.Facts[half:])
}

// drawMark writes the mark in a box at the right, with its base line at y.
func (w *Writer) drawMark(y float64) {
	width := w.textWidth(w.head.Mark, 10, bold) + 14
	x := pageWidth - margin - width
	w.pdf.SetTextColor(161, 32, 28)
	w.pdf.SetDrawColor(161, 32, 28)
	w.pdf.SetLineWidth(1.2)
	w.decorated(func() { w.pdf.Rect(x, y-13, width, 19, "D") })
	w.put(x+7, y, w.head.Mark, 10, bold)
	w.pdf.SetTextColor(0, 0, 0)
	w.pdf.SetDrawColor(0, 0, 0)
}

// drawFoot writes the bottom of a page.
func (w *Writer) drawFoot(page, pages int) {
	y := pageHeight - 32
	w.put(margin, y, w.head.Version, small, regular)
	w.putRight(pageWidth-margin, y, "Page "+strconv.Itoa(page)+" of "+strconv.Itoa(pages), small, regular)
	if w.head.Mark != "" {
		width := w.textWidth(w.head.Mark, small, bold)
		w.put((pageWidth-width)/2, y, w.head.Mark, small, bold)
	}
}

// rule draws a line across the page, of a width in points and a grey from 0 to 255.
func (w *Writer) rule(width float64, grey int) {
	w.pdf.SetDrawColor(grey, grey, grey)
	w.pdf.SetLineWidth(width)
	w.decorated(func() { w.pdf.Line(margin, w.y, pageWidth-margin, w.y) })
	w.pdf.SetDrawColor(0, 0, 0)
}
