package rulebook_test

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

func changeCase(numbers, edits string) ruleCase {
	return ruleCase{kind: emcs.DestinationChange, edits: edits, numbers: numbers}
}

const (
	newXI       = "DestinationChanged/NewConsigneeTrader/Traderid=XIWK240176600; DestinationChanged/NewConsigneeTrader/Postcode=BT1 1AA; DestinationChanged/DeliveryPlaceTrader/Traderid=XI00240176600; DestinationChanged/DeliveryPlaceTrader/Postcode=BT1 1AA; "
	newExport   = "DestinationChanged/DestinationTypeCode=6; -DestinationChanged/NewConsigneeTrader; -DestinationChanged/DeliveryPlaceTrader; DestinationChanged/DeliveryPlaceCustomsOffice/ReferenceNumber=GB000060; "
	newMode     = "UpdateEadEsad/TransportModeCode=1; "
	newOwner    = "DestinationChanged/MovementGuarantee/GuarantorTypeCode=3; DestinationChanged/MovementGuarantee/GuarantorTrader@en; "
	abroadInEU  = "DestinationChanged/NewConsigneeTrader/Traderid=FR00000602078; DestinationChanged/DeliveryPlaceTrader/Traderid=FR00000602078; "
	fromBelfast = "UpdateEadEsad/AdministrativeReferenceCode=26XI00000000003789214; "
)

