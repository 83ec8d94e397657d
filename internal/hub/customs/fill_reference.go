package customs

import (
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// addReferences adds the references of the consignment, and the nature of the transaction.
func (f *filler) addReferences() {
	fill(f, &f.header.UCR, "ucr", f.shipment.UCR, fromShipment, "2/4")
	isDUCR := func(p datamodel.PreviousDocument) bool { return p.Type == ducrType }
	switch ducr := f.newDUCR(); {
	case ducr == "":
	case f.usual:
		fillList(f, &f.header.PreviousDocuments, "previousDocuments", []datamodel.PreviousDocument{{Category: "Z", Type: ducrType, Reference: ducr}}, computed)
	case !f.isImport() && !slices.ContainsFunc(f.header.PreviousDocuments, isDUCR) && f.can("previousDocuments", "2/1") &&
		!slices.ContainsFunc(f.items, func(i datamodel.Item) bool { return slices.ContainsFunc(i.PreviousDocuments, isDUCR) }):
		one := datamodel.PreviousDocument{Category: "Z", Type: ducrType, Reference: ducr}
		at := len(f.header.PreviousDocuments)
		f.header.PreviousDocuments = append(slices.Clip(f.header.PreviousDocuments), one)
		f.note("previousDocuments["+strconv.Itoa(at)+"]", one, computed)
	}
	atItems := slices.ContainsFunc(f.items, func(i datamodel.Item) bool { return i.TransactionNature != "" })
	if f.usual && f.isImport() && !atItems {
		f.text(&f.header.TransactionNature, "transactionNature", saleImport, constant)
	}
}

// Previous document (DE 2/1) with which a supplementary declaration refers to the simplified one.
const (
	simplifiedCategory = "Y"
	simplifiedType     = "SDE"
)

// addSimplified adds to each item the simplified declaration that this one supplements, and its acceptance as tax point.
func (f *filler) addSimplified() {
	mrn, at := f.simplified.MRN, taxPoint(f.simplified.AcceptedAt)
	if mrn == "" || at == "" {
		return
	}
	f.text(&f.header.TaxPointAt, "taxPointAt", at, computed)
	for n := range f.items {
		i := &f.items[n]
		stated := slices.ContainsFunc(i.PreviousDocuments, func(p datamodel.PreviousDocument) bool { return p.Type == simplifiedType })
		if stated || !f.can(f.at(n, "previousDocuments")) {
			continue
		}
		item := int64(n + 1)
		one := datamodel.PreviousDocument{Category: simplifiedCategory, Type: simplifiedType, Reference: mrn, GoodsItem: &item}
		f.note(f.at(n, "previousDocuments["+decimal(len(i.PreviousDocuments))+"]"), one, computed)
		i.PreviousDocuments = append(slices.Clip(i.PreviousDocuments), one)
	}
}

// taxPoint returns an instant of a record, to the second; empty if there is none.
func taxPoint(acceptedAt string) string {
	at, err := time.Parse(time.RFC3339, acceptedAt)
	if err != nil {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05Z")
}

// newDUCR returns the DUCR of the consignment (DE 2/1), which the exporter or importer assigns; empty without an EORI.
func (d *documentData) newDUCR() string {
	eori, err := ident.ParseEORI(orDefault(d.clientEORI(), d.ownEORI()))
	if err != nil {
		return ""
	}
	ducr, err := ident.NewDUCR(d.now.Year(), eori, d.lrn[max(0, len(d.lrn)-maxDUCRReference):])
	if err != nil {
		return ""
	}
	return string(ducr)
}

const (
	ducrType         = "DCR"
	maxDUCRReference = 19
)
