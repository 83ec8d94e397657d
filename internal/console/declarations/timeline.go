package declarations

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/customs"
)

// moment is one thing in the life of a declaration, for people.
type moment struct {
	At          time.Time
	Title, Note string
	By          string // who did it; empty for customs
	Path, Link  string // to what was sent or received
	Kind        string // of the mark: good, bad, wait, note or none
}

// done are the steps of people in words, by what the event's type ends with.
var done = map[string]string{"created": "Draft made", "amended": "Corrected", "cancelled": "Cancelled"}

// said are the messages of customs in words, by function code.
var said = map[string]moment{
	"01": {Title: "Customs accepted it", Kind: "note"},
	"02": {Title: "Customs received it", Note: "It is checked when the goods are there.", Kind: "note"},
	"03": {Title: "Customs rejected it", Kind: "bad"},
	"05": {Title: "Customs will check the goods or papers", Note: "Release waits for the check.", Kind: "wait"},
	"06": {Title: "Customs asks for documents", Kind: "wait"},
	"07": {Title: "Customs changed the declaration", Kind: "note"},
	"08": {Title: "The goods are released", Kind: "good"},
	"09": {Title: "Customs cleared it", Kind: "good"},
	"10": {Title: "Customs cancelled it", Kind: "note"},
	"11": {Title: "Customs answered the request", Kind: "note"},
	"13": {Title: "Customs assessed duty and VAT", Kind: "note"},
	"14": {Title: "The account does not cover the payment", Kind: "bad"},
	"15": {Title: "Customs reminds of the payment", Kind: "wait"},
	"16": {Title: "Customs knows of the goods' exit", Kind: "note"},
	"17": {Title: "The exit of the goods is confirmed", Kind: "note"},
	"18": {Title: "The exit of the goods has results", Kind: "note"},
}

// outcomes are what became of what was sent.
var outcomes = map[string]string{
	"pending": "Under way", "sent": "Customs has it", "refused": "Customs did not take it", "unknown": "No readable answer came",
}

// tell fills in the timeline, newest first. What customs did is told by its messages,
// so events of the service itself are left out, and so are reviews, which change nothing.
func (d *Declarations) tell(tx page.Tx, names map[string]string, s *shown) error {
	moments, err := d.Customs.Timeline(tx, s.Filing.ID)
	if err != nil {
		return err
	}
	for i := len(moments) - 1; i >= 0; i-- {
		if m, ok := momentOf(&moments[i], "/declarations/"+s.Filing.ID); ok {
			m.By = names[m.By]
			s.Timeline = append(s.Timeline, m)
		}
	}
	return nil
}

func momentOf(m *customs.Moment, path string) (out moment, ok bool) {
	switch m.Kind {
	case "sent":
		out = moment{Title: "Sent to customs", By: m.By, Note: outcomes[m.Outcome], Path: path + "/sent?part=" + m.Part, Link: "What was sent"}
		if m.Title == "cancel" {
			out.Title = "Cancellation sent to customs"
		}
		out.Kind = map[string]string{"refused": "bad", "unknown": "bad", "pending": "wait"}[m.Outcome]
	case "received":
		out = said[m.FunctionCode]
		if out.Title == "" {
			out.Title = "Customs sent " + m.Title
		} else if m.Title != "" {
			out.Title += " (" + m.Title + ")"
		}
		out.Path, out.Link = path+"/received?part="+m.Part, "What customs sent"
	default:
		past := m.Title[strings.LastIndex(m.Title, ".")+1:]
		title, known := done[past]
		if m.ActorUserID == "" || !known {
			return out, false
		}
		out = moment{Title: title, By: m.ActorUserID}
	}
	out.At, _ = time.Parse(time.RFC3339, m.OccurredAt)
	return out, true
}

// outcomeTag colours what a moment is.
func outcomeTag(kind string) string {
	if kind == "" {
		return "none"
	}
	return kind
}
