package customs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// expired is the sole error of a pre-lodged declaration whose goods never came;
// reused is the error of a second submission with one LRN.
const (
	expired = "CDS12046"
	reused  = "CDS12003"
)

// standing is what the messages of one LRN say together, whatever their order.
type standing struct {
	State        lifecycle.State // empty: they decide nothing yet
	MRN          string
	Rejection    []notification.Error
	Taxes        []notification.Tax
	TaxKind      notification.TaxKind
	Cancelling   string // 39 granted, 41 denied; empty while open
	Accepted     notification.Instant
	ClearedAt    notification.Instant
	Conversation string // the one in which customs took the declaration
}

// fold reads the messages of one LRN and of the requests to cancel it. Where the
// document was repeated, the refusal of a repeat only proves that customs has it.
func fold(messages []Message, repeated bool) standing {
	var s standing
	taken := takenIn(messages)
	s.Conversation = taken
	var cleared, accepted, rejected, invalidated bool
	for _, m := range inOrder(messages) {
		n := m.Said
		if n.MRN != "" && (taken == "" || m.ConversationID == taken) {
			s.MRN = n.MRN
		}
		switch {
		case n.FunctionCode == "10" || n.FunctionCode == "03" && withdraws(n):
			invalidated = true
		case m.Purpose == toCancel:
			s.answerCancellation(n)
		case n.FunctionCode == "01":
			accepted, s.Accepted = true, n.IssuedAt
		case n.FunctionCode == "09":
			cleared, s.ClearedAt = true, n.IssuedAt
		case n.FunctionCode == "03" && repeated && isReuse(n):
		case n.FunctionCode == "03" && (taken == "" || m.ConversationID == taken):
			rejected, s.Rejection = true, n.Errors
		case n.FunctionCode == "13" && n.TaxKind() >= s.TaxKind:
			s.TaxKind, s.Taxes = n.TaxKind(), n.Taxes
		}
	}
	switch {
	case invalidated:
		s.State = lifecycle.Cancelled
	case cleared:
		s.State = Cleared
	case rejected:
		s.State = lifecycle.Rejected
	case accepted:
		s.State = lifecycle.Accepted
	}
	return s
}

// inOrder sorts messages by the instant that customs gave them, so that the set
// alone decides and not the order of arrival.
func inOrder(messages []Message) []Message {
	sorted := slices.Clone(messages)
	slices.SortStableFunc(sorted, func(a, b Message) int {
		if c := a.Said.IssuedAt.Time.Compare(b.Said.IssuedAt.Time); c != 0 {
			return c
		}
		return strings.Compare(a.MessageID, b.MessageID)
	})
	return sorted
}

// takenIn finds the conversation in which customs took the declaration: the one
// that says anything but that it cannot take it. A second conversation with the
// same LRN is only ever told so, and that must not stain the first.
func takenIn(messages []Message) string {
	for _, m := range inOrder(messages) {
		if m.Purpose == toSubmit && !(m.Said.FunctionCode == "03" && isReuse(m.Said)) {
			return m.ConversationID
		}
	}
	return ""
}

func isReuse(n notification.Notification) bool {
	return slices.ContainsFunc(n.Errors, func(e notification.Error) bool { return e.Code == reused })
}

// withdraws tells a rejection that ends a declaration from one that finds fault
// with it: it has no error, or its sole one says that the goods never came.
func withdraws(n notification.Notification) bool {
	return len(n.Errors) == 0 || len(n.Errors) == 1 && n.Errors[0].Code == expired
}

func (s *standing) answerCancellation(n notification.Notification) {
	switch {
	case n.FunctionCode == "11" && n.StatusCode() != "":
		s.Cancelling = n.StatusCode()
	case n.FunctionCode == "03":
		s.Cancelling = denied
	}
}

// Answers to a request to cancel.
const (
	granted = "39"
	denied  = "41"
)

// totals sum the taxes that were assessed: A-types are duty, B-types VAT.
func (s *standing) totals() (duty, vat quantity.Money) {
	for _, t := range s.Taxes {
		switch {
		case t.Assessed.Value == nil || t.Type == "":
		case t.Type[0] == 'A':
			duty = duty.Add(*t.Assessed.Value)
		case t.Type[0] == 'B':
			vat = vat.Add(*t.Assessed.Value)
		}
	}
	return duty, vat
}

// basis names where the totals come from.
var basis = map[notification.TaxKind]string{
	notification.Unstated: "indicative", notification.Indicative: "indicative",
	notification.Provisional: "provisional", notification.Final: "final",
}
