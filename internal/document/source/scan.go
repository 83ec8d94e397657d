package source

import (
	"bytes"
	"context"
	"image"

	"github.com/tidewaiter/tidewaiter/internal/document/ocr"
	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
)

// Reader reads the words of a picture.
type Reader interface {
	Read(ctx context.Context, picture []byte) (ocr.Page, error)
}

// pictureWidth is the width in points to which the words of a picture file are scaled: that of an A4 page.
const pictureWidth = 595

// ReadPicture reads a PNG or JPEG, or the pictures of a PDF's pages without text, by their words. Places are in tenths
// of a point from the lower left corner.
func ReadPicture(ctx context.Context, format Format, file []byte, reader Reader) (Document, error) {
	b := &builder{doc: Document{Format: format, PageCount: 1}}
	if format == PDF {
		return b.readScans(ctx, file, reader)
	}
	head, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return Document{}, errNoPicture
	}
	page, err := reader.Read(ctx, file)
	if err != nil {
		return Document{}, err
	}
	b.page("")
	b.doc.Dots = page.Width
	b.words(page, pdf.Scan{Right: pictureWidth, Top: pictureWidth * float64(head.Height) / float64(max(1, head.Width))})
	return b.done(), nil
}

// readScans reads the pages of a PDF in their order; pages without a picture are empty.
func (b *builder) readScans(ctx context.Context, file []byte, reader Reader) (Document, error) {
	var failed error
	err := pdf.Scans(ctx, file, func(s pdf.Scan) {
		if failed != nil || ctx.Err() != nil {
			return
		}
		page, err := reader.Read(ctx, s.Data)
		if err != nil {
			failed = err
			return
		}
		for len(b.doc.Pages) < s.Page {
			b.page("")
		}
		b.words(page, s)
	})
	if err != nil {
		return Document{}, err
	}
	doc := b.done()
	doc.PageCount = max(doc.PageCount, len(doc.Pages))
	if len(doc.Pages) > 0 {
		failed = nil // what was read counts
	}
	return doc, failed
}

// words lays the words of a page out as lines and cells. The height of a word differs by its letters, so that of its
// line counts.
func (b *builder) words(page ocr.Page, on pdf.Scan) {
	if page.Width == 0 || page.Height == 0 {
		return
	}
	across, up := (on.Right-on.Left)/float64(page.Width), (on.Top-on.Bottom)/float64(page.Height)
	var marks []mark
	for _, w := range page.Words {
		height := max(w.Bottom-w.Top, w.LineHeight*9/10)
		marks = append(marks, mark{
			left: round(on.Left + float64(w.Left)*across), right: round(on.Left + float64(w.Right)*across),
			top: -round(on.Top - float64(w.Bottom)*up), size: max(1, round(float64(height)*up)), text: w.Text, sure: w.Sure,
		})
	}
	b.arrange(marks)
}

// InDots converts a place on a picture file from tenths of a point to tenths of a dot.
func (d Document) InDots(place int) int { return place * d.Dots / pictureWidth }
