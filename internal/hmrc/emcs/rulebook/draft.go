package rulebook

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Codes of the destination types.
const (
	taxWarehouse   = "1"
	registered     = "2"
	temporary      = "3"
	directDelivery = "4"
	exempted       = "5"
	export         = "6"
	unknown        = "8"
	returned       = "11"

	certifiedTypes = "9 10"
	knownTypes     = "1 2 3 4 5 6 8 9 10 11"
	withTraderID   = "1 2 3 4 9 10 11" // the consignee has an excise number
)

// Codes of origins and submissions.
const (
	fromWarehouse = "1"
	imported      = "2"
	dutyPaid      = "3"
)

// Limits of HMRC's that are narrower than the schema's.
const (
	maxTransport = 30
	maxItems     = 999
)

var draftRules = []rule{
	{number: 8033, lacks: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return is(f.destination, "1 4") && f.place == nil },
		text: "A movement to a tax warehouse or by direct delivery needs the place of delivery."},
	{number: 8034, lacks: "ConsigneeTrader", broken: func(f *facts, _ *emcs.Element) bool { return isNot(f.destination, unknown) && f.consignee == nil },
		text: "The consignee is missing; only a movement to an unknown destination has none."},
	{number: 8035, lacks: "PlaceOfDispatchTrader/ReferenceOfTaxWarehouse", broken: func(f *facts, _ *emcs.Element) bool {
		return f.origin == fromWarehouse && f.warehouse == "" || f.origin == dutyPaid && f.dispatch == nil
	}, text: "Goods from a tax warehouse, or with duty paid, need the place of dispatch."},
	{number: 8036, lacks: "DispatchImportOffice", broken: func(f *facts, _ *emcs.Element) bool { return f.origin == imported && f.importOffice == "" },
		text: "Imported goods need the office of import."},
	{number: 8037, lacks: "ComplementConsigneeTrader", broken: func(f *facts, e *emcs.Element) bool {
		return f.destination == exempted && !has(e, "ComplementConsigneeTrader")
	},
		text: "A movement to an exempted consignee needs the complement of the consignee."},
	{number: 8038, lacks: "DeliveryPlaceTrader/Traderid", broken: func(f *facts, _ *emcs.Element) bool {
		return f.placeID == "" && (is(f.destination, certifiedTypes) || f.destination == taxWarehouse && f.place != nil)
	}, text: "The place of delivery needs its identification: it is a tax warehouse or a certified consignee."},
	{number: 8039, lacks: "DeliveryPlaceCustomsOffice", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == export && f.office == "" },
		text: "An export needs the customs office of export."},
	{number: 8040, lacks: "TransportArrangerTrader", broken: func(_ *facts, e *emcs.Element) bool {
		return is(get(e, "HeaderEadEsad/TransportArrangement"), "3 4") && !has(e, "TransportArrangerTrader")
	}, text: "The trader who arranges the transport is missing, as it is neither the consignor nor the consignee."},
	{number: 8041, broken: func(_ *facts, e *emcs.Element) bool { return count(e, "TransportDetails") > maxTransport },
		text: "There are more than 30 transport details."},
	{number: 8042, broken: func(_ *facts, e *emcs.Element) bool { return count(e, "BodyEadEsad") > maxItems }, text: "There are more than 999 items."},
	{number: 8043, broken: func(_ *facts, e *emcs.Element) bool { return outOfOrder(e) }, text: "The references of the items must be 1, 2, 3 and so on."},
	{number: 8044, at: "Attributes/SubmissionMessageType", broken: func(f *facts, _ *emcs.Element) bool { return isNot(f.submission, "1 3") },
		text: "The type of the submission must be 1 (standard) or 3 (duty paid)."},
	{number: 8137, at: "EadEsadDraft", lacks: "TimeOfDispatch", broken: func(_ *facts, e *emcs.Element) bool { return missing(e.At("EadEsadDraft"), "TimeOfDispatch") },
		text: "The time of dispatch is missing."},
	{number: 8219, at: "EadEsadDraft/TimeOfDispatch", broken: func(_ *facts, e *emcs.Element) bool {
		return len(get(e, "EadEsadDraft/TimeOfDispatch")) > len("00:00:00")
	}, text: "The time of dispatch must not have parts of a second."},
	{number: 8140, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool { return isNot(f.destination, knownTypes) },
		text: "The type of the destination must be one of 1 to 6 or 8 to 11."},
	{number: 8083, at: "EadEsadDraft/DateOfDispatch", broken: func(f *facts, e *emcs.Element) bool { return !deferred(e) && dispatchDay(e) > f.inAWeek },
		text: "The date of dispatch is more than seven days ahead."},
	{number: 8084, at: "EadEsadDraft/DateOfDispatch", broken: func(f *facts, e *emcs.Element) bool {
		return !deferred(e) && dispatchDay(e) != "" && dispatchDay(e) < f.today
	}, text: "The date of dispatch is past. Only a deferred submission may have one."},
	{number: 8085, at: "EadEsadDraft/DateOfDispatch", broken: func(f *facts, e *emcs.Element) bool { return deferred(e) && dispatchDay(e) > f.today },
		text: "The date of dispatch of a deferred submission must not be ahead."},
	{number: 8130, lacks: "FirstTransporterTrader", broken: func(_ *facts, e *emcs.Element) bool { return !has(e, "FirstTransporterTrader") }, text: "The first transporter is missing."},
	{number: 8135, at: "TransportMode/TransportModeCode", broken: func(f *facts, e *emcs.Element) bool {
		return f.mode == "0" && !has(e, "TransportMode/ComplementaryInformation")
	}, text: "The mode of transport is other than those of the list, so that it must be described in the complementary information."},
	{number: 8216, at: "TransportMode/ComplementaryInformation", broken: func(f *facts, e *emcs.Element) bool {
		return isNot(f.mode, "0") && has(e, "TransportMode/ComplementaryInformation")
	}, text: "Only the mode of transport 0 (other) has complementary information."},
	{number: 8061, at: "TransportMode/TransportModeCode", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == unknown && isNot(f.mode, "1 8") },
		text: "A movement to an unknown destination must go by sea or inland waterway."},
	{number: 8081, list: "TransportDetails", lacks: "IdentityOfTransportUnits", broken: func(_ *facts, e *emcs.Element) bool { return unnamedUnit(e) },
		text: "The identity of the transport unit is missing; only a fixed transport installation has none."},
	{number: 8082, list: "TransportDetails", at: "IdentityOfTransportUnits", broken: func(_ *facts, e *emcs.Element) bool { return namedInstallation(e) },
		text: "A fixed transport installation has no identity."},
	{number: 8500, list: "DocumentCertificate", lacks: "DocumentType", broken: func(_ *facts, e *emcs.Element) bool { return missing(e, "DocumentType") }, text: "The type of the document is missing."},
	{number: 8501, list: "DocumentCertificate", lacks: "DocumentReference", broken: func(_ *facts, e *emcs.Element) bool { return missing(e, "DocumentReference") },
		text: "The reference of the document is missing."},
	{number: 8502, list: "DocumentCertificate", at: "DocumentDescription", broken: func(_ *facts, e *emcs.Element) bool { return has(e, "DocumentDescription") },
		text: "EMCS no longer accepts a description of the document."},
	{number: 8503, list: "DocumentCertificate", at: "ReferenceOfDocument", broken: func(_ *facts, e *emcs.Element) bool { return has(e, "ReferenceOfDocument") },
		text: "EMCS no longer accepts the old reference of the document."},
}

func outOfOrder(e *emcs.Element) bool {
	n := 0
	for item := range e.All("BodyEadEsad") {
		if n++; item.Value("BodyRecordUniqueReference") != strconv.Itoa(n) {
			return true
		}
	}
	return false
}

func deferred(e *emcs.Element) bool { return get(e, "Attributes/DeferredSubmissionFlag") == "1" }

func dispatchDay(e *emcs.Element) string { return get(e, "EadEsadDraft/DateOfDispatch") }

// fixedInstallation is the code of a pipeline or the like.
const fixedInstallation = "5"

func unnamedUnit(e *emcs.Element) bool {
	return isNot(e.Value("TransportUnitCode"), fixedInstallation) && missing(e, "IdentityOfTransportUnits")
}

func namedInstallation(e *emcs.Element) bool {
	return e.Value("TransportUnitCode") == fixedInstallation && has(e, "IdentityOfTransportUnits")
}
