package notification

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
)

// Namespaces of a message. The corrected declaration inside a DMSRES has one of its own.
const (
	spaceDeclaration = "urn:wco:datamodel:WCO:DEC-DMS:2"

	spaceMetaData = "urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"
	spaceResponse = "urn:wco:datamodel:WCO:RES-DMS:2"
	spaceTypes    = "urn:wco:datamodel:WCO:Response_DS:DMS:2"
)

// ErrUnknownDocument means well-formed XML that is not a response to a declaration, such as the outcome of a file
// upload, which arrives at the same address.
var ErrUnknownDocument = errors.New("not a customs response")

// Decode returns every Response of a message, in order. It fails if the message is not well-formed, too large, too deep
// or has a document type definition, and with ErrUnknownDocument for other documents.
func Decode(data []byte) ([]Notification, error) {
	root, err := readDocument(data)
	if err != nil {
		return nil, fmt.Errorf("notification: decode: %w", err)
	}
	var all []Notification
	for _, r := range responses(root) {
		all = append(all, readResponse(r))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("notification: decode: %w: %s %s", ErrUnknownDocument, root.Name.Space, root.Name.Local)
	}
	return all, nil
}

func responses(root *xmltree.Element) []*xmltree.Element {
	switch root.Name {
	case safexml.Name{Space: spaceResponse, Local: "Response"}, safexml.Name{Local: "Response"}:
		return []*xmltree.Element{root}
	case safexml.Name{Space: spaceMetaData, Local: "MetaData"}, safexml.Name{Local: "MetaData"}:
		return slices.Collect(root.All("Response"))
	}
	return nil
}

func readResponse(r *xmltree.Element) Notification {
	d := declaration(r)
	n := Notification{
		FunctionCode: twoDigits(r.Text("FunctionCode")),
		MessageID:    r.Text("FunctionalReferenceID"),
		IssuedAt:     instant(r, "IssueDateTime"),
		LRN:          d.Text("FunctionalReferenceID"),
		MRN:          d.Text("ID"),
		VersionID:    d.Text("VersionID"),
		AcceptedAt:   instant(d, "AcceptanceDateTime"),
		RejectedAt:   instant(d, "RejectionDateTime"),
		CancelledAt:  instant(d, "CancellationDateTime"),
		Errors:       readErrors(r),
		Statuses:     readStatuses(r),
		Taxes:        readTaxes(d),
		Payments:     readPayments(d),
		Bank:         Bank{BIC: r.Text("Bank", "ReferenceID"), IBAN: r.Text("Bank", "ID")},
		Information:  readInformation(r),
		Amendments:   readAmendments(r),
	}
	n.Name = names[n.FunctionCode]
	n.attachRemarks()
	return n
}

// declaration reads the Declaration element of the response. In messages that have lost their namespaces, a function
// code identifies the corrected declaration of a DMSRES, which is left out.
func declaration(r *xmltree.Element) *xmltree.Element {
	for d := range r.All("Declaration") {
		if d.Name.Space != "" || d.At("FunctionCode") == nil {
			return d
		}
	}
	return nil
}

// twoDigits restores the leading zero that some messages drop.
func twoDigits(code string) string {
	if len(code) == 1 {
		return "0" + code
	}
	return code
}

func readErrors(r *xmltree.Element) (all []Error) {
	for e := range r.All("Error") {
		all = append(all, Error{Code: e.Text("ValidationCode"), Description: e.Text("Description"), Pointers: pointers(e)})
	}
	return all
}

func readStatuses(r *xmltree.Element) (all []Status) {
	for s := range r.All("Status") {
		all = append(all, Status{
			Code:        s.Text("NameCode"),
			EffectiveAt: instant(s, "EffectiveDateTime"),
			ReleasedAt:  instant(s, "ReleaseDateTime"),
		})
	}
	return all
}

func readInformation(r *xmltree.Element) (all []Information) {
	for i := range r.All("AdditionalInformation") {
		all = append(all, Information{
			Code:    i.Text("StatementCode"),
			Type:    i.Text("StatementTypeCode"),
			Text:    i.Text("StatementDescription"),
			LimitAt: instant(i, "LimitDateTime"),
			Pointer: steps(i),
		})
	}
	return all
}

func readAmendments(r *xmltree.Element) (all []Amendment) {
	corrected := correctedDeclaration(r)
	for a := range r.All("Amendment") {
		read := Amendment{Reason: a.Text("ChangeReasonCode"), Pointers: pointers(a)}
		for _, p := range read.Pointers {
			read.Values = append(read.Values, valueAt(corrected, p))
		}
		all = append(all, read)
	}
	return all
}

func readTaxes(d *xmltree.Element) (all []Tax) {
	position := 0
	for item := range d.At("GoodsShipment").All("GovernmentAgencyGoodsItem") {
		position++
		number, err := strconv.Atoi(item.Text("SequenceNumeric"))
		if err != nil || number < 1 {
			number = position
		}
		for t := range item.At("Commodity").All("DutyTaxFee") {
			all = append(all, readTax(number, t))
		}
	}
	return all
}

func readTax(item int, t *xmltree.Element) Tax {
	base := t.At("SpecificTaxBaseQuantity")
	return Tax{
		Item:         item,
		Type:         t.Text("TypeCode"),
		Regime:       t.Text("DutyRegimeCode"),
		Rate:         t.Text("TaxRateNumeric"),
		Base:         amount(t, "AdValoremTaxBaseAmount"),
		BaseQuantity: Measure{Text: base.Text(), Unit: base.Attribute("unitCode")},
		Deducted:     amount(t, "DeductAmount"),
		Assessed:     amount(t, "Payment", "TaxAssessedAmount"),
		Payable:      amount(t, "Payment", "PaymentAmount"),
	}
}

func readPayments(d *xmltree.Element) (all []Payment) {
	for fee := range d.All("DutyTaxFee") {
		for p := range fee.All("Payment") {
			all = append(all, Payment{
				Reference: p.Text("ReferenceID"),
				Account:   p.Text("ObligationGuarantee", "ReferenceID"),
				Assessed:  amount(p, "TaxAssessedAmount"),
				Payable:   amount(p, "PaymentAmount"),
				DueAt:     instant(p, "DueDateTime"),
			})
		}
	}
	return all
}

// attachRemarks attaches a statement that points at the k-th error or amendment of the message to it.
func (n *Notification) attachRemarks() {
	for _, i := range n.Information {
		if len(i.Pointer) < 2 || i.Pointer[0].Section != "07B" || i.Text == "" {
			continue
		}
		k := i.Pointer[1].Sequence - 1
		switch section := i.Pointer[1].Section; {
		case section == "53A" && k >= 0 && k < len(n.Errors) && i.Text != n.Errors[k].Description:
			n.Errors[k].Remarks = append(n.Errors[k].Remarks, i.Text)
		case section == "06A" && k >= 0 && k < len(n.Amendments):
			n.Amendments[k].Remarks = append(n.Amendments[k].Remarks, i.Text)
		}
	}
}
