package customs_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

func version(n string) func(*notification.Notification) {
	return func(m *notification.Notification) { m.VersionID = n }
}

// Taxes of the version before an amendment do not stand for the next one, whatever the order of the messages and whether they
// name versions. A later kind of the former version does not replace the new taxes.
func TestTaxesOfAmendedDeclarations(t *testing.T) {
	sent := func(changesTax bool) []customs.Transmission {
		return []customs.Transmission{{Purpose: customs.ToAmend, ConversationID: "two", Detail: customs.RequestDetail{Amendment: &customs.AmendmentDetail{ChangesTax: changesTax}}}}
	}
	issue := func(code string, second int, more ...func(*notification.Notification)) customs.Message {
		return message("one", customs.ToSubmit, code, second, more...)
	}
	granted := func(second int, more ...func(*notification.Notification)) customs.Message {
		return message("two", customs.ToAmend, notification.DMSREQ, second, append(more, status("39"))...)
	}
	first, final := issue(notification.DMSTAX, 1, status("67"), taxed("10", "20"), version("1")), issue(notification.DMSTAX, 2, status("4"), taxed("11", "21"), version("1"))
	for name, c := range map[string]struct {
		messages []customs.Message
		duty     string
		current  bool // although the amendment changes the taxes
	}{
		"granted, not taxed again":     {[]customs.Message{first, final, granted(3, version("1"))}, "11.00", false},
		"taxed again":                  {[]customs.Message{first, final, granted(3, version("1")), issue(notification.DMSTAX, 4, status("67"), taxed("30", "40"), version("2"))}, "30.00", true},
		"taxed in the same second":     {[]customs.Message{first, final, granted(3, version("1")), issue(notification.DMSTAX, 3, status("67"), taxed("30", "40"), version("2"))}, "30.00", true},
		"without versions":             {[]customs.Message{issue(notification.DMSTAX, 1, status("4"), taxed("11", "21")), granted(3), issue(notification.DMSTAX, 4, status("67"), taxed("30", "40"))}, "30.00", true},
		"the former version afterward": {[]customs.Message{first, granted(2, version("1")), issue(notification.DMSTAX, 5, status("4"), taxed("11", "21"), version("1"))}, "11.00", false},
		"denied":                       {[]customs.Message{first, final, message("two", customs.ToAmend, notification.DMSREQ, 3, status("41"))}, "11.00", true},
	} {
		for range 20 {
			rand.Shuffle(len(c.messages), func(i, j int) { c.messages[i], c.messages[j] = c.messages[j], c.messages[i] })
			d := customs.ReduceMessages(c.messages, false)
			if d.Duty.Fixed() != c.duty || customs.HasTaxes(c.messages, sent(true)) != c.current || !customs.HasTaxes(c.messages, sent(false)) {
				t.Fatalf("%s: duty %s, current %t, want %s, %t", name, d.Duty.Fixed(), customs.HasTaxes(c.messages, sent(true)), c.duty, c.current)
			}
		}
	}
}

// A rejected request leaves the declaration as it is.
func TestRejectedAmendment(t *testing.T) {
	messages := []customs.Message{
		message("one", customs.ToSubmit, notification.DMSACC, 0), message("two", customs.ToAmend, notification.DMSREJ, 1, errs("CDS12036")), message("three", customs.ToAmend, notification.DMSREJ, 2),
	}
	if d := customs.ReduceMessages(messages, false); d.State != "ACCEPTED" || d.Errors != 0 {
		t.Errorf("the declaration is %s with %d errors", d.State, d.Errors)
	}
	if stage, _ := customs.Progress(messages, false, nil, nil); stage != "ACCEPTED" {
		t.Errorf("the stage is %s", stage)
	}
}

// HMRC's sample of a correction is resolved to members of the body with customs' values. The one that repeats the amendment of the
// declarant is none.
func TestCorrections(t *testing.T) {
	const samples = "../../../../shared/customs/"
	read := func(name string) customs.Message {
		text, err := os.ReadFile(samples + "notifications/" + name)
		if err != nil {
			t.Skip("the samples are not there")
		}
		all, err := notification.Decode(text)
		if err != nil || len(all) != 1 {
			t.Fatalf("%d messages (%v)", len(all), err)
		}
		return customs.Message{Purpose: customs.ToSubmit, MessageID: all[0].MessageID, Notification: all[0]}
	}
	corrected := read("customs-declarations__3.0__Example_DMS_notifications__07_DMSRES.xml")
	all := customs.Corrections([]customs.Message{corrected}, nil)
	if len(all) != 2 || all[0].Field != "location.id" || all[0].Value != "" || all[1].Field != "location.name" || all[1].Value != "LHRLHRLHR" || all[1].ReasonCode != "16" || all[1].MessageID != corrected.MessageID {
		t.Errorf("corrections %+v", all)
	}
	if stage, demands := customs.Progress([]customs.Message{corrected}, false, nil, nil); stage != "CORRECTED" || len(demands) != 1 {
		t.Errorf("stage %s, %d demands", stage, len(demands))
	}
	repeated := read("customs-declarations__3.0__TT_IM017a__Example_Notifications__09._DMSRES.xml")
	request, err := os.ReadFile(samples + "submissions/customs-declarations__3.0__TT_IM017a__TT_IM017a_Amendment.xml")
	if err != nil {
		t.Fatal(err)
	}
	own := []customs.Transmission{{Purpose: customs.ToAmend, Body: string(request)}}
	if got := customs.Corrections([]customs.Message{repeated}, own); got != nil {
		t.Errorf("the amendment of the declarant is a correction of customs: %+v", got)
	}
	if got := customs.Corrections([]customs.Message{repeated}, nil); len(got) != 4 || got[1].Field != "goodsItemCount" || got[1].Value != "2" {
		t.Errorf("without the request: %+v", got)
	}
	before, after := wco.Declaration{TotalPackageQuantity: "1"}, wco.Declaration{TotalPackageQuantity: "2"}
	other, err := amendment.Request("A", "B", "28", "C", &before, &after)
	if err != nil {
		t.Fatal(err)
	}
	text, err := other.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got := customs.Corrections([]customs.Message{repeated}, []customs.Transmission{{Purpose: customs.ToAmend, Body: string(text)}}); len(got) != 4 {
		t.Errorf("a request for one of the changes hides the others: %+v", got)
	}
}
