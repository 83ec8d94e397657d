package customs

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
)

// Details are what only the messages of a declaration tell.
type Details struct {
	Errors []CustomsError `json:"errors,omitempty"`
	Taxes  []AssessedTax  `json:"taxes,omitempty"`
}

// Details reads what customs said of a declaration in its present round.
func (s *Service) Details(tx Tx, f *filing.Filing) (d Details, err error) {
	a, err := addedOf(f)
	if err != nil {
		return d, err
	}
	messages, err := tx.Messages(f.ID)
	if err != nil {
		return d, err
	}
	ts, err := tx.Transmissions(f.ID)
	if err != nil {
		return d, err
	}
	now := reduceMessages(ofLRN(messages, a.LRN), isRepeated(ts, a.LRN))
	for _, e := range now.Rejection {
		entry := cdscode.Explain(e.Code)
		d.Errors = append(d.Errors, CustomsError{
			Code: e.Code, Field: e.Pointer().Field(), Pointer: e.Pointer().String(), Title: entry.Title, Description: entry.Meaning + " " + entry.Fix,
		})
	}
	for _, t := range now.Taxes {
		d.Taxes = append(d.Taxes, AssessedTax{Item: t.Item, Type: t.Type, Assessed: t.Assessed.Value, Payable: t.Payable.Value})
	}
	return d, nil
}

// Shown is a declaration as it is answered: the record, and what only its messages tell.
func (s *Service) Shown(tx Tx, f *filing.Filing) ([]byte, error) {
	details, err := s.Details(tx, f)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(details)
	if err != nil {
		return nil, err
	}
	record := f.AppendJSON(nil)
	if len(more) > len("{}") {
		record = append(append(record[:len(record)-1], ','), more[1:]...)
	}
	return record, nil
}

// TimelineEntry is one thing in the life of a declaration.
type TimelineEntry struct {
	OccurredAt     string `json:"occurredAt" format:"date-time" doc:"When it happened here"`
	Kind           string `json:"kind" enum:"event,sent,received" doc:"A change of ours, something sent to customs, or something received"`
	Title          string `json:"title" doc:"What it was" example:"DMSACC"`
	FunctionCode   string `json:"functionCode,omitempty" doc:"Function code of a message from customs" example:"01"`
	ConversationID string `json:"conversationId,omitempty" doc:"Conversation that it belongs to"`
	MessageID      string `json:"messageId,omitempty" doc:"Customs' id of the message"`
	IssuedAt       string `json:"issuedAt,omitempty" format:"date-time" doc:"When customs issued it"`
	FromStatus     string `json:"fromStatus,omitempty" doc:"Status before"`
	ToStatus       string `json:"toStatus,omitempty" doc:"Status after"`
	ActorUserID    string `json:"actorUserId,omitempty" doc:"Who did it"`
	Outcome        string `json:"outcome,omitempty" enum:"pending,sent,refused,unknown" doc:"What became of what was sent"`

	Part  string       `json:"-"` // id of what was sent or received
	By    string       `json:"-"` // user who had it sent
	Event *audit.Event `json:"-"` // that it is; nil for what was sent or received
	at    time.Time
}

// maxMoments is the longest timeline that is shown.
const maxTimelineEntries = 1000

// Timeline tells all that happened to a declaration, oldest first.
func (s *Service) Timeline(tx interface {
	Tx
	audit.View
}, id string) ([]TimelineEntry, error) {
	if _, err := tx.Filing(s.Type.Kind, id); err != nil {
		return nil, err
	}
	events, err := tx.Events(audit.Query{ResourceID: id, Limit: maxTimelineEntries})
	if err != nil {
		return nil, err
	}
	sendings, err := tx.Transmissions(id)
	if err != nil {
		return nil, err
	}
	messages, err := tx.Messages(id)
	if err != nil {
		return nil, err
	}
	moments := []TimelineEntry{}
	for i := range slices.Backward(events) {
		e := &events[i]
		moments = append(moments, TimelineEntry{
			Kind: "event", Title: e.Type, FromStatus: e.FromStatus, ToStatus: e.ToStatus, ActorUserID: e.ActorUserID, Event: e, at: e.OccurredAt,
		})
	}
	for _, t := range sendings {
		moments = append(moments, TimelineEntry{Kind: "sent", Title: t.Purpose, ConversationID: t.ConversationID, Outcome: string(t.State), Part: t.ID, By: t.Request.Call.UserID, at: t.CreatedAt})
	}
	for _, m := range messages {
		moments = append(moments, received(m))
	}
	slices.SortStableFunc(moments, func(a, b TimelineEntry) int { return a.at.Compare(b.at) })
	for i := range moments {
		moments[i].OccurredAt = audit.Instant(moments[i].at)
	}
	return moments[max(0, len(moments)-maxTimelineEntries):], nil
}

func received(m Message) TimelineEntry {
	out := TimelineEntry{
		Kind: "received", Title: cmp.Or(m.Said.Name, "function code "+m.Said.FunctionCode), FunctionCode: m.Said.FunctionCode,
		ConversationID: m.ConversationID, MessageID: m.MessageID, Part: m.ID, at: m.ReceivedAt,
	}
	if !m.Said.IssuedAt.Time.IsZero() {
		out.IssuedAt = audit.Instant(m.Said.IssuedAt.Time)
	}
	return out
}
