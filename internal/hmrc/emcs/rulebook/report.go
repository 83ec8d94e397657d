package rulebook

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// otherReason is the code of a reason that is not in the list, in every list of reasons.
const otherReason = "0"

var officeForm = lazyregexp.New(`^(GB|XI)[0-9]{6}$`)

const (
	conclusion       = "ReportOfReceiptExport/GlobalConclusionOfReceipt"
	receivedItems    = "BodyReportOfReceiptExport"
	destinationPlace = "DestinationOffice/ReferenceNumber"
	partlyRefused    = "4"
	satisfactory     = "1"
)

// receiptRules are those of the report of receipt (IE818).
var receiptRules = []rule{
	{number: 8002, broken: func(_ *facts, e *emcs.Element) bool { return count(e, receivedItems) > maxItems }, text: "There are more than 999 items."},
	{number: 8003, lacks: receivedItems, broken: func(_ *facts, e *emcs.Element) bool {
		return get(e, conclusion) == partlyRefused && !anyHas(e, "RefusedQuantity")
	},
		text: "A partial refusal needs the quantity that is refused."},
	{number: 8004, list: receivedItems, at: "RefusedQuantity", broken: func(f *facts, e *emcs.Element) bool {
		return has(e, "RefusedQuantity") && isNot(get(f.body, conclusion), partlyRefused)
	}, text: "Only a partial refusal has refused quantities."},
	{number: 8005, broken: func(_ *facts, e *emcs.Element) bool { return repeats(e, receivedItems, "BodyRecordUniqueReference") }, text: "An item is there twice."},
	{number: 8006, at: "Attributes/DateAndTimeOfValidationOfReportOfReceiptExport", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "Attributes/DateAndTimeOfValidationOfReportOfReceiptExport")
	}, text: "HMRC sets the date and time of validation; remove it."},
	{number: 8007, at: "DestinationOffice", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "DestinationOffice") && !officeForm.MatchString(get(e, destinationPlace))
	}, text: "The office of destination must be GB or XI with six digits."},
	{number: 8011, list: receivedItems, broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "IndicatorOfShortageOrExcess") != has(e, "ObservedShortageOrExcess")
	}, text: "The quantity of a shortage or excess and its indicator belong together."},
	{number: 8080, at: "ReportOfReceiptExport/DateOfArrivalOfExciseProducts", broken: func(f *facts, e *emcs.Element) bool {
		return get(e, "ReportOfReceiptExport/DateOfArrivalOfExciseProducts") > f.today
	}, text: "The date of arrival is ahead."},
	{number: 8098, at: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return noLanguage(f.place) }, text: "The language of the address of delivery is missing."},
	{number: 8099, at: conclusion, broken: func(_ *facts, e *emcs.Element) bool { return isNot(get(e, conclusion), "1 2 3 4") }, text: "The conclusion of a receipt must be 1, 2, 3 or 4."},
	{number: 8100, list: receivedItems + "/UnsatisfactoryReason", lacks: "ComplementaryInformation", broken: func(_ *facts, e *emcs.Element) bool {
		return unexplained(e, "UnsatisfactoryReasonCode")
	}, text: "The reason is other than those of the list, so that it must be described in the complementary information."},
	{number: 8154, list: receivedItems, lacks: "UnsatisfactoryReason", broken: func(f *facts, e *emcs.Element) bool {
		return isNot(get(f.body, conclusion), satisfactory) && !anyHas(f.body, "UnsatisfactoryReason") && e.Value("BodyRecordUniqueReference") == firstItem(f.body)
	}, text: "A receipt that is not satisfactory needs a reason."},
	{number: 8705, at: "DestinationOffice", broken: func(f *facts, e *emcs.Element) bool {
		return begins(f.placeID, "GB") && lacks(get(e, destinationPlace), "GB")
	},
		text: "A place of delivery of GB needs an office of destination of GB."},
	{number: 8706, at: "DestinationOffice", broken: func(f *facts, e *emcs.Element) bool {
		return begins(f.placeID, "XI") && lacks(get(e, destinationPlace), "XI")
	},
		text: "A place of delivery of XI needs an office of destination of XI."},
}

// anyHas reports whether an item of a receipt has an element.
func anyHas(e *emcs.Element, name string) bool {
	for item := range e.All(receivedItems) {
		if has(item, name) {
			return true
		}
	}
	return false
}

func firstItem(e *emcs.Element) string { return get(e, receivedItems+"/BodyRecordUniqueReference") }

// unexplained reports whether a code stands for another reason that is not described.
func unexplained(e *emcs.Element, code string) bool {
	return e.Value(code) == otherReason && missing(e, "ComplementaryInformation")
}

// alertRules are those of the alert or rejection before arrival (IE819).
var alertRules = []rule{
	{number: 8129, lacks: "AlertOrRejectionOfEadEsadReason", broken: func(_ *facts, e *emcs.Element) bool {
		return get(e, "AlertOrRejection/EadEsadRejectedFlag") == "1" && !has(e, "AlertOrRejectionOfEadEsadReason")
	}, text: "A rejection needs a reason."},
	{number: 8156, list: "AlertOrRejectionOfEadEsadReason", lacks: "ComplementaryInformation", broken: func(_ *facts, e *emcs.Element) bool {
		return unexplained(e, "AlertOrRejectionOfMovementReasonCode")
	}, text: "The reason is other than those of the list, so that it must be described in the complementary information."},
	{number: 8507, lacks: "ConsigneeTrader", broken: func(f *facts, _ *emcs.Element) bool { return f.consignee == nil }, text: "The consignee is missing."},
	{number: 8707, at: "DestinationOffice", broken: func(f *facts, e *emcs.Element) bool {
		return notInBT(f.consignee) && lacks(get(e, destinationPlace), "GB")
	},
		text: "A consignee whose postcode does not begin with BT needs an office of destination of GB."},
	{number: 8708, at: "DestinationOffice", broken: func(_ *facts, e *emcs.Element) bool { return lacks(get(e, destinationPlace), "GB XI") },
		text: "The office of destination must be one of GB or XI."},
}

// delayRules are those of the explanation of a delay (IE837).
var delayRules = []rule{
	{number: 8014, at: "Attributes/ExplanationCode", broken: func(_ *facts, e *emcs.Element) bool { return unexplained(e.At("Attributes"), "ExplanationCode") },
		text: "The explanation is other than those of the list, so that it must be described in the complementary information."},
	{number: 8016, at: "Attributes/MessageRole", broken: func(_ *facts, e *emcs.Element) bool { return isNot(get(e, "Attributes/MessageRole"), "1 2") },
		text: "The role of the message must be 1 (receipt) or 2 (destination)."},
	{number: 8017, at: "Attributes/DateAndTimeOfValidationOfExplanationOnDelay", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "Attributes/DateAndTimeOfValidationOfExplanationOnDelay")
	}, text: "HMRC sets the date and time of validation; remove it."},
}

// cancellationRules are those of the cancellation (IE810).
var cancellationRules = []rule{
	{number: 8078, at: "Attributes/DateAndTimeOfValidationOfCancellation", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "Attributes/DateAndTimeOfValidationOfCancellation")
	}, text: "HMRC sets the date and time of validation; remove it."},
	{number: 8096, at: "Cancellation/CancellationReasonCode", broken: func(_ *facts, e *emcs.Element) bool {
		return unexplained(e.At("Cancellation"), "CancellationReasonCode")
	},
		text: "The reason is other than those of the list, so that it must be described in the complementary information."},
}
