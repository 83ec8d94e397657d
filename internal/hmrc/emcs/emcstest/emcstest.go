// Package emcstest has messages for tests: a draft within Great Britain and the messages that follow it, which keep HMRC's rules, and
// edits of them.
package emcstest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// References of the messages.
const (
	ARC       = "26GB00000000003789214"
	LRN       = "TWLRN0001"
	Consignor = "GBWK002281023"
	Consignee = "GBWK240176600"
	office    = "GB004098"
)

// Draft returns an IE815 of one item of whisky, dispatched today.
func Draft(v emcs.Version, now time.Time) emcs.Message {
	return message(emcs.Draft, v, now, emcs.Group("SubmittedDraftOfEADESAD",
		emcs.Group("Attributes", emcs.Leaf("SubmissionMessageType", "1")),
		consignee("ConsigneeTrader"), consignor(),
		address(emcs.Group("PlaceOfDispatchTrader", emcs.Leaf("ReferenceOfTaxWarehouse", "GB00002281023"))),
		place(),
		emcs.Group("CompetentAuthorityDispatchOffice", emcs.Leaf("ReferenceNumber", office)),
		address(emcs.Group("FirstTransporterTrader")),
		emcs.Group("DocumentCertificate", emcs.Leaf("DocumentType", "9"), emcs.Leaf("DocumentReference", "INV-1")),
		emcs.Group("HeaderEadEsad", emcs.Leaf("DestinationTypeCode", "1"), emcs.Leaf("JourneyTime", "D02"), emcs.Leaf("TransportArrangement", "1")),
		emcs.Group("TransportMode", emcs.Leaf("TransportModeCode", "3")),
		emcs.Group("MovementGuarantee", emcs.Leaf("GuarantorTypeCode", "1")),
		emcs.Group("BodyEadEsad", emcs.Leaf("BodyRecordUniqueReference", "1"), emcs.Leaf("ExciseProductCode", "S200"), emcs.Leaf("CnCode", "22083030"),
			emcs.Leaf("Quantity", "8400.000"), emcs.Leaf("GrossMass", "11200"), emcs.Leaf("NetMass", "7980.5"), emcs.Leaf("AlcoholicStrengthByVolumeInPercentage", "40.0"),
			emcs.Leaf("FiscalMarkUsedFlag", "0"), emcs.Words("CommercialDescription", "Single malt Scotch whisky, 70 cl bottles", "en"),
			emcs.Group("Package", emcs.Leaf("KindOfPackages", "CT"), emcs.Leaf("NumberOfPackages", "2000"), emcs.Leaf("ShippingMarks", "SPEY 1"))),
		emcs.Group("EadEsadDraft", emcs.Leaf("LocalReferenceNumber", LRN), emcs.Leaf("InvoiceNumber", "INV-1"), emcs.Leaf("OriginTypeCode", "1"),
			emcs.Leaf("DateOfDispatch", now.UTC().Format(time.DateOnly)), emcs.Leaf("TimeOfDispatch", "12:00:00")),
		emcs.Group("TransportDetails", emcs.Leaf("TransportUnitCode", "2"), emcs.Leaf("IdentityOfTransportUnits", "AB24 CDE")),
	))
}

// Change returns an IE813 to another tax warehouse of another consignee.
func Change(v emcs.Version, now time.Time) emcs.Message {
	newConsignee := consignee("NewConsigneeTrader")
	Edit(newConsignee, "Traderid=GBWK000099999")
	return message(emcs.DestinationChange, v, now, emcs.Group("ChangeOfDestination", emcs.Group("Attributes"),
		emcs.Group("UpdateEadEsad", emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("JourneyTime", "D03")),
		emcs.Group("DestinationChanged", emcs.Leaf("DestinationTypeCode", "1"), newConsignee, place(), emcs.Group("MovementGuarantee", emcs.Leaf("GuarantorTypeCode", "1"))),
		emcs.Group("TransportDetails", emcs.Leaf("TransportUnitCode", "2"), emcs.Leaf("IdentityOfTransportUnits", "XY11 ZZZ"))))
}

// Receipt returns an IE818 with a conclusion from 1 to 4, and one item if it is not 1.
func Receipt(v emcs.Version, now time.Time, conclusion string) emcs.Message {
	body := emcs.Group("AcceptedOrRejectedReportOfReceiptExport", emcs.Group("Attributes"), consignee("ConsigneeTrader"), movement(), place(),
		emcs.Group("DestinationOffice", emcs.Leaf("ReferenceNumber", office)),
		emcs.Group("ReportOfReceiptExport", emcs.Leaf("DateOfArrivalOfExciseProducts", now.UTC().Format(time.DateOnly)), emcs.Leaf("GlobalConclusionOfReceipt", conclusion)))
	if conclusion != "1" {
		item := emcs.Group("BodyReportOfReceiptExport", emcs.Leaf("BodyRecordUniqueReference", "1"), emcs.Leaf("IndicatorOfShortageOrExcess", "S"),
			emcs.Leaf("ObservedShortageOrExcess", "12.5"), emcs.Leaf("ExciseProductCode", "S200"),
			emcs.Group("UnsatisfactoryReason", emcs.Leaf("UnsatisfactoryReasonCode", "2")))
		if conclusion == "4" {
			item.Add(emcs.Leaf("RefusedQuantity", "100"))
		}
		body.Add(item)
	}
	return message(emcs.Receipt, v, now, body)
}

