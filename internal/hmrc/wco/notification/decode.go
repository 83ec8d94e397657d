package notification

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
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
		return nil, fmt.Errorf("notification: decode: %w: %s %s", ErrUnknownDocument, root.name.Space, root.name.Local)
	}
	return all, nil
}

func responses(root *element) []*element {
	switch root.name {
	case safexml.Name{Space: spaceResponse, Local: "Response"}, safexml.Name{Local: "Response"}:
		return []*element{root}
	case safexml.Name{Space: spaceMetaData, Local: "MetaData"}, safexml.Name{Local: "MetaData"}:
		return slices.Collect(root.all("Response"))
	}
	return nil
}

func readResponse(r *element) Notification {
	d := declaration(r)
	n := Notification{
		FunctionCode: twoDigits(r.text("FunctionCode")),
		MessageID:    r.text("FunctionalReferenceID"),
		IssuedAt:     instant(r, "IssueDateTime"),
		LRN:          d.text("FunctionalReferenceID"),
		MRN:          d.text("ID"),
		VersionID:    d.text("VersionID"),
		AcceptedAt:   instant(d, "AcceptanceDateTime"),
		RejectedAt:   instant(d, "RejectionDateTime"),
		CancelledAt:  instant(d, "CancellationDateTime"),
		Errors:       readErrors(r),
		Statuses:     readStatuses(r),
		Taxes:        readTaxes(d),
		Payments:     readPayments(d),
		Bank:         Bank{BIC: r.text("Bank", "ReferenceID"), IBAN: r.text("Bank", "ID")},
		Information:  readInformation(r),
		Amendments:   readAmendments(r),
	}
	n.Name = names[n.FunctionCode]
	n.attachRemarks()
	return n
}

// declaration reads the Declaration element of the response. In messages that have lost their namespaces, a function
// code identifies the corrected declaration of a DMSRES, which is left out.
func declaration(r *element) *element {
	for d := range r.all("Declaration") {
		if d.name.Space != "" || d.at("FunctionCode") == nil {
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

func readErrors(r *element) (all []Error) {
	for e := range r.all("Error") {
		all = append(all, Error{Code: e.text("ValidationCode"), Description: e.text("Description"), Pointers: pointers(e)})
	}
	return all
}

func readStatuses(r *element) (all []Status) {
	for s := range r.all("Status") {
		all = append(all, Status{
			Code:        s.text("NameCode"),
			EffectiveAt: instant(s, "EffectiveDateTime"),
			ReleasedAt:  instant(s, "ReleaseDateTime"),
		})
	}
	return all
}

func readInformation(r *element) (all []Information) {
	for i := range r.all("AdditionalInformation") {
		all = append(all, Information{
			Code:    i.text("StatementCode"),
			Type:    i.text("StatementTypeCode"),
			Text:    i.text("StatementDescription"),
			LimitAt: instant(i, "LimitDateTime"),
			Pointer: steps(i),
		})
	}
	return all
}

func readAmendments(r *element) (all []Amendment) {
	corrected := correctedDeclaration(r)
	for a := range r.all("Amendment") {
		read := Amendment{Reason: a.text("ChangeReasonCode"), Pointers: pointers(a)}
		for _, p := range read.Pointers {
			read.Values = append(read.Values, corrected.valueAt(p))
		}
		all = append(all, read)
	}
	return all
}

func readTaxes(d *element) (all []Tax) {
	position := 0
	for item := range d.at("GoodsShipment").all("GovernmentAgencyGoodsItem") {
		position++
		number, err := strconv.Atoi(item.text("SequenceNumeric"))
		if err != nil || number < 1 {
			number = position
		}
		for t := range item.at("Commodity").all("DutyTaxFee") {
			all = append(all, readTax(number, t))
		}
	}
	return all
}

func readTax(item int, t *element) Tax {
	base := t.at("SpecificTaxBaseQuantity")
	return Tax{
		Item:         item,
		Type:         t.text("TypeCode"),
		Regime:       t.text("DutyRegimeCode"),
		Rate:         t.text("TaxRateNumeric"),
		Base:         amount(t, "AdValoremTaxBaseAmount"),
		BaseQuantity: Measure{Text: base.text(), Unit: base.attribute("unitCode")},
		Deducted:     amount(t, "DeductAmount"),
		Assessed:     amount(t, "Payment", "TaxAssessedAmount"),
		Payable:      amount(t, "Payment", "PaymentAmount"),
	}
}

func readPayments(d *element) (all []Payment) {
	for fee := range d.all("DutyTaxFee") {
		for p := range fee.all("Payment") {
			all = append(all, Payment{
				Reference: p.text("ReferenceID"),
				Account:   p.text("ObligationGuarantee", "ReferenceID"),
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
