package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// Paths in a change of destination.
const (
	newConsignee  = "DestinationChanged/NewConsigneeTrader"
	newPlace      = "DestinationChanged/DeliveryPlaceTrader"
	newOffice     = "DestinationChanged/DeliveryPlaceCustomsOffice/ReferenceNumber"
	newType       = "DestinationChanged/DestinationTypeCode"
	changedTypes  = "1 2 3 4 6 9 10 11"
	updatedFields = "UpdateEadEsad"
)

var changeRules = []rule{
	{number: 8020, broken: func(_ *facts, e *emcs.Element) bool { return count(e, "TransportDetails") > maxTransport }, text: "There are more than 30 transport details."},
	{number: 8021, at: "Attributes/DateAndTimeOfValidationOfChangeOfDestination", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "Attributes/DateAndTimeOfValidationOfChangeOfDestination")
	}, text: "HMRC sets the date and time of validation; remove it."},
	{number: 8022, at: "UpdateEadEsad/SequenceNumber", broken: func(_ *facts, e *emcs.Element) bool { return has(e, "UpdateEadEsad/SequenceNumber") },
		text: "HMRC sets the sequence number; remove it."},
	{number: 8023, at: "DestinationChanged", broken: func(f *facts, _ *emcs.Element) bool { return f.consignee == nil && f.place == nil && f.office == "" },
		text: "Give a new consignee, a new place of delivery or a new customs office."},
	{number: 8024, at: newConsignee + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return uk(f.to) && isNot(f.destination, "1 6") },
		text: "A consignee in the UK needs the destination tax warehouse or export."},
	{number: 8025, at: newConsignee + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool {
		return is(f.destination, "1 2 3 4 9 10") && f.consignee != nil && (f.to == "" || notERN(f.to))
	}, text: "The new consignee needs an excise number."},
	{number: 8026, at: newPlace, lacks: "Traderid", broken: func(f *facts, _ *emcs.Element) bool {
		return is(f.destination, "1 9 10") && missing(f.place, "Traderid")
	},
		text: "The place of delivery needs its identification: it is a tax warehouse or a certified consignee."},
	{number: 8027, at: newPlace, lacks: "TraderName", broken: func(f *facts, _ *emcs.Element) bool { return nameless(f) }, text: "The name of the place of delivery is missing."},
	{number: 8028, at: newPlace, lacks: "StreetName", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "StreetName") }, text: "The street of the place of delivery is missing."},
	{number: 8029, at: newPlace, lacks: "Postcode", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "Postcode") }, text: "The postcode of the place of delivery is missing."},
	{number: 8030, at: newPlace, lacks: "City", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "City") }, text: "The city of the place of delivery is missing."},
	{number: 8032, at: newPlace + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == directDelivery && f.placeID != "" },
		text: "The place of a direct delivery has no identification."},
	{number: 8089, lacks: "NewTransportArrangerTrader", broken: func(_ *facts, e *emcs.Element) bool {
		return is(get(e, "UpdateEadEsad/ChangedTransportArrangement"), "3 4") && !has(e, "NewTransportArrangerTrader")
	}, text: "The trader who now arranges the transport is missing."},
	{number: 8092, at: newPlace, broken: func(f *facts, _ *emcs.Element) bool { return noLanguage(f.place) }, text: "The language of the address of delivery is missing."},
	{number: 8093, at: newPlace + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == taxWarehouse && notERN(f.placeID) },
		text: "The identification of the tax warehouse is not an excise number."},
	{number: 8094, list: "TransportDetails", lacks: "IdentityOfTransportUnits", broken: func(_ *facts, e *emcs.Element) bool { return unnamedUnit(e) },
		text: "The identity of the transport unit is missing; only a fixed transport installation has none."},
	{number: 8095, list: "TransportDetails", at: "IdentityOfTransportUnits", broken: func(_ *facts, e *emcs.Element) bool { return namedInstallation(e) },
		text: "A fixed transport installation has no identity."},
	{number: 8138, at: newType, broken: func(f *facts, _ *emcs.Element) bool { return isNot(f.destination, changedTypes) },
		text: "The new type of the destination must be one of 1 to 4, 6 or 9 to 11."},
	{number: 8147, at: updatedFields, lacks: "ComplementaryInformation", broken: func(f *facts, e *emcs.Element) bool {
		return f.mode == "0" && !has(e, "UpdateEadEsad/ComplementaryInformation")
	}, text: "The mode of transport is other than those of the list, so that it must be described in the complementary information."},
	{number: 8148, at: "UpdateEadEsad/ComplementaryInformation", broken: func(f *facts, e *emcs.Element) bool {
		return isNot(f.mode, "0") && has(e, "UpdateEadEsad/ComplementaryInformation")
	}, text: "Only the mode of transport 0 (other) has complementary information."},
	{number: 8149, at: newPlace, broken: func(f *facts, _ *emcs.Element) bool { return f.destination == unknown && f.place != nil }, text: "An unknown destination has no place of delivery."},
	{number: 8150, at: newPlace, broken: func(f *facts, _ *emcs.Element) bool { return f.destination == export && f.place != nil },
		text: "An export has no place of delivery; it has a customs office."},
	{number: 8151, at: newPlace, broken: func(f *facts, _ *emcs.Element) bool { return f.destination == returned && f.place != nil },
		text: "Goods that return to the consignor have no place of delivery."},
	{number: 8163, at: newConsignee + "/EoriNumber", broken: func(f *facts, _ *emcs.Element) bool {
		return isNot(f.destination, export) && has(f.consignee, "EoriNumber")
	},
		text: "Only the consignee of an export has an EORI number."},
	{number: 8550, at: newConsignee + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return ukWarehouse(f) && lacks(f.to, "GBWK XIWK") },
		text: "The consignee of a UK tax warehouse must have an excise number that begins with GBWK or XIWK."},
	{number: 8551, at: newConsignee + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return abroad(f) && uk(f.to) },
		text: "The consignee of this destination must not have an excise number of GB or XI."},
	{number: 8555, at: newPlace + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "GB") && lacks(f.placeID, "GB00") },
		text: "The identification of a tax warehouse in Great Britain must begin with GB00."},
	{number: 8556, at: newPlace + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return foreignPlaceInUK(f) },
		text: "The place of delivery of this destination must not have an identification of GB or XI."},
	{number: 8600, at: "UpdateEadEsad/AdministrativeReferenceCode", broken: func(f *facts, _ *emcs.Element) bool {
		return f.country == "GB" && lacks(f.message.Header.Recipient, "NDEA.GB NDEA.XI")
	}, text: "A change of a movement from Great Britain is sent to the administration of GB or XI."},
	{number: 8601, at: newType, broken: func(f *facts, _ *emcs.Element) bool {
		return begins(f.message.Header.Recipient, "NDEA.GB NDEA.XI") && foreign(f.to) && isNot(f.destination, export)
	}, text: "The new consignee of this movement must be in Great Britain or Northern Ireland, or the goods are exported."},
	{number: 8602, at: newConsignee + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "XI") && lacks(f.to, "XIWK") },
		text: "The consignee of a tax warehouse in Northern Ireland must have an excise number that begins with XIWK."},
	{number: 8603, at: newConsignee + "/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "GB") && inBT(f.consignee) },
		text: "A consignee in Great Britain must not have a postcode that begins with BT."},
	{number: 8604, at: newConsignee + "/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "XI") && notInBT(f.consignee) },
		text: "A consignee in Northern Ireland must have a postcode that begins with BT."},
	{number: 8605, at: newPlace + "/Traderid", broken: func(f *facts, _ *emcs.Element) bool {
		return f.destination == taxWarehouse && begins(f.to, "XI") && lacks(f.placeID, "XI00")
	}, text: "The identification of a tax warehouse in Northern Ireland must begin with XI00."},
	{number: 8606, at: newPlace + "/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "XI") && notInBT(f.place) },
		text: "A tax warehouse in Northern Ireland must have a postcode that begins with BT."},
	{number: 8607, at: newPlace + "/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "GB") && inBT(f.place) },
		text: "A tax warehouse in Great Britain must not have a postcode that begins with BT."},
	{number: 8608, at: newOffice, broken: func(f *facts, _ *emcs.Element) bool { return f.country == "GB" && lacks(f.office, "GB") },
		text: "A movement from Great Britain needs a customs office of GB."},
	{number: 8609, at: newOffice, broken: func(f *facts, _ *emcs.Element) bool { return f.country == "XI" && begins(f.office, "GB") },
		text: "A movement from Northern Ireland must not have a customs office of GB."},
}
