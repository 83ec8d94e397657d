package duty

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// mostOptions is the largest number of options of a line.
const mostOptions = 200

// finish writes what the facts lead to.
func (w *work) finish() {
	s := w.scene
	switch {
	case s.refused != nil:
		w.out.Outcome, w.out.Problems = Refused, append(w.out.Problems, s.refused...)
		return
	case s.nothing != nil:
		w.noDuty(s.nothing)
		return
	}
	var documents []controlDocument
	for _, x := range w.calculations() {
		documents = append(documents, x.controlDocuments()...)
	}
	for _, x := range w.calculations() {
		x.cleared = documents
	}
	w.cut()
	for _, o := range s.open {
		w.out.Options = append(w.out.Options, w.write(o))
	}
	for _, o := range s.closed {
		w.out.Unavailable = append(w.out.Unavailable, w.write(o))
	}
	w.out.NIComparison = append(w.out.NIComparison, s.compared...)
	w.outcome()
	w.facts()
	w.contradictions()
	w.notes()
}

// cut leaves out options beyond the limit.
func (w *work) cut() {
	s := w.scene
	if more := len(s.open) - mostOptions; more > 0 {
		w.warning("OPTIONS_CUT", fmt.Sprintf("%d further options were left out.", more))
		s.open = s.open[:mostOptions]
	}
	if more := len(s.closed) - mostOptions; more > 0 {
		w.warning("OPTIONS_CUT", fmt.Sprintf("%d further options that are not available were left out.", more))
		s.closed = s.closed[:mostOptions]
	}
}

// outcome says whether the line could be calculated, and which duty is missing.
func (w *work) outcome() {
	if len(w.out.Options) > 0 && w.value.amount != nil {
		w.out.Outcome = Calculated
	}
	for _, x := range w.calculations() {
		if !x.duty() {
			w.problem("NO_DUTY_MEASURE", "The tariff of "+x.name+" holds no third-country duty for the goods on this day.", x.name)
			return
		}
	}
	if len(w.out.Options) == 0 {
		w.problem("NO_OPTION_AVAILABLE", "The conditions of every duty of the code exclude the goods.")
	}
}

// contradictions are facts that the tariff does not know.
func (w *work) contradictions() {
	l := w.goods.line
	if rest := w.uk.burden(); l.VATChoice != "" && rest.vat != nil && rest.vat.choice != l.VATChoice {
		w.problem("FACT_CONTRADICTS", fmt.Sprintf("The code has no VAT measure for the choice %s.", l.VATChoice), l.VATChoice)
	}
	excise := func(m *measure.Measure) bool { return m.Additional == l.ExciseCode }
	if l.ExciseCode != "" && !slices.ContainsFunc(w.uk.of(measure.Excise), excise) {
		w.problem("FACT_CONTRADICTS", fmt.Sprintf("The code has no excise duty %s.", l.ExciseCode), l.ExciseCode)
	}
	for _, number := range l.Facts.QuotaOrderNumbers {
		if !slices.ContainsFunc(w.uk.of(measure.QuotaDuty), func(m *measure.Measure) bool { return m.Order == number }) {
			w.problem("FACT_CONTRADICTS", fmt.Sprintf("The code has no quota %s for this origin.", number), number)
		}
	}
	w.contradictUKIMS()
}

// contradictUKIMS reports goods that are claimed to be not at risk by an importer without the authorisation for it.
func (w *work) contradictUKIMS() {
	claimed := w.goods.held[documentUKIMS] != nil || w.goods.held[statementNoRisk] != nil
	if w.request.Destination == ToNI && no(w.northernIreland().UKIMS) && claimed {
		w.problem("FACT_CONTRADICTS", "Goods cannot be declared as not at risk without the authorisation under the UK Internal Market Scheme.", documentUKIMS)
	}
}

// notes are warnings about what the options rest on.
func (w *work) notes() {
	for _, o := range w.scene.open {
		if o.quota != nil && o.unsure {
			w.warning("QUOTA_BALANCE_UNKNOWN", "The balance of a quota is not known.", o.quota.Order)
		}
		if o.noted {
			w.warning("SUSPENSION_NOTES", "A suspension is only for the goods that its footnotes describe. Read whether yours are among them.", o.base.measure.Footnotes...)
		}
	}
	if w.uk.burden().vat == nil {
		w.warning("VAT_MEASURE_MISSING", "The tariff holds no VAT measure for the code.")
	}
	if w.scene.atRisk {
		w.warning("REMEDIES_AT_RISK", "Goods with trade remedies of the European Union are always at risk.")
	}
	w.lowerDuties()
	w.euro()
	for _, currency := range w.prices.missing { // of an entry price, besides those of the customs value
		if !slices.Contains(w.value.missing, currency) {
			w.rateMissing(currency)
		}
	}
	w.mismatches()
}

// lowerDuties warns where the EU's duty applies although it is lower, which the law does not ask.
func (w *work) lowerDuties() {
	for _, c := range w.scene.compared {
		if c.Applied == measure.XI && c.XI.Cmp(c.UK) < 0 {
			w.warning("NI_EU_DUTY_LOWER", "The duty of the European Union, £"+c.XI.Fixed()+", is lower than that of the United Kingdom, £"+c.UK.Fixed()+
				". Such goods are not at risk, so the importer may also claim the tariff of the United Kingdom.", c.Kind)
		}
	}
}

// euro warns of amounts in euro that were converted without the rate of their month.
func (w *work) euro() {
	rate := &w.goods.euro
	missing := func(n Notice) bool { return n.Code == "RATE_MISSING" && slices.Contains(n.Codes, "EUR") }
	switch {
	case !w.goods.euroUsed:
	case rate.Rate != nil && rate.Earlier:
		w.warning("RATE_FROM_EARLIER_MONTH", "Amounts in euro were converted with the latest rate of an earlier month, "+rate.Period+".")
	case rate.Rate == nil && !slices.ContainsFunc(w.out.Problems, missing):
		w.problem("RATE_MISSING", "There is no euro rate for the amounts in euro of the tariff.", "EUR")
	}
}

// mismatches reports quantities that no measure could use, if one is missing.
func (w *work) mismatches() {
	for i := range w.goods.line.Quantities {
		given := w.goods.line.Quantities[i].unit()
		if _, supplementary := measure.Convert(zero, given, w.goods.unit); w.goods.used[i] || supplementary {
			continue
		}
		for _, f := range w.out.FactsNeeded {
			if w.goods.isQuantity(f.Field) && f.Unit != nil {
				w.problem("UNIT_MISMATCH", fmt.Sprintf("A measure needs the quantity in %s; %s cannot be converted into it.", *f.Unit, given), *f.Unit, given.String())
				break
			}
		}
	}
}
