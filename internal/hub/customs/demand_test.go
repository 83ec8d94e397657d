package customs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func limit(day int) func(*notification.Notification) {
	return func(n *notification.Notification) {
		n.Information = append(n.Information, notification.Information{Text: "More", LimitAt: notification.Instant{Time: testTime.AddDate(0, 0, day)}})
	}
}

func short(amount string) func(*notification.Notification) {
	return func(n *notification.Notification) {
		m := quantity.MustMoney(amount)
		n.Bank = notification.Bank{BIC: "TIDEGB2LXXX", IBAN: "GB33TIDE"}
		n.Payments = []notification.Payment{{Account: "1234567", Payable: notification.Amount{Value: &m, Currency: "GBP"}}}
	}
}

// names are the names of the messages that close demands.
var names = map[string]string{
	"01": "DMSACC", "03": "DMSREJ", "08": "DMSROG", "09": "DMSCLE", "10": "DMSINV", "13": "DMSTAX", "16": "DMSEOG",
}

// course makes messages from a text such as "01 13/67 06": function codes with their status, one second apart. A code
// after = is issued in the same second as the one before.
func course(text string, more map[string]func(*notification.Notification)) (all []customs.Message) {
	second := -1
	for i, field := range strings.Fields(text) {
		code, with, _ := strings.Cut(field, "/")
		code, simultaneous := strings.CutPrefix(code, "=")
		if !simultaneous {
			second++
		}
		purpose, conversation := customs.ToSubmit, "one"
		if rest, request := strings.CutPrefix(code, "r"); request {
			code, purpose, conversation = rest, customs.ToCancel, "two"
		}
		m := message(conversation, purpose, code, second)
		if with != "" {
			status(with)(&m.Notification)
		}
		if change := more[code]; change != nil {
			change(&m.Notification)
		}
		m.Notification.Name = names[code]
		m.ID, m.MessageID = fmt.Sprint("m", i), fmt.Sprint("M", i)
		all = append(all, m)
	}
	return all
}

// Stage and demands follow from the whole set of messages, in any order of arrival, as in HMRC's service guide: a demand
// holds the stage until the message that ends it.
func TestStageAndDemands(t *testing.T) {
	credible := func(n *notification.Notification) { errs("CDS13000")(n) }
	for name, c := range map[string]struct {
		course    string
		prelodged bool
		more      map[string]func(*notification.Notification)
		want      string
	}{
		"nothing":                      {want: ""},
		"registered":                   {course: "02", prelodged: true, want: "REGISTERED PRESENTATION=OPEN"},
		"registered without goods":     {course: "02", want: "REGISTERED"},
		"presented":                    {course: "02 02 01", prelodged: true, want: "ACCEPTED PRESENTATION=CLOSED:DMSACC"},
		"expired":                      {course: "02 03", prelodged: true, more: map[string]func(*notification.Notification){"03": errs("CDS12046")}, want: "EXPIRED PRESENTATION=CLOSED:DMSREJ"},
		"accepted":                     {course: "01", want: "ACCEPTED"},
		"doubted":                      {course: "01", more: map[string]func(*notification.Notification){"01": credible}, want: "ACCEPTED CREDIBILITY=OPEN"},
		"doubted and cleared":          {course: "01 09", more: map[string]func(*notification.Notification){"01": credible}, want: "CLEARED CREDIBILITY=CLOSED:DMSCLE"},
		"taxed":                        {course: "01 13/67", want: "TAXED"},
		"cleared":                      {course: "01 13/67 13/4 09", want: "CLEARED"},
		"cleared in one second":        {course: "01 =13/67 =13/4 =09", want: "CLEARED"},
		"exited":                       {course: "01 09 16", want: "EXITED"},
		"controlled":                   {course: "01 05 13/67", want: "CONTROLLED PHYSICAL_CONTROL=OPEN"},
		"controlled and documents":     {course: "01 05 06", want: "DOCUMENTS_REQUIRED PHYSICAL_CONTROL=OPEN DOCUMENTS=OPEN"},
		"released":                     {course: "01 05 06 08", want: "RELEASED PHYSICAL_CONTROL=CLOSED:DMSROG DOCUMENTS=CLOSED:DMSROG"},
		"documents after clearance":    {course: "01 09 06", want: "DOCUMENTS_REQUIRED DOCUMENTS=OPEN"},
		"queried":                      {course: "01 51", want: "QUERIED QUERY=OPEN"},
		"detained":                     {course: "01 52", want: "DETAINED SEIZURE=OPEN"},
		"detained, then withdrawn":     {course: "01 52 10", want: "WITHDRAWN SEIZURE=CLOSED:DMSINV"},
		"corrected":                    {course: "01 07", want: "CORRECTED CORRECTION=OPEN"},
		"corrected, then cleared":      {course: "01 07 13/4 09", want: "CLEARED CORRECTION=OPEN"},
		"short of money":               {course: "01 13/67 14", more: map[string]func(*notification.Notification){"14": short("12.50")}, want: "PAYMENT_SHORT PAYMENT=OPEN"},
		"reminded":                     {course: "01 14 15", want: "PAYMENT_SHORT PAYMENT=OPEN"},
		"paid":                         {course: "01 14 15 13/4", want: "TAXED PAYMENT=CLOSED:DMSTAX"},
		"indicative tax pays nothing":  {course: "01 14 13/67", want: "PAYMENT_SHORT PAYMENT=OPEN"},
		"exit unproven":                {course: "01 09 18", want: "EXIT_UNPROVEN EXIT_EVIDENCE=OPEN"},
		"exit proven":                  {course: "01 09 18 16", want: "EXITED EXIT_EVIDENCE=CLOSED:DMSEOG"},
		"handled manually":             {course: "01 17", want: "HANDLED_MANUALLY"},
		"rejected":                     {course: "03", more: map[string]func(*notification.Notification){"03": errs("CDS10001")}, want: "REJECTED"},
		"answers to a request":         {course: "01 09 r02 r11/41", want: "CLEARED"},
		"a refused request":            {course: "01 r03", more: map[string]func(*notification.Notification){"03": errs("CDS12015")}, want: "ACCEPTED"},
		"withdrawn before acceptance":  {course: "02 r11/39 03", prelodged: true, want: "WITHDRAWN PRESENTATION=CLOSED:DMSREJ"},
		"codes that are in no list":    {course: "01 04 99", want: "ACCEPTED"},
		"two requests for documents":   {course: "01 06 06", want: "DOCUMENTS_REQUIRED DOCUMENTS=OPEN DOCUMENTS=OPEN"},
		"tax after release is no step": {course: "01 08 13/4", want: "RELEASED"},
	} {
		t.Run(name, func(t *testing.T) {
			all := course(c.course, c.more)
			for range 5 {
				stage, demands := customs.Progress(all, c.prelodged, nil, nil)
				got := stage
				for _, d := range demands {
					got += " " + d.Kind + "=" + d.Status
					if d.ClosedBy != nil {
						got += ":" + *d.ClosedBy
					}
				}
				if got != c.want {
					t.Fatalf("got %q, want %q", got, c.want)
				}
				rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			}
		})
	}
}

