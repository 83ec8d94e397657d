package emcssim

import (
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// stamp writes a date and time as EMCS does, without a time zone.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000") }

// containerOf returns the body of the first IE801 of a draft.
func containerOf(draft *emcs.Element, arc string, at time.Time) *emcs.Element {
	c := emcs.Group("EADESADContainer", emcs.Group("ExciseMovement", emcs.Leaf("AdministrativeReferenceCode", arc), emcs.Leaf("DateAndTimeOfValidationOfEadEsad", stamp(at))))
	for _, part := range draft.Clone().Children {
		switch part.Name {
		case "Attributes":
		case "EadEsadDraft":
			part.Name = "EadEsad"
			c.Add(part)
		default:
			c.Add(part)
		}
	}
	c.At("HeaderEadEsad").Add(emcs.Leaf("SequenceNumber", "1"), emcs.Leaf("DateAndTimeOfUpdateValidation", stamp(at)))
	return c
}

// changed returns the body of the IE801 after a change of destination.
func changed(container, change *emcs.Element, sequence int, at time.Time) *emcs.Element {
	c := container.Clone()
	to, update := change.At("DestinationChanged"), change.At("UpdateEadEsad")
	if consignee := to.At("NewConsigneeTrader").Clone(); consignee != nil {
		consignee.Name = "ConsigneeTrader"
		replace(c, "ConsigneeTrader", consignee)
	}
	for _, name := range []string{"DeliveryPlaceTrader", "DeliveryPlaceCustomsOffice"} {
		replace(c, name, to.At(name).Clone())
	}
	if guarantee := to.At("MovementGuarantee").Clone(); guarantee != nil {
		replace(c, "MovementGuarantee", guarantee)
	}
	set(c, to.Value("DestinationTypeCode"), "HeaderEadEsad", "DestinationTypeCode")
	set(c, strconv.Itoa(sequence), "HeaderEadEsad", "SequenceNumber")
	set(c, stamp(at), "HeaderEadEsad", "DateAndTimeOfUpdateValidation")
	set(c, update.Value("JourneyTime"), "HeaderEadEsad", "JourneyTime")
	set(c, update.Value("ChangedTransportArrangement"), "HeaderEadEsad", "TransportArrangement")
	set(c, update.Value("InvoiceNumber"), "EadEsad", "InvoiceNumber")
	set(c, update.Value("InvoiceDate"), "EadEsad", "InvoiceDate")
	changeTransport(c, change)
	return c
}

// changeTransport takes mode, arranger, transporter and units of transport over.
func changeTransport(c, change *emcs.Element) {
	if mode := change.Value("UpdateEadEsad", "TransportModeCode"); mode != "" {
		replace(c, "TransportMode", emcs.Group("TransportMode", emcs.Leaf("TransportModeCode", mode), change.At("UpdateEadEsad", "ComplementaryInformation").Clone()))
	}
	for _, pair := range [][2]string{{"NewTransportArrangerTrader", "TransportArrangerTrader"}, {"NewTransporterTrader", "FirstTransporterTrader"}} {
		if trader := change.At(pair[0]).Clone(); trader != nil {
			trader.Name = pair[1]
			replace(c, pair[1], trader)
		}
	}
	if change.At("TransportDetails") == nil {
		return
	}
	replace(c, "TransportDetails", nil)
	for unit := range change.All("TransportDetails") {
		c.Add(unit.Clone())
	}
}

// replace removes all children with a name and adds one; nil adds none.
func replace(parent *emcs.Element, name string, child *emcs.Element) {
	var kept []*emcs.Element
	for _, c := range parent.Children {
		if c.Name != name {
			kept = append(kept, c)
		}
	}
	parent.Children = kept
	parent.Add(child)
}

// set sets the text of an element below a group that is there; an empty text changes nothing.
func set(e *emcs.Element, text, group, name string) {
	parent := e.At(group)
	if text == "" || parent == nil {
		return
	}
	replace(parent, name, emcs.Leaf(name, text))
}

// stamps are the elements with the time of validation.
var stamps = map[emcs.Kind]string{
	emcs.Cancellation: "DateAndTimeOfValidationOfCancellation", emcs.DestinationChange: "DateAndTimeOfValidationOfChangeOfDestination",
	emcs.Receipt: "DateAndTimeOfValidationOfReportOfReceiptExport", emcs.Alert: "DateAndTimeOfValidationOfAlertRejection",
	emcs.Delay: "DateAndTimeOfValidationOfExplanationOnDelay", emcs.Shortage: "DateAndTimeOfValidationOfExplanationOnShortage",
}

// stamped returns the body of a trader's message with the time of validation.
func stamped(m emcs.Message, at time.Time) *emcs.Element {
	body := m.Body.Clone()
	set(body, stamp(at), "Attributes", stamps[m.Kind])
	return body
}

// notification returns the body of an IE803 about a destination that no longer holds.
func notification(arc string, sequence int, at time.Time) *emcs.Element {
	return emcs.Group("NotificationOfDivertedEADESAD", emcs.Group("ExciseNotification", emcs.Leaf("NotificationType", "1"),
		emcs.Leaf("NotificationDateAndTime", stamp(at)), emcs.Leaf("AdministrativeReferenceCode", arc), emcs.Leaf("SequenceNumber", strconv.Itoa(sequence))))
}

// functionalError returns one error of an IE704. The reasons are ours.
func functionalError(number, location string) *emcs.Element {
	return emcs.Group("FunctionalError", emcs.Leaf("ErrorType", number), emcs.Leaf("ErrorReason", reasonOf(number)), emcs.Leaf("ErrorLocation", location))
}
