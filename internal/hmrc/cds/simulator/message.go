package simulator

import (
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// A fictitious account for payments.
const (
	bankBIC  = "TIDEGB2LXXX"
	bankIBAN = "GB33TIDE00000000000000"
)

const documentsDue = 30 * 24 * time.Hour // for requested documents

// message is a notification before it is encoded.
type message struct {
	id, code, status string // the function code, and the NameCode of Status
	issued           time.Time
	lrn, mrn         string
	version          int
	flaws            []flaw
	taxes            []assessment
	due              quantity.Money
	account          string
	exitOffice       string
	reason           string // of an invalidation
}

// render writes the message in the order of the schema.
func (m *message) render() string {
	p := &page{}
	p.out.WriteString(pageHead)
	p.in("Response", func() {
		p.leaf("FunctionCode", m.code)
		p.leaf("FunctionalReferenceID", m.id)
		p.instant("IssueDateTime", m.issued)
		m.renderInformation(p)
		m.renderBank(p)
		m.renderFlaws(p)
		m.renderStatus(p)
		p.in("Declaration", func() { m.renderDeclaration(p) })
	})
	p.out.WriteString(pageFoot)
	return p.out.String()
}

// renderInformation writes the statement that comes with some messages: documents
// to be sent (ACA), the outcome of a release (AFB), exit (CEX), a query (QRY).
func (m *message) renderInformation(p *page) {
	code, kind, text := "", "", ""
	switch m.code {
	case "06":
		code, kind = "ACA", "ACA"
	case "08":
		code, kind = "A1", "AFB"
	case "09":
		code, kind = "A2", "AFB"
	case "10":
		kind, text = "AFB", m.reason
	case "16":
		kind, text = "CEX", m.exitOffice
	case "51":
		code, kind, text = "Q01", "QRY", "Please describe the goods in more detail."
	default:
		return
	}
	p.in("AdditionalInformation", func() {
		p.leaf("StatementCode", code)
		p.leaf("StatementDescription", text)
		if m.code == "06" {
			p.instant("LimitDateTime", m.issued.Add(documentsDue))
		}
		p.leaf("StatementTypeCode", kind)
	})
}

func (m *message) renderBank(p *page) {
	switch m.code {
	case "13", "14", "15":
		p.in("Bank", func() {
			p.leaf("ReferenceID", bankBIC)
			p.leaf("ID", bankIBAN)
		})
	}
}

func (m *message) renderFlaws(p *page) {
	if m.code != "03" {
		return
	}
	for i := range m.flaws {
		m.flaws[i].render(p)
	}
}

func (f *flaw) render(p *page) {
	p.in("Error", func() {
		p.leaf("Description", f.Text)
		p.leaf("ValidationCode", f.Code)
		for _, step := range steps(f.Pointer) {
			p.in("Pointer", func() {
				if step.Sequence > 0 {
					p.leaf("SequenceNumeric", strconv.Itoa(step.Sequence))
				}
				p.leaf("DocumentSectionCode", step.Section)
				p.leaf("TagID", step.Tag)
			})
		}
	})
}

// steps parses a pointer of this package; nil for none.
func steps(text string) pointer.Pointer {
	p, err := pointer.Parse(text)
	if err != nil {
		return nil
	}
	return p
}

func (m *message) renderStatus(p *page) {
	if m.status == "" {
		return
	}
	p.in("Status", func() {
		if m.code == "16" {
			p.instant("EffectiveDateTime", m.issued)
		}
		p.leaf("NameCode", m.status)
	})
}

func (m *message) renderDeclaration(p *page) {
	if m.code == "01" {
		p.instant("AcceptanceDateTime", m.issued)
	}
	if m.code == "10" {
		p.instant("CancellationDateTime", m.issued)
	}
	p.leaf("FunctionalReferenceID", m.lrn)
	p.leaf("ID", m.mrn)
	if m.code == "03" {
		p.instant("RejectionDateTime", m.issued)
	}
	p.leaf("VersionID", strconv.Itoa(m.version))
	switch m.code {
	case "13":
		p.in("GoodsShipment", func() {
			for _, a := range m.taxes {
				a.render(p)
			}
		})
	case "14", "15":
		m.renderDemand(p)
	}
}

func (m *message) renderDemand(p *page) {
	p.in("DutyTaxFee", func() {
		p.in("Payment", func() {
			p.pounds("PaymentAmount", m.due)
			if m.account != "" {
				p.in("ObligationGuarantee", func() { p.leaf("ReferenceID", m.account) })
			}
		})
	})
}

func (a *assessment) render(p *page) {
	p.in("GovernmentAgencyGoodsItem", func() {
		p.leaf("SequenceNumeric", strconv.Itoa(a.item))
		p.in("Commodity", func() {
			for _, t := range a.rows {
				t.render(p)
			}
		})
	})
}

func (t *tax) render(p *page) {
	p.in("DutyTaxFee", func() {
		p.pounds("AdValoremTaxBaseAmount", t.base)
		p.pounds("DeductAmount", quantity.Money{})
		p.leaf("DutyRegimeCode", t.regime)
		p.leaf("TaxRateNumeric", t.rate)
		p.leaf("TypeCode", t.kind)
		p.in("Payment", func() {
			p.pounds("TaxAssessedAmount", t.assessed)
			p.pounds("PaymentAmount", t.payable)
		})
	})
}
