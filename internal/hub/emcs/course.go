package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Course is what HMRC's messages say about a movement, besides its state and its ARC.
type Course struct {
	Stage        life.Stage      `json:"stage,omitempty" enum:"ACCEPTED,CANCELLED,REJECTED,DELIVERED,REFUSED,PARTIALLY_REFUSED,EXPORTING,STOPPED,DIVERTED,MANUALLY_CLOSED" doc:"State in HMRC’s own service, by its messages" example:"PARTIALLY_REFUSED"`
	LRN          string          `json:"localReferenceNumber,omitempty" doc:"Local reference number (LRN) of the e-AD" example:"TW0192F3C47A107C3E8F00"`
	Sequence     int             `json:"sequenceNumber,omitempty" doc:"Number of the destination, from 1" example:"1"`
	DispatchOn   string          `json:"dispatchOn,omitempty" format:"date" doc:"Date of dispatch that HMRC has" example:"2026-11-27"`
	JourneyTime  string          `json:"journeyTime,omitempty" doc:"Journey time that HMRC has: H and hours, or D and days" example:"D02"`
	ReceiptDueBy string          `json:"receiptDueBy,omitempty" format:"date-time" doc:"Limit of HMRC’s reminder of the receipt" example:"2026-12-04T23:59:59.000Z"`
	Refusals     []RefusedDetail `json:"refusals,omitempty" doc:"Errors of HMRC’s refusals (IE704), of the draft and of later messages"`
	Reports      filing.FreeForm `json:"reports,omitempty" doc:"What the messages report: receipts, alerts, delays, shortages, reminders, export, stopped, events, closure, expected" example:"{\"receipts\":[{\"conclusion\":\"1\",\"arrivedOn\":\"2026-11-27\"}]}"`
	Problems     []string        `json:"messageProblems,omitempty" doc:"Messages that cannot be read, and why" example:"[\"IE801: the schema version is not known\"]"`
}

// RefusedDetail is an error of a refusal.
type RefusedDetail struct {
	Number   string `json:"number" doc:"HMRC’s number" example:"4402"`
	Location string `json:"location,omitempty" doc:"Location as HMRC writes it" example:"/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]"`
	Field    string `json:"field,omitempty" doc:"Field of the record" example:"scheduledDispatchAt"`
	Message  string `json:"message" doc:"HMRC’s reason" example:"Duplicate LRN"`
}

// expectedArrival is the expected arrival by HMRC's messages; not known if they do not say it in days.
func expectedArrival(at filing.Metadata) (arrival time.Time, known bool) {
	var on, journey string
	at.Read("dispatchOn", &on)
	at.Read("journeyTime", &journey)
	days := journeyDays(journey)
	start, err := time.Parse(time.DateOnly, on)
	if days == nil || err != nil {
		return time.Time{}, false
	}
	return start.AddDate(0, 0, int(*days)), true
}

// timer is the dispatch of a movement that HMRC has accepted: the beginning of its day in London. A movement without messages is dispatched by hand.
func timer(_ *Movement, at filing.Metadata) filing.Timer {
	var on string
	at.Read("dispatchOn", &on)
	day, err := time.ParseInLocation(time.DateOnly, on, calendar.London())
	if err != nil || at.Status != lifecycle.Accepted {
		return filing.Timer{}
	}
	return filing.Timer{After: day.Add(-time.Millisecond), Action: learnDispatch}
}
