package extract

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of one extraction.
const (
	// MaxFile is the size of a file in bytes.
	MaxFile = source.MaxFile
	// timeout is the limit for reading one file; the answer has what was read by then.
	timeout = 8 * time.Second
	// pictureTimeout is the limit for all pictures of a file.
	pictureTimeout = 40 * time.Second
)

// Request is a file and its declared type. With Guess the title of the document decides the
// type, and a document without a title is taken for an invoice.
type Request struct {
	File         []byte
	DocumentType DocumentType
	Guess        bool
}

// Engine reads documents offline. It does not store them.
type Engine struct {
	labels    map[DocumentType]*lexicon
	columns   *lexicon
	countries countryIndex
	timeout   time.Duration

	// Raw leaves the confidences of fields as they were before calibration. Only make fit reads so.
	Raw bool

	// Pictures reads the words of pictures and of scanned pages. Without it they are not read.
	Pictures source.Reader
}

// New returns an Engine.
func New() *Engine {
	return &Engine{
		labels: map[DocumentType]*lexicon{
			Invoice:      {newDictionary(shared, invoiceLabels, partyLabels("seller", "buyer")), newGrammar(string(Invoice))},
			BillOfLading: {newDictionary(shared, billLabels, partyLabels("shipper", "consignee", "notifyParty")), newGrammar(string(BillOfLading))},
			PackingList:  {newDictionary(shared, packingLabels, partyLabels("seller", "buyer")), newGrammar(string(PackingList))},
		},
		columns:   &lexicon{newDictionary(columnLabels), newGrammar("columns")},
		countries: allCountries(),
		timeout:   timeout,
	}
}

// Notes of documents without text.
const (
	recognisedNote = "The words were recognised in a picture. Check the values against the document."

	imageNote = "Images can only be read with an AI provider. Send the document as a PDF with text, or as a table."
	emptyNote = "The document contains no text. If it is a scan, send its pages as PNG or JPEG images to a service with an AI provider."
)

// Extract reads a file. Errors of the file or the type are invalid_request errors with the
// field. A readable file without usable content gives an answer without confidence.
func (e *Engine) Extract(ctx context.Context, in Request) (Extraction, error) {
	o, err := e.Open(ctx, in)
	if err != nil {
		return Extraction{}, err
	}
	return o.Found, nil
}

// Open reads a file as Extract does, and keeps what a model needs to complete it.
func (e *Engine) Open(ctx context.Context, in Request) (*Opened, error) {
	if !in.Guess && !slices.Contains(Types, in.DocumentType) {
		return nil, apierr.Invalid(apierr.Detail{Field: "documentType", Message: "must be invoice, bill_of_lading or packing_list"})
	}
	limited, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	doc, err := source.Read(limited, in.File)
	if reason, ok := source.Reason(err); ok {
		return nil, apierr.Invalid(apierr.Detail{Field: "file", Message: reason})
	}
	if err != nil {
		return nil, fmt.Errorf("extract: %w", err)
	}
	doc, scanned := e.readPictures(ctx, in.File, doc)
	if in.Guess {
		in.DocumentType = guess(doc)
	}
	o := &Opened{engine: e, doc: doc, Found: blank(in.DocumentType, doc)}
	if doc.Format.IsImage() {
		o.picture, o.noPicture = source.StripMetadata(doc.Format, in.File)
	}
	note := emptyNote
	if doc.Format.IsImage() {
		note = imageNote
	}
	if scanned {
		note = recognisedNote
	}
	if doc.Format.IsImage() || scanned || empty(doc) {
		o.Found.Notes = append(o.Found.Notes, note)
	}
	if !empty(doc) {
		r := e.reading(in.DocumentType, doc)
		e.read(r, &o.Found.Document, doc)
		r.finish(&o.Found)
	}
	return o, nil
}

// readPictures reads a picture, or the pages of a scan, if a reader of pictures is there and finds words.
func (e *Engine) readPictures(ctx context.Context, file []byte, doc source.Document) (read source.Document, ok bool) {
	if e.Pictures == nil || doc.Format != source.PDF && !doc.Format.IsImage() || !empty(doc) {
		return doc, false
	}
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()
	read, err := source.ReadPicture(ctx, doc.Format, file, e.Pictures)
	if err != nil || empty(read) {
		return doc, false
	}
	read.PageCount, read.Notes = doc.PageCount, append(doc.Notes, read.Notes...)
	return read, true
}

