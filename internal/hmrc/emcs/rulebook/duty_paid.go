package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// dutyPaidRules are about goods with duty paid that move between businesses in the EU and Northern Ireland.
var dutyPaidRules = []rule{
	{number: 8714, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && isNot(f.destination, certifiedTypes) },
		text: "Goods with duty paid must go to a certified consignee."},
	{number: 8715, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && is(f.destination, "1 2 3 4 5 6 8") },
		text: "The type of the destination is one of goods in duty suspension."},
	{number: 8716, at: consignorID, broken: func(f *facts, _ *emcs.Element) bool { return f.origin == dutyPaid && lacks(f.from, "XIPA XIPC") },
		text: "The consignor of goods with the origin duty paid must have an excise number that begins with XIPA or XIPC."},
	{number: 8717, at: consignorID, broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && lacks(f.from, "XIPA XIPC") },
		text: "The consignor of a submission for duty paid must have an excise number that begins with XIPA or XIPC."},
	{number: 8718, at: warehouseID, broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && f.warehouse != "" }, text: "Goods with duty paid do not come from a tax warehouse."},
	{number: 8719, at: "PlaceOfDispatchTrader", lacks: "Postcode", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && missing(f.dispatch, "Postcode") },
		text: "The postcode of the place of dispatch is missing."},
	{number: 8720, at: "PlaceOfDispatchTrader", lacks: "TraderName", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && missing(f.dispatch, "TraderName") },
		text: "The name of the place of dispatch is missing."},
	{number: 8721, at: "PlaceOfDispatchTrader", lacks: "StreetName", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && missing(f.dispatch, "StreetName") },
		text: "The street of the place of dispatch is missing."},
	{number: 8722, at: "PlaceOfDispatchTrader", lacks: "City", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && missing(f.dispatch, "City") },
		text: "The city of the place of dispatch is missing."},
	{number: 8723, at: "HeaderEadEsad/DestinationTypeCode", broken: func(f *facts, _ *emcs.Element) bool {
		return f.origin == dutyPaid && begins(f.to, "XI") && begins(f.from, "XI") && isNot(f.destination, certifiedTypes)
	}, text: "Goods with duty paid within Northern Ireland must go to a certified consignee."},
	{number: 8726, at: "EadEsadDraft/OriginTypeCode", broken: func(f *facts, _ *emcs.Element) bool { return paid(f) && isNot(f.origin, dutyPaid) },
		text: "The origin of a submission for duty paid must be duty paid."},
}

// paid reports whether the submission is one for goods with duty paid.
func paid(f *facts) bool { return f.submission == dutyPaid }
