package declarations

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Function codes of messages from CDS.
const (
	dmsACC = "01" // declaration accepted
	dmsRCV = "02" // declaration received
	dmsREJ = "03" // declaration rejected
	dmsCTL = "05" // under control
	dmsDOC = "06" // documents required
	dmsRES = "07" // resulting amendment
	dmsROG = "08" // goods released
	dmsCLE = "09" // declaration cleared
	dmsINV = "10" // declaration invalidated
	dmsREQ = "11" // answer to a request
	dmsTAX = "13" // tax assessed
	dmsCPI = "14" // insufficient funds
	dmsCPR = "15" // payment reminder
	dmsEOG = "16" // exit of goods
	dmsEXT = "17" // exit confirmed
	dmsGER = "18" // exit results
)

// messageTexts describe messages from customs by function code.
var messageTexts = map[string]wording.TimelineEntry{
	dmsACC: {Text: "Customs accepted the declaration", Colour: "note"},
	dmsRCV: {Text: "Customs received the declaration", Note: "Customs checks it when the goods arrive.", Colour: "note"},
	dmsREJ: {Text: "Customs rejected the declaration", Colour: "bad"},
	dmsCTL: {Text: "Customs will check the goods or documents", Note: "The goods are not released before the check.", Colour: "wait"},
	dmsDOC: {Text: "Customs asks for documents", Colour: "wait"},
	dmsRES: {Text: "Customs amended the declaration", Colour: "note"},
	dmsROG: {Text: "Customs released the goods", Colour: "good"},
	dmsCLE: {Text: "Customs cleared the declaration", Colour: "good"},
	dmsINV: {Text: "Customs cancelled the declaration", Colour: "note"},
	dmsREQ: {Text: "Customs answered the request", Colour: "note"},
	dmsTAX: {Text: "Customs assessed duty and VAT", Colour: "note"},
	dmsCPI: {Text: "The account does not cover the payment", Colour: "bad"},
	dmsCPR: {Text: "Customs sent a payment reminder", Colour: "wait"},
	dmsEOG: {Text: "Customs recorded the exit of the goods", Colour: "note"},
	dmsEXT: {Text: "Customs handles the declaration manually", Colour: "note"},
	dmsGER: {Text: "Customs asks for evidence of the exit", Colour: "wait"},
}

// movementMessages describe the answers of inventory linking by their name.
var movementMessages = map[string]string{
	inventory.ControlResponse: "HMRC answered a movement", inventory.MovementResponse: "HMRC reported the result of a movement", inventory.TotalsResponse: "HMRC reported the status of a consolidation",
}

// sendOutcomes describe the results of transmissions to customs.
var sendOutcomes = map[string]string{
	"pending": "Being sent.", "sent": "Customs received it.", "refused": "Customs did not accept it.", "unknown": "Customs did not confirm it.",
}

// messageEvents are events that are left out: messages show the same, or nothing was changed.
var messageEvents = []string{"submitted", "cancellation_requested", "presentation_requested", "amendment_requested", "movement_requested", "reviewed"}

// simulatedNote marks messages whose outcome the caller selected.
const simulatedNote = "Simulated: the outcome was selected, customs decided nothing."

// history is what happened to a declaration, before it is described.
type history struct {
	moments []customs.TimelineEntry // oldest first
	events  *wording.EventBatch     // the audit events among moments, oldest first
}

// readHistory reads the history of a declaration. Events of customs and of the service are left
// out, because messages show the same.
func (d *Declarations) readHistory(tx page.Tx, id string) (l history, err error) {
	if l.moments, err = d.Customs.Timeline(tx, id); err != nil {
		return l, err
	}
	l.moments = slices.DeleteFunc(l.moments, func(m customs.TimelineEntry) bool { return m.Event != nil && m.Event.ActorType == tenant.BySystem })
	var events []audit.Event
	for _, m := range l.moments {
		if m.Event != nil {
			events = append(events, *m.Event)
		}
	}
	l.events, err = d.Describer.Load(tx, events, id)
	return l, err
}

// timeline describes the history, newest first.
func (d *Declarations) timeline(c *page.Context, l history) (all []wording.TimelineEntry, err error) {
	lines, err := d.Describer.Lines(c.R.Context(), c.Session.Org, l.events)
	if err != nil {
		return nil, err
	}
	for i := range l.moments {
		m := &l.moments[i]
		switch m.Kind {
		case "sent":
			all = append(all, sent(m, l.events.User(m.By), c.R.PathValue("id")))
		case "received":
			all = append(all, received(m, c.R.PathValue("id")))
		default:
			line := lines[0]
			if lines = lines[1:]; !slices.Contains(messageEvents, line.Type[strings.LastIndex(line.Type, ".")+1:]) {
				all = append(all, d.Describer.Entry(line))
			}
		}
	}
	slices.Reverse(all)
	return all, nil
}

// sent describes a transmission to customs.
func sent(m *customs.TimelineEntry, who, id string) wording.TimelineEntry {
	out := wording.TimelineEntry{At: instant(m), Text: who + " sent the declaration to customs", Note: sendOutcomes[m.Outcome], Path: "/declarations/" + id + "/sent?part=" + m.Part, LinkText: "Sent message"}
	switch m.Title {
	case "cancel":
		out.Text = who + " requested the cancellation"
	case "present":
		out.Text = who + " presented the goods"
	case "upload":
		out.Text = "The service asked customs for upload forms for documents"
	case "amend":
		out.Text = who + " requested an amendment"
	case "move":
		out.Text = who + " reported a movement"
	}
	if m.Simulated {
		out.Note += " " + simulatedNote
	}
	out.Colour = map[string]string{"refused": "bad", "unknown": "bad", "pending": "wait"}[m.Outcome]
	return out
}

// received describes a message from customs.
func received(m *customs.TimelineEntry, id string) wording.TimelineEntry {
	out := messageTexts[m.FunctionCode]
	switch {
	case m.FunctionCode == "" && m.Title == customs.UploadReceived:
		out = wording.TimelineEntry{Text: "Customs confirmed the receipt of a document", Colour: "good"}
	case m.FunctionCode == "" && m.Title == customs.UploadRejected:
		out = wording.TimelineEntry{Text: "Customs rejected a document", Colour: "bad"}
	case movementMessages[m.Title] != "":
		out = wording.TimelineEntry{Text: movementMessages[m.Title], Colour: "note"}
	case out.Text == "":
		out.Text = "Customs sent " + m.Title
	case m.Title != "":
		out.Text += " (" + m.Title + ")"
	}
	if m.Simulated {
		out.Note = strings.TrimSpace(out.Note + " " + simulatedNote)
	}
	out.At, out.Path, out.LinkText = instant(m), "/declarations/"+id+"/received?part="+m.Part, "Received message"
	return out
}

func instant(m *customs.TimelineEntry) time.Time { return instantOf(m.OccurredAt) }

// instantOf reads a time of a record.
func instantOf(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text) // written by the service, so it is valid
	return at
}
