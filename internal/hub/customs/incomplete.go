package customs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// incomplete returns why a declaration cannot be submitted. With a data set, that is what the data set requires and the
// declaration lacks, and what contradicts itself. If it goes to HMRC, it is also each constant that states a fact: HMRC gets no
// guess. It returns nil if customs would accept the declaration by its own data.
func (f *filler) incomplete(document *wco.Declaration, simulated bool) error {
	var details []apierr.Detail
	if f.header.DataSet != "" {
		details = f.refused(document)
	}
	if !simulated {
		details = append(details, f.guessed()...)
	}
	if details == nil {
		return nil
	}
	refusal := "The declaration cannot be submitted yet"
	if f.amended {
		refusal = "Customs would refuse the amended declaration"
	}
	err := apierr.New(apierr.DeclarationIncomplete, "%s: %s", refusal, inWords(details))
	err.Details = details
	return err
}

// refused returns what customs would refuse in a declaration with a data set.
func (f *filler) refused(document *wco.Declaration) []apierr.Detail {
	details := f.ownFaults(document)
	for _, fault := range check.Run(document, check.Options{Day: f.day, Amended: f.amended}) {
		if fault.Severity != check.Refusal {
			continue
		}
		d := detailOf(atHeader(fault, document))
		if d.Field = f.declaration.asStated(d.Field); !slices.Contains(details, d) {
			details = append(details, d)
		}
	}
	return details
}

// lacking are the codes for an element that is missing.
var lacking = []string{check.Missing, "CDS12073", "CDS12135"}

// atHeader returns the fault of an item that lacks an element as one of the header, where the element can be declared for all
// items, and no item has it.
func atHeader(fault check.Fault, document *wco.Declaration) check.Fault {
	if !slices.Contains(lacking, fault.Code) || fault.Item == 0 {
		return fault
	}
	elements := dataset.Elements()
	at := slices.IndexFunc(elements, func(e dataset.Element) bool { return e.Number == fault.Element })
	if at < 0 || elements[at].Header == "" {
		return fault
	}
	items := document.GoodsShipment.GovernmentAgencyGoodsItem
	for n := range items {
		if elements[at].AtItem(&items[n]) {
			return fault
		}
	}
	fault.Pointer, fault.Item = elements[at].Header, 0
	_, fault.Message, _ = strings.Cut(fault.Message, ": ")
	return fault
}

// inWords names the first of the details, and counts the others.
func inWords(details []apierr.Detail) string {
	if more := len(details) - 1; more > 0 {
		return fmt.Sprintf("%s (and %d more)", details[0].Message, more)
	}
	return details[0].Message
}

const additionalTypeMember = "additionalType"

// detailOf names the member that a fault is about.
func detailOf(fault check.Fault) apierr.Detail {
	d := apierr.Detail{Field: "declaration", Element: fault.Element, Code: fault.Code, Message: fault.Message, Remedy: fault.Cure}
	if p, err := pointer.Parse(fault.Pointer); err == nil {
		d.Field = datamodel.MemberAt(p)
	}
	if d.Field == additionalTypeMember {
		d.Element = "1/2" // its pointer is that of the whole type, DE 1/1
	}
	return d
}

// Codes with which CDS would reject what the body contradicts.
const (
	wrongType     = "CDS12052"
	missingValue  = check.Missing
	notInRelation = "CDS12056"
)

// contradictions returns what the body says about itself that its content does not bear out.
func (f *filler) contradictions(document *wco.Declaration) (details []apierr.Detail) {
	if set, ok := dataset.Of(document); !ok || string(set) != f.header.DataSet {
		d := apierr.Detail{Field: "dataSet", Element: "1/2", Code: wrongType, Remedy: "Correct dataSet, additionalType or the procedure codes."}
		d.Message = fmt.Sprintf("Type %s with its procedures does not fit data set %s.", document.TypeCode, f.header.DataSet)
		if ok {
			d.Message = fmt.Sprintf("Type and procedures are those of data set %s, not %s.", set, f.header.DataSet)
		}
		details = append(details, d)
	}
	return append(details, f.notSimplified()...)
}

