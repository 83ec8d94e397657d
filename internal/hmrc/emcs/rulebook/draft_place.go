package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// draftPlaceRules are about places and offices.
var draftPlaceRules = []rule{
	{number: 8052, at: "DeliveryPlaceTrader", lacks: "TraderName", broken: func(f *facts, _ *emcs.Element) bool { return nameless(f) }, text: "The name of the place of delivery is missing."},
	{number: 8053, at: "DeliveryPlaceTrader", lacks: "StreetName", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "StreetName") },
		text: "The street of the place of delivery is missing."},
	{number: 8054, at: "DeliveryPlaceTrader", lacks: "Postcode", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "Postcode") },
		text: "The postcode of the place of delivery is missing."},
	{number: 8055, at: "DeliveryPlaceTrader", lacks: "City", broken: func(f *facts, _ *emcs.Element) bool { return placeLacks(f, "City") }, text: "The city of the place of delivery is missing."},
	{number: 8056, at: deliveryID, broken: func(f *facts, _ *emcs.Element) bool { return f.destination == directDelivery && f.placeID != "" },
		text: "The place of a direct delivery has no identification."},
	{number: 8131, at: "PlaceOfDispatchTrader", broken: func(f *facts, _ *emcs.Element) bool { return noLanguage(f.dispatch) }, text: "The language of the address of dispatch is missing."},
	{number: 8134, at: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return noLanguage(f.place) }, text: "The language of the address of delivery is missing."},
	{number: 8149, at: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == unknown && f.place != nil },
		text: "An unknown destination has no place of delivery."},
	{number: 8150, at: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == export && f.place != nil },
		text: "An export has no place of delivery; it has a customs office."},
	{number: 8151, at: "DeliveryPlaceTrader", broken: func(f *facts, _ *emcs.Element) bool { return f.destination == registered && f.place != nil },
		text: "A movement to a registered consignee has no place of delivery."},
	{number: 8555, at: deliveryID, broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "GB") && lacks(f.placeID, "GB00") },
		text: "The identification of a tax warehouse in Great Britain must begin with GB00."},
	{number: 8556, at: deliveryID, broken: func(f *facts, _ *emcs.Element) bool { return foreignPlaceInUK(f) },
		text: "The place of delivery of this destination must not have an identification of GB or XI."},
	{number: 8605, at: deliveryID, broken: func(f *facts, _ *emcs.Element) bool {
		return f.destination == taxWarehouse && begins(f.to, "XI") && lacks(f.placeID, "XI00")
	},
		text: "The identification of a tax warehouse in Northern Ireland must begin with XI00."},
	{number: 8606, at: "DeliveryPlaceTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "XI") && notInBT(f.place) },
		text: "A tax warehouse in Northern Ireland must have a postcode that begins with BT."},
	{number: 8607, at: "DeliveryPlaceTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return warehouseIn(f, "GB") && inBT(f.place) },
		text: "A tax warehouse in Great Britain must not have a postcode that begins with BT."},
	{number: 8616, at: warehouseID, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GB") && lacks(f.warehouse, "GB00") },
		text: "A consignor in Great Britain dispatches from a tax warehouse whose identification begins with GB00."},
	{number: 8617, at: warehouseID, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "XI") && lacks(f.warehouse, "GB00 XI00") },
		text: "A consignor in Northern Ireland dispatches from a tax warehouse whose identification begins with GB00 or XI00."},
	{number: 8618, at: "PlaceOfDispatchTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.warehouse, "GB") && inBT(f.dispatch) },
		text: "A tax warehouse of dispatch in Great Britain must not have a postcode that begins with BT."},
	{number: 8619, at: "PlaceOfDispatchTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.warehouse, "XI") && notInBT(f.dispatch) },
		text: "A tax warehouse of dispatch in Northern Ireland must have a postcode that begins with BT."},
	{number: 8620, at: exportOffice, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.warehouse, "GB") && lacks(f.office, "GB") },
		text: "Goods from a tax warehouse in Great Britain need a customs office of GB."},
	{number: 8621, at: exportOffice, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.warehouse, "XI") && begins(f.office, "GB") },
		text: "Goods from a tax warehouse in Northern Ireland must not have a customs office of GB."},
	{number: 8622, at: exportOffice, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GBRC") && lacks(f.office, "GB") },
		text: "A registered consignor in Great Britain needs a customs office of GB."},
	{number: 8623, at: exportOffice, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "XIRC") && begins(f.office, "GB") },
		text: "A registered consignor in Northern Ireland must not have a customs office of GB."},
	{number: 8700, at: "DispatchImportOffice/ReferenceNumber", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GB") && lacks(f.importOffice, "GB") },
		text: "A consignor in Great Britain needs an office of import of GB."},
	{number: 8701, at: "DispatchImportOffice/ReferenceNumber", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "XI") && lacks(f.importOffice, "XI") },
		text: "A consignor in Northern Ireland needs an office of import of XI."},
	{number: 8702, at: authority, broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GB") && lacks(f.dispatchOffice, "GB") },
		text: "A consignor in Great Britain needs a competent authority of GB."},
	{number: 8709, at: authority, broken: func(f *facts, _ *emcs.Element) bool {
		return begins(f.warehouse, "XI") && lacks(f.dispatchOffice, "XI")
	},
		text: "A tax warehouse of XI needs a competent authority of XI."},
	{number: 8710, at: authority, broken: func(f *facts, _ *emcs.Element) bool {
		return begins(f.warehouse, "GB") && lacks(f.dispatchOffice, "GB")
	},
		text: "A tax warehouse of GB needs a competent authority of GB."},
	{number: 8711, at: authority, broken: func(f *facts, _ *emcs.Element) bool {
		return f.warehouse == "" && begins(f.from, "XI") && lacks(f.dispatchOffice, "XI")
	}, text: "A consignor in Northern Ireland without a tax warehouse needs a competent authority of XI."},
}

// Paths of offices in a draft.
const (
	exportOffice = "DeliveryPlaceCustomsOffice/ReferenceNumber"
	authority    = "CompetentAuthorityDispatchOffice/ReferenceNumber"
)

// nameless reports whether the place of delivery lacks a name; a direct delivery needs none.
func nameless(f *facts) bool {
	return isNot(f.destination, directDelivery) && missing(f.place, "TraderName")
}

// placeLacks reports whether the place of delivery lacks a part of the address; a tax warehouse needs none.
func placeLacks(f *facts, part string) bool {
	return isNot(f.destination, taxWarehouse) && missing(f.place, part)
}

// foreignPlaceInUK reports whether the place of delivery is in the UK although the destination is abroad.
func foreignPlaceInUK(f *facts) bool {
	return uk(f.placeID) && (f.destination == temporary || f.destination == taxWarehouse && foreign(f.to))
}
