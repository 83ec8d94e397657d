package life

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Destination is where the goods go.
type Destination struct {
	Type          string // code, 1 to 11
	ConsigneeID   string // excise number; empty if there is none
	ConsigneeName string
	PlaceID       string // of the tax warehouse; empty if there is none
	Office        string // of export; empty if it is none
}

func destinationOf(b *emcs.Element) Destination {
	return Destination{
		Type:        b.Value("HeaderEadEsad", "DestinationTypeCode"),
		ConsigneeID: b.Value("ConsigneeTrader", "Traderid"), ConsigneeName: b.Value("ConsigneeTrader", "TraderName"),
		PlaceID: b.Value("DeliveryPlaceTrader", "Traderid"), Office: b.Value("DeliveryPlaceCustomsOffice", "ReferenceNumber"),
	}
}

// Receipt is a report of receipt (IE818), or of export.
type Receipt struct {
	Sequence   int            `json:"sequence"`
	ArrivedOn  string         `json:"arrivedOn,omitempty"`  // date
	Conclusion string         `json:"conclusion,omitempty"` // code: 1 to 4, or 21 to 23 of an export
	Items      []ReceivedItem `json:"items,omitempty"`
}

// ReceivedItem is an item that did not arrive as declared.
type ReceivedItem struct {
	Item      int      `json:"item"`                // reference of the item, from 1
	Indicator string   `json:"indicator,omitempty"` // S for a shortage, E for an excess; empty for none
	Quantity  string   `json:"quantity,omitempty"`  // of the shortage or excess, a decimal number
	Refused   string   `json:"refused,omitempty"`   // quantity, a decimal number
	Reasons   []string `json:"reasons,omitempty"`
}

// Alert is an alert or rejection before the arrival (IE819).
type Alert struct {
	Sequence int      `json:"sequence"`
	On       string   `json:"on,omitempty"` // date
	Rejected bool     `json:"rejected"`
	Reasons  []string `json:"reasons,omitempty"` // codes
}

// Delay is an explanation of a delay (IE837).
type Delay struct {
	Sequence    int    `json:"sequence"`
	SubmittedBy string `json:"submittedBy,omitempty"` // excise number
	Code        string `json:"code,omitempty"`
	About       string `json:"about,omitempty"` // code of the message's role: 1 receipt, 2 destination
	Words       string `json:"words,omitempty"`
}

// Shortage is an explanation of a shortage or excess (IE871).
type Shortage struct {
	Sequence  int            `json:"sequence"`
	Submitter string         `json:"submitter,omitempty"` // 1 consignor, 2 consignee
	Whole     string         `json:"whole,omitempty"`     // explanation of all items; often empty
	Items     map[int]string `json:"items,omitempty"`
}

// Reminder is HMRC's reminder (IE802).
type Reminder struct {
	Sequence int    `json:"sequence"`
	Type     string `json:"type,omitempty"`  // 1 destination to be changed, 2 receipt to be reported, 3 destination to be given
	Until    string `json:"until,omitempty"` // date and time
}

// Refusal is one error of an IE704.
type Refusal struct {
	Number   string
	Reason   string // HMRC's words
	Location string
	Field    string // of our JSON form; empty if the location is not known
	Value    string // that HMRC refused
	Refused  string // identifier of the message that was refused; empty if HMRC does not say
}

// Export is the answer of customs about an export.
type Export struct {
	Accepted bool   `json:"accepted"`          // IE829; otherwise IE839 rejected it
	Reason   string `json:"reason,omitempty"`  // code of the rejection
	Customs  string `json:"customs,omitempty"` // reference of the export declaration
}

// Interruption says that an official stopped the movement (IE807).
type Interruption struct {
	At     string `json:"at"`
	Reason string `json:"reason,omitempty"`
	Office string `json:"office,omitempty"`
}

// Event is a report about an event in transit (IE840), such as a theft or an accident.
type Event struct {
	At     string `json:"at"`
	Number string `json:"number,omitempty"`
}

// Closure is the answer to a request to close the movement by hand (IE881).
type Closure struct {
	Accepted   bool   `json:"accepted"`
	Conclusion string `json:"conclusion,omitempty"` // code as of a receipt; often empty
}

