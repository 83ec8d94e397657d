// Package print makes PDF documents: of declarations (the declaration, its clearance, and its review), VAT returns and CBAM reports. A document has no time but
// those of the record, so the same record gives the same bytes, as long as rates and rules of a draft are the same.
package print

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ContentType is the media type of documents.
const ContentType = "application/pdf"

// Subjects of a document.
const (
	OfDeclaration = "declaration"
	OfClearance   = "clearance"
	OfReview      = "review"
)

// Service makes documents.
type Service struct {
	Customs *customs.Service
	Review  func(customs.ReviewInput) rules.Review
	Fonts   *pdfwriter.Fonts

	slots chan struct{}
}

// atOnce is the number of documents that are written at the same time. One of 999 items with all members needs about 60 MB.
const atOnce = 2

// New returns a service that makes documents with fonts.
func New(c *customs.Service, review func(customs.ReviewInput) rules.Review, fonts *pdfwriter.Fonts) *Service {
	return &Service{Customs: c, Review: review, Fonts: fonts, slots: make(chan struct{}, atOnce)}
}

// Document is a declaration as it was read, for one of the subjects.
type Document struct {
	service *Service
	of      string

	input        customs.ReviewInput
	added        customs.DeclarationAdds
	taxes        []customs.AssessedTax
	charges      []customs.ItemCharges // by item; nil for an export
	organisation string
	test         bool // whether it is of a test organisation
}

// Read reads what a document needs in one transaction. A clearance is printed only of a cleared declaration; any other is an
// error of the code InvalidState.
func (s *Service) Read(tx customs.Tx, id, of string) (*Document, error) {
	d := &Document{service: s, of: of}
	var err error
	if d.input, err = s.Customs.ReviewInput(tx, id); err != nil {
		return nil, err
	}
	if d.input.Filing, err = s.Customs.Answered(tx, d.input.Filing, false); err != nil {
		return nil, err
	}
	details, err := s.Customs.Details(tx, &d.input.Filing)
	if err != nil {
		return nil, err
	}
	o, err := tx.Organisation()
	if err != nil {
		return nil, err
	}
	d.taxes, d.organisation, d.test = details.Taxes, o.Name, tx.Mode() == tenant.Test
	if err := json.Unmarshal(d.input.Filing.Added, &d.added); err != nil {
		return nil, fmt.Errorf("print: declaration: %w", err)
	}
	if of == OfClearance && d.input.Filing.Status != customs.Cleared {
		return nil, apierr.New(apierr.InvalidState, "The declaration is not cleared, so there is no clearance to print.")
	}
	d.input.Declaration = *d.input.Declaration.WithValues(d.added.Valuation)
	return d, nil
}

// FileName returns the name of the document's file.
func (d *Document) FileName() string { return d.of + "-" + d.added.LRN + ".pdf" }

// Write writes the document. It waits while too many others are written.
func (d *Document) Write(ctx context.Context, out io.Writer) error {
	write := d.writeDeclaration // a map of these functions makes the linker keep all methods of the library that writes PDF: 0.4 MB
	switch d.of {
	case OfClearance:
		write = d.writeClearance
	case OfReview:
		write = d.writeReview
	}
	return d.service.writeDocument(ctx, out, d.head(), write)
}

// writeDocument writes a document. It waits while too many others are written.
func (s *Service) writeDocument(ctx context.Context, out io.Writer, head pdfwriter.Head, write func(*pdfwriter.Writer)) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w := pdfwriter.New(s.Fonts, head)
	write(w)
	return w.Write(out)
}

// chargesOf returns the charges of the items, which are worked out once.
func (d *Document) itemCharges() []customs.ItemCharges {
	if d.charges == nil && d.imports() {
		d.charges = d.input.ItemCharges(d.service.Customs.ChargeSource())
	}
	return d.charges
}

// estimate returns the sums of the estimated charges, and the number of items whose charges are not known.
func (d *Document) estimate() (sums charge.Sums, unknown int) {
	charges := d.itemCharges()
	for i := range charges {
		a := &charges[i].Assessment
		sums.Add(a)
		if i := &d.input.Declaration.Items[i]; i.CustomsValueGBP == nil && i.Priced() || a.Table != nil && !a.Table.Known || a.Table == nil && !a.Complete() {
			unknown++
		}
	}
	return sums, unknown
}

// worth returns the customs value in words.
func (d *Document) worth() string {
	return d.input.Declaration.Worth(pounds(d.input.Declaration.Value()))
}

func (d *Document) imports() bool { return d.input.Declaration.DeclarationType == customs.Import }

// instant returns a time of a record in words; empty for none.
func instant(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return moment(at)
}

// moment returns a time in words, such as 26 November 2026, 09:12 GMT.
func moment(at time.Time) string { return at.In(calendar.London()).Format("2 January 2006, 15:04 MST") }
