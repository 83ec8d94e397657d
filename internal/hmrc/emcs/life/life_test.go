package life_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
)

var (
	start    = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	now      = start.AddDate(0, 0, 20)
	dispatch = "2026-11-21"
)

func at(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }

func accepted(hours, sequence int) emcs.Message {
	return emcstest.Acceptance(at(hours), sequence, dispatch)
}

func receipt(hours, sequence int, conclusion string) emcs.Message {
	return emcstest.Stamped(emcstest.Receipt(emcs.V323, at(hours), conclusion), at(hours), "DateAndTimeOfValidationOfReportOfReceiptExport", sequence)
}

func alert(hours, sequence int, flag string) emcs.Message {
	return emcstest.Stamped(emcstest.Alert(emcs.V323, at(hours), flag), at(hours), "DateAndTimeOfValidationOfAlertRejection", sequence)
}

func change(hours, sequence int) emcs.Message {
	return emcstest.Stamped(emcstest.Change(emcs.V323, at(hours)), at(hours), "DateAndTimeOfValidationOfChangeOfDestination", sequence)
}

func delay(hours int) emcs.Message { return delayOf(hours, "1") }

func delayOf(hours int, role string) emcs.Message {
	m := emcstest.Stamped(emcstest.Delay(emcs.V323, at(hours)), at(hours), "DateAndTimeOfValidationOfExplanationOnDelay", 1)
	emcstest.Edit(m.Body, "Attributes/MessageRole="+role)
	return m
}

func shortage(hours int) emcs.Message {
	return emcstest.Stamped(emcstest.Shortage(emcs.V323, at(hours)), at(hours), "DateAndTimeOfValidationOfExplanationOnShortage", 1)
}

// story is a set of messages and what they make of a movement.
type story struct {
	name     string
	messages []emcs.Message
	state    life.State
	stage    life.Stage
	sequence int
	open     int
}

