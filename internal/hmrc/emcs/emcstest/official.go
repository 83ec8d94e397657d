package emcstest

import (
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Official returns a message that HMRC sends, validated or issued at a time.
func Official(kind emcs.Kind, at time.Time, body *emcs.Element) emcs.Message {
	return emcs.Message{Kind: kind, Version: emcs.V323, Header: emcs.NewHeader("GB", "GB", at, string(kind)+"-"+strconv.FormatInt(at.Unix(), 10)), Body: body}
}

// Stamped returns a trader's message as HMRC forwards it, with the time of validation at a path and the sequence number of its destination.
func Stamped(m emcs.Message, at time.Time, path string, sequence int) emcs.Message {
	m.Body = m.Body.Clone()
	m.Header.Identifier = string(m.Kind) + "-" + strconv.FormatInt(at.Unix(), 10)
	Edit(m.Body, "Attributes/"+path+"="+stamp(at))
	if m.Kind == emcs.DestinationChange {
		Edit(m.Body, "UpdateEadEsad/SequenceNumber="+strconv.Itoa(sequence))
	} else {
		Edit(m.Body, "ExciseMovement/SequenceNumber="+strconv.Itoa(sequence))
	}
	return m
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05") }

// Acceptance returns an IE801 of the draft, dispatched on a date.
func Acceptance(at time.Time, sequence int, dispatch string) emcs.Message {
	draft := Draft(emcs.V323, at).Body
	return Official(emcs.Accepted, at, emcs.Group("EADESADContainer", draft.At("ConsigneeTrader").Clone(),
		emcs.Group("ExciseMovement", emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("DateAndTimeOfValidationOfEadEsad", stamp(at))),
		draft.At("ConsignorTrader"), draft.At("DeliveryPlaceTrader"), draft.At("CompetentAuthorityDispatchOffice"),
		emcs.Group("EadEsad", emcs.Leaf("LocalReferenceNumber", LRN), emcs.Leaf("InvoiceNumber", "INV-1"), emcs.Leaf("OriginTypeCode", "1"), emcs.Leaf("DateOfDispatch", dispatch)),
		emcs.Group("HeaderEadEsad", emcs.Leaf("SequenceNumber", strconv.Itoa(sequence)), emcs.Leaf("DateAndTimeOfUpdateValidation", stamp(at)),
			emcs.Leaf("DestinationTypeCode", "1"), emcs.Leaf("JourneyTime", "D02"), emcs.Leaf("TransportArrangement", "1")),
		draft.At("TransportMode"), draft.At("MovementGuarantee"), draft.At("BodyEadEsad"), draft.At("TransportDetails")))
}

// Refusal returns an IE704; reference is the LRN of a draft, or else the ARC.
func Refusal(at time.Time, reference, errorNumber, location string) emcs.Message {
	name := "LocalReferenceNumber"
	if reference == ARC {
		name = "AdministrativeReferenceCode"
	}
	return Official(emcs.Refusal, at, emcs.Group("GenericRefusalMessage", emcs.Group("Attributes", emcs.Leaf(name, reference)),
		emcs.Group("FunctionalError", emcs.Leaf("ErrorType", errorNumber), emcs.Leaf("ErrorReason", "Not valid"), emcs.Leaf("ErrorLocation", location))))
}

// Reminder returns an IE802.
func Reminder(at time.Time, kind string, sequence int) emcs.Message {
	return Official(emcs.Reminder, at, emcs.Group("ReminderMessageForExciseMovement",
		emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuanceOfReminder", stamp(at)), emcs.Leaf("LimitDateAndTime", stamp(at.AddDate(0, 0, 7))), emcs.Leaf("ReminderMessageType", kind)),
		emcs.Group("ExciseMovement", emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("SequenceNumber", strconv.Itoa(sequence)))))
}

// Diversion returns an IE803.
func Diversion(at time.Time, sequence int) emcs.Message {
	return Official(emcs.Diverted, at, emcs.Group("NotificationOfDivertedEADESAD", emcs.Group("ExciseNotification", emcs.Leaf("NotificationType", "1"),
		emcs.Leaf("NotificationDateAndTime", stamp(at)), emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("SequenceNumber", strconv.Itoa(sequence)))))
}

// Interruption returns an IE807.
func Interruption(at time.Time) emcs.Message {
	return Official(emcs.Interruption, at, emcs.Group("InterruptionOfMovement", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", ARC),
		emcs.Leaf("DateAndTimeOfIssuance", stamp(at)), emcs.Leaf("ReasonForInterruptionCode", "1"), emcs.Leaf("ReferenceNumberOfExciseOffice", office))))
}

// Customs returns an IE829, or the IE839 that rejects the export.
func Customs(at time.Time, accepted bool) emcs.Message {
	movement := []*emcs.Element{emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("SequenceNumber", "1")}
	if accepted {
		return Official(emcs.ExportAccepted, at, emcs.Group("NotificationOfAcceptedExport", emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuance", stamp(at))),
			emcs.Group("ExciseMovementEad", movement...)))
	}
	return Official(emcs.CustomsRejection, at, emcs.Group("RefusalByCustoms", emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuance", stamp(at))),
		emcs.Group("Rejection", emcs.Leaf("RejectionDateAndTime", stamp(at)), emcs.Leaf("RejectionReasonCode", "4")), emcs.Group("CEadVal", movement...)))
}

// Closure returns an IE881.
func Closure(at time.Time, accepted string) emcs.Message {
	return Official(emcs.ManualClosure, at, emcs.Group("ManualClosureResponse", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("SequenceNumber", "1"),
		emcs.Leaf("ManualClosureRequestReasonCode", "1"), emcs.Leaf("ManualClosureRequestAccepted", accepted))))
}
