// Package source reads untrusted files of any supported format into one model: pages of lines
// of cells, and for XML also its elements. The format is recognised by the content and never
// by the name. Every reader has limits, and adds notes about what it left out.
package source

// Format is the format of a file.
type Format string

// The supported formats. Images are only recognised.
const (
	PDF  Format = "pdf"
	Text Format = "text"
	CSV  Format = "csv"
	XML  Format = "xml"
	XLSX Format = "xlsx"
	PNG  Format = "png"
	JPEG Format = "jpeg"
)

// IsImage reports whether the format is a picture without text.
func (f Format) IsImage() bool { return f == PNG || f == JPEG }

// Limits of the result.
const (
	// MaxFile is the size limit of a file.
	MaxFile  = 20 << 20
	maxLines = 6_000
	maxCells = 40_000
	maxText  = 1 << 20 // bytes of all cells
	maxCell  = 2000    // bytes
)

// Document is the content of a file.
type Document struct {
	Format    Format
	Pages     []Page
	PageCount int      // including those that were not read
	Root      *Element // of an XML document
	Notes     []string // sentences about what was left out
	Dots      int      // width of a picture file whose words were recognised
}

// Page is a page, or a sheet of a workbook.
type Page struct {
	Name  string // of a sheet
	Lines []Line
}

// Line is cells side by side. Apart says that there is space above it. Bottom and Top are the
// edges of its text on a page of a PDF, in tenths of a point from the page's origin; both are 0
// in other formats.
type Line struct {
	Cells       []Cell
	Apart       bool
	Bottom, Top int
}

// Cell is text without a wide gap, and its position on its line: in tenths of a point on a
// page, in characters in a text, and otherwise in columns of a hundred.
type Cell struct {
	Text        string
	Left, Right int
	Path        string // of the element, in XML
	Plain       bool   // a number, if it is one, with a decimal point and without groups
	Sure        int    // of the text of a picture: confidence of its most doubtful word, in percent
}

// Overlap is the common width of two cells; negative if there is a gap.
func (c Cell) Overlap(d Cell) int { return min(c.Right, d.Right) - max(c.Left, d.Left) }

// builder makes a document within its limits.
type builder struct {
	doc   Document
	lines int
	cells int
	bytes int
	cut   bool
}

func (b *builder) page(name string) { b.doc.Pages = append(b.doc.Pages, Page{Name: name}) }

// line adds a line to the last page, without cells of white space.
func (b *builder) line(cells []Cell, apart bool) { b.placed(Line{Cells: cells, Apart: apart}) }

// placed adds a line with its position.
func (b *builder) placed(l Line) {
	cells := l.Cells
	kept := cells[:0]
	for _, c := range cells {
		if c.Text = tidy(c.Text); c.Text != "" {
			kept = append(kept, c)
			b.bytes += len(c.Text)
		}
	}
	if len(kept) == 0 {
		return
	}
	b.lines++
	b.cells += len(kept)
	if b.lines > maxLines || b.cells > maxCells || b.bytes > maxText {
		b.cut = true
		return
	}
	last := &b.doc.Pages[len(b.doc.Pages)-1]
	l.Cells, l.Apart = kept, l.Apart && len(last.Lines) > 0
	last.Lines = append(last.Lines, l)
}

const cutNote = "The document is too long; its end was left out."

func (b *builder) done() Document {
	if b.cut {
		b.doc.Notes = append(b.doc.Notes, cutNote)
	}
	if b.doc.PageCount == 0 {
		b.doc.PageCount = len(b.doc.Pages)
	}
	return b.doc
}
