package emcssim

import (
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// told returns the body of a message of a story.
func (m *movement) told(at time.Time, kind emcs.Kind, refused bool) *emcs.Element {
	switch kind {
	case emcs.Receipt:
		return m.toldReceipt(at, refused)
	case emcs.Shortage:
		return emcs.Group("ExplanationOnReasonForShortage", emcs.Group("Attributes", emcs.Leaf("SubmitterType", "1"), emcs.Leaf(stamps[kind], stamp(at))), m.reference(),
			m.container.At("ConsignorTrader").Clone(), emcs.Group("Analysis", emcs.Leaf("DateOfAnalysis", day(at)), emcs.Words("GlobalExplanation", "Simulated explanation", "en")))
	case emcs.Cancellation:
		return emcs.Group("CancellationOfEAD", emcs.Group("Attributes", emcs.Leaf(stamps[kind], stamp(at))),
			emcs.Group("ExciseMovementEad", emcs.Leaf("AdministrativeReferenceCode", m.arc)), emcs.Group("Cancellation", emcs.Leaf("CancellationReasonCode", "1")))
	case emcs.Alert:
		return emcs.Group("AlertOrRejectionOfEADESAD", emcs.Group("Attributes", emcs.Leaf(stamps[kind], stamp(at))), m.container.At("ConsigneeTrader").Clone(), m.reference(),
			emcs.Group("DestinationOffice", emcs.Leaf("ReferenceNumber", m.office())),
			emcs.Group("AlertOrRejection", emcs.Leaf("DateOfAlertOrRejection", day(at)), emcs.Leaf("EadEsadRejectedFlag", "1")),
			emcs.Group("AlertOrRejectionOfEadEsadReason", emcs.Leaf("AlertOrRejectionOfMovementReasonCode", "1")))
	case emcs.Reminder:
		return emcs.Group("ReminderMessageForExciseMovement",
			emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuanceOfReminder", stamp(at)), emcs.Leaf("LimitDateAndTime", stamp(at.AddDate(0, 0, 7))), emcs.Leaf("ReminderMessageType", "2")),
			m.reference())
	case emcs.Interruption:
		return emcs.Group("InterruptionOfMovement", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", m.arc), emcs.Leaf("DateAndTimeOfIssuance", stamp(at)),
			emcs.Leaf("ReasonForInterruptionCode", "1"), emcs.Leaf("ReferenceNumberOfExciseOffice", m.office())))
	case emcs.Event:
		return m.toldEvent(at)
	}
	return m.toldOfficially(at, kind)
}

// toldOfficially returns the body of a message of customs, or about a closure by hand.
func (m *movement) toldOfficially(at time.Time, kind emcs.Kind) *emcs.Element {
	switch kind {
	case emcs.ExportAccepted:
		return m.toldExport(at)
	case emcs.CustomsRejection:
		return emcs.Group("RefusalByCustoms", emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuance", stamp(at))), m.container.At("ConsigneeTrader").Clone(),
			emcs.Group("Rejection", emcs.Leaf("RejectionDateAndTime", stamp(at)), emcs.Leaf("RejectionReasonCode", "4")), m.referenceAs("CEadVal"))
	case emcs.ManualClosure:
		return emcs.Group("ManualClosureResponse", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", m.arc), emcs.Leaf("SequenceNumber", strconv.Itoa(m.sequence)),
			emcs.Leaf("ManualClosureRequestReasonCode", "1"), emcs.Leaf("ManualClosureRequestAccepted", "1")))
	}
	return emcs.Group("StatusResponse", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", m.arc), emcs.Leaf("SequenceNumber", strconv.Itoa(m.sequence)),
		emcs.Leaf("Status", "X07"), emcs.Leaf("LastReceivedMessageType", "IE881")))
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// office returns an office of the movement that reports may come from.
func (m *movement) office() string {
	return m.container.Value("CompetentAuthorityDispatchOffice", "ReferenceNumber")
}

func (m *movement) reference() *emcs.Element { return m.referenceAs("ExciseMovement") }

func (m *movement) referenceAs(name string) *emcs.Element {
	return emcs.Group(name, emcs.Leaf("AdministrativeReferenceCode", m.arc), emcs.Leaf("SequenceNumber", strconv.Itoa(m.sequence)))
}

// toldReceipt returns a receipt of everything, or one that refuses the first item for damage.
func (m *movement) toldReceipt(at time.Time, refused bool) *emcs.Element {
	conclusion := "1"
	if refused {
		conclusion = "3"
	}
	body := emcs.Group("AcceptedOrRejectedReportOfReceiptExport", emcs.Group("Attributes", emcs.Leaf(stamps[emcs.Receipt], stamp(at))), m.container.At("ConsigneeTrader").Clone(),
		m.reference(), m.container.At("DeliveryPlaceTrader").Clone(), emcs.Group("DestinationOffice", emcs.Leaf("ReferenceNumber", m.office())),
		emcs.Group("ReportOfReceiptExport", emcs.Leaf("DateOfArrivalOfExciseProducts", day(at)), emcs.Leaf("GlobalConclusionOfReceipt", conclusion)))
	if refused {
		body.Add(emcs.Group("BodyReportOfReceiptExport", emcs.Leaf("BodyRecordUniqueReference", "1"), emcs.Leaf("ExciseProductCode", m.container.Value("BodyEadEsad", "ExciseProductCode")),
			emcs.Group("UnsatisfactoryReason", emcs.Leaf("UnsatisfactoryReasonCode", "3"))))
	}
	return body
}

// toldEvent returns a report of an accident.
func (m *movement) toldEvent(at time.Time) *emcs.Element {
	report := country(m.consignor) + randomFor(at, "event", m.id).Text("0123456789", 14)
	return emcs.Group("EventReportEnvelope", emcs.Group("Attributes", emcs.Leaf("EventReportMessageType", "1"), emcs.Leaf("DateAndTimeOfValidationOfEventReport", stamp(at))),
		emcs.Group("HeaderEventReport", emcs.Leaf("EventReportNumber", report), emcs.Leaf("ReferenceNumberOfExciseOffice", m.office()), emcs.Leaf("MemberStateOfEvent", country(m.consignor))),
		m.reference(),
		emcs.Group("EventReport", emcs.Leaf("DateOfEvent", day(at)), emcs.Words("PlaceOfEvent", "Simulated place", "en"), emcs.Leaf("SubmittingPerson", "Simulator"), emcs.Leaf("SubmittingPersonCode", "1")),
		emcs.Group("BodyEventReport", emcs.Leaf("EventTypeCode", "1")))
}

// toldExport returns the acceptance of the export. Its flag stands in another group in each version.
func (m *movement) toldExport(at time.Time) *emcs.Element {
	flag := emcs.Leaf("ExportDeclarationAcceptanceOrGoodsReleasedForExport", "1")
	movement, release := m.referenceAs("ExciseMovementEad"), emcs.Group("ExportDeclarationAcceptanceRelease", emcs.Leaf("ReferenceNumberOfSenderCustomsOffice", m.office()),
		emcs.Leaf("DateOfAcceptance", day(at)), emcs.Leaf("DocumentReferenceNumber", "SIM"+randomFor(at, "export", m.id).Text("0123456789", 15)))
	if m.draft.Version == emcs.V313 {
		movement.Add(flag)
	} else {
		release.Add(flag)
	}
	return emcs.Group("NotificationOfAcceptedExport", emcs.Group("Attributes", emcs.Leaf("DateAndTimeOfIssuance", stamp(at))), m.container.At("ConsigneeTrader").Clone(), movement, release)
}
