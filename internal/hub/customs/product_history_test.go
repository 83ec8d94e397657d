package customs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// itemsOf is the body of a declaration whose items name products: code of the product and commodity code of each.
func itemsOf(pairs ...string) string {
	items := ""
	for i := 0; i < len(pairs); i += 2 {
		items += fmt.Sprintf(`,{"productCode":%q,"commodityCode":%q}`, pairs[i], pairs[i+1])
	}
	return `{"items":[` + items[min(1, len(items)):] + `]}`
}

// If the message about the acceptance comes after that about a granted amendment, the codes before the amendment are in the history
// too. Each product and code counts once for a body; an amendment that was denied, one of another LRN and one that was granted before
// count nothing.
func TestAcceptedCodesInAnyOrder(t *testing.T) {
	const accepted, granted = "2026-11-21T09:00:05.000Z", "2026-11-21T09:00:09.000Z"
	before, after := itemsOf("A", "6109100010", "A", "6109100010", "B", "0902300000", "", "9503004100"), itemsOf("A", "6109902000", "B", "0902300000")
	amend := func(conversation, lrn string) customs.Transmission {
		sent := customs.Transmission{ConversationID: conversation, Purpose: customs.ToAmend, LRN: lrn}
		sent.Detail.Amendment = &customs.AmendmentDetail{Former: []byte(before), Body: []byte(after)}
		return sent
	}
	answer := func(conversation, code string, second int) customs.Message {
		return message(conversation, customs.ToAmend, notification.DMSREQ, second, status(code))
	}
	first := [][3]string{{"A", "6109100010", accepted}, {"B", "0902300000", accepted}}
	now := [][3]string{{"A", "6109902000", accepted}, {"B", "0902300000", accepted}}
	for name, c := range map[string]struct {
		body    string
		sent    []customs.Transmission
		answers []customs.Message
		want    [][3]string
	}{
		"no amendment":      {before, nil, nil, first},
		"open amendment":    {before, []customs.Transmission{amend("two", "L1")}, nil, first},
		"granted amendment": {after, []customs.Transmission{amend("two", "L1")}, []customs.Message{answer("two", "39", 9)}, append(slices.Clone(first), [3]string{"A", "6109902000", granted})},
		"denied amendment":  {before, []customs.Transmission{amend("two", "L1")}, []customs.Message{answer("two", "41", 9)}, first},
		"another LRN":       {after, []customs.Transmission{amend("two", "L0")}, []customs.Message{answer("two", "39", 9)}, now},
		"granted before":    {after, []customs.Transmission{amend("two", "L1")}, []customs.Message{answer("two", "39", 1)}, now},
	} {
		if got, err := customs.AcceptedCodes(c.body, accepted, c.sent, c.answers, "L1"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