// blank is the answer before anything has been read.
func blank(kind DocumentType, doc source.Document) Extraction {
	return Extraction{
		Source: Offline, Notes: append([]string{}, doc.Notes...),
		Document: TradeDocument{DocumentType: kind, Format: string(doc.Format), Pages: doc.PageCount},
	}
}

func empty(doc source.Document) bool {
	return !slices.ContainsFunc(doc.Pages, func(p source.Page) bool { return len(p.Lines) > 0 })
}

// recognised reports whether the words of a document were recognised in pictures, whose doubts are in the confidence.
func recognised(doc source.Document) bool {
	return slices.ContainsFunc(doc.Pages, func(p source.Page) bool {
		return slices.ContainsFunc(p.Lines, func(l source.Line) bool {
			return slices.ContainsFunc(l.Cells, func(c source.Cell) bool { return c.Sure > 0 })
		})
	})
}

func (e *Engine) reading(kind DocumentType, doc source.Document) *reading {
	r := newReading(kind, e.labels[kind], e.countries, doc)
	r.measured = !e.Raw && doc.Root == nil && !recognised(doc)
	return r
}

// read fills a document with the content of the file.
func (e *Engine) read(r *reading, d *TradeDocument, doc source.Document) {
	if doc.Root != nil && readStandard(r, d, doc.Root) {
		return
	}
	r.readTables(e.columns)
	if len(r.tables) == 0 {
		r.itemsWithoutTable(e.columns)
	}
	switch d.DocumentType {
	case Invoice:
		r.readInvoice(d)
	case BillOfLading:
		r.readBill(d)
	case PackingList:
		r.readPackingList(d)
	}
}

// finish checks the values against each other, calibrates their confidences, makes the draft and computes the overall
// confidence.
func (r *reading) finish(a *Extraction) {
	wrong := r.check(&a.Document)
	if r.measured {
		calibrate(reflect.ValueOf(&a.Document), map[any]bool{})
	}
	a.Document.Draft = r.draft(&a.Document)
	a.Confidence = overall(&a.Document).times(wrong).times(r.titleConfidence())
	a.Notes = append(a.Notes, r.notes...)
}

// titles are the titles of documents, in normalised words.
var titles = map[DocumentType][]string{
	Invoice:      {"invoice", "rechnung", "facture", "fattura", "factura", "factuur", "faktura"},
	BillOfLading: {"bill of lading", "waybill", "konnossement", "connaissement"},
	PackingList:  {"packing list", "packliste", "liste de colisage", "distinta", "lista de empaque", "paklijst", "packing note", "packing slip", "delivery note", "weight list"},
}

// titleLines is the number of lines at the top in which a title may be.
const titleLines = 15

// titleConfidence is how well the document's title fits the declared type. If it contradicts, a note
// says so.
func (r *reading) titleConfidence() Confidence {
	named := map[DocumentType]bool{}
	for _, row := range r.rows[:min(len(r.rows), titleLines)] {
		for _, c := range row.cells {
			addTitles(named, c.Text)
		}
	}
	if named[r.kind] || len(named) == 0 {
		return certain
	}
	for _, t := range Types {
		if named[t] {
			r.note(fmt.Sprintf("The document's title says %s, but it was sent as %s.", spoken[t], spoken[r.kind]))
			break
		}
	}
	return 50
}

// addTitles adds the types whose title a text is.
func addTitles(named map[DocumentType]bool, text string) {
	text = phrase(text)
	for _, t := range Types {
		for _, title := range titles[t] {
			if strings.HasPrefix(text, title) || len(text) < 40 && strings.Contains(text, title) {
				named[t] = true
			}
		}
	}
}

// guess returns the type that the first title on the first page names.
func guess(doc source.Document) DocumentType {
	if doc.Root != nil || len(doc.Pages) == 0 {
		return Invoice
	}
	lines := doc.Pages[0].Lines
	for _, line := range lines[:min(len(lines), titleLines)] {
		named := map[DocumentType]bool{}
		for _, c := range line.Cells {
			addTitles(named, c.Text)
		}
		for _, t := range []DocumentType{PackingList, BillOfLading, Invoice} { // a packing list may name its invoice beside its title
			if named[t] {
				return t
			}
		}
	}
	return Invoice
}

var spoken = map[DocumentType]string{Invoice: "an invoice", BillOfLading: "a bill of lading", PackingList: "a packing list"}
