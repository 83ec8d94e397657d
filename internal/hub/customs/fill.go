package customs

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Sources of a value that the service adds.
const (
	fromClient       = "client"
	fromShipment     = "shipment"
	fromProduct      = "product"
	fromOrganisation = "organisation"
	computed         = "computed"
	fromGuide        = "guide" // prescribed by the completion guide if there is nothing to declare
	constant         = "constant"
)

// filler completes the body of a declaration from its other records. It changes nothing that the body states.
type filler struct {
	*documentData
	header  datamodel.Header
	items   []datamodel.Item
	usual   bool // also adds usual constants
	set     dataset.Set
	day     string       // of the declaration (YYYY-MM-DD)
	values  []duty.Value // customs values of the items with their working; nil without prices
	listing bool         // lists what it adds
	amended bool         // for an amendment and not for a submission
	derived []filing.Derived
}

// filled returns the body of the declaration with what its filling allows the service to add. Only a listing names the added
// values.
func (d *documentData) filled(listing bool) *filler {
	f := &filler{
		documentData: d, header: d.declaration.Header, items: slices.Clone(d.declaration.Items), listing: listing,
		day: d.now.In(calendar.London()).Format(time.DateOnly),
	}
	filling := f.header.Filling()
	f.usual = filling == datamodel.FillUsual
	f.set = f.dataSet()
	f.addDeclarant()
	f.items = withHeaderDocuments(f.items, d.declaration.Documents)
	if filling == datamodel.FillNone {
		return f
	}
	f.addType()
	f.values = d.declaration.Values(d.rates, d.now)
	for n := range f.items {
		f.addGoods(n)
	}
	f.addTransport()
	f.addPlaces()
	f.addParties()
	f.addRepresentation()
	f.addPayment()
	f.addReferences()
	f.addSimplified()
	f.addTotals()
	return f
}

// body returns the completed body.
func (f *filler) body() datamodel.Body {
	return datamodel.Body{Direction: f.declaration.DeclarationType, Header: &f.header, Items: f.items}
}

// document returns the completed declaration as CDS receives it.
func (f *filler) document() wco.Declaration {
	out := datamodel.Encode(f.body())
	out.FunctionalReferenceID = f.lrn
	return out
}

// dataSet returns the data set of the declaration: the one that it names, or the one that follows from its procedure.
func (f *filler) dataSet() dataset.Set {
	if f.header.DataSet != "" {
		return dataset.Set(f.header.DataSet)
	}
	requested := ""
	if len(f.items) > 0 {
		requested = requestedProcedure(&f.items[0])
	}
	return dataset.OfProcedure(requested, !f.isImport())
}

// requestedProcedure returns the requested procedure of an item (DE 1/10); empty if it has none.
func requestedProcedure(i *datamodel.Item) string {
	if len(i.Procedures) > 0 {
		return i.Procedures[0].Current
	}
	return i.ProcedureCode[:min(2, len(i.ProcedureCode))]
}

// previousProcedure returns the previous procedure of an item (DE 1/10); empty if it has none.
func previousProcedure(i *datamodel.Item) string {
	if len(i.Procedures) > 0 {
		return i.Procedures[0].Previous
	}
	return i.ProcedureCode[min(2, len(i.ProcedureCode)):]
}

// allows reports whether the data set has one of the data elements, such as 6/1, as mandatory or dependent. Usual values do
// not depend on it.
func (f *filler) allows(elements ...string) bool {
	if f.usual {
		return true
	}
	return slices.ContainsFunc(elements, func(e string) bool {
		switch f.set.Required(e, f.day) {
		case dataset.Mandatory, dataset.OwnMandatory, dataset.Dependent, dataset.OwnDependent, dataset.Advised:
			return true
		}
		return false
	})
}

// excluded reports whether the body excludes a member, or a member above it, from being added.
func (f *filler) excluded(field string) bool {
	return slices.ContainsFunc(f.header.Without, func(path string) bool {
		return covers(path, field) || covers(path, WithoutIndices(field))
	})
}

func covers(path, field string) bool {
	rest, found := strings.CutPrefix(field, path)
	return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// WithoutIndices turns items[0].seller into items[].seller.
func WithoutIndices(field string) string {
	before, rest, found := strings.Cut(field, "[")
	out := before
	for found {
		_, after, _ := strings.Cut(rest, "]")
		out += "[]"
		before, rest, found = strings.Cut(after, "[")
		out += before
	}
	return out
}

// can reports whether a member may be added: the body does not exclude it, and the data set has one of its data elements.
func (f *filler) can(field string, elements ...string) bool {
	return (len(elements) == 0 || f.allows(elements...)) && (len(f.header.Without) == 0 || !f.excluded(field))
}

// text adds a text to an empty member.
func (f *filler) text(member *string, field, value, from string, elements ...string) {
	if *member == "" && value != "" && f.can(field, elements...) {
		*member = value
		f.note(field, value, from)
	}
}

// fill adds a value to a member that is absent.
func fill[T any](f *filler, member **T, field string, value *T, from string, elements ...string) {
	if *member == nil && value != nil && f.can(field, elements...) {
		*member = value
		f.note(field, value, from)
	}
}

// fillList adds a list to a member that is absent. An empty list in the body means none.
func fillList[T any](f *filler, member *[]T, field string, value []T, from string, elements ...string) {
	if *member == nil && len(value) > 0 && f.can(field, elements...) {
		*member = value
		f.note(field, value, from)
	}
}

// note lists a value that was added.
func (f *filler) note(field string, value any, from string) {
	if !f.listing {
		return
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return // every member can be written as JSON
	}
	f.derived = append(f.derived, filing.Derived{Field: field, Value: raw, From: from})
}

// at returns the path of a member of an item, counted from 0. It is empty if no path is needed.
func (f *filler) at(n int, member string) string {
	if !f.listing && len(f.header.Without) == 0 {
		return ""
	}
	return "items[" + decimal(n) + "]." + member
}

// terms returns the terms of the client, and then those of the organisation.
func (f *filler) terms() [2]owner {
	return [2]owner{
		{&f.client.Terms, fromClient, f.clientEORI()},
		{&f.organisation.Profile.Terms, fromOrganisation, f.ownEORI()},
	}
}

// owner is whose terms they are.
type owner struct {
	*terms.Terms
	from string
	eori string
}

// agreed returns the first value that the client or the organisation has, and whose it is.
func (f *filler) agreed(value func(*terms.Terms) string) (text, from string) {
	for _, o := range f.terms() {
		if text := value(o.Terms); text != "" {
			return text, o.from
		}
	}
	return "", ""
}

// pounds returns an amount in pounds.
func pounds(m quantity.Money) *datamodel.Amount {
	sum := quantity.SumOf(m)
	return &datamodel.Amount{Amount: &sum, Currency: sterling}
}
