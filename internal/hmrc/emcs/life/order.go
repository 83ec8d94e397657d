package life

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// place is the path of the date and time and of the movement's references in a message. Attributes and groups below the element in Body.
type place struct {
	at       []string // date and time
	movement []string // group with ARC and sequence number
}

// places of the messages of a movement.
var places = map[emcs.Kind]place{
	emcs.Refusal:           {movement: []string{"Attributes"}},
	emcs.ControlReport:     {at: []string{"Attributes", "DateAndTimeOfValidationOfControlReport"}, movement: []string{"ExciseMovement"}},
	emcs.Accepted:          {at: []string{"HeaderEadEsad", "DateAndTimeOfUpdateValidation"}, movement: []string{"ExciseMovement"}},
	emcs.Reminder:          {at: []string{"Attributes", "DateAndTimeOfIssuanceOfReminder"}, movement: []string{"ExciseMovement"}},
	emcs.Diverted:          {at: []string{"ExciseNotification", "NotificationDateAndTime"}, movement: []string{"ExciseNotification"}},
	emcs.Interruption:      {at: []string{"Attributes", "DateAndTimeOfIssuance"}, movement: []string{"Attributes"}},
	emcs.Cancellation:      {at: []string{"Attributes", "DateAndTimeOfValidationOfCancellation"}, movement: []string{"ExciseMovementEad"}},
	emcs.DestinationChange: {at: []string{"Attributes", "DateAndTimeOfValidationOfChangeOfDestination"}, movement: []string{"UpdateEadEsad"}},
	emcs.Receipt:           {at: []string{"Attributes", "DateAndTimeOfValidationOfReportOfReceiptExport"}, movement: []string{"ExciseMovement"}},
	emcs.Alert:             {at: []string{"Attributes", "DateAndTimeOfValidationOfAlertRejection"}, movement: []string{"ExciseMovement"}},
	emcs.ExportAccepted:    {at: []string{"Attributes", "DateAndTimeOfIssuance"}, movement: []string{"ExciseMovementEad"}},
	emcs.Delay:             {at: []string{"Attributes", "DateAndTimeOfValidationOfExplanationOnDelay"}, movement: []string{"ExciseMovement"}},
	emcs.CustomsRejection:  {at: []string{"Attributes", "DateAndTimeOfIssuance"}, movement: []string{"CEadVal"}},
	emcs.Event:             {at: []string{"Attributes", "DateAndTimeOfValidationOfEventReport"}, movement: []string{"ExciseMovement"}},
	emcs.Shortage:          {at: []string{"Attributes", "DateAndTimeOfValidationOfExplanationOnShortage"}, movement: []string{"ExciseMovement"}},
	emcs.ManualClosure:     {movement: []string{"Attributes"}},
	emcs.Status:            {movement: []string{"Attributes"}},
}

// movementOf returns the ARC and the sequence number that a message names; 0 if it names none.
func movementOf(m emcs.Message) (arc string, sequence int) {
	group := m.Body.At(places[m.Kind].movement...)
	return group.Value("AdministrativeReferenceCode"), number(group.Value("SequenceNumber"))
}

// timeOf returns the date and time at which HMRC validated or issued a message, or that of its header, as HMRC writes it.
func timeOf(m emcs.Message) string {
	if p := places[m.Kind]; len(p.at) > 0 {
		if at := m.Body.Value(p.at...); at != "" {
			return at
		}
	}
	return m.Header.Date + "T" + m.Header.Time
}

// number reads a sequence number; 0 for another text.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// dated is a message with what orders it.
type dated struct {
	emcs.Message
	at, key string
}

// inOrder returns the messages without repeats, by their date and time, and those of the same time by their content, so that the order in which they
// arrived does not matter. The same message to two recipients counts once.
func inOrder(messages []emcs.Message) []dated {
	seen := map[string]bool{}
	var all []dated
	for _, m := range messages {
		if m.Body == nil || places[m.Kind].movement == nil {
			continue
		}
		key := contentKey(m)
		if !seen[key] {
			seen[key] = true
			all = append(all, dated{m, timeOf(m), key})
		}
	}
	sorting.Stable(all, dated.compare)
	return all
}

func (d dated) compare(o dated) int {
	return cmp.Or(cmp.Compare(d.at, o.at), cmp.Compare(d.key, o.key))
}

// IsLater reports whether a message counts after another one, by their date and time and then by their content.
func IsLater(m, than emcs.Message) bool {
	return dated{m, timeOf(m), contentKey(m)}.compare(dated{than, timeOf(than), contentKey(than)}) > 0
}

// contentKey is the whole content of a message besides its header's sender, recipient and times.
func contentKey(m emcs.Message) string {
	var key strings.Builder
	key.WriteString(string(m.Kind) + " " + m.Header.Identifier + " ")
	writeKey(&key, m.Body)
	return key.String()
}

func writeKey(key *strings.Builder, e *emcs.Element) {
	for _, part := range []string{"<", e.Name, "=", e.Language, ":", e.Text} {
		key.WriteString(part)
	}
	for _, c := range e.Children {
		writeKey(key, c)
	}
	key.WriteString(">")
}
