package wco

// HeaderDocument is a deferment account (DE 2/6): category 1, type DAN, ID its number.
type HeaderDocument struct {
	CategoryCode string
	ID           string
	TypeCode     string
}

func (d *HeaderDocument) fields(v visitor) {
	code(v, "CategoryCode", &d.CategoryCode, 3)
	id(v, "ID", &d.ID, 70)
	code(v, "TypeCode", &d.TypeCode, 3)
}

// AdditionalDocument is a document, licence or authorisation of an item (DE 2/3). SplitDocumentCode derives
// CategoryCode and TypeCode from a code such as N935.
type AdditionalDocument struct {
	CategoryCode      string
	EffectiveDateTime DateTime
	ID                string // the document's reference
	Name              string // the reason, where a status wants one
	TypeCode          string
	LPCOExemptionCode string // the status, such as AC
	Submitter         DocumentIssuer
	WriteOff          WriteOff // DE 8/7
}

func (d *AdditionalDocument) fields(v visitor) {
	code(v, "CategoryCode", &d.CategoryCode, 3)
	one(v, "EffectiveDateTime", &d.EffectiveDateTime)
	id(v, "ID", &d.ID, 70)
	text(v, "Name", &d.Name, 35)
	code(v, "TypeCode", &d.TypeCode, 3)
	code(v, "LPCOExemptionCode", &d.LPCOExemptionCode, 3)
	one(v, "Submitter", &d.Submitter)
	one(v, "WriteOff", &d.WriteOff)
}

// DocumentIssuer is the authority that issued a document.
type DocumentIssuer struct {
	Name     string
	RoleCode string
}

func (i *DocumentIssuer) fields(v visitor) {
	text(v, "Name", &i.Name, 70)
	code(v, "RoleCode", &i.RoleCode, 3)
}

// WriteOff is the quantity of a licence that the item uses.
type WriteOff struct {
	QuantityQuantity Measure
	AmountAmount     Amount
}

func (w *WriteOff) fields(v visitor) {
	measure(v, "QuantityQuantity", &w.QuantityQuantity)
	amount(v, "AmountAmount", &w.AmountAmount)
}

// AdditionalInformation is a statement about an item (DE 2/2), such as 00500 IMPORTER
// or 00400 EXPORTER for self-representation.
type AdditionalInformation struct {
	StatementCode        string
	StatementDescription string
	StatementTypeCode    string
}

func (i *AdditionalInformation) fields(v visitor) {
	code(v, "StatementCode", &i.StatementCode, 17)
	text(v, "StatementDescription", &i.StatementDescription, 512)
	code(v, "StatementTypeCode", &i.StatementTypeCode, 3)
}

// HeaderInformation is a statement about the declaration or, with Pointer, about an Amendment.
type HeaderInformation struct {
	StatementCode        string
	StatementDescription string
	StatementTypeCode    string
	Pointer              []Pointer
}

func (i *HeaderInformation) fields(v visitor) {
	code(v, "StatementCode", &i.StatementCode, 17)
	text(v, "StatementDescription", &i.StatementDescription, 512)
	code(v, "StatementTypeCode", &i.StatementTypeCode, 3)
	list(v, "Pointer", &i.Pointer)
}

// PreviousDocument is a previous document of the goods (DE 2/1): category Z with type DCR for a DUCR, MCR for a MUCR,
// 355 for an entry summary declaration.
type PreviousDocument struct {
	CategoryCode string
	ID           string
	TypeCode     string
	LineNumeric  Number
}

func (d *PreviousDocument) fields(v visitor) {
	code(v, "CategoryCode", &d.CategoryCode, 3)
	id(v, "ID", &d.ID, 70)
	code(v, "TypeCode", &d.TypeCode, 3)
	number(v, "LineNumeric", &d.LineNumeric, 5, 0)
}

// UCR is the trader's reference of the consignment (DE 2/4).
type UCR struct {
	ID                        string
	TraderAssignedReferenceID string
}

func (u *UCR) fields(v visitor) {
	id(v, "ID", &u.ID, 35)
	id(v, "TraderAssignedReferenceID", &u.TraderAssignedReferenceID, 35)
}

// Invoice is the commercial invoice of the shipment.
type Invoice struct {
	ID            string
	IssueDateTime DateTime
}

func (i *Invoice) fields(v visitor) {
	id(v, "ID", &i.ID, 70)
	one(v, "IssueDateTime", &i.IssueDateTime)
}

// deferment is the type of the header document that names a deferment account (DE 2/6).
const deferment = "DAN"

// FirstReference returns the first document reference, header before items, without the deferment account and its
// authorisations (C505, C506), which the declarant's system adds.
func (d *Declaration) FirstReference() string {
	for _, document := range d.AdditionalDocument {
		if document.TypeCode != deferment && document.ID != "" {
			return document.ID
		}
	}
	for i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		for _, document := range d.GoodsShipment.GovernmentAgencyGoodsItem[i].AdditionalDocument {
			if document.ID != "" && !document.authorisesDeferment() {
				return document.ID
			}
		}
	}
	return ""
}

func (d *AdditionalDocument) authorisesDeferment() bool {
	return d.CategoryCode == "C" && (d.TypeCode == "505" || d.TypeCode == "506")
}
