package customs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Kinds of demands.
const (
	DemandPresentation = "PRESENTATION"
	DemandCredibility  = "CREDIBILITY"
	DemandControl      = "PHYSICAL_CONTROL"
	DemandDocuments    = "DOCUMENTS"
	DemandCorrection   = "CORRECTION"
	DemandPayment      = "PAYMENT"
	DemandExitEvidence = "EXIT_EVIDENCE"
	DemandQuery        = "QUERY"
	DemandSeizure      = "SEIZURE"
)

// DemandKinds are the kinds of demands.
var DemandKinds = []string{
	DemandPresentation, DemandCredibility, DemandControl, DemandDocuments, DemandCorrection, DemandPayment, DemandExitEvidence, DemandQuery, DemandSeizure,
}

// Statuses of a demand.
const (
	DemandOpen     = "OPEN"
	DemandAnswered = "ANSWERED"
	DemandClosed   = "CLOSED"
)

// Sources of the day on which a demand is due.
const (
	dueByMessage = "message" // customs gave it
	dueByRule    = "rule"    // it follows from the law
	dueBySetting = "setting" // the operator's number of days
)

// credibilityWarning is the error code of a warning that does not keep CDS from accepting a declaration.
const credibilityWarning = "CDS13000"

// Demand is something that customs wants from the declarant.
type Demand struct {
	ID         string           `json:"id" format:"uuid" doc:"Id of the demand"`
	Kind       string           `json:"kind" enum:"PRESENTATION,CREDIBILITY,PHYSICAL_CONTROL,DOCUMENTS,CORRECTION,PAYMENT,EXIT_EVIDENCE,QUERY,SEIZURE" doc:"What customs wants"`
	Status     string           `json:"status" enum:"OPEN,ANSWERED,CLOSED" doc:"ANSWERED: something was sent, and customs has not decided yet"`
	OpenedAt   string           `json:"openedAt" format:"date-time" doc:"When customs issued it"`
	DueAt      *string          `json:"dueAt" format:"date-time" doc:"When it is due; null if customs gave no day" example:"2026-12-24T12:00:00.000Z"`
	DueSource  *string          `json:"dueSource" enum:"message,rule,setting" doc:"Source of the day: message of customs, law, or setting of this installation" example:"message"`
	Text       string           `json:"text" doc:"What customs wants and what to do" example:"Customs asks for documents. Send them before the day that is given."`
	Payment    *DemandedPayment `json:"payment,omitempty" doc:"Amount to pay, for PAYMENT"`
	AnsweredAt *string          `json:"answeredAt" format:"date-time" doc:"When it was answered; null if it was not" example:"2026-12-01T09:00:00.000Z"`
	ClosedAt   *string          `json:"closedAt" format:"date-time" doc:"When it was closed; null if it was not" example:"2026-12-02T09:00:00.000Z"`
	ClosedBy   *string          `json:"closedBy" doc:"Message of customs, or ID of the user, that closed it" example:"DMSCLE"`
	MessageID  string           `json:"messageId" doc:"Customs' id of the message that raised it"`
}

// DeclarationProgress holds the members of a declaration that say how far customs is with it.
type DeclarationProgress struct {
	Stage    string         `json:"stage,omitempty" enum:"WAITING_CONSENT,REGISTERED,ACCEPTED,TAXED,CONTROLLED,DOCUMENTS_REQUIRED,QUERIED,DETAINED,PAYMENT_SHORT,CORRECTED,RELEASED,CLEARED,EXITED,EXIT_UNPROVEN,HANDLED_MANUALLY,WITHDRAWN,REJECTED,EXPIRED" doc:"How far customs is, from all messages; absent until the first one. WAITING_CONSENT: it is sent once an OWNER has connected the organisation to HMRC again"`
	Demands  []Demand       `json:"demands,omitempty" doc:"What customs wants from the declarant, and wanted before"`
	Requests []RequestShown `json:"requests,omitempty" doc:"Requests about the declaration that were sent to customs, oldest first"`
	DueAt    string         `json:"dueAt,omitempty" format:"date-time" doc:"The earliest day on which an open demand is due"`

	Versions    []Version    `json:"versions,omitempty" doc:"The bodies that customs accepted, oldest first; absent until an amendment is granted, and in lists and events"`
	Corrections []Correction `json:"corrections,omitempty" doc:"What customs corrected itself, oldest first. The declared values stay"`
}

// DemandedPayment is a payment that customs demands.
type DemandedPayment struct {
	Amount  string `json:"amount,omitempty" doc:"Amount with its currency" example:"1250.00 GBP"`
	Account string `json:"account,omitempty" doc:"Account that lacks the amount" example:"1234567"`
	IBAN    string `json:"iban,omitempty" doc:"Account of HMRC" example:"GB33TIDE00000000000000"`
	BIC     string `json:"bic,omitempty" doc:"Bank of HMRC" example:"TIDEGB2LXXX"`
}

