package extract

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// DeclarationDraft is a body for POST /api/declarations with the document's values, the source
// of each field, and the fields that are still missing.
type DeclarationDraft struct {
	Body        DraftBody         `json:"body" doc:"Members of a declaration; add those that are missing, and send it"`
	Sources     []DraftSource     `json:"sources" doc:"Where each member of the body comes from"`
	Conversions []DraftConversion `json:"conversions,omitempty" doc:"Working of the customs values that were converted to pounds"`
	Missing     []string          `json:"missing" doc:"Members that a declaration needs and the document does not have" example:"[\"shipmentId\"]"`
}

// DraftBody has the members of a declaration that a document can have.
type DraftBody struct {
	DeclarationType string          `json:"declarationType,omitempty" enum:"IMPORT,EXPORT" doc:"By the countries of seller and buyer"`
	Items           []DraftItem     `json:"items,omitempty" doc:"One for each line of goods"`
	Documents       []DraftDocument `json:"documents,omitempty" doc:"The document itself"`
}

// DraftItem has the members of an item that a line of goods can have.
type DraftItem struct {
	CommodityCode   string          `json:"commodityCode,omitempty" doc:"Commodity code as in the document, perhaps of fewer than ten digits"`
	Description     string          `json:"description,omitempty" doc:"Description of the goods"`
	NetMassKg       *quantity.Mass  `json:"netMassKg,omitempty" doc:"Net mass in kilograms"`
	GrossMassKg     *quantity.Mass  `json:"grossMassKg,omitempty" doc:"Gross mass in kilograms"`
	CustomsValueGBP *quantity.Money `json:"customsValueGbp,omitempty" doc:"Amount in pounds, if need be at HMRC's rate of the month"`
	ItemPrice       *DraftPrice     `json:"itemPrice,omitempty" doc:"Amount in the currency of the invoice, if it is not in pounds"`
	CountryOfOrigin string          `json:"countryOfOrigin,omitempty" doc:"Country of origin"`
	Quantity        *int64          `json:"quantity,omitempty" doc:"Quantity if it is a whole number"`
	PackageCount    *int64          `json:"packageCount,omitempty" doc:"Number of packages"`
}

// DraftDocument refers to a document by its code (DE 2/3).
type DraftDocument struct {
	Type      string `json:"type" doc:"Document code" example:"N935"`
	Reference string `json:"reference" doc:"Number of the document"`
}

// DraftSource says from which field of the document a member of the body comes.
type DraftSource struct {
	Field      string     `json:"field" doc:"Member of the body" example:"items[0].netMassKg"`
	Source     string     `json:"source" doc:"Member of the document" example:"lineItems[0].netMassKg"`
	Confidence Confidence `json:"confidence" doc:"Confidence" example:"0.95"`
}

// documentCodes are the codes of documents in CDS (DE 2/3).
var documentCodes = map[DocumentType]string{Invoice: "N935", BillOfLading: "N705", PackingList: "N271"}

// maxReference is the largest length of a document reference in a declaration.
const maxReference = 35

// draftBuilder makes a draft of a document.
type draftBuilder struct {
	reading *reading
	doc     *TradeDocument
	draft   *DeclarationDraft
	pounds  bool
}

// draft returns nil if the document has no lines of goods.
func (r *reading) draft(d *TradeDocument) *DeclarationDraft {
	if len(d.LineItems) == 0 {
		return nil
	}
	if d.InvoiceKind != nil {
		r.note("A credit note is no invoice for goods that are moved, so there is no draft of a declaration. A value that was declared is changed by an amendment.")
		return nil
	}
	m := draftBuilder{reading: r, doc: d, draft: &DeclarationDraft{Missing: []string{"shipmentId"}}, pounds: d.Currency != nil && d.Currency.Value == "GBP"}
	m.direction()
	for i := range d.LineItems {
		m.item(i, &d.LineItems[i])
	}
	m.document()
	if d.DocumentType == Invoice {
		switch {
		case m.pounds:
			r.note("The draft's customs values are the amounts of the lines. Add costs up to the border that the delivery term does not include, such as freight and insurance.")
		case d.Currency == nil:
			r.note("The amounts may not be in pounds sterling, so the draft has no customs values. Convert them at HMRC's exchange rate.")
		}
	}
	return m.draft
}

func (m *draftBuilder) from(field, source string, sure Confidence) {
	m.draft.Sources = append(m.draft.Sources, DraftSource{field, source, sure})
}

func (m *draftBuilder) missing(field string) { m.draft.Missing = append(m.draft.Missing, field) }