// read adds what a message reports.
func (l *Life) read(m dated) {
	b := m.Body
	_, n := movementOf(m.Message)
	switch m.Kind {
	case emcs.Receipt:
		l.Receipts = append(l.Receipts, receiptOf(b, n))
	case emcs.Alert:
		l.Alerts = append(l.Alerts, Alert{
			Sequence: n, On: b.Value("AlertOrRejection", "DateOfAlertOrRejection"), Rejected: b.Value("AlertOrRejection", "EadEsadRejectedFlag") == "1",
			Reasons: codes(b, "AlertOrRejectionOfEadEsadReason", "AlertOrRejectionOfMovementReasonCode"),
		})
	case emcs.Delay:
		a := b.At("Attributes")
		l.Delays = append(l.Delays, Delay{n, a.Value("SubmitterIdentification"), a.Value("ExplanationCode"), a.Value("MessageRole"), a.Value("ComplementaryInformation")})
	case emcs.Shortage:
		l.Shortages = append(l.Shortages, shortageOf(b, n))
	case emcs.Reminder:
		l.Reminders = append(l.Reminders, Reminder{n, b.Value("Attributes", "ReminderMessageType"), b.Value("Attributes", "LimitDateAndTime")})
	case emcs.Refusal:
		l.Refusals = append(l.Refusals, refusalsOf(m.Message)...)
	default:
		l.readOfficial(m)
	}
}

// readOfficial adds what officials and customs report. Of several messages of a kind the latest counts.
func (l *Life) readOfficial(m dated) {
	b := m.Body
	switch m.Kind {
	case emcs.ExportAccepted:
		l.Export = &Export{Accepted: true, Customs: b.Value("ExportDeclarationAcceptanceRelease", "DocumentReferenceNumber")}
	case emcs.CustomsRejection:
		l.Export = &Export{Reason: b.Value("Rejection", "RejectionReasonCode"), Customs: b.Value("ExportDeclarationInformation", "DocumentReferenceNumber")}
	case emcs.Interruption:
		l.Stopped = &Interruption{m.at, b.Value("Attributes", "ReasonForInterruptionCode"), b.Value("Attributes", "ReferenceNumberOfExciseOffice")}
	case emcs.Event:
		l.Events = append(l.Events, Event{m.at, b.Value("HeaderEventReport", "EventReportNumber")})
	case emcs.ManualClosure:
		accepted := b.Value("Attributes", "ManualClosureRequestAccepted") == "1"
		if accepted || l.Closure == nil {
			l.Closure = &Closure{accepted, b.Value("Attributes", "GlobalConclusionOfReceipt")}
		}
	case emcs.Status:
		l.Status = b.Value("Attributes", "Status")
	}
}

func receiptOf(b *emcs.Element, sequence int) Receipt {
	r := Receipt{Sequence: sequence, ArrivedOn: b.Value("ReportOfReceiptExport", "DateOfArrivalOfExciseProducts"), Conclusion: b.Value("ReportOfReceiptExport", "GlobalConclusionOfReceipt")}
	for item := range b.All("BodyReportOfReceiptExport") {
		r.Items = append(r.Items, ReceivedItem{
			Item: number(item.Value("BodyRecordUniqueReference")), Indicator: item.Value("IndicatorOfShortageOrExcess"), Quantity: item.Value("ObservedShortageOrExcess"),
			Refused: item.Value("RefusedQuantity"), Reasons: codes(item, "UnsatisfactoryReason", "UnsatisfactoryReasonCode"),
		})
	}
	return r
}

func shortageOf(b *emcs.Element, sequence int) Shortage {
	s := Shortage{Sequence: sequence, Submitter: b.Value("Attributes", "SubmitterType"), Whole: b.Value("Analysis", "GlobalExplanation"), Items: map[int]string{}}
	for item := range b.All("BodyAnalysis") {
		s.Items[number(item.Value("BodyRecordUniqueReference"))] = item.Value("Explanation")
	}
	return s
}

func refusalsOf(m emcs.Message) (all []Refusal) {
	for e := range m.Body.All("FunctionalError") {
		location := e.Value("ErrorLocation")
		all = append(all, Refusal{
			Number: e.Value("ErrorType"), Reason: e.Value("ErrorReason"), Location: location, Field: emcs.Field(location),
			Value: e.Value("OriginalAttributeValue"), Refused: m.Header.Correlation,
		})
	}
	return all
}

// codes returns the codes of a list.
func codes(e *emcs.Element, list, code string) (all []string) {
	for entry := range e.All(list) {
		all = append(all, entry.Value(code))
	}
	return all
}
