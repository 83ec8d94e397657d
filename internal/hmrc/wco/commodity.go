package wco

// Commodity is the goods of an item: description, classification, measures and taxes.
type Commodity struct {
	Description        string           // DE 6/8
	Classification     []Classification // DE 6/13 to 6/17
	DangerousGoods     []DangerousGoods // DE 6/12
	DutyTaxFee         []DutyTaxFee     // DE 4/3 to 4/8, 4/17
	GoodsMeasure       GoodsMeasure
	InvoiceLine        InvoiceLine
	TransportEquipment []ItemEquipment // DE 7/10
}

func (c *Commodity) fields(v visitor) {
	text(v, "Description", &c.Description, 512)
	list(v, "Classification", &c.Classification)
	list(v, "DangerousGoods", &c.DangerousGoods)
	list(v, "DutyTaxFee", &c.DutyTaxFee)
	one(v, "GoodsMeasure", &c.GoodsMeasure)
	one(v, "InvoiceLine", &c.InvoiceLine)
	list(v, "TransportEquipment", &c.TransportEquipment)
}

// Classification is a code of a nomenclature; ClassifyImport and ClassifyExport derive them from a commodity code.
type Classification struct {
	ID                     string
	IdentificationTypeCode string
}

// IdentificationTypeCode values.
const (
	CombinedNomenclature = "TSP" // eight digits, DE 6/14
	TARIC                = "TRC" // two more for imports, DE 6/15
	TARICAdditional      = "TRA" // DE 6/16
	NationalAdditional   = "GN"  // DE 6/17, such as VATZ
	CUSNumber            = "CV"  // chemicals, DE 6/13
)

func (c *Classification) fields(v visitor) {
	id(v, "ID", &c.ID, 18)
	code(v, "IdentificationTypeCode", &c.IdentificationTypeCode, 3)
}

// DangerousGoods is a UN number of dangerous goods, four digits.
type DangerousGoods struct {
	UNDGID string
}

func (g *DangerousGoods) fields(v visitor) {
	numeric(v, "UNDGID", &g.UNDGID, 4)
}

// DutyTaxFee is a tax with its base and payment. The first one of an import item contains the preference,
// DutyRegimeCode 100 for none.
type DutyTaxFee struct {
	AdValoremTaxBaseAmount  Amount // DE 4/4
	DeductAmount            Amount
	DutyRegimeCode          string  // DE 4/17
	SpecificTaxBaseQuantity Measure // DE 4/4
	TaxRateNumeric          Number
	TypeCode                string // DE 4/3: A00 customs duty, B00 VAT
	QuotaOrderID            string // DE 8/1
	Payment                 Payment
}

func (f *DutyTaxFee) fields(v visitor) {
	amount(v, "AdValoremTaxBaseAmount", &f.AdValoremTaxBaseAmount)
	amount(v, "DeductAmount", &f.DeductAmount)
	code(v, "DutyRegimeCode", &f.DutyRegimeCode, 3)
	measure(v, "SpecificTaxBaseQuantity", &f.SpecificTaxBaseQuantity)
	number(v, "TaxRateNumeric", &f.TaxRateNumeric, 17, 17)
	code(v, "TypeCode", &f.TypeCode, 3)
	id(v, "QuotaOrderID", &f.QuotaOrderID, 17)
	one(v, "Payment", &f.Payment)
}

// Payment is the method of payment of a tax, E from a deferment account and P from a cash account, and the amount if
// the declarant calculates it.
type Payment struct {
	MethodCode        string // DE 4/8
	TaxAssessedAmount Amount // DE 4/7
	PaymentAmount     Amount // DE 4/6
}

func (p *Payment) fields(v visitor) {
	alpha(v, "MethodCode", &p.MethodCode, 1)
	amount(v, "TaxAssessedAmount", &p.TaxAssessedAmount)
	amount(v, "PaymentAmount", &p.PaymentAmount)
}

// GoodsMeasure contains the masses in kilograms and the quantity in the supplementary unit, if the tariff has one.
type GoodsMeasure struct {
	GrossMassMeasure    Measure // DE 6/5
	NetNetWeightMeasure Measure // DE 6/1
	TariffQuantity      Measure // DE 6/2
}

func (m *GoodsMeasure) fields(v visitor) {
	measure(v, "GrossMassMeasure", &m.GrossMassMeasure)
	measure(v, "NetNetWeightMeasure", &m.NetNetWeightMeasure)
	measure(v, "TariffQuantity", &m.TariffQuantity)
}

// InvoiceLine is the price of the item in the invoice's currency (DE 4/14).
type InvoiceLine struct {
	ItemChargeAmount Amount
}

func (l *InvoiceLine) fields(v visitor) {
	amount(v, "ItemChargeAmount", &l.ItemChargeAmount)
}

// ItemEquipment is the container of an item.
type ItemEquipment struct {
	SequenceNumeric Number // its place when empty
	ID              string
}

func (e *ItemEquipment) fields(v visitor) {
	sequence(v, &e.SequenceNumeric)
	id(v, "ID", &e.ID, 17)
}
