// Package notification decodes the notifications of the Customs Declaration Service: WCO responses which say that a
// declaration was received, accepted, taxed, cleared or rejected. It matches namespaces and not prefixes, and is
// lenient with values: CDS does not send a delivered message again, so an invalid date or amount is lost but not the
// message. The caller stores the raw bytes.
package notification

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Notification is one Response of a message.
type Notification struct {
	FunctionCode string // two digits, such as 01
	Name         string // DMSACC and so on; "" for a code that is in no list
	MessageID    string // FunctionalReferenceID of the Response, unique per message; not the LRN
	IssuedAt     Instant

	LRN         string // of the declaration, or of the amendment or cancellation that this answers
	MRN         string // present on rejections too
	VersionID   string
	AcceptedAt  Instant
	RejectedAt  Instant
	CancelledAt Instant

	Errors      []Error
	Statuses    []Status
	Taxes       []Tax
	Payments    []Payment
	Bank        Bank
	Information []Information
	Amendments  []Amendment
}

// Instant is a time as CDS wrote it. Time is zero if the text is not a date. A date alone is midnight UTC, a time
// without a time zone is UTC.
type Instant struct {
	Time time.Time
	Text string
}

// Error is an error or, in a message of acceptance, a credibility warning.
type Error struct {
	Code        string // CDS12005
	Description string
	Pointers    []pointer.Pointer // almost always one; several if elements contradict each other
	Remarks     []string          // additional text about this error
}

// Pointer returns the first pointer; nil if there is none.
func (e Error) Pointer() pointer.Pointer {
	if len(e.Pointers) == 0 {
		return nil
	}
	return e.Pointers[0]
}

// Status is a state of the declaration or of a request.
type Status struct {
	Code        string // NameCode: 39 granted, 41 denied; 67, 115, 4 the kinds of tax calculation
	EffectiveAt Instant
	ReleasedAt  Instant
}

// Tax is one line of the tax calculation of a goods item. A missing value is nil and not zero: securities have no
// payable amount.
type Tax struct {
	Item         int    // number of the goods item, from 1; a quota split may add items that were not declared
	Type         string // A00 customs duty, B00 VAT …
	Regime       string // preference
	Rate         string // percentage or amount per unit, as customs wrote it
	Base         Amount
	BaseQuantity Measure
	Deducted     Amount
	Assessed     Amount
	Payable      Amount
}

// Payment is an amount for the whole declaration, as in a demand for payment.
type Payment struct {
	Reference string
	Account   string // deferment or cash account that fell short
	Assessed  Amount
	Payable   Amount
	DueAt     Instant
}

// Bank is the account for payments to customs.
type Bank struct{ BIC, IBAN string }

// Amount is an amount of money as CDS wrote it. Value is nil if there is none, or if it is not an exact number of pence
// in pounds sterling. Old messages have no currency; they mean pounds.
type Amount struct {
	Value    *quantity.Money
	Currency string
	Text     string
}

// Measure is a quantity with its unit, as CDS wrote it.
type Measure struct{ Text, Unit string }

// Information is a statement in a message: a deadline, the outcome of a release, the text of a query.
type Information struct {
	Code    string
	Type    string // ACA documents, AES change, AFB release, CEX exit, DET detention, QRY query
	Text    string
	LimitAt Instant
	Pointer pointer.Pointer
}

// Amendment is a change that customs made to a declaration or allowed.
type Amendment struct {
	Reason   string
	Pointers []pointer.Pointer
	Values   []string // of the corrected declaration in the message, for each pointer; empty if it has none
	Remarks  []string
}

// Function codes by HMRC's names of the messages.
const (
	DMSACC = "01" // accepted
	DMSRCV = "02" // received (pre-lodged)
	DMSREJ = "03" // rejected
	DMSCTL = "05" // under control
	DMSDOC = "06" // documents requested
	DMSRES = "07" // declaration corrected
	DMSROG = "08" // goods released
	DMSCLE = "09" // cleared
	DMSINV = "10" // invalidated
	DMSREQ = "11" // decision on a request
	DMSTAX = "13" // taxes calculated
	DMSCPI = "14" // payment: insufficient funds
	DMSCPR = "15" // payment: reminder
	DMSEOG = "16" // goods have exited
	DMSEXT = "17" // handled manually
	DMSGER = "18" // exit result missing: evidence requested
	DMSALV = "50" // arrival
	DMSQRY = "51" // query
	DMSDET = "52" // goods detained
)

// names of the function codes. Messages with any other code are stored too.
var names = map[string]string{
	DMSACC: "DMSACC", DMSRCV: "DMSRCV", DMSREJ: "DMSREJ", DMSCTL: "DMSCTL", DMSDOC: "DMSDOC", DMSRES: "DMSRES",
	DMSROG: "DMSROG", DMSCLE: "DMSCLE", DMSINV: "DMSINV", DMSREQ: "DMSREQ", DMSTAX: "DMSTAX", DMSCPI: "DMSCPI",
	DMSCPR: "DMSCPR", DMSEOG: "DMSEOG", DMSEXT: "DMSEXT", DMSGER: "DMSGER", DMSALV: "DMSALV", DMSQRY: "DMSQRY", DMSDET: "DMSDET",
}

// StatusCode returns the first status code, or "".
func (n Notification) StatusCode() string {
	for _, s := range n.Statuses {
		if s.Code != "" {
			return s.Code
		}
	}
	return ""
}

// TaxKind orders tax calculations: a greater kind replaces a lesser one, independent of the order of arrival.
type TaxKind int

// Kinds of tax calculation. Unstated is the kind of every other message.
const (
	Unstated TaxKind = iota
	Indicative
	Provisional
	Final
)

// TaxKind returns the kind of a DMSTAX.
func (n Notification) TaxKind() TaxKind {
	if n.FunctionCode != DMSTAX {
		return Unstated
	}
	switch strings.TrimLeft(n.StatusCode(), "0") {
	case "67":
		return Indicative
	case "115":
		return Provisional
	case "4":
		return Final
	}
	return Unstated
}

// String returns the name of the kind.
func (k TaxKind) String() string {
	return [...]string{"unstated", "indicative", "provisional", "final"}[k]
}
