package emcssim

import (
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Story is a story of HMRC's sandbox: the messages that a draft with an LRN gets at once.
type Story struct {
	Name     string
	LRN      string
	Messages []emcs.Kind
	refused  bool // the receipt refuses the goods
}

// stories are those of the sandbox, by LRN. Source: hmrc/emcs-api-testing-guide, 28 February 2025.
var stories = map[string]Story{
	"lrnie8158976912": {Name: "Draft is refused", Messages: []emcs.Kind{emcs.Refusal}},
	"lrnie8156540856": {Name: "Draft is accepted", Messages: []emcs.Kind{emcs.Accepted}},
	"lrnie8155973812": {Name: "Goods are received", Messages: []emcs.Kind{emcs.Accepted, emcs.Receipt}},
	"lrnie8151695045": {Name: "Goods are refused at receipt", Messages: []emcs.Kind{emcs.Accepted, emcs.Receipt, emcs.Shortage}, refused: true},
	"lrnie8155743934": {Name: "Movement is cancelled", Messages: []emcs.Kind{emcs.Accepted, emcs.Cancellation}},
	"lrnie8154968571": {Name: "Consignee changes", Messages: []emcs.Kind{emcs.Accepted, emcs.DestinationChange, emcs.Accepted}},
	"lrnie8153786132": {Name: "Consignee rejects before arrival", Messages: []emcs.Kind{emcs.Accepted, emcs.Alert}},
	"lrnie8155743960": {Name: "Many messages, one of them twice", Messages: []emcs.Kind{emcs.Accepted, emcs.Alert, emcs.Reminder, emcs.Receipt, emcs.Cancellation}},
	"lrnie8155755321": {Name: "Movement is interrupted", Messages: []emcs.Kind{emcs.Accepted, emcs.Interruption}},
	"lrnie8155755323": {Name: "Event in transit", Messages: []emcs.Kind{emcs.Accepted, emcs.Event, emcs.Interruption}},
	"lrnie8155755325": {Name: "Destination changes", Messages: []emcs.Kind{emcs.Accepted, emcs.Diverted}},
	"lrnie8155755326": {Name: "Goods are exported", Messages: []emcs.Kind{emcs.Accepted, emcs.ExportAccepted, emcs.Receipt}},
	"lrnie8155755327": {Name: "Goods are exported, second story", Messages: []emcs.Kind{emcs.Accepted, emcs.ExportAccepted, emcs.Receipt}},
	"lrnie8155755329": {Name: "Customs reject the export", Messages: []emcs.Kind{emcs.Accepted, emcs.CustomsRejection}},
	"lrnie8155755330": {Name: "Movement is closed by hand", Messages: []emcs.Kind{emcs.Accepted, emcs.ManualClosure, emcs.Status}},
	"lrnie8155755331": {Name: "Reminder of the receipt", Messages: []emcs.Kind{emcs.Accepted, emcs.Reminder}},
}

// twice is the story in which every message of the acceptance is sent twice.
const twice = "lrnie8155743960"

// Stories returns the stories in the order of their LRNs.
func Stories() []Story {
	var all []Story
	for _, lrn := range slices.Sorted(maps.Keys(stories)) {
		story := stories[lrn]
		story.LRN = lrn
		all = append(all, story)
	}
	return all
}

// tell sends the messages of a story, a second apart.
func (m *movement) tell(at time.Time, story Story) {
	for _, kind := range story.Messages {
		switch {
		case kind == emcs.Refusal:
			m.refuseDraft(at, "4402", m.lrnLocation())
		case kind == emcs.Accepted && m.arc == "":
			m.accept(at)
		case kind == emcs.Accepted: // sent with the change
		case kind == emcs.DestinationChange:
			m.divert(at, m.newConsignee(at))
		case kind == emcs.Diverted:
			m.send(at, m.message(at, kind, notification(m.arc, m.sequence, at)), m.consignee)
		default:
			m.send(at, m.message(at, kind, m.told(at, kind, story.refused)), m.consignor, m.consignee)
		}
		at = at.Add(time.Second)
	}
	if m.lrn == twice {
		m.deliveries = append(m.deliveries, m.deliveries[0])
	}
}

// newConsignee returns a change to another consignee with the address of the first.
func (m *movement) newConsignee(at time.Time) emcs.Message {
	consignee := m.container.At("ConsigneeTrader").Clone()
	consignee.Name = "NewConsigneeTrader"
	replace(consignee, "Traderid", emcs.Leaf("Traderid", country(m.consignee)+"WK000000206"))
	return m.message(at, emcs.DestinationChange, emcs.Group("ChangeOfDestination", emcs.Group("Attributes"),
		emcs.Group("UpdateEadEsad", emcs.Leaf("AdministrativeReferenceCode", m.arc)),
		emcs.Group("DestinationChanged", emcs.Leaf("DestinationTypeCode", m.container.Value("HeaderEadEsad", "DestinationTypeCode")), consignee, m.container.At("DeliveryPlaceTrader").Clone())))
}