// The day of a demand is customs' own. Without one it follows from the law or a setting; otherwise there is none, and the
// text says so.
func TestDemandsAreDue(t *testing.T) {
	days, err := customs.ParseDemandDays("PAYMENT=5, QUERY=10")
	if err != nil {
		t.Fatal(err)
	}
	due := func(text string, prelodged bool, more map[string]func(*notification.Notification)) string {
		_, demands := customs.Progress(course(text, more), prelodged, nil, days)
		d := demands[len(demands)-1]
		if d.DueAt == nil {
			return "none " + d.Text
		}
		return *d.DueAt + " " + *d.DueSource
	}
	for _, c := range []struct{ got, want string }{
		{due("06", false, map[string]func(*notification.Notification){"06": limit(20)}), "2026-12-11T09:00:00.000Z message"},
		{due("51", false, map[string]func(*notification.Notification){"51": limit(3)}), "2026-11-24T09:00:00.000Z message"},
		{due("51", false, nil), "2026-12-01T09:00:00.000Z setting"},
		{due("14", false, nil), "2026-11-26T09:00:00.000Z setting"},
		{due("02", true, nil), "2026-12-21T09:00:00.000Z rule"},
		{due("05", false, nil), "none Customs will examine the goods. Make them available at their location. Customs gave no deadline."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	for _, wrong := range []string{"PAYMENT", "PAYMENT=0", "PAYMENT=366", "PAYMENT=soon", "MONEY=5", "=5"} {
		if _, err := customs.ParseDemandDays(wrong); err == nil {
			t.Errorf("%s was accepted", wrong)
		}
	}
}

// A payment has its amount and accounts, and a later message changes nothing that a user closed or answered.
func TestDemandsKeepWhatUsersDid(t *testing.T) {
	_, demands := customs.Progress(course("01 51 07 06 14", map[string]func(*notification.Notification){"14": short("12.50")}), false, nil, nil)
	if p := demands[3].Payment; p == nil || p.Amount != "12.50 GBP" || p.Account != "1234567" || p.IBAN != "GB33TIDE" || p.BIC != "TIDEGB2LXXX" {
		t.Fatalf("payment %+v", p)
	}
	at, by := testTime.Format(time.RFC3339), "user-7"
	for i := range demands {
		demands[i].Status, demands[i].ClosedAt, demands[i].ClosedBy = customs.DemandClosed, &at, &by
	}
	demands[2].Status, demands[2].ClosedAt, demands[2].ClosedBy, demands[2].AnsweredAt = customs.DemandAnswered, nil, nil, &at
	_, now := customs.Progress(course("01 51 07 06 14 15", nil), false, demands, nil)
	got := ""
	for _, d := range now {
		got += d.Kind + "=" + d.Status + " "
	}
	if want := "QUERY=CLOSED CORRECTION=CLOSED DOCUMENTS=ANSWERED PAYMENT=OPEN "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
