package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract/source"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// Limits of one extraction.
const (
	// MaxFile is the size of a file in bytes.
	MaxFile = source.MaxFile
	// timeout is how long a file may take; what has been read by then is answered.
	timeout = 8 * time.Second
)

// Request is a file and what it is sent as.
type Request struct {
	File         []byte
	DocumentType DocumentType
}

// Engine reads documents offline. It keeps nothing of them.
type Engine struct {
	labels  map[DocumentType]dictionary
	columns dictionary
	atlas   atlas
}

// New makes an Engine.
func New() *Engine {
	return &Engine{
		labels: map[DocumentType]dictionary{
			Invoice:      newDictionary(shared, invoiceLabels, partyLabels("seller", "buyer")),
			BillOfLading: newDictionary(shared, billLabels, partyLabels("shipper", "consignee", "notifyParty")),
			PackingList:  newDictionary(shared, packingLabels, partyLabels("seller", "buyer")),
		},
		columns: newDictionary(columnLabels),
		atlas:   newAtlas(),
	}
}

const imageNote = "Reading images needs a provider, and none is configured; send the document as PDF with text, or as a table."

// Extract reads a file. What is wrong with the file or the type is an invalid_request
// that names it; a file that holds nothing of use is an answer without confidence.
func (e *Engine) Extract(ctx context.Context, in Request) (Extraction, error) {
	if !slices.Contains(Types, in.DocumentType) {
		return Extraction{}, fault.Invalid(fault.Detail{Field: "documentType", Message: "must be invoice, bill_of_lading or packing_list"})
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	doc, err := source.Read(ctx, in.File)
	if reason, ok := source.Reason(err); ok {
		return Extraction{}, fault.Invalid(fault.Detail{Field: "file", Message: reason})
	}
	if err != nil {
		return Extraction{}, fmt.Errorf("extract: %w", err)
	}
	a := Extraction{Source: Offline, Document: TradeDocument{DocumentType: in.DocumentType, Format: string(doc.Format), Pages: doc.PageCount}, Notes: doc.Notes}
	switch {
	case doc.Format.IsImage():
		a.Notes = append(a.Notes, imageNote)
	case empty(doc):
		a.Notes = append(a.Notes, "The document holds no text; if it is a scan, reading it needs a provider.")
	default:
		e.read(&a, doc)
	}
	if a.Notes == nil {
		a.Notes = []string{}
	}
	return a, nil
}

func empty(doc source.Document) bool {
	return !slices.ContainsFunc(doc.Pages, func(p source.Page) bool { return len(p.Lines) > 0 })
}

// read fills the answer from what the document says.
func (e *Engine) read(a *Extraction, doc source.Document) {
	r := newReading(a.Document.DocumentType, e.labels[a.Document.DocumentType], e.atlas, doc)
	if doc.Root == nil || !readStandard(r, &a.Document, doc.Root) {
		r.readTables(e.columns)
		if len(r.tables) == 0 {
			r.looseItems(e.columns)
		}
		switch a.Document.DocumentType {
		case Invoice:
			r.readInvoice(&a.Document)
		case BillOfLading:
			r.readBill(&a.Document)
		case PackingList:
			r.readPackingList(&a.Document)
		}
	}
	wrong := r.check(&a.Document)
	a.Document.Draft = r.draft(&a.Document)
	a.Confidence = overall(&a.Document).times(wrong).times(r.suits())
	a.Notes = append(a.Notes, r.notes...)
}

// titles are what documents call themselves, in plain words.
var titles = map[DocumentType][]string{
	Invoice:      {"invoice", "rechnung", "facture", "fattura", "factura", "factuur", "faktura"},
	BillOfLading: {"bill of lading", "waybill", "konnossement", "connaissement"},
	PackingList:  {"packing list", "packliste", "liste de colisage", "distinta", "lista de empaque", "paklijst", "packing note", "packing slip", "delivery note", "weight list"},
}

// titleLines is how far from the top a title may stand.
const titleLines = 15

// suits is how well the document's title fits what it was sent as. A note says so
// where it calls itself something else.
func (r *reading) suits() Confidence {
	named := map[DocumentType]bool{}
	for _, row := range r.rows[:min(len(r.rows), titleLines)] {
		for _, c := range row.cells {
			text := phrase(c.Text)
			for _, t := range Types {
				for _, title := range titles[t] {
					if strings.HasPrefix(text, title) || len(text) < 40 && strings.Contains(text, title) {
						named[t] = true
					}
				}
			}
		}
	}
	if named[r.kind] || len(named) == 0 {
		return certain
	}
	for _, t := range Types {
		if named[t] {
			r.note(fmt.Sprintf("The document calls itself %s, and was sent as %s.", spoken[t], spoken[r.kind]))
			break
		}
	}
	return 50
}

var spoken = map[DocumentType]string{Invoice: "an invoice", BillOfLading: "a bill of lading", PackingList: "a packing list"}
