package cdssim

import (
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
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
	flaws            []flaw // of a rejection
	notes            []flaw // of the first message otherwise
	taxes            []assessment
	due              quantity.Money
	account          string
	exitOffice       string
	reason           string          // of an invalidation
	amendments       []wco.Amendment // that a DMSRES repeats
}

// render writes the message in the order of the schema.
func (m *message) render() string {
	p := &xmlWriter{}
	p.out.WriteString(documentHead)
	p.element("Response", func() {
		p.leaf("FunctionCode", m.code)
		p.leaf("FunctionalReferenceID", m.id)
		p.instant("IssueDateTime", m.issued)
		m.renderInformation(p)
		m.renderAmendments(p)
		m.renderBank(p)
		m.renderFlaws(p)
		m.renderStatus(p)
		p.element("Declaration", func() { m.renderDeclaration(p) })
	})
	p.out.WriteString(documentFoot)
	return p.out.String()
}

// renderInformation writes the statement that comes with some messages: documents
// to be sent (ACA), the outcome of a release (AFB), exit (CEX), a query (QRY).
func (m *message) renderInformation(p *xmlWriter) {
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
	p.element("AdditionalInformation", func() {
		p.leaf("StatementCode", code)
		p.leaf("StatementDescription", text)
		if m.code == "06" {
			p.instant("LimitDateTime", m.issued.Add(documentsDue))
		}
		p.leaf("StatementTypeCode", kind)
	})
}

func (m *message) renderBank(p *xmlWriter) {
	switch m.code {
	case "13", "14", "15":
		p.element("Bank", func() {
			p.leaf("ReferenceID", bankBIC)
			p.leaf("ID", bankIBAN)
		})
	}
}

func (m *message) renderFlaws(p *xmlWriter) {
	shown := m.notes
	if m.code == "03" {
		shown = m.flaws
	}
	for i := range shown {
		shown[i].render(p)
	}
}

func (f *flaw) render(p *xmlWriter) {
	p.element("Error", func() {
		p.leaf("Description", f.Text)
		p.leaf("ValidationCode", f.Code)
		for _, step := range steps(f.Pointer) {
			sequence := ""
			if step.Sequence > 0 {
				sequence = strconv.Itoa(step.Sequence)
			}
			renderStep(p, sequence, step.Section, step.Tag)
		}
	})
}

// renderStep writes a step of a pointer.
func renderStep(p *xmlWriter, sequence, section, tag string) {
	p.element("Pointer", func() {
		p.leaf("SequenceNumeric", sequence)
		p.leaf("DocumentSectionCode", section)
		p.leaf("TagID", tag)
	})
}

// renderAmendments writes the reason and the place of each change, without the new values.
func (m *message) renderAmendments(p *xmlWriter) {
	for _, a := range m.amendments {
		p.element("Amendment", func() {
			p.leaf("ChangeReasonCode", a.ChangeReasonCode)
			for _, step := range a.Pointer {
				renderStep(p, string(step.SequenceNumeric), step.DocumentSectionCode, step.TagID)
			}
		})
	}
}

// steps parses a pointer of this package; nil for none.
func steps(text string) pointer.Pointer {
	p, err := pointer.Parse(text)
	if err != nil {
		return nil
	}
	return p
}

func (m *message) renderStatus(p *xmlWriter) {
	if m.status == "" {
		return
	}
	p.element("Status", func() {
		if m.code == "16" {
			p.instant("EffectiveDateTime", m.issued)
		}
		p.leaf("NameCode", m.status)
	})
}

func (m *message) renderDeclaration(p *xmlWriter) {
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
		p.element("GoodsShipment", func() {
			for _, a := range m.taxes {
				a.render(p)
			}
		})
	case "14", "15":
		m.renderDemand(p)
	}
}

func (m *message) renderDemand(p *xmlWriter) {
	p.element("DutyTaxFee", func() {
		p.element("Payment", func() {
			p.amount("PaymentAmount", m.due)
			if m.account != "" {
				p.element("ObligationGuarantee", func() { p.leaf("ReferenceID", m.account) })
			}
		})
	})
}

func (a *assessment) render(p *xmlWriter) {
	p.element("GovernmentAgencyGoodsItem", func() {
		p.leaf("SequenceNumeric", strconv.Itoa(a.item))
		p.element("Commodity", func() {
			for _, t := range a.rows {
				t.render(p)
			}
		})
	})
}

func (t *tax) render(p *xmlWriter) {
	p.element("DutyTaxFee", func() {
		p.amount("AdValoremTaxBaseAmount", t.base)
		p.amount("DeductAmount", quantity.Money{})
		p.leaf("DutyRegimeCode", t.regime)
		p.leaf("TaxRateNumeric", t.rate)
		p.leaf("TypeCode", t.kind)
		if t.besides {
			return
		}
		p.element("Payment", func() {
			p.amount("TaxAssessedAmount", t.assessed)
			if !t.secured {
				p.amount("PaymentAmount", t.payable)
			}
		})
	})
}