// notSimplified returns how the declaration differs from the simplified one that it supplements.
func (f *filler) notSimplified() (details []apierr.Detail) {
	if f.declaration.Supplements == "" {
		return nil
	}
	if f.simplified.MRN == "" || f.simplified.AcceptedAt == "" {
		return []apierr.Detail{{Field: "supplements", Element: "2/1", Code: missingValue, Message: "Customs has not accepted the simplified declaration yet.", Remedy: "Submit this declaration once customs has accepted the simplified one."}}
	}
	if stated, ok := instantOf(f.header.TaxPointAt); ok {
		if accepted, _ := instantOf(taxPoint(f.simplified.AcceptedAt)); !stated.Equal(accepted) {
			details = append(details, apierr.Detail{
				Field: "taxPointAt", Code: notInRelation, Message: "The tax point is not the acceptance of the simplified declaration.",
				Remedy: "Leave taxPointAt out, or declare " + taxPoint(f.simplified.AcceptedAt) + ".",
			})
		}
	}
	for n := range f.items {
		for k, p := range f.items[n].PreviousDocuments {
			if p.Type == simplifiedType && p.Reference != f.simplified.MRN {
				details = append(details, apierr.Detail{
					Field: fmt.Sprintf("items[%d].previousDocuments[%d].reference", n, k), Element: "2/1", Code: notInRelation,
					Message: fmt.Sprintf("Item %d refers to another declaration than the one that this one supplements.", n+1), Remedy: "Declare its MRN, " + f.simplified.MRN + ".",
				})
			}
		}
	}
	return details
}

// instantOf parses a tax point with a time.
func instantOf(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// unknown returns what the service would have taken over from other records if they had it.
func (f *filler) unknown() (details []apierr.Detail) {
	trader := f.header.Importer
	if !f.isImport() {
		trader = f.header.Exporter
	}
	if own := f.header.Declarant; f.header.Representation == nil && trader != nil && own != nil && trader.EORI != "" && own.EORI != "" && trader.EORI != own.EORI {
		details = append(details, apierr.Detail{
			Field: "representation.type", Element: "3/21", Code: missingValue, Message: "The declarant is not the trader, and nothing says how it represents the trader.",
			Remedy: "State representation here, or set representation on the client or the organisation.",
		})
	}
	if !slices.Contains([]dataset.Set{dataset.H1, dataset.H5}, f.set) {
		return details
	}
	for n := range f.items {
		if len(f.items[n].TaxLines) == 0 {
			details = append(details, apierr.Detail{
				Field: fmt.Sprintf("items[%d].taxLines", n), Element: "4/3", Code: missingValue, Message: fmt.Sprintf("Item %d has no tax lines, and no method of payment is known.", n+1),
				Remedy: "State taxLines here, or set paymentMethod on the client or the organisation.",
			})
		}
	}
	return details
}

// unauthorised returns what the client has not authorised the organisation to do on the day.
func (f *filler) unauthorised() (details []apierr.Detail) {
	paper := f.client.RepresentationAuthority
	if own := f.header.Representation; own != nil && own.Type != datamodel.Self && paper != nil && paper.Until != "" && paper.Until < f.day {
		details = append(details, apierr.Detail{
			Field: "representation", Element: "3/21", Code: notInRelation, Message: "The client's authority for the representation ended on " + paper.Until + ".",
			Remedy: "Renew the authority, and set representationAuthority of the client.",
		})
	}
	if f.client.DefermentAuthority != terms.NoAuthority || f.declarant() == f.clientEORI() {
		return details
	}
	for n, p := range f.header.DeferredPayments {
		if p.Account != "" && (p.Account == f.client.DefermentAccount || p.Account == f.client.VATDefermentAccount) {
			details = append(details, apierr.Detail{
				Field: fmt.Sprintf("deferredPayments[%d].account", n), Element: "2/6", Code: notInRelation,
				Message: "The client has not authorised anyone to charge its deferment account " + p.Account + ".",
				Remedy:  "Use another account, or set defermentAuthority of the client to STANDING or SPECIFIC.",
			})
		}
	}
	return details
}

// withStored returns the values that were filled into the record when it was stored, and then others.
func withStored(f *filing.Filing, more []filing.Derived) ([]filing.Derived, error) {
	stored, err := filing.StoredDerived(f)
	if err != nil {
		return nil, err
	}
	stored = slices.DeleteFunc(stored, func(d filing.Derived) bool { return d.From != fromProduct })
	return append(stored, more...), nil
}
