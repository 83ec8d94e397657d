package connection

import "strings"

// inputNames are the names of the body of an operation for elements of its message.
var inputNames = strings.NewReplacer(
	"reportOfReceiptExport.globalConclusionOfReceipt", "conclusion", "reportOfReceiptExport.dateOfArrivalOfExciseProducts", "arrivedOn",
	"reportOfReceiptExport.complementaryInformation", "information", "destinationOffice.referenceNumber", "office", "destinationOffice", "office",
	"bodyReportOfReceiptExport", "items", "bodyAnalysis", "items", "bodyRecordUniqueReference", "item", "exciseProductCode", "item",
	"observedShortageOrExcess", "shortage", "indicatorOfShortageOrExcess", "shortage", "refusedQuantity", "refused",
	"unsatisfactoryReasonCode", "code", "unsatisfactoryReason", "reasons", "actualQuantity", "actual",
	"alertOrRejection.dateOfAlertOrRejection", "on", "alertOrRejection.eadEsadRejectedFlag", "rejected", "alertOrRejectionOfMovementReasonCode", "code", "alertOrRejectionOfEadEsadReason", "reasons",
	"attributes.explanationCode", "explanation.code", "attributes.complementaryInformation", "explanation.information", "attributes.messageRole", "about", "attributes.submitterType", "by",
	"analysis.globalExplanation", "explanation", "analysis.dateOfAnalysis", "analysedOn", "analysis", "explanation",
	"destinationChanged.destinationTypeCode", "type", "destinationChanged.newConsigneeTrader", "consignee", "destinationChanged.deliveryPlaceTrader", "place",
	"destinationChanged.deliveryPlaceCustomsOffice", "office", "updateEadEsad.journeyTime", "journeyDays",
	"traderid", "id", "traderName", "name", "streetName", "street", "complementaryInformation", "information",
)

// inputField returns the field of an operation's body for a field of its message: what stands below the element in Body.
func inputField(field string) string {
	_, below, _ := strings.Cut(strings.TrimPrefix(field, "message."), ".")
	return inputNames.Replace(below)
}
