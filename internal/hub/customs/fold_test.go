package customs_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var began = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// message is one of a conversation, issued some seconds after the beginning.
func message(conversation, purpose, code string, second int, more ...func(*notification.Notification)) customs.Message {
	n := notification.Notification{
		FunctionCode: code, MessageID: conversation + code + time.Duration(second).String(), MRN: "26GB" + conversation,
		IssuedAt: notification.Instant{Time: began.Add(time.Duration(second) * time.Second)},
	}
	for _, m := range more {
		m(&n)
	}
	return customs.Message{ConversationID: conversation, Purpose: purpose, MessageID: n.MessageID, Said: n}
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
		for kind, sum := range map[string]string{"A00": duty, "B00": vat} {
			m := quantity.MustMoney(sum)
			n.Taxes = append(n.Taxes, notification.Tax{Item: 1, Type: kind, Assessed: notification.Amount{Value: &m}})
		}
		n.Taxes = append(n.Taxes, notification.Tax{Item: 1, Type: "A00"})
	}
}

// The status follows the whole set of messages, never their order.
func TestFoldKnowsNoOrder(t *testing.T) {
	say := func(code string, second int, more ...func(*notification.Notification)) customs.Message {
		return message("one", customs.ToSubmit, code, second, more...)
	}
	for name, c := range map[string]struct {
		messages []customs.Message
		want     customs.Standing
		repeated bool
	}{
		"nothing": {nil, customs.Standing{Basis: "indicative"}, false},
		"arrived import": {[]customs.Message{say("01", 0), say("13", 1, status("67"), taxed("10", "20")), say("13", 2, status("4"), taxed("12", "24")), say("09", 3)},
			customs.Standing{State: "CLEARED", MRN: "26GBone", Duty: quantity.MustMoney("12"), VAT: quantity.MustMoney("24"), Basis: "final"}, false},
		"final before indicative": {[]customs.Message{say("01", 0), say("13", 5, status("67"), taxed("10", "20")), say("13", 2, status("4"), taxed("12", "24"))},
			customs.Standing{State: "ACCEPTED", MRN: "26GBone", Duty: quantity.MustMoney("12"), VAT: quantity.MustMoney("24"), Basis: "final"}, false},
		"registered":                  {[]customs.Message{say("02", 0)}, customs.Standing{MRN: "26GBone", Basis: "indicative"}, false},
		"rejected":                    {[]customs.Message{say("03", 0, errs("CDS12056", "CDS10001"))}, customs.Standing{State: "REJECTED", MRN: "26GBone", Errors: 2, Basis: "indicative"}, false},
		"withdrawn":                   {[]customs.Message{say("02", 0), say("03", 1)}, customs.Standing{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"expired":                     {[]customs.Message{say("02", 0), say("03", 1, errs("CDS12046"))}, customs.Standing{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"invalidated after clearance": {[]customs.Message{say("01", 0), say("09", 1), say("10", 2)}, customs.Standing{State: "CANCELLED", MRN: "26GBone", Basis: "indicative"}, false},
		"unknown codes":               {[]customs.Message{say("01", 0), say("12", 1), say("99", 2), say("06", 3)}, customs.Standing{State: "ACCEPTED", MRN: "26GBone", Basis: "indicative"}, false},
		"warning on acceptance":       {[]customs.Message{say("01", 0, errs("CDS13000"))}, customs.Standing{State: "ACCEPTED", MRN: "26GBone", Basis: "indicative"}, false},
		"a second conversation with one LRN": {
			[]customs.Message{say("01", 1), say("09", 3), message("two", customs.ToSubmit, "03", 0, errs("CDS12003"))},
			customs.Standing{State: "CLEARED", MRN: "26GBone", Basis: "indicative"}, false},
		"a repeat is refused first": {[]customs.Message{message("two", customs.ToSubmit, "03", 0, errs("CDS12003"))}, customs.Standing{MRN: "26GBtwo", Basis: "indicative"}, true},
		"an LRN is refused":         {[]customs.Message{message("two", customs.ToSubmit, "03", 0, errs("CDS12003"))}, customs.Standing{State: "REJECTED", MRN: "26GBtwo", Errors: 1, Basis: "indicative"}, false},
		"cancellation granted": {
			[]customs.Message{say("01", 0), message("cancel", customs.ToCancel, "11", 1, status("39")), say("10", 2)},
			customs.Standing{State: "CANCELLED", MRN: "26GBone", Cancelling: "39", Basis: "indicative"}, false},
		"cancellation denied": {
			[]customs.Message{say("01", 0), message("cancel", customs.ToCancel, "11", 1, status("41"))},
			customs.Standing{State: "ACCEPTED", MRN: "26GBone", Cancelling: "41", Basis: "indicative"}, false},
		"cancellation refused with errors": {
			[]customs.Message{say("01", 0), message("cancel", customs.ToCancel, "03", 1, errs("CDS12015"))},
			customs.Standing{State: "ACCEPTED", MRN: "26GBone", Cancelling: "41", Basis: "indicative"}, false},
	} {
		dice := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			dice.Shuffle(len(c.messages), func(i, j int) { c.messages[i], c.messages[j] = c.messages[j], c.messages[i] })
			if got := customs.Fold(c.messages, c.repeated); got != c.want {
				t.Errorf("%s: %+v, not %+v", name, got, c.want)
				break
			}
		}
	}
}
