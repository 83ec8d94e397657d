package customs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
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

// Previous documents (DE 2/1) with which a supplementary declaration refers to what it completes: the simplified declaration
// by its MRN, or the entry in the declarant's records by its day (HMRC, CDS completion guide, DE 2/1; samples TT_IM040a, TT_IM142a).
const (
	simplifiedCategory = "Y"
	simplifiedType     = "SDE"
	entryType          = "CLE"
)

// memorandum is the authorisation whose holder declares exports without naming the entry in the records.
const memorandum = "MOU"

// addSimplified adds the acceptance of the simplified declaration that this one supplements as tax point, and the reference to it.
func (f *filler) addSimplified() {
	mrn, at := f.simplified.MRN, taxPoint(f.simplified.AcceptedAt)
	if mrn == "" || at == "" {
		return
	}
	f.text(&f.header.TaxPointAt, "taxPointAt", at, computed)
	if f.header.AdditionalType == supplementsEntry {
		f.addEntry()
		return
	}
	for n := range f.items {
		item := int64(n + 1)
		f.addPrevious(n, datamodel.PreviousDocument{Category: simplifiedCategory, Type: simplifiedType, Reference: mrn, GoodsItem: &item})
	}
}

// addEntry adds the day of the entry in the declarant's records, which is that of the tax point: for the whole or, if an item names
// its own entry, for each other item, since it must not be declared at both levels.
func (f *filler) addEntry() {
	names := func(all []datamodel.PreviousDocument) bool {
		return slices.ContainsFunc(all, func(p datamodel.PreviousDocument) bool { return p.Type == entryType })
	}
	held := func(a datamodel.Authorisation) bool { return a.Type == memorandum }
	excluded := f.header.PreviousDocuments != nil && len(f.header.PreviousDocuments) == 0
	if excluded || len(f.header.TaxPointAt) < len(time.DateOnly) || names(f.header.PreviousDocuments) || !f.isImport() && slices.ContainsFunc(f.header.Authorisations, held) {
		return
	}
	day := strings.ReplaceAll(f.header.TaxPointAt[:len(time.DateOnly)], "-", "")
	one := datamodel.PreviousDocument{Category: simplifiedCategory, Type: entryType, Reference: day}
	switch {
	case slices.ContainsFunc(f.items, func(i datamodel.Item) bool { return names(i.PreviousDocuments) }):
		for n := range f.items {
			f.addPrevious(n, one)
		}
	case f.can("previousDocuments", "2/1"):
		f.note("previousDocuments["+decimal(len(f.header.PreviousDocuments))+"]", one, computed)
		f.header.PreviousDocuments = append(slices.Clip(f.header.PreviousDocuments), one)
	}
}

// addPrevious adds a previous document to an item that has none of its type.
func (f *filler) addPrevious(n int, one datamodel.PreviousDocument) {
	i := &f.items[n]
	stated := slices.ContainsFunc(i.PreviousDocuments, func(p datamodel.PreviousDocument) bool { return p.Type == one.Type })
	if stated || !f.can(f.at(n, "previousDocuments")) {
		return
	}
	f.note(f.at(n, "previousDocuments["+decimal(len(i.PreviousDocuments))+"]"), one, computed)
	i.PreviousDocuments = append(slices.Clip(i.PreviousDocuments), one)
}

// taxPoint returns an instant of a record in the time of the United Kingdom, to the second; empty if there is none.
func taxPoint(acceptedAt string) string {
	at, err := time.Parse(time.RFC3339, acceptedAt)
	if err != nil {
		return ""
	}
	return at.In(calendar.London()).Format("2006-01-02T15:04:05Z07:00")
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