// Alert returns an IE819, an alert (flag 0) or a rejection (flag 1).
func Alert(v emcs.Version, now time.Time, flag string) emcs.Message {
	return message(emcs.Alert, v, now, emcs.Group("AlertOrRejectionOfEADESAD", emcs.Group("Attributes"), consignee("ConsigneeTrader"), movement(),
		emcs.Group("DestinationOffice", emcs.Leaf("ReferenceNumber", office)),
		emcs.Group("AlertOrRejection", emcs.Leaf("DateOfAlertOrRejection", now.UTC().Format(time.DateOnly)), emcs.Leaf("EadEsadRejectedFlag", flag)),
		emcs.Group("AlertOrRejectionOfEadEsadReason", emcs.Leaf("AlertOrRejectionOfMovementReasonCode", "1"))))
}

// Delay returns an IE837 of the consignee.
func Delay(v emcs.Version, now time.Time) emcs.Message {
	return message(emcs.Delay, v, now, emcs.Group("ExplanationOnDelayForDelivery",
		emcs.Group("Attributes", emcs.Leaf("SubmitterIdentification", Consignee), emcs.Leaf("SubmitterType", "2"), emcs.Leaf("ExplanationCode", "6"), emcs.Leaf("MessageRole", "1")), movement()))
}

// Shortage returns an IE871 of the consignor.
func Shortage(v emcs.Version, now time.Time) emcs.Message {
	return message(emcs.Shortage, v, now, emcs.Group("ExplanationOnReasonForShortage", emcs.Group("Attributes", emcs.Leaf("SubmitterType", "1")), movement(), consignor(),
		emcs.Group("BodyAnalysis", emcs.Leaf("ExciseProductCode", "S200"), emcs.Leaf("BodyRecordUniqueReference", "1"), emcs.Words("Explanation", "Broken bottles", "en"))))
}

// Cancellation returns an IE810.
func Cancellation(v emcs.Version, now time.Time) emcs.Message {
	return message(emcs.Cancellation, v, now, emcs.Group("CancellationOfEAD", emcs.Group("Attributes"),
		emcs.Group("ExciseMovementEad", emcs.Leaf("AdministrativeReferenceCode", ARC)), emcs.Group("Cancellation", emcs.Leaf("CancellationReasonCode", "3"))))
}

func message(kind emcs.Kind, v emcs.Version, now time.Time, body *emcs.Element) emcs.Message {
	return emcs.Message{Kind: kind, Version: v, Header: emcs.NewHeader("GB", "GB", now, "TW-1"), Body: body}
}

func movement() *emcs.Element {
	return emcs.Group("ExciseMovement", emcs.Leaf("AdministrativeReferenceCode", ARC), emcs.Leaf("SequenceNumber", "1"))
}

func consignee(name string) *emcs.Element {
	return address(emcs.Group(name, emcs.Leaf("Traderid", Consignee)))
}

func consignor() *emcs.Element {
	return address(emcs.Group("ConsignorTrader", emcs.Leaf("TraderExciseNumber", Consignor)))
}

func place() *emcs.Element {
	return address(emcs.Group("DeliveryPlaceTrader", emcs.Leaf("Traderid", "GB00240176601")))
}

func address(e *emcs.Element) *emcs.Element {
	return e.In("en").Add(emcs.Leaf("TraderName", "Thames Bond Warehousing Ltd"), emcs.Leaf("StreetName", "Wharf Road"), emcs.Leaf("StreetNumber", "7"),
		emcs.Leaf("Postcode", "E16 2AA"), emcs.Leaf("City", "London"))
}

// Edit changes elements below e. "A/B=text" sets a text, "A/B@fr" a language, and both make what is missing; "-A/B" removes elements. A step may
// have a number, as in "A[2]".
func Edit(e *emcs.Element, edits ...string) {
	for _, edit := range edits {
		if path, removed := strings.CutPrefix(edit, "-"); removed {
			remove(e, path)
		} else if path, text, isText := strings.Cut(edit, "="); isText {
			find(e, path).Text = text
		} else {
			path, language, _ := strings.Cut(edit, "@")
			find(e, path).Language = language
		}
	}
}

func remove(e *emcs.Element, path string) {
	parent, name := e, path
	if at := strings.LastIndex(path, "/"); at >= 0 {
		parent, name = find(e, path[:at]), path[at+1:]
	}
	kept := parent.Children[:0]
	for _, c := range parent.Children {
		if c.Name != name {
			kept = append(kept, c)
		}
	}
	parent.Children = kept
}

// find returns the element at a path and makes what is missing.
func find(e *emcs.Element, path string) *emcs.Element {
	for step := range strings.SplitSeq(path, "/") {
		name, number, numbered := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		n := 1
		if numbered {
			var err error
			if n, err = strconv.Atoi(number); err != nil {
				panic(fmt.Sprintf("emcstest: %s", path))
			}
		}
		e = entry(e, name, n)
	}
	return e
}

func entry(e *emcs.Element, name string, n int) *emcs.Element {
	for c := range e.All(name) {
		if n--; n == 0 {
			return c
		}
	}
	made := &emcs.Element{Name: name}
	e.Add(made)
	return made
}
