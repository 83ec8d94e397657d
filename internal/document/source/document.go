// Package source turns a file that a stranger sends into one model, whatever its
// format: pages of lines of cells, and for XML its elements too. The format is told
// from the bytes, never from a name. Every reader has limits on what it takes and
// makes, and says in the document's notes what it left out.
package source

// Format is how a file is written.
type Format string

// The formats that are read; of images only what they are.
const (
	PDF  Format = "pdf"
	Text Format = "text"
	CSV  Format = "csv"
	XML  Format = "xml"
	XLSX Format = "xlsx"
	PNG  Format = "png"
	JPEG Format = "jpeg"
)

// IsImage tells whether the format holds a picture and no text.
func (f Format) IsImage() bool { return f == PNG || f == JPEG }

// Limits of what is made of a file.
const (
	// MaxFile is the size of a file.
	MaxFile  = 20 << 20
	maxLines = 6_000
	maxCells = 40_000
	maxText  = 1 << 20 // bytes of all cells
	maxCell  = 2000    // bytes
)

// Document is what could be read of a file.
type Document struct {
	Format    Format
	Pages     []Page
	PageCount int      // of the file, those that were not read counted
	Root      *Element // of an XML document
	Notes     []string // what was left out, in sentences
}

// Page is a page, or a sheet of a workbook.
type Page struct {
	Name  string // of a sheet
	Lines []Line
}

// Line is what stands side by side. Apart tells that there is room above it.
type Line struct {
	Cells []Cell
	Apart bool
}

// Cell is text without a wide gap in it, and where it stands on its line: in tenths
// of a point on a page, of a character in a text, and in columns of a hundred else.
type Cell struct {
	Text        string
	Left, Right int
	Path        string // of the element, in XML
	Plain       bool   // a number, if it is one, has a point and no groups
}

// Overlap is how much of their line two cells share; what is apart is negative.
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

// line adds a line to the last page. Cells of white space are left out.
func (b *builder) line(cells []Cell, apart bool) {
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
	last.Lines = append(last.Lines, Line{Cells: kept, Apart: apart && len(last.Lines) > 0})
}

const cutNote = "The document is longer than what is read; what comes at its end was left out."

func (b *builder) done() Document {
	if b.cut {
		b.doc.Notes = append(b.doc.Notes, cutNote)
	}
	if b.doc.PageCount == 0 {
		b.doc.PageCount = len(b.doc.Pages)
	}
	return b.doc
}
