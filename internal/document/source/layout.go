package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
)

// readPDF makes lines and cells from the positions of characters.
func readPDF(ctx context.Context, file []byte) (Document, error) {
	b := &builder{doc: Document{Format: PDF}}
	d, err := pdf.Read(ctx, file, func(glyphs []pdf.Glyph) {
		b.page("")
		b.layOut(glyphs)
	})
	switch {
	case errors.Is(err, pdf.ErrEncrypted), errors.Is(err, pdf.ErrNoPDF):
		return Document{}, refuse(err.Error())
	case errors.Is(err, pdf.ErrDamaged):
		return Document{}, refuse(pdf.ErrDamaged.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return Document{}, refuse("takes too long to read")
	case err != nil:
		return Document{}, err
	}
	b.doc.PageCount = d.Pages
	if d.Scripts {
		b.doc.Notes = append(b.doc.Notes, "The document contains scripts; they were not run.")
	}
	if d.Pages > pdf.MaxPages {
		b.doc.Notes = append(b.doc.Notes, fmt.Sprintf("The document has %d pages; the first %d were read.", d.Pages, pdf.MaxPages))
	} else if d.Cut {
		b.cut = true
	}
	return b.done(), nil
}

// mark is a character with its position in tenths of a point: whole numbers compare alike on
// all machines.
type mark struct {
	left, right, top, size int
	text                   string
	sure                   int // of a word of a picture, in percent; 0 for a character
}

const tenths = 10

func round(x float64) int {
	const far = 1e6
	x = min(max(x*tenths, -far), far)
	if x < 0 {
		return int(x - 0.5)
	}
	return int(x + 0.5)
}

// layOut makes lines of characters on the same baseline, from top to bottom.
func (b *builder) layOut(glyphs []pdf.Glyph) {
	marks := make([]mark, 0, len(glyphs))
	for _, g := range glyphs {
		if size := round(g.Size); size > 0 && strings.TrimSpace(g.Text) != "" {
			marks = append(marks, mark{round(g.X), round(g.X + g.Width), -round(g.Y), size, g.Text, 0})
		}
	}
	b.arrange(marks)
}

// arrange makes lines of marks on the same baseline. A line that is set a little lower than its neighbour, as a value
// in larger letters beside its label is, belongs to it.
func (b *builder) arrange(marks []mark) {
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.top, b.top) })
	above := 0
	var lines []Line
	for len(marks) > 0 {
		n := onLine(marks)
		line := marks[:n]
		top, size := line[0].top, line[0].size
		next := Line{
			Cells: join(line), Apart: above != 0 && top-above > size*9/5,
			Bottom: -top - size/4, Top: -top + size*4/5, // below and above the baseline, in most fonts
		}
		above, marks = top, marks[n:]
		if last := len(lines) - 1; last >= 0 && lines[last].besides(next) {
			lines[last].join(next)
			continue
		}
		lines = append(lines, next)
	}
	for _, l := range lines {
		b.placed(l)
	}
}

// besides reports whether a line that begins lower stands beside a line and not below it: they share most of their
// height, and no cell of one is above a cell of the other.
func (l Line) besides(lower Line) bool {
	shared := min(l.Top, lower.Top) - max(l.Bottom, lower.Bottom)
	if shared*3 < min(l.Top-l.Bottom, lower.Top-lower.Bottom)*2 {
		return false
	}
	for _, c := range l.Cells {
		for _, d := range lower.Cells {
			if min(c.Right, d.Right) > max(c.Left, d.Left)-(l.Top-l.Bottom)/4 {
				return false
			}
		}
	}
	return true
}

// join adds the cells of a line that stands beside it.
func (l *Line) join(lower Line) {
	l.Cells = append(l.Cells, lower.Cells...)
	slices.SortStableFunc(l.Cells, func(a, b Cell) int { return cmp.Compare(a.Left, b.Left) })
	l.Top, l.Bottom = max(l.Top, lower.Top), min(l.Bottom, lower.Bottom)
}

// onLine returns the number of characters with about the baseline of the first.
func onLine(marks []mark) int {
	n := 1
	for n < len(marks) && marks[n].top-marks[0].top <= min(marks[0].size, marks[n].size)*2/5 {
		n++
	}
	return n
}

// join makes the cells of a line: a small gap is a space, a wide one ends the cell. A space of a typewriter font is
// six tenths of its size.
func join(line []mark) (cells []Cell) {
	slices.SortStableFunc(line, func(a, b mark) int { return cmp.Compare(a.left, b.left) })
	var text strings.Builder
	var before mark
	for i, m := range line {
		if i > 0 && doubled(before, m) {
			continue
		}
		gap := m.left - before.right
		switch {
		case i == 0 || gap > m.size*7/10:
			if i > 0 {
				cells[len(cells)-1].Text = text.String()
			}
			text.Reset()
			cells = append(cells, Cell{Left: m.left})
		case gap > m.size*3/20:
			text.WriteByte(' ')
		}
		text.WriteString(m.text)
		last := &cells[len(cells)-1]
		if last.Right = m.right; m.sure > 0 && (last.Sure == 0 || m.sure < last.Sure) {
			last.Sure = m.sure
		}
		before = m
	}
	cells[len(cells)-1].Text = text.String()
	return cells
}

// doubled reports whether a character is drawn twice to look bold.
func doubled(a, b mark) bool {
	return a.text == b.text && b.left-a.left <= a.size/10 && b.top-a.top <= a.size/10
}