var stories = []story{
	{"nothing", nil, "", "", 0, 0},
	{"accepted", []emcs.Message{accepted(0, 1)}, life.InTransit, life.StageAccepted, 1, 0},
	{"refused draft", []emcs.Message{emcstest.Refusal(at(0), emcstest.LRN, "4402", "")}, life.Rejected, "", 0, 0},
	{"refused draft that was accepted", []emcs.Message{accepted(0, 1), emcstest.Refusal(at(1), emcstest.LRN, "4402", "")}, life.InTransit, life.StageAccepted, 1, 0},
	{"refused message of a movement", []emcs.Message{emcstest.Refusal(at(1), emcstest.ARC, "4498", "")}, "", "", 0, 0},
	{"cancelled", []emcs.Message{accepted(0, 1), emcstest.Cancellation(emcs.V323, at(1))}, life.Cancelled, life.StageCancelled, 1, 0},
	{"delivered", []emcs.Message{accepted(0, 1), receipt(30, 1, "1")}, life.Delivered, life.StageDelivered, 1, 0},
	{"receipt alone", []emcs.Message{receipt(30, 1, "1")}, life.Delivered, life.StageDelivered, 0, 0},
	{"delivered with a shortage", []emcs.Message{accepted(0, 1), receipt(30, 1, "2")}, life.Delivered, life.StageDelivered, 1, 1},
	{"shortage explained", []emcs.Message{accepted(0, 1), receipt(30, 1, "2"), shortage(50)}, life.Delivered, life.StageDelivered, 1, 0},
	{"refused by the consignee", []emcs.Message{accepted(0, 1), receipt(30, 1, "3")}, life.InTransit, life.StageRefused, 1, 1},
	{"partly refused", []emcs.Message{accepted(0, 1), receipt(30, 1, "4"), shortage(31)}, life.InTransit, life.StagePartiallyRefused, 1, 0},
	{"refused, then changed", []emcs.Message{accepted(0, 1), receipt(30, 1, "3"), change(40, 2), accepted(41, 2), shortage(42)}, life.InTransit, life.StageAccepted, 2, 0},
	{"refused, then changed, then delivered", []emcs.Message{accepted(0, 1), receipt(30, 1, "3"), change(40, 2), accepted(41, 2), receipt(70, 2, "1")},
		life.Delivered, life.StageDelivered, 2, 0},
	{"changed, the new IE801 still missing", []emcs.Message{accepted(0, 1), receipt(30, 1, "3"), change(40, 2), shortage(42)}, life.InTransit, life.StageAccepted, 1, 0},
	{"alert", []emcs.Message{accepted(0, 1), alert(5, 1, "0")}, life.InTransit, life.StageAccepted, 1, 0},
	{"rejected before arrival", []emcs.Message{accepted(0, 1), alert(5, 1, "1")}, life.InTransit, life.StageRejected, 1, 0},
	{"rejected, then changed", []emcs.Message{accepted(0, 1), alert(5, 1, "1"), change(6, 2), accepted(7, 2)}, life.InTransit, life.StageAccepted, 2, 0},
	{"diverted to another", []emcs.Message{accepted(0, 1), emcstest.Diversion(at(9), 1)}, life.InTransit, life.StageDiverted, 1, 0},
	{"diverted, as its consignor sees it", []emcs.Message{accepted(0, 1), change(8, 2), emcstest.Diversion(at(9), 1), accepted(9, 2)}, life.InTransit, life.StageAccepted, 2, 0},
	{"diverted, with the new number in the notification", []emcs.Message{accepted(0, 1), change(8, 2), emcstest.Diversion(at(9), 2), accepted(9, 2)}, life.InTransit, life.StageAccepted, 2, 0},
	{"late receipt", []emcs.Message{accepted(0, 1), emcstest.Reminder(at(90), "2", 1)}, life.InTransit, life.StageAccepted, 1, 1},
	{"late receipt explained", []emcs.Message{accepted(0, 1), emcstest.Reminder(at(90), "2", 1), delay(95)}, life.InTransit, life.StageAccepted, 1, 0},
	{"late receipt, another delay explained", []emcs.Message{accepted(0, 1), emcstest.Reminder(at(90), "2", 1), delayOf(95, "2")}, life.InTransit, life.StageAccepted, 1, 1},
	{"late receipt given", []emcs.Message{accepted(0, 1), emcstest.Reminder(at(90), "2", 1), receipt(99, 1, "1")}, life.Delivered, life.StageDelivered, 1, 0},
	{"stopped", []emcs.Message{accepted(0, 1), emcstest.Interruption(at(9))}, life.InTransit, life.StageStopped, 1, 0},
	{"exporting", []emcs.Message{accepted(0, 1), emcstest.Customs(at(9), true)}, life.InTransit, life.StageExporting, 1, 0},
	{"export rejected", []emcs.Message{accepted(0, 1), emcstest.Customs(at(9), true), emcstest.Customs(at(10), false)}, life.InTransit, life.StageRejected, 1, 0},
	{"export rejected, then accepted", []emcs.Message{accepted(0, 1), emcstest.Customs(at(9), false), emcstest.Customs(at(10), true)}, life.InTransit, life.StageExporting, 1, 0},
	{"exported", []emcs.Message{accepted(0, 1), emcstest.Customs(at(9), true), receipt(70, 1, "21")}, life.Delivered, life.StageDelivered, 1, 1},
	{"exit refused", []emcs.Message{accepted(0, 1), emcstest.Customs(at(9), true), receipt(70, 1, "23"), shortage(71)}, life.InTransit, life.StageRejected, 1, 0},
	{"closed by hand", []emcs.Message{accepted(0, 1), emcstest.Closure(at(99), "1")}, life.Delivered, life.StageManuallyClosed, 1, 0},
	{"not closed by hand", []emcs.Message{accepted(0, 1), emcstest.Closure(at(99), "0")}, life.InTransit, life.StageAccepted, 1, 0},
}

// Each story ends in its state and stage.
func TestStories(t *testing.T) {
	for _, s := range stories {
		l := life.Of(life.Known{Messages: s.messages, Now: now})
		if l.State != s.state || l.Stage != s.stage || l.Sequence != s.sequence || len(l.Open) != s.open {
			t.Errorf("%s: %s %s, sequence %d, open %+v", s.name, l.State, l.Stage, l.Sequence, l.Open)
		}
	}
}

// The messages of a story in any order, with any of them repeated, make the same of it.
func TestOrderDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	for _, s := range stories {
		want := life.Of(life.Known{Messages: s.messages, Now: now})
		for messages := range permutations(s.messages) {
			if len(messages) > 0 {
				messages = slices.Insert(messages, random.IntN(len(messages)), messages[random.IntN(len(messages))])
			}
			if got := life.Of(life.Known{Messages: messages, Now: now}); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %+v, not %+v", s.name, got, want)
			}
		}
	}
}

