package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// Paths of identifications in a draft.
const (
	consigneeID = "ConsigneeTrader/Traderid"
	deliveryID  = "DeliveryPlaceTrader/Traderid"
	consignorID = "ConsignorTrader/TraderExciseNumber"
	warehouseID = "PlaceOfDispatchTrader/ReferenceOfTaxWarehouse"
)

// draftPartyRules are about consignor, consignee and guarantor.
var draftPartyRules = []rule{
	{number: 8045, at: "ConsigneeTrader", lacks: "Traderid", broken: func(f *facts, _ *emcs.Element) bool {
		return is(f.destination, withTraderID) && missing(f.consignee, "Traderid")
	},
		text: "The consignee's excise number is missing."},
	{number: 8046, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return is(f.destination, "5 8") && f.to != "" },
		text: "The consignee of this type of destination has no identification."},
	{number: 8047, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return is(f.destination, withTraderID) && notERN(f.to) },
		text: "The consignee's identification is not an excise number."},
	{number: 8048, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return f.guarantor == noGuarantorInUK && foreign(f.to) },
		text: "Without a guarantor the consignee must be in the UK."},
	{number: 8059, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return uk(f.to) && uk(f.from) && f.origin == fromWarehouse && isNot(f.destination, "1 6")
	}, text: "Goods from a UK tax warehouse to a UK consignee must go to a tax warehouse or be exported."},
	{number: 8624, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return uk(f.to) && uk(f.from) && f.origin == imported && isNot(f.destination, "1 6 8")
	}, text: "Imported goods to a UK consignee must go to a tax warehouse or an unknown destination, or be exported."},
	{number: 8550, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return ukWarehouse(f) && lacks(f.to, "GBWK XIWK") },
		text: "The consignee of a UK tax warehouse must have an excise number that begins with GBWK or XIWK."},
	{number: 8551, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return abroad(f) && uk(f.to) },
		text: "The consignee of this destination must not have an excise number of GB or XI."},
	{number: 8602, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "XI") && lacks(f.to, "XIWK") },
		text: "The consignee of a tax warehouse in Northern Ireland must have an excise number that begins with XIWK."},
	{number: 8610, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.warehouse, "GB") && foreign(f.to) },
		text: "Goods from a tax warehouse in Great Britain can go to a consignee of GB or XI only."},
	{number: 8611, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GBRC") && foreign(f.to) },
		text: "A registered consignor in Great Britain can send to a consignee of GB or XI only."},
	{number: 8612, at: "ConsigneeTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "XI") && notInBT(f.consignee) },
		text: "A consignee in Northern Ireland must have a postcode that begins with BT."},
	{number: 8613, at: "ConsigneeTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "GB") && inBT(f.consignee) },
		text: "A consignee in Great Britain must not have a postcode that begins with BT."},
	{number: 8614, at: "ConsignorTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "XI") && notInBT(f.consignor) },
		text: "A consignor in Northern Ireland must have a postcode that begins with BT."},
	{number: 8615, at: "ConsignorTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GB") && inBT(f.consignor) },
		text: "A consignor in Great Britain must not have a postcode that begins with BT."},
	{number: 8552, at: consignorID, broken: func(f *facts, _ *emcs.Element) bool { return f.origin == fromWarehouse && lacks(f.from, "GBWK XIWK") },
		text: "The consignor of goods from a tax warehouse must have an excise number that begins with GBWK or XIWK."},
	{number: 8553, at: consignorID, broken: func(f *facts, _ *emcs.Element) bool { return f.origin == imported && lacks(f.from, "GBRC XIRC") },
		text: "The consignor of imported goods must have an excise number that begins with GBRC or XIRC."},
	{number: 8163, at: "ConsigneeTrader/EoriNumber", broken: func(f *facts, _ *emcs.Element) bool {
		return isNot(f.destination, export) && has(f.consignee, "EoriNumber")
	},
		text: "Only the consignee of an export has an EORI number."},
	{number: 8132, at: "ComplementConsigneeTrader", lacks: "SerialNumberOfCertificateOfExemption", broken: func(f *facts, e *emcs.Element) bool {
		return f.destination == exempted && missing(e.At("ComplementConsigneeTrader"), "SerialNumberOfCertificateOfExemption")
	}, text: "The serial number of the certificate of exemption is missing."},
	{number: 8133, at: "ComplementConsigneeTrader/MemberStateCode", broken: func(_ *facts, e *emcs.Element) bool {
		return is(get(e, "ComplementConsigneeTrader/MemberStateCode"), "GB XI")
	}, text: "The member state must not be GB or XI."},
	{number: 8062, at: "MovementGuarantee", lacks: "GuarantorTrader", broken: func(f *facts, _ *emcs.Element) bool {
		return guarantorsNeeded(f) > 0 && !has(f.guarantee, "GuarantorTrader")
	},
		text: "The guarantor is missing: it is the transporter or the owner of the goods."},
	{number: 8063, at: "MovementGuarantee", broken: func(f *facts, _ *emcs.Element) bool { return tooManyGuarantors(f) },
		text: "There are more guarantors than the type of the guarantor has."},
	{number: 8064, at: "MovementGuarantee/GuarantorTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return f.guarantor == noGuarantorInUK && isNot(f.destination, taxWarehouse)
	},
		text: "A movement without a guarantor must go to a tax warehouse."},
	{number: 8065, at: "MovementGuarantee/GuarantorTrader", broken: func(f *facts, _ *emcs.Element) bool {
		return needlessGuarantor(f) && has(f.guarantee, "GuarantorTrader")
	},
		text: "The guarantor must not be named again: it is the consignor or the consignee, or none is needed."},
	{number: 8136, list: "MovementGuarantee/GuarantorTrader", broken: func(_ *facts, e *emcs.Element) bool { return noLanguage(e) }, text: "The language of the guarantor's address is missing."},
	{number: 8152, at: "TransportMode/TransportModeCode", broken: func(f *facts, _ *emcs.Element) bool { return f.guarantor == noGuarantorToEU && isNot(f.mode, "1 7") },
		text: "A movement to the EU without a guarantor must go by sea or by a fixed transport installation."},
	{number: 8158, at: "MovementGuarantee/GuarantorTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return f.submission == dutyPaid && byConsignee(f) && isNot(f.destination, certifiedTypes)
	}, text: "The consignee can be the guarantor only for a movement to a UK tax warehouse or a certified consignee."},
	{number: 8159, at: "MovementGuarantee/GuarantorTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return f.submission != dutyPaid && byConsignee(f) && f.destination != "" && !ukWarehouse(f)
	}, text: "The consignee can be the guarantor only for a movement to a UK tax warehouse."},
}

// ukWarehouse reports whether the goods go to a tax warehouse in the UK.
func ukWarehouse(f *facts) bool { return warehouseIn(f, "GB XI") }

// warehouseIn reports whether the goods go to a tax warehouse with a prefix.
func warehouseIn(f *facts, prefixes string) bool {
	return f.destination == taxWarehouse && begins(f.placeID, prefixes)
}

// abroad reports whether the destination cannot be one of a UK consignee.
func abroad(f *facts) bool {
	return is(f.destination, "2 3 4 9 10 11") || f.destination == taxWarehouse && foreign(f.placeID)
}