// texts say what customs wants. Those that end in a colon are followed by customs' own words.
var texts = map[string]string{
	DemandPresentation: "Present the goods to customs when they arrive.",
	DemandCredibility:  "Customs accepted the declaration but doubts a value. Check it, and amend the declaration if it is wrong.",
	DemandControl:      "Customs will examine the goods. Make them available at their location.",
	DemandDocuments:    "Customs asks for documents. Send them.",
	DemandCorrection:   "The declaration was corrected. Check the correction and confirm that you have seen it.",
	DemandPayment:      "The account does not cover the duty and VAT. Pay the missing amount.",
	DemandExitEvidence: "Customs has no proof that the goods left. Send evidence of their exit.",
	DemandQuery:        "Customs has a question. Answer it with a document of type query-response or with an amendment. HMRC may ask for another way.",
	DemandSeizure:      "Customs has detained the goods. Contact customs.",
}

// undatedText follows the text of a demand without a day.
const undatedText = " Customs gave no deadline."

// raise adds the demand of a message. A repeated message, such as a reminder, continues the open demand.
func (p *progress) raise(kind string, m Message, prelodged bool) {
	n := &m.Notification
	switch {
	case kind == "", kind == DemandPresentation && !prelodged:
		return
	case kind == DemandCredibility && !slices.ContainsFunc(n.Errors, func(e notification.Error) bool { return e.Code == credibilityWarning }):
		return
	case kind == DemandPresentation || kind == DemandPayment:
		at := slices.IndexFunc(p.Demands, func(d Demand) bool { return d.Kind == kind && (d.Status == DemandOpen || kind == DemandPresentation) })
		if at >= 0 {
			p.Demands[at].remind(n)
			return
		}
	}
	opened := n.IssuedAt.Time
	if opened.IsZero() {
		opened = m.ReceivedAt
	}
	d := Demand{ID: m.ID, Kind: kind, Status: DemandOpen, OpenedAt: audit.Instant(opened), Text: textOf(kind, n), MessageID: m.MessageID}
	d.setDue(limitOf(n), dueByMessage)
	if kind == DemandPresentation {
		d.setDue(calendar.AddDays(opened, daysToArrive), dueByRule)
	}
	if kind == DemandPayment {
		d.Payment = paymentOf(n)
	}
	p.Demands = append(p.Demands, d)
}

// remind takes over what a reminder says.
func (d *Demand) remind(n *notification.Notification) {
	if d.Kind != DemandPayment {
		return
	}
	d.setDue(limitOf(n), dueByMessage)
	if paid := paymentOf(n); paid.Amount != "" {
		d.Payment = paid
	}
}

func (d *Demand) setDue(at time.Time, source string) {
	if !at.IsZero() {
		due := audit.Instant(at)
		d.DueAt, d.DueSource = &due, &source
	}
}

// limitOf returns the day that a message gives; zero if it gives none.
func limitOf(n *notification.Notification) time.Time {
	for _, i := range n.Information {
		if !i.LimitAt.Time.IsZero() {
			return i.LimitAt.Time
		}
	}
	for _, p := range n.Payments {
		if !p.DueAt.Time.IsZero() {
			return p.DueAt.Time
		}
	}
	return time.Time{}
}

