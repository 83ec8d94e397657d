package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Decision is the combined result of messages about one LRN.
type Decision struct {
	State      lifecycle.State
	MRN        string
	Errors     int
	Duty, VAT  quantity.Money
	Basis      string
	Cancelling string
}

// ReduceMessages combines messages as the service does.
func ReduceMessages(messages []Message, repeated bool) Decision {
	d := reduceMessages(messages, repeated)
	duty, vat := d.totals()
	return Decision{d.State, d.MRN, len(d.Rejection), duty, vat, dutyBases[d.TaxKind], d.Cancelling}
}

// Purposes of messages.
const (
	ToSubmit = toSubmit
	ToCancel = toCancel
	ToAmend  = toAmend
)

// ReviewTime is as of when a declaration is reviewed.
var ReviewTime = reviewTime

// MatchingKeys returns the names by which similar declarations are found.
var MatchingKeys = matchingKeys

// XML writes a declaration to customs without a store.
func XML(d Declaration, s Shipment, c Client, o access.Organisation, lrn string, now time.Time) (string, error) {
	all := documentData{declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: lrn, now: now}
	return encodeXML(all.document())
}

// Turn returns when the organisation's next document is due.
func (s *Service) Turn(tx Tx) (time.Time, error) { return s.turn(tx) }

// Progress computes stage and demands as the service does.
func Progress(messages []Message, prelodged bool, before []Demand, days map[string]int) (string, []Demand) {
	p := progressOf(messages, false, prelodged, nil, before, nil)
	p.addDays(days)
	return p.Stage, p.Demands
}

// Answered computes the demands with the files that were given for them.
func Answered(messages []Message, before []Demand, files []FileShown) (string, []Demand) {
	p := progressOf(messages, false, false, nil, before, files)
	return p.Stage, p.Demands
}

// Filled returns the document of a declaration, what the service added to it, and why it cannot be submitted.
func Filled(d Declaration, s Shipment, c Client, o access.Organisation, lrn string, now time.Time) (wco.Declaration, []filing.Derived, error) {
	return FilledWith(nil, d, s, c, o, lrn, now)
}

// FilledWith is Filled with exchange rates.
func FilledWith(r Rates, d Declaration, s Shipment, c Client, o access.Organisation, lrn string, now time.Time) (wco.Declaration, []filing.Derived, error) {
	all := documentData{declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: lrn, now: now, rates: r}
	f := all.filled(true)
	document := f.document()
	return document, f.derived, f.incomplete(&document, true)
}

// FilledSupplement returns what the service adds to a supplementary declaration of one that customs accepted.
func FilledSupplement(d Declaration, s Shipment, c Client, o access.Organisation, mrn, acceptedAt string, now time.Time) []filing.Derived {
	all := documentData{
		declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: "TWS0000000000000000001", now: now,
		simplified: simplified{MRN: mrn, AcceptedAt: acceptedAt},
	}
	return all.filled(true).derived
}

// CheckDeclaration returns what is wrong with a body.
var CheckDeclaration = checkDeclaration

// Incomplete returns why a declaration cannot be submitted to the simulator, or to HMRC.
func Incomplete(d Declaration, s Shipment, c Client, o access.Organisation, now time.Time, simulated bool) error {
	all := documentData{declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: "TWS0000000000000000001", now: now}
	f := all.filled(true)
	document := f.document()
	return f.incomplete(&document, simulated)
}

// Corrections returns what customs corrected, after requests were sent.
func Corrections(messages []Message, sent []Transmission) []Correction {
	return correctionsOf(messages, ownChangesOf(sent, messages))
}

// HasTaxes reports whether the assessed taxes are those of the declaration as the sent requests amend it.
func HasTaxes(messages []Message, sent []Transmission) bool {
	d := reduceMessages(messages, false)
	return d.hasTaxes(sent)
}

// DerivedOf returns what the service adds to a stored declaration.
func DerivedOf(tx Tx, id string) ([]filing.Derived, error) {
	f, err := tx.Filing(DeclarationKind, id)
	if err != nil {
		return nil, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return nil, err
	}
	d, err := gather(tx, &f)
	d.lrn, d.now = a.LRN, tx.Now()
	return d.filled(true).derived, err
}

// FilledDocument returns the document of a declaration, as DocumentOf makes it.
func FilledDocument(d Declaration, s Shipment, c Client, o access.Organisation, now time.Time) wco.Declaration {
	all := documentData{declaration: d, shipment: s, client: c, organisation: o, reference: "SHP-2026-TEST", lrn: "TWS0000000000000000001", now: now}
	return all.document()
}

// AcceptedCodes returns the product, the code and the time of each entry that the acceptance of a declaration adds to histories.
func AcceptedCodes(body, accepted string, ts []Transmission, messages []Message, lrn string) (all [][3]string, err error) {
	codes, err := newCodes(acceptedBodies([]byte(body), accepted, ts, messages, lrn))
	for _, c := range codes {
		all = append(all, [3]string{c.product, c.commodity, c.at})
	}
	return all, err
}

// ToMove is the purpose of movements.
const ToMove = toMove

// Functions that the tests of this package call.
var (
	Postings     = postings
	AddRejection = addRejection
)
