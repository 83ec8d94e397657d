package customs

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amended"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Version is a body of a declaration that customs accepted.
type Version struct {
	Number     int             `json:"number" doc:"1 for the declaration as it was submitted" example:"2"`
	AcceptedAt *string         `json:"acceptedAt" format:"date-time" doc:"When customs accepted or granted it; null before the acceptance" example:"2026-12-01T09:00:00.000Z"`
	RequestID  *string         `json:"requestId" format:"uuid" doc:"The amendment that made it; null for the first" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Body       json.RawMessage `json:"body" doc:"The members that were sent to this service, as they were"`
}

// versionsOf returns the versions of a declaration's body, the first included; nil until an amendment is granted.
func versionsOf(ts []Transmission, messages []Message, lrn string, acceptedAt time.Time) (all []Version) {
	granted := grantedOf(ts, messages, lrn)
	for _, g := range granted {
		d := g.transmission.Detail.Amendment
		if all == nil {
			all = []Version{{Number: 1, AcceptedAt: instantOrNull(acceptedAt), Body: d.Former}}
		}
		all = append(all, Version{Number: len(all) + 1, AcceptedAt: instantOrNull(g.at), RequestID: &g.transmission.ID, Body: d.Body})
	}
	return all
}

// grant is an amendment that customs granted.
type grant struct {
	transmission *Transmission
	at           time.Time
}

// grantedOf returns the granted amendments of a declaration in the order of the decisions.
func grantedOf(ts []Transmission, messages []Message, lrn string) (all []grant) {
	for i := range ts {
		t := &ts[i]
		if t.Purpose != toAmend || t.LRN != lrn || t.Detail.Amendment == nil || isSuperseded(ts, i) {
			continue
		}
		for _, m := range messages {
			if m.answers(t) && isGrant(&m.Notification) {
				all = append(all, grant{t, m.issuedAt()})
				break
			}
		}
	}
	sorting.Stable(all, func(a, b grant) int { return a.at.Compare(b.at) })
	return all
}

func isGrant(n *notification.Notification) bool {
	return n.FunctionCode == notification.DMSREQ && n.StatusCode() == cancellationGranted
}

// issuedAt returns when customs issued the message or, if it does not say so, when it came.
func (m *Message) issuedAt() time.Time {
	if at := m.Notification.IssuedAt.Time; !at.IsZero() {
		return at
	}
	return m.ReceivedAt
}

// answers reports whether a message is about a request: it came in its conversation, or names its reference.
func (m *Message) answers(t *Transmission) bool {
	return m.ConversationID == t.ConversationID && t.ConversationID != "" || m.Purpose == t.Purpose && t.Purpose != toSubmit && m.Notification.LRN == t.Reference
}

func instantOrNull(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := audit.Instant(at)
	return &text
}

// Correction is an element that customs corrected. What was declared stays as it is.
type Correction struct {
	MessageID   string `json:"messageId" doc:"Customs' id of the message" example:"aa000000000000000000000000000003"`
	CorrectedAt string `json:"correctedAt" format:"date-time" doc:"When customs issued it"`
	ReasonCode  string `json:"reasonCode,omitempty" doc:"Reason code of customs" example:"16"`
	Field       string `json:"field" doc:"Path of the field; in words if it is not an input" example:"items[0].netMassKg"`
	Pointer     string `json:"pointer" doc:"Pointer of CDS" example:"42A.67A.68A[1].23A.65A.128"`
	Value       string `json:"value,omitempty" doc:"Value at customs now; absent if the message does not say" example:"119"`
	Text        string `json:"text,omitempty" doc:"Explanation of customs" example:"Place corrected at the border"`
}

// maxCorrections is the maximum number of corrections of a record, the latest ones.
const maxCorrections = 1000

// correctionsOf returns what customs corrected, oldest first.
func correctionsOf(messages []Message, own ownChanges) (all []Correction) {
	for _, m := range inSequence(messages) {
		if m.Notification.FunctionCode != notification.DMSRES || own.confirms(&m) {
			continue
		}
		for _, a := range m.Notification.Amendments {
			for i, p := range a.Pointers {
				c := Correction{
					MessageID: m.MessageID, CorrectedAt: audit.Instant(m.issuedAt()), ReasonCode: a.Reason, Field: datamodel.MemberAt(p), Pointer: p.String(),
					Text: strings.Join(a.Remarks, " "),
				}
				if i < len(a.Values) {
					c.Value = a.Values[i]
				}
				all = append(all, c)
			}
		}
	}
	return all[max(0, len(all)-maxCorrections):]
}

// ownChanges are the changes that the declarant requested, by reason and place.
type ownChanges map[string]bool

func changeKey(reason string, p pointer.Pointer) string { return reason + " " + p.Path() }

// ownChangesOf returns the requested changes, if there is a message that may confirm them.
func ownChangesOf(ts []Transmission, messages []Message) ownChanges {
	if !slices.ContainsFunc(messages, func(m Message) bool { return m.Notification.FunctionCode == notification.DMSRES }) {
		return nil
	}
	own := ownChanges{}
	for i := range ts {
		if ts[i].Purpose != toAmend {
			continue
		}
		request, err := wco.Decode([]byte(ts[i].Body))
		if err != nil {
			continue // it was not sent by this release
		}
		for n, p := range amended.Pointers(&request) {
			own[changeKey(request.Amendment[n].ChangeReasonCode, p)] = true
		}
	}
	return own
}

// confirms reports whether a DMSRES says no more than what the declarant requested: CDS repeats granted changes in one before
// clearance.
func (own ownChanges) confirms(m *Message) bool {
	if m.Notification.FunctionCode != notification.DMSRES {
		return false
	}
	if m.Purpose == toAmend {
		return true
	}
	for _, a := range m.Notification.Amendments {
		for _, p := range a.Pointers {
			if !own[changeKey(a.Reason, p)] {
				return false
			}
		}
	}
	return len(m.Notification.Amendments) > 0
}