// textOf returns the text of a demand, with customs' own words.
func textOf(kind string, n *notification.Notification) string {
	var words []string
	for _, i := range n.Information {
		if text := strings.TrimSpace(i.Text); text != "" && !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	if kind == DemandCredibility {
		for _, e := range n.Errors {
			words = append(words, e.Description)
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	}
	if len(words) == 0 {
		return texts[kind]
	}
	return texts[kind] + " Customs wrote: " + strings.Join(words, " ")
}

func paymentOf(n *notification.Notification) *DemandedPayment {
	paid := &DemandedPayment{IBAN: n.Bank.IBAN, BIC: n.Bank.BIC}
	for _, p := range n.Payments {
		if p.Payable.Value != nil {
			paid.Amount = strings.TrimSpace(fmt.Sprintf("%s %s", p.Payable.Value.Fixed(), cmp.Or(p.Payable.Currency, "GBP")))
		}
		paid.Account = cmp.Or(p.Account, paid.Account)
	}
	return paid
}

// close closes the demands that a message ends.
func (p *progress) close(kinds []string, m Message) {
	all := slices.Equal(kinds, closesAll)
	for i := range p.Demands {
		if d := &p.Demands[i]; d.Status != DemandClosed && (all || slices.Contains(kinds, d.Kind)) {
			at := m.Notification.IssuedAt.Time
			if at.IsZero() {
				at = m.ReceivedAt
			}
			d.closeAt(at, cmp.Or(m.Notification.Name, m.Notification.FunctionCode))
		}
	}
}

func (d *Demand) closeAt(at time.Time, by string) {
	closed := audit.Instant(at)
	d.Status, d.ClosedAt, d.ClosedBy = DemandClosed, &closed, &by
}

// keepAnswers takes over what users did about the demands.
func (p *progress) keepAnswers(before []Demand) {
	for i := range p.Demands {
		d := &p.Demands[i]
		at := slices.IndexFunc(before, func(b Demand) bool { return b.ID == d.ID })
		if at < 0 {
			continue
		}
		b := &before[at]
		d.AnsweredAt = b.AnsweredAt
		switch {
		case d.Status == DemandOpen && b.Status == DemandClosed && d.UserMayClose():
			d.Status, d.ClosedAt, d.ClosedBy = DemandClosed, b.ClosedAt, b.ClosedBy
		case d.Status == DemandOpen && b.Status == DemandAnswered:
			d.Status = DemandAnswered
		}
	}
}

// UserMayClose reports whether a user closes the demand; customs closes all others.
func (d *Demand) UserMayClose() bool { return d.Kind == DemandCorrection || d.Kind == DemandQuery }

// addDays gives the operator's number of days to demands for which customs gave none.
func (p *progress) addDays(days map[string]int) {
	for i := range p.Demands {
		d := &p.Demands[i]
		if d.DueAt != nil {
			continue
		}
		if opened, err := time.Parse(time.RFC3339, d.OpenedAt); err == nil && days[d.Kind] > 0 {
			d.setDue(calendar.AddDays(opened, days[d.Kind]), dueBySetting)
		}
		if d.DueAt == nil && blocking[d.Kind] != "" {
			d.Text += undatedText
		}
	}
}

// progressOf computes the present progress of a declaration.
func (s *Service) progressOf(messages []Message, ts []Transmission, a added) progress {
	own := ownChangesOf(ts, messages)
	p := progressOf(messages, isRepeated(ts, a.LRN), a.Prelodged, own, a.Demands, a.Files)
	p.Corrections = correctionsOf(messages, own)
	p.addDays(s.DemandDays)
	return p
}

// addTo adds the progress to the members of a record.
func (p *progress) addTo(members filing.Added) {
	members["stage"], members["demands"], members["dueAt"], members["corrections"] = nil, nil, nil, nil
	if p.Corrections != nil {
		members["corrections"] = p.Corrections
	}
	if p.Stage != "" {
		members["stage"] = p.Stage
	}
	if p.Demands != nil {
		members["demands"] = p.Demands
	}
	if due := dueAt(p.Demands); due != nil {
		members["dueAt"] = *due
	}
}

// auditData returns the data of the audit event about a closed demand.
func (d *Demand) auditData() filing.Added {
	return filing.Added{"demandId": d.ID, "demand": d.Kind, "closedBy": d.ClosedBy}
}

// dueAt returns the earliest day on which an open demand is due; nil for none.
func dueAt(demands []Demand) (first *string) {
	for i := range demands {
		if d := &demands[i]; d.Status == DemandOpen && d.DueAt != nil && (first == nil || *d.DueAt < *first) {
			first = d.DueAt
		}
	}
	return first
}

// asks reports whether the declarant has to do something. A doubt about a value is information: CDS has accepted the
// declaration and says no more about it, so it is neither on the front page nor an event when clearance ends it.
func (d *Demand) asks() bool { return d.Kind != DemandCredibility }

// AnyDemand is the trait of declarations with any open demand that asks for something.
const AnyDemand = "ANY"

// OpenDemands returns the open demands of a declaration that ask for something, oldest first.
func OpenDemands(f *filing.Filing) ([]Demand, error) {
	a, err := addedOf(f)
	return slices.DeleteFunc(a.Demands, func(d Demand) bool { return d.Status != DemandOpen || !d.asks() }), err
}

// DemandTrait filters declarations by their open demands.
var DemandTrait = filing.Trait{
	Parameter: "demand", About: "Only declarations with an open demand of this kind", Values: DemandKinds,
	Of: func(m filing.Metadata) (kinds []string) {
		for _, d := range demandsOf(m) {
			if d.Status == DemandOpen && !slices.Contains(kinds, d.Kind) {
				kinds = append(kinds, d.Kind)
			}
		}
		if slices.ContainsFunc(kinds, func(kind string) bool { return kind != DemandCredibility }) {
			kinds = append(kinds, AnyDemand)
		}
		return kinds
	},
}

func demandsOf(m filing.Metadata) (all []Demand) {
	m.Read("demands", &all)
	return all
}

// closedSince returns the demands that are closed now and were not before, apart from information.
func closedSince(before, now []Demand) (closed []Demand) {
	for _, d := range now {
		at := slices.IndexFunc(before, func(b Demand) bool { return b.ID == d.ID })
		if d.asks() && d.Status == DemandClosed && at >= 0 && before[at].Status != DemandClosed {
			closed = append(closed, d)
		}
	}
	return closed
}

// ParseDemandDays reads the setting with the days of demands for which customs gives no day, such as PAYMENT=5,QUERY=10.
func ParseDemandDays(text string) (map[string]int, error) {
	days := map[string]int{}
	for part := range strings.SplitSeq(text, ",") {
		kind, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		if kind == "" && number == "" {
			continue
		}
		var n int
		if err := json.Unmarshal([]byte(number), &n); err != nil || n < 1 || n > 365 || !slices.Contains(DemandKinds, kind) {
			return nil, fmt.Errorf("%q is not a demand and a number of days from 1 to 365, such as PAYMENT=5", part)
		}
		days[kind] = n
	}
	return days, nil
}
