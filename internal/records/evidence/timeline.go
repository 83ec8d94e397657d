package evidence

import (
	"context"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// timelineEntry is an entry of the timeline.
type timelineEntry struct {
	OccurredAt string `json:"occurredAt"`
	Kind       string `json:"kind"` // event, sent or received
	Title      string `json:"title"`

	Sequence    int64  `json:"sequence,omitempty"` // of an event
	FromStatus  string `json:"fromStatus,omitempty"`
	ToStatus    string `json:"toStatus,omitempty"`
	ActorUserID string `json:"actorUserId,omitempty"`

	File           string `json:"file,omitempty"` // with the bytes
	Authority      string `json:"authority,omitempty"`
	Purpose        string `json:"purpose,omitempty"`
	Reference      string `json:"reference,omitempty"`
	LRN            string `json:"lrn,omitempty"`
	Outcome        string `json:"outcome,omitempty"`
	SettledAt      string `json:"settledAt,omitempty"`
	Problem        string `json:"problem,omitempty"`
	FunctionCode   string `json:"functionCode,omitempty"`
	ConversationID string `json:"conversationId,omitempty"`
	MessageID      string `json:"messageId,omitempty"`
	IssuedAt       string `json:"issuedAt,omitempty"`
}

func formatInstant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return audit.Instant(t)
}

func eventEntry(e *audit.Event) timelineEntry {
	return timelineEntry{
		OccurredAt: audit.Instant(e.OccurredAt), Kind: "event", Title: e.Type, Sequence: e.Sequence,
		FromStatus: e.FromStatus, ToStatus: e.ToStatus, ActorUserID: e.ActorUserID,
	}
}

func (m *Sent) timelineEntry() timelineEntry {
	return timelineEntry{
		OccurredAt: audit.Instant(m.At), Kind: "sent", Title: m.Purpose, File: m.file, Authority: m.To, Purpose: m.Purpose, Reference: m.Reference,
		LRN: m.LRN, Outcome: m.State, SettledAt: formatInstant(m.CompletedAt), Problem: m.Problem, ConversationID: m.ConversationID, ActorUserID: m.By,
	}
}

func (m *Received) timelineEntry() timelineEntry {
	return timelineEntry{
		OccurredAt: audit.Instant(m.At), Kind: "received", Title: m.Name, File: m.file, Authority: m.From, Purpose: m.Purpose, LRN: m.LRN,
		FunctionCode: m.FunctionCode, ConversationID: m.ConversationID, MessageID: m.MessageID, IssuedAt: formatInstant(m.IssuedAt),
	}
}

// writeTimeline merges events with messages, oldest first. At the same time, events come before
// messages.
func (p *pack) writeTimeline(ctx context.Context, w io.Writer) error {
	l, err := newList(w, "timeline")
	if err != nil {
		return err
	}
	sent, received := p.sent, p.received
	until := func(at time.Time, last bool) error {
		for {
			out := len(sent) > 0 && (last || sent[0].At.Before(at))
			in := len(received) > 0 && (last || received[0].At.Before(at))
			var err error
			switch {
			case out && (!in || !received[0].At.Before(sent[0].At)):
				err, sent = l.add(sent[0].timelineEntry()), sent[1:]
			case in:
				err, received = l.add(received[0].timelineEntry()), received[1:]
			default:
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	err = p.eachEvent(ctx, func(_ *audit.Tree, e *audit.Event) error {
		if err := until(e.OccurredAt, false); err != nil {
			return err
		}
		return l.add(eventEntry(e))
	})
	if err == nil {
		err = until(time.Time{}, true)
	}
	if err != nil {
		return err
	}
	return l.end()
}
