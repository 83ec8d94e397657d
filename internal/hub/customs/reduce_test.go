package customs_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var testTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// message returns a message of a conversation, issued some seconds after testTime.
func message(conversation, purpose, code string, second int, more ...func(*notification.Notification)) customs.Message {
	n := notification.Notification{
		FunctionCode: code, MessageID: conversation + code + time.Duration(second).String(), MRN: "26GB" + conversation,
		IssuedAt: notification.Instant{Time: testTime.Add(time.Duration(second) * time.Second)},
	}
	for _, m := range more {
		m(&n)
	}
	return customs.Message{ConversationID: conversation, Purpose: purpose, MessageID: n.MessageID, Notification: n}
}

func errs(codes ...string) func(*notification.Notification) {
	return func(n *notification.Notification) {
		for _, c := range codes {
			n.Errors = append(n.Errors, notification.Error{Code: c})
		}
	}
}

func status(code string) func(*notification.Notification) {
	return func(n *notification.Notification) { n.Statuses = []notification.Status{{Code: code}} }
}

func taxed(duty, vat string) func(*notification.Notification) {
	return func(n *notification.Notification) {
		for kind, amount := range map[string]string{"A00": duty, "B00": vat} {
			m := quantity.MustMoney(amount)
			n.Taxes = append(n.Taxes, notification.Tax{Item: 1, Type: kind, Assessed: notification.Amount{Value: &m}})
		}
		n.Taxes = append(n.Taxes, notification.Tax{Item: 1, Type: "A00"})
	}
}

// The status depends on the set of messages and not on their order.
func TestReduceMessagesInAnyOrder(t *testing.T) {
	issue := func(code string, second int, more ...func(*notification.Notification)) customs.Message {
		return message("one", customs.ToSubmit, code, second, more...)
	}
	for name, c := range map[string]struct {
		messages []customs.Message
		want     customs.Decision
		repeated bool
	}{
		"no message": {nil, customs.Decision{Basis: "indicative"}, false},
		"arrived import": {[]customs.Message{issue(notification.DMSACC, 0), issue(notification.DMSTAX, 1, status("67"), taxed("10", "20")), issue(notification.DMSTAX, 2, status("4"), taxed("12", "24")), issue(notification.DMSCLE, 3)},
			customs.Decision{State: "CLEARED", MRN: "26GBone", Duty: quantity.MustMoney("12"), VAT: quantity.MustMoney("24"), Basis: "final"}, false},
		"final before indicative": {[]customs.Message{issue(notification.DMSACC, 0), issue(notification.DMSTAX, 5, status("67"), taxed("10", "20")), issue(notification.DMSTAX, 2, status("4"), taxed("12", "24"))},
			customs.Decision{State: "ACCEPTED", MRN: "26GBone", Duty: quantity.MustMoney("12"), VAT: quantity.MustMoney("24"), Basis: "final"}, false},
		"registered":                  {[]customs.Message{issue(notification.DMSRCV, 0)}, customs.Decision{MRN: "26GBone", Basis: "indicative"}, false},
		"rejected":                    {[]customs.Message{issue(notification.DMSREJ, 0, errs("CDS12056", "CDS10001"))}, customs.Decision{State: "REJECTED", MRN: "26GBone", Errors: 2, Basis: "indicative"}, false},
		"rejected without errors":     {[]customs.Message{issue(notification.DMSRCV, 0), issue(notification.DMSREJ, 1)}, customs.Decision{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"expired":                     {[]customs.Message{issue(notification.DMSRCV, 0), issue(notification.DMSREJ, 1, errs("CDS12046"))}, customs.Decision{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"invalidated after clearance": {[]customs.Message{issue(notification.DMSACC, 0), issue(notification.DMSCLE, 1), issue(notification.DMSINV, 2)}, customs.Decision{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"unknown codes":               {[]customs.Message{issue(notification.DMSACC, 0), issue("12", 1), issue("99", 2), issue("06", 3)}, customs.Decision{State: "ACCEPTED", MRN: "26GBone", Basis: "indicative"}, false},
		"warning on acceptance":       {[]customs.Message{issue(notification.DMSACC, 0, errs("CDS13000"))}, customs.Decision{State: "ACCEPTED", MRN: "26GBone", Basis: "indicative"}, false},
		"a second conversation with one LRN": {
			[]customs.Message{issue(notification.DMSACC, 1), issue(notification.DMSCLE, 3), message("two", customs.ToSubmit, notification.DMSREJ, 0, errs("CDS12003"))},
			customs.Decision{State: "CLEARED", MRN: "26GBone", Basis: "indicative"}, false},
		"a repeat is rejected first": {[]customs.Message{message("two", customs.ToSubmit, notification.DMSREJ, 0, errs("CDS12003"))}, customs.Decision{MRN: "26GBtwo", Basis: "indicative"}, true},
		"an LRN is rejected":         {[]customs.Message{message("two", customs.ToSubmit, notification.DMSREJ, 0, errs("CDS12003"))}, customs.Decision{State: "REJECTED", MRN: "26GBtwo", Errors: 1, Basis: "indicative"}, false},
		"cancellation granted": {
			[]customs.Message{issue(notification.DMSACC, 0), message("cancel", customs.ToCancel, notification.DMSREQ, 1, status("39")), issue(notification.DMSINV, 2)},
			customs.Decision{State: "CANCELLED", MRN: "26GBone", Cancelling: "39", Basis: "indicative"}, false},
		"cancellation denied": {
			[]customs.Message{issue(notification.DMSACC, 0), message("cancel", customs.ToCancel, notification.DMSREQ, 1, status("41"))},
			customs.Decision{State: "ACCEPTED", MRN: "26GBone", Cancelling: "41", Basis: "indicative"}, false},
		"cancellation refused with errors": {
			[]customs.Message{issue(notification.DMSACC, 0), message("cancel", customs.ToCancel, notification.DMSREJ, 1, errs("CDS12015"))},
			customs.Decision{State: "ACCEPTED", MRN: "26GBone", Cancelling: "41", Basis: "indicative"}, false},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			random.Shuffle(len(c.messages), func(i, j int) { c.messages[i], c.messages[j] = c.messages[j], c.messages[i] })
			if got := customs.ReduceMessages(c.messages, c.repeated); got != c.want {
				t.Errorf("%s: %+v, not %+v", name, got, c.want)
				break
			}
		}
	}
}