var changeCases = []ruleCase{
	changeCase("8020", strings.Repeat("TransportDetails[99]/TransportUnitCode=5; ", 30)+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("8021", "Attributes/DateAndTimeOfValidationOfChangeOfDestination=2026-11-27T09:00:00"),
	changeCase("8022", "UpdateEadEsad/SequenceNumber=2"),
	changeCase("8023", "-DestinationChanged/NewConsigneeTrader; -DestinationChanged/DeliveryPlaceTrader"),
	changeCase("8024 8551", "DestinationChanged/DestinationTypeCode=2; -DestinationChanged/DeliveryPlaceTrader"),
	changeCase("8025", "-DestinationChanged/NewConsigneeTrader/Traderid"),
	changeCase("8026", "-DestinationChanged/DeliveryPlaceTrader/Traderid"),
	{kind: emcs.DestinationChange, numbers: "8027 8028 8029 8030", header: "NDEA.FR",
		edits: fromBelfast + abroadInEU + "DestinationChanged/DestinationTypeCode=3; -DestinationChanged/DeliveryPlaceTrader; DestinationChanged/DeliveryPlaceTrader/Traderid=FR00000602078"},
	{kind: emcs.DestinationChange, numbers: "8032", header: "NDEA.FR", edits: fromBelfast + abroadInEU + "DestinationChanged/DestinationTypeCode=4"},
	{kind: emcs.DestinationChange, numbers: "8551 8605", header: "NDEA.FR", edits: fromBelfast + abroadInEU + "DestinationChanged/NewConsigneeTrader/Traderid=XIWK000006020; DestinationChanged/NewConsigneeTrader/Postcode=BT1 1AA"},
	changeCase("8089", "UpdateEadEsad/ChangedTransportArrangement=4"),
	changeCase("8092", "DestinationChanged/DeliveryPlaceTrader@"),
	changeCase("8093", "DestinationChanged/DeliveryPlaceTrader/Traderid=GB00"),
	changeCase("8094", "-TransportDetails/IdentityOfTransportUnits"),
	changeCase("8095", "TransportDetails/TransportUnitCode=5"),
	changeCase("8138", newExport+"DestinationChanged/DestinationTypeCode=5"),
	changeCase("8138 8149", "DestinationChanged/DestinationTypeCode=8; -DestinationChanged/NewConsigneeTrader"),
	changeCase("8147", "UpdateEadEsad/TransportModeCode=0"),
	changeCase("8148", newMode+"UpdateEadEsad/ComplementaryInformation=A; UpdateEadEsad/ComplementaryInformation@en"),
	changeCase("8150", "DestinationChanged/DestinationTypeCode=6"),
	changeCase("8151", "DestinationChanged/DestinationTypeCode=11; -DestinationChanged/NewConsigneeTrader"),
	changeCase("8163", "DestinationChanged/NewConsigneeTrader/EoriNumber=GB123"),
	changeCase("", newExport+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("8608", newExport+"DestinationChanged/DeliveryPlaceCustomsOffice/ReferenceNumber=FR000060"),
	changeCase("8609", fromBelfast+newExport+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("8550", "DestinationChanged/NewConsigneeTrader/Traderid=GBRC240176600"),
	changeCase("8555", "DestinationChanged/DeliveryPlaceTrader/Traderid=GBWK240176600"),
	changeCase("8550 8556 8601", "DestinationChanged/NewConsigneeTrader/Traderid=FR00000602078"),
	{kind: emcs.DestinationChange, numbers: "8600", header: "NDEA.FR", edits: "UpdateEadEsad/JourneyTime=D01"},
	changeCase("8601", abroadInEU+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("", newXI+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("8602", newXI+"DestinationChanged/NewConsigneeTrader/Traderid=GBWK240176600; DestinationChanged/NewConsigneeTrader/Postcode=E16 2AA"),
	changeCase("8603", "DestinationChanged/NewConsigneeTrader/Postcode=BT1 1AA"),
	changeCase("8604", newXI+"DestinationChanged/NewConsigneeTrader/Postcode=E16 2AA"),
	changeCase("8605", newXI+"DestinationChanged/DeliveryPlaceTrader/Traderid=XI01240176600"),
	changeCase("8606", newXI+"DestinationChanged/DeliveryPlaceTrader/Postcode=E16 2AA"),
	changeCase("8607", "DestinationChanged/DeliveryPlaceTrader/Postcode=BT1 1AA"),
	changeCase("8200", "DestinationChanged/MovementGuarantee/GuarantorTypeCode=3"),
	changeCase("8201", newOwner+"DestinationChanged/MovementGuarantee/GuarantorTrader/TraderExciseNumber=GBWK002281023; DestinationChanged/MovementGuarantee/GuarantorTrader[2]/TraderExciseNumber=GBWK002281024"),
	changeCase("8202", newExport+"DestinationChanged/MovementGuarantee/GuarantorTypeCode=0"),
	changeCase("8204 8205 8601", abroadInEU+"DestinationChanged/MovementGuarantee/GuarantorTypeCode=0"),
	changeCase("8206", newExport+"DestinationChanged/MovementGuarantee/GuarantorTypeCode=5; UpdateEadEsad/TransportModeCode=3"),
	changeCase("8207 8208 8209 8210", newOwner+"UpdateEadEsad/JourneyTime=D01"),
	changeCase("8211 8212 8213 8214", "DestinationChanged/MovementGuarantee/GuarantorTypeCode=2; DestinationChanged/MovementGuarantee/GuarantorTrader/TraderName=A; "+
		"DestinationChanged/MovementGuarantee/GuarantorTrader/StreetName=A; DestinationChanged/MovementGuarantee/GuarantorTrader/StreetNumber=1; "+
		"DestinationChanged/MovementGuarantee/GuarantorTrader/City=A; DestinationChanged/MovementGuarantee/GuarantorTrader/Postcode=A"),
	changeCase("8215", "DestinationChanged/MovementGuarantee/GuarantorTrader/TraderExciseNumber=GBWK002281023"),
}

func reportCase(kind emcs.Kind, numbers, edits string) ruleCase {
	return ruleCase{kind: kind, edits: edits, numbers: numbers}
}

var reportCases = []ruleCase{
	reportCase(emcs.Receipt, "8003", "-BodyReportOfReceiptExport/RefusedQuantity"),
	reportCase(emcs.Receipt, "8004", "ReportOfReceiptExport/GlobalConclusionOfReceipt=3"),
	reportCase(emcs.Receipt, "8005", "BodyReportOfReceiptExport[2]/BodyRecordUniqueReference=1; BodyReportOfReceiptExport[2]/ExciseProductCode=S200"),
	reportCase(emcs.Receipt, "8006", "Attributes/DateAndTimeOfValidationOfReportOfReceiptExport=2026-11-27T09:00:00"),
	reportCase(emcs.Receipt, "8007", "DestinationOffice/ReferenceNumber=GBAB4098"),
	reportCase(emcs.Receipt, "8011", "-BodyReportOfReceiptExport/IndicatorOfShortageOrExcess"),
	reportCase(emcs.Receipt, "8080", "ReportOfReceiptExport/DateOfArrivalOfExciseProducts=2026-11-28"),
	reportCase(emcs.Receipt, "8098", "DeliveryPlaceTrader@"),
	reportCase(emcs.Receipt, "8004 8099", "ReportOfReceiptExport/GlobalConclusionOfReceipt=21"),
	reportCase(emcs.Receipt, "8100", "BodyReportOfReceiptExport/UnsatisfactoryReason/UnsatisfactoryReasonCode=0"),
	reportCase(emcs.Receipt, "8154", "-BodyReportOfReceiptExport/UnsatisfactoryReason"),
	reportCase(emcs.Receipt, "8705", "DestinationOffice/ReferenceNumber=XI004098"),
	reportCase(emcs.Receipt, "8706", "DeliveryPlaceTrader/Traderid=XI00240176600"),
	reportCase(emcs.Alert, "8129", "-AlertOrRejectionOfEadEsadReason"),
	reportCase(emcs.Alert, "", "-AlertOrRejectionOfEadEsadReason; AlertOrRejection/EadEsadRejectedFlag=0"),
	reportCase(emcs.Alert, "8156", "AlertOrRejectionOfEadEsadReason/AlertOrRejectionOfMovementReasonCode=0"),
	reportCase(emcs.Alert, "8507", "-ConsigneeTrader"),
	reportCase(emcs.Alert, "8707", "DestinationOffice/ReferenceNumber=XI004098"),
	reportCase(emcs.Alert, "8707 8708", "DestinationOffice/ReferenceNumber=FR004098"),
	reportCase(emcs.Delay, "8014", "Attributes/ExplanationCode=0"),
	reportCase(emcs.Delay, "8017", "Attributes/DateAndTimeOfValidationOfExplanationOnDelay=2026-11-27T09:00:00"),
	reportCase(emcs.Delay, "0 8016", "Attributes/MessageRole=3"),
	reportCase(emcs.Cancellation, "8078", "Attributes/DateAndTimeOfValidationOfCancellation=2026-11-27T09:00:00"),
	reportCase(emcs.Cancellation, "8096", "Cancellation/CancellationReasonCode=0"),
	reportCase(emcs.Shortage, "8005", "BodyAnalysis[2]/ExciseProductCode=S200; BodyAnalysis[2]/BodyRecordUniqueReference=1; BodyAnalysis[2]/Explanation=A; BodyAnalysis[2]/Explanation@en"),
	reportCase(emcs.Shortage, "8021", "Attributes/DateAndTimeOfValidationOfExplanationOnShortage=2026-11-27T09:00:00"),
	reportCase(emcs.Shortage, "8141", "-ConsignorTrader"),
	reportCase(emcs.Shortage, "8142", trader("GBWK240176600")),
	reportCase(emcs.Shortage, "8143 8145", "Attributes/SubmitterType=2"),
	reportCase(emcs.Shortage, "", "Attributes/SubmitterType=2; -ConsignorTrader; "+trader("GBWK240176600")),
	reportCase(emcs.Shortage, "8160", "-BodyAnalysis"),
	reportCase(emcs.Shortage, "8557", "Attributes/SubmitterType=2; -ConsignorTrader; "+trader("GBRC240176600")),
	reportCase(emcs.Shortage, "8558", "ConsignorTrader/TraderExciseNumber=GBXX002281023"),
	reportCase(emcs.Shortage, "8612", "Attributes/SubmitterType=2; -ConsignorTrader; "+trader("XIWK240176600")),
	reportCase(emcs.Shortage, "8613", "Attributes/SubmitterType=2; -ConsignorTrader; "+trader("GBWK240176600")+"; ConsigneeTrader/Postcode=BT1 1AA"),
	reportCase(emcs.Shortage, "8614", "ConsignorTrader/TraderExciseNumber=XIWK002281023"),
	reportCase(emcs.Shortage, "8615", "ConsignorTrader/Postcode=BT1 1AA"),
}

// trader gives an IE871 a consignee.
func trader(id string) string {
	return "ConsigneeTrader@en; ConsigneeTrader/Traderid=" + id + "; ConsigneeTrader/TraderName=A; ConsigneeTrader/StreetName=A; ConsigneeTrader/Postcode=E16 2AA; ConsigneeTrader/City=A"
}