// direction sets import or export by which party is in the United Kingdom.
func (m *draftBuilder) direction() {
	from, fromName, to, toName := m.doc.Seller, "seller", m.doc.Buyer, "buyer"
	if m.doc.DocumentType == BillOfLading {
		from, fromName, to, toName = m.doc.Shipper, "shipper", m.doc.Consignee, "consignee"
	}
	uk := func(p *TradeParty) bool { return countryOf(p) == "GB" || countryOf(p) == "XI" }
	switch {
	case uk(to) && countryOf(from) != "" && !uk(from):
		m.draft.Body.DeclarationType = "IMPORT"
		m.from("declarationType", toName+".country", to.Country.Confidence)
	case uk(from) && countryOf(to) != "" && !uk(to):
		m.draft.Body.DeclarationType = "EXPORT"
		m.from("declarationType", fromName+".country", from.Country.Confidence)
	default:
		m.missing("declarationType")
	}
}

// item makes an item from a line of goods.
func (m *draftBuilder) item(n int, l *LineItem) {
	var i DraftItem
	at, line := fmt.Sprintf("items[%d].", n), fmt.Sprintf("lineItems[%d].", n)
	if l.CommodityCode != nil && len(l.CommodityCode.Value) >= 6 {
		i.CommodityCode = l.CommodityCode.Value
		m.from(at+"commodityCode", line+"commodityCode", l.CommodityCode.Confidence)
	} else {
		m.missing(at + "commodityCode")
	}
	if l.Description != nil {
		i.Description = l.Description.Value
		m.from(at+"description", line+"description", l.Description.Confidence)
	} else {
		m.missing(at + "description")
	}
	if l.NetMassKg != nil {
		i.NetMassKg = &l.NetMassKg.Value
		m.from(at+"netMassKg", line+"netMassKg", l.NetMassKg.Confidence)
	} else {
		m.missing(at + "netMassKg")
	}
	m.value(&i, at, line, l)
	if l.GrossMassKg != nil {
		i.GrossMassKg = &l.GrossMassKg.Value
		m.from(at+"grossMassKg", line+"grossMassKg", l.GrossMassKg.Confidence)
	}
	switch origin := m.doc.CountryOfOrigin; {
	case l.CountryOfOrigin != nil:
		i.CountryOfOrigin = l.CountryOfOrigin.Value
		m.from(at+"countryOfOrigin", line+"countryOfOrigin", l.CountryOfOrigin.Confidence)
	case origin != nil:
		i.CountryOfOrigin = origin.Value
		m.from(at+"countryOfOrigin", "countryOfOrigin", origin.Confidence)
	}
	if l.Quantity != nil {
		if r := l.Quantity.Value.Rat(); r.IsInt() && r.Sign() > 0 && r.Num().IsInt64() && r.Num().Int64() <= 99_999_999 {
			count := r.Num().Int64()
			i.Quantity = &count
			m.from(at+"quantity", line+"quantity", l.Quantity.Confidence)
		}
	}
	if l.PackageCount != nil {
		i.PackageCount = &l.PackageCount.Value
		m.from(at+"packageCount", line+"packageCount", l.PackageCount.Confidence)
	}
	m.draft.Body.Items = append(m.draft.Body.Items, i)
}

// value sets the amount of a line: in pounds and pence, or as a price in another currency, which Convert converts.
func (m *draftBuilder) value(i *DraftItem, at, line string, l *LineItem) {
	if nothing(l.Amount).Sign() < 0 { // a discount
		m.missing(at + "customsValueGbp")
		return
	}
	if m.pounds && l.Amount != nil {
		if v, err := quantity.ParseMoney(l.Amount.Value.String()); err == nil {
			i.CustomsValueGBP = &v
			m.from(at+"customsValueGbp", line+"amount", l.Amount.Confidence)
			return
		}
	}
	if c := m.doc.Currency; !m.pounds && c != nil && l.Amount != nil {
		if v, err := quantity.ParseSum(l.Amount.Value.String()); err == nil {
			i.ItemPrice = &DraftPrice{v, c.Value}
			m.from(at+"itemPrice", line+"amount", min(l.Amount.Confidence, c.Confidence))
		}
	}
	m.missing(at + "customsValueGbp")
}

func (m *draftBuilder) document() {
	number, name := m.doc.InvoiceNumber, "invoiceNumber"
	switch m.doc.DocumentType {
	case BillOfLading:
		number, name = m.doc.BillOfLadingNumber, "billOfLadingNumber"
	case PackingList:
		number, name = m.doc.PackingListNumber, "packingListNumber"
	}
	if number == nil || len(number.Value) > maxReference {
		return
	}
	m.draft.Body.Documents = []DraftDocument{{documentCodes[m.doc.DocumentType], number.Value}}
	m.from("documents[0].reference", name, number.Confidence)
}