// permutations yields all orders of the messages, each as a list of its own.
func permutations(messages []emcs.Message) func(func([]emcs.Message) bool) {
	return func(yield func([]emcs.Message) bool) {
		order := slices.Clone(messages)
		var place func(int) bool
		place = func(n int) bool {
			if n == len(order) {
				return yield(slices.Clone(order))
			}
			for i := n; i < len(order); i++ {
				order[n], order[i] = order[i], order[n]
				more := place(n + 1)
				order[n], order[i] = order[i], order[n]
				if !more {
					return false
				}
			}
			return true
		}
		place(0)
	}
}

// All messages of all stories together, shuffled, also have one outcome.
func TestManyMessages(t *testing.T) {
	var all []emcs.Message
	for _, s := range stories {
		all = append(all, s.messages...)
	}
	want := life.Of(life.Known{Messages: all, Now: now})
	random := rand.New(rand.NewPCG(3, 4)) // #nosec G404 -- a test
	for range 50 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if got := life.Of(life.Known{Messages: all, Now: now}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, not %+v", got, want)
		}
	}
}

// A movement is accepted until its date of dispatch, by London's day.
func TestDispatch(t *testing.T) {
	for clock, want := range map[string]life.State{
		"2026-11-20T23:59:59Z": life.Accepted, "2026-11-21T00:00:00Z": life.InTransit,
	} {
		moment, err := time.Parse(time.RFC3339, clock)
		if err != nil {
			t.Fatal(err)
		}
		if l := life.Of(life.Known{Messages: []emcs.Message{accepted(0, 1)}, Now: moment}); l.State != want {
			t.Errorf("%s: %s", clock, l.State)
		}
	}
}

// A refusal without an LRN is about the draft if it names the draft's message.
func TestRefusalByIdentifier(t *testing.T) {
	refusal := emcstest.Refusal(at(1), emcstest.ARC, "4402", "")
	refusal.Header.Correlation = "TW-1"
	for draft, want := range map[string]life.State{"TW-1": life.Rejected, "TW-2": "", "": ""} {
		if l := life.Of(life.Known{Messages: []emcs.Message{refusal}, DraftID: draft, Now: now}); l.State != want {
			t.Errorf("%q: %s", draft, l.State)
		}
	}
}

// What the messages report is there in full: references, destination, receipts with items, reasons and errors with our fields.
func TestReports(t *testing.T) {
	refusal := emcstest.Refusal(at(33), emcstest.ARC, "4498", "/urn:IE818[1]/urn:Body[1]/urn:AcceptedOrRejectedReportOfReceiptExport[1]/urn:BodyReportOfReceiptExport[2]")
	l := life.Of(life.Known{Now: now, Messages: []emcs.Message{accepted(0, 1), receipt(30, 1, "4"), alert(5, 1, "1"), emcstest.Reminder(at(20), "2", 1), refusal}})
	if l.ARC != emcstest.ARC || l.LRN != emcstest.LRN || l.DispatchOn != dispatch || l.ValidatedAt != "2026-11-20T09:00:00" ||
		l.Destination != (life.Destination{Type: "1", ConsigneeID: emcstest.Consignee, ConsigneeName: "Thames Bond Warehousing Ltd", PlaceID: "GB00240176601"}) {
		t.Errorf("%+v", l)
	}
	want := life.Receipt{Sequence: 1, ArrivedOn: "2026-11-21", Conclusion: "4", Items: []life.ReceivedItem{{Item: 1, Indicator: "S", Quantity: "12.5", Refused: "100", Reasons: []string{"2"}}}}
	if len(l.Receipts) != 1 || !reflect.DeepEqual(l.Receipts[0], want) {
		t.Errorf("%+v", l.Receipts)
	}
	if len(l.Alerts) != 1 || !l.Alerts[0].Rejected || !slices.Equal(l.Alerts[0].Reasons, []string{"1"}) {
		t.Errorf("%+v", l.Alerts)
	}
	if len(l.Refusals) != 1 || l.Refusals[0].Number != "4498" || l.Refusals[0].Field != "message.acceptedOrRejectedReportOfReceiptExport.bodyReportOfReceiptExport[1]" {
		t.Errorf("%+v", l.Refusals)
	}
	if len(l.Open) != 1 || l.Open[0] != (life.Open{Kind: life.OpenShortage, Item: 1}) {
		t.Errorf("%+v", l.Open)
	}
}
