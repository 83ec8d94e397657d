package customs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Error codes of CDS with a meaning for the state of a declaration.
const (
	codeExpired      = "CDS12046" // the sole error of a pre-lodged declaration whose goods never arrived
	codeDuplicateLRN = "CDS12003"
)

// decision is the combined result of the messages about one LRN.
type decision struct {
	State        lifecycle.State // empty if the messages decide none
	MRN          string
	Rejection    []notification.Error
	Taxes        []notification.Tax
	TaxKind      notification.TaxKind
	Cancelling   string // cancellationGranted or cancellationDenied; empty while open
	Accepted     notification.Instant
	ClearedAt    notification.Instant
	Conversation string // in which CDS handled the declaration

	taxVersion  int      // of the declaration that Taxes are for; 0 if the message does not say
	amendedFrom int      // version before the last granted amendment; 0 if no message says so
	untaxed     []string // conversations of amendments that were granted after Taxes
}

// reduceMessages combines the messages about one LRN and about the requests to cancel it. The order of arrival does not
// matter. If the document may have been sent twice, a rejection as a duplicate only proves that CDS has it.
func reduceMessages(messages []Message, repeated bool) decision {
	var d decision
	d.Conversation = handledIn(messages)
	var cleared, accepted, rejected, invalidated bool
	for _, m := range inSequence(messages) {
		n := m.Notification
		handled := d.Conversation == "" || m.ConversationID == d.Conversation
		if n.MRN != "" && handled {
			d.MRN = n.MRN
		}
		switch code := n.FunctionCode; {
		case code == notification.DMSINV || code == notification.DMSREJ && isInvalidation(n) && (m.Purpose == toSubmit || m.Purpose == toCancel):
			invalidated = true
		case m.Purpose == toCancel:
			d.answerCancellation(n)
		case m.Purpose == toAmend && isGrant(&n):
			d.amend(&m)
		case m.Purpose != toSubmit && isAnswer(code):
		case code == notification.DMSACC:
			accepted, d.Accepted = true, n.IssuedAt
		case code == notification.DMSCLE:
			cleared, d.ClearedAt = true, n.IssuedAt
		case code == notification.DMSREJ && repeated && isDuplicate(n):
		case code == notification.DMSREJ && handled:
			rejected, d.Rejection = true, n.Errors
		case code == notification.DMSTAX:
			d.tax(&n)
		}
	}
	switch {
	case invalidated:
		d.State = lifecycle.Cancelled
	case cleared:
		d.State = Cleared
	case rejected:
		d.State = lifecycle.Rejected
	case accepted:
		d.State = lifecycle.Accepted
	}
	return d
}

// amend notes that the taxes are those of the declaration before an amendment.
func (d *decision) amend(m *Message) {
	d.untaxed = append(d.untaxed, m.ConversationID)
	d.amendedFrom = max(versionOf(&m.Notification), d.taxVersion)
}

// tax takes over assessed taxes: those of a later version of the declaration, or of a later kind. After an amendment, the taxes of
// the version before say nothing about the new one.
func (d *decision) tax(n *notification.Notification) {
	version := versionOf(n)
	former := len(d.untaxed) > 0 && version > 0 && version <= d.amendedFrom
	switch {
	case version > 0 && version < d.taxVersion:
		return
	case version == d.taxVersion || version == 0 || d.taxVersion == 0:
		if (former || len(d.untaxed) == 0) && n.TaxKind() < d.TaxKind {
			return
		}
	}
	if !former {
		d.untaxed = nil
	}
	d.taxVersion, d.TaxKind, d.Taxes = max(version, d.taxVersion), n.TaxKind(), n.Taxes
}

// versionOf returns the version of the declaration that a message is about; 0 if it does not say.
func versionOf(n *notification.Notification) int {
	v, err := strconv.Atoi(n.VersionID)
	if err != nil {
		return 0
	}
	return max(v, 0)
}

// hasTaxes reports whether the assessed taxes are those of the declaration as it is now.
func (d *decision) hasTaxes(ts []Transmission) bool {
	outdated := func(conversation string) bool {
		at := slices.IndexFunc(ts, func(t Transmission) bool { return t.Purpose == toAmend && t.ConversationID == conversation })
		return at >= 0 && ts[at].Detail.Amendment != nil && ts[at].Detail.Amendment.ChangesTax
	}
	return d.Taxes != nil && !slices.ContainsFunc(d.untaxed, outdated)
}

// byIssue sorts messages by CDS's time of issue, so that the result does not depend on the order of arrival.
func byIssue(messages []Message) []Message {
	sorted := slices.Clone(messages)
	sorting.Stable(sorted, func(a, b Message) int {
		if c := a.Notification.IssuedAt.Time.Compare(b.Notification.IssuedAt.Time); c != 0 {
			return c
		}
		return strings.Compare(a.MessageID, b.MessageID)
	})
	return sorted
}

// handledIn returns the conversation in which CDS handled the declaration. A second conversation with the same LRN is
// only rejected as a duplicate, which must not affect the first one.
func handledIn(messages []Message) string {
	for _, m := range byIssue(messages) {
		if m.Purpose == toSubmit && !(m.Notification.FunctionCode == notification.DMSREJ && isDuplicate(m.Notification)) {
			return m.ConversationID
		}
	}
	return ""
}

func isDuplicate(n notification.Notification) bool {
	return slices.ContainsFunc(n.Errors, func(e notification.Error) bool { return e.Code == codeDuplicateLRN })
}

// isInvalidation reports whether a DMSREJ ends a declaration instead of reporting errors in it: it has no error, or its
// sole error is that the goods never arrived.
func isInvalidation(n notification.Notification) bool {
	return len(n.Errors) == 0 || len(n.Errors) == 1 && n.Errors[0].Code == codeExpired
}

func (d *decision) answerCancellation(n notification.Notification) {
	switch {
	case n.FunctionCode == notification.DMSREQ && n.StatusCode() != "":
		d.Cancelling = n.StatusCode()
	case n.FunctionCode == notification.DMSREJ:
		d.Cancelling = cancellationDenied
	}
}

// Status codes of a DMSREQ, the answer to a cancellation request.
const (
	cancellationGranted = "39"
	cancellationDenied  = "41"
)

// totals returns the sums of the assessed taxes: types that begin with A are duty, those with B are VAT.
func (d *decision) totals() (duty, vat quantity.Money) {
	for _, t := range d.Taxes {
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

// otherTaxes returns the sum of the assessed taxes that are neither duty nor VAT.
func (d *decision) otherTaxes() (sum quantity.Money) {
	for _, t := range d.Taxes {
		if t.Assessed.Value != nil && t.Type != "" && t.Type[0] != 'A' && t.Type[0] != 'B' {
			sum = sum.Add(*t.Assessed.Value)
		}
	}
	return sum
}

// dutyBases are the values of dutyBasis.
var dutyBases = map[notification.TaxKind]string{
	notification.Unstated: "indicative", notification.Indicative: "indicative",
	notification.Provisional: "provisional", notification.Final: "final",
}
