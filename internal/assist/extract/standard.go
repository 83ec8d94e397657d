package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Namespaces of the supported invoice schemas.
const (
	ublInvoice = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
	ublCredit  = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2" // #nosec G101 -- the name of a schema
	ciiInvoice = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
)

// standardConfidence is the confidence of a value in an element of its name.
const standardConfidence Confidence = 99

// readStandard reads an invoice of a known schema; it reports whether the document is one.
func readStandard(r *reading, d *TradeDocument, root *source.Element) bool {
	if d.DocumentType != Invoice {
		return false
	}
	switch root.Name.Space {
	case ublInvoice, ublCredit:
		readUBL(d, root)
	case ciiInvoice:
		readCII(d, root)
	default:
		return false
	}
	return true
}

func placeOf(e *source.Element) Place { return Place{XPath: e.Path, Text: trimmed(e)} }

func trimmed(e *source.Element) string { return strings.Join(strings.Fields(e.Text), " ") }

// textAt returns the text of an element, or nil.
func textAt(e *source.Element) *Text {
	if e == nil || trimmed(e) == "" {
		return nil
	}
	return &Text{trimmed(e), standardConfidence, placeOf(e)}
}

// creditCodes are the codes of UNTDID 1001 for credit notes and corrected invoices.
var creditCodes = []string{"81", "83", "261", "262", "296", "308", "381", "384", "396", "420", "458", "532"}

// kindAt reads the kind of an invoice from a code of UNTDID 1001.
func kindAt(e *source.Element) *Text {
	t := textAt(e)
	if t == nil || !slices.Contains(creditCodes, t.Value) {
		return nil
	}
	t.Value = creditNote
	return t
}

// dateAt reads a date of ISO 8601, with or without dashes.
func dateAt(e *source.Element) *Text {
	if e == nil {
		return nil
	}
	d, ok := findDate(e.Text, dayFirst)
	if !ok {
		return nil
	}
	return &Text{d.iso, standardConfidence, placeOf(e)}
}

func amountAt(e *source.Element) *Amount {
	if e == nil {
		return nil
	}
	n, err := quantity.ParseNumber(trimmed(e))
	if err != nil {
		return nil
	}
	return &Amount{n, standardConfidence, placeOf(e)}
}

func countryAt(e *source.Element) *Text {
	t := textAt(e)
	if t == nil {
		return nil
	}
	if _, err := ident.ParseCountry(t.Value); err != nil {
		return nil
	}
	return t
}

func codeAt(e *source.Element) *Text {
	t := textAt(e)
	if t == nil {
		return nil
	}
	if t.Value = digits(t.Value); len(t.Value) < 4 || len(t.Value) > 10 {
		return nil
	}
	return t
}

// massAt reads a mass with its unit in the attribute unitCode (UN/ECE Recommendation 20).
func massAt(e *source.Element) *Mass {
	a := amountAt(e)
	if a == nil {
		return nil
	}
	factor := unitIn(e.Attrs["unitCode"], kilograms)
	if factor == nil {
		return nil
	}
	scaled := a.Value.Rat()
	scaled.Mul(scaled, factor)
	m, err := quantity.ParseMass(scaled.FloatString(quantity.MassPlaces))
	if err != nil || m.Sign() <= 0 {
		return nil
	}
	return &Mass{m, standardConfidence, a.Found}
}

// addressAt joins the texts of elements with commas.
func addressAt(all ...*source.Element) *Text {
	var address *Text
	for _, e := range all {
		switch t := textAt(e); {
		case t == nil:
		case address == nil:
			address = t
		default:
			address.Value += ", " + t.Value
		}
	}
	return address
}

// register stores a VAT number or an EORI, which it distinguishes by their form.
func (p *TradeParty) register(t *Text) {
	if t == nil {
		return
	}
	t.Value = compactID(t.Value)
	if eori, err := ident.ParseEORI(t.Value); err == nil && eori.IsUK() && len(eori.Digits()) >= 12 {
		if p.EORI == nil {
			p.EORI = t
		}
		return
	}
	if p.VATNumber == nil {
		p.VATNumber = t
	}
}
