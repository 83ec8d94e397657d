package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// Submitters of an explanation.
const (
	byTheConsignor = "1"
	byTheConsignee = "2"
)

// shortageRules are those of the explanation of a shortage or excess (IE871).
var shortageRules = []rule{
	{number: 8002, broken: func(_ *facts, e *emcs.Element) bool { return count(e, "BodyAnalysis") > maxItems }, text: "There are more than 999 items."},
	{number: 8005, broken: func(_ *facts, e *emcs.Element) bool { return repeats(e, "BodyAnalysis", "BodyRecordUniqueReference") }, text: "An item is there twice."},
	{number: 8021, at: "Attributes/DateAndTimeOfValidationOfExplanationOnShortage", broken: func(_ *facts, e *emcs.Element) bool {
		return has(e, "Attributes/DateAndTimeOfValidationOfExplanationOnShortage")
	}, text: "HMRC sets the date and time of validation; remove it."},
	{number: 8141, lacks: "ConsignorTrader", broken: func(f *facts, e *emcs.Element) bool { return submitter(e) == byTheConsignor && f.consignor == nil }, text: "The consignor is missing."},
	{number: 8142, at: "ConsigneeTrader", broken: func(f *facts, e *emcs.Element) bool { return submitter(e) == byTheConsignor && f.consignee != nil },
		text: "An explanation of the consignor does not name the consignee."},
	{number: 8143, at: "ConsignorTrader", broken: func(f *facts, e *emcs.Element) bool { return submitter(e) == byTheConsignee && f.consignor != nil },
		text: "An explanation of the consignee does not name the consignor."},
	{number: 8145, lacks: "ConsigneeTrader", broken: func(f *facts, e *emcs.Element) bool { return submitter(e) == byTheConsignee && f.consignee == nil }, text: "The consignee is missing."},
	{number: 8160, lacks: "Analysis", broken: func(_ *facts, e *emcs.Element) bool { return !has(e, "Analysis") && !has(e, "BodyAnalysis") },
		text: "There is no explanation: give one for the whole, or for an item."},
	{number: 8557, at: consigneeID, broken: func(f *facts, _ *emcs.Element) bool { return lacks(f.to, "GBWK XIWK XIPB") },
		text: "The consignee's excise number must begin with GBWK, XIWK or XIPB."},
	{number: 8558, at: consignorID, broken: func(f *facts, _ *emcs.Element) bool { return lacks(f.from, "GBWK GBRC XIWK XIRC XIPA") },
		text: "The consignor's excise number must begin with GBWK, GBRC, XIWK, XIRC or XIPA."},
	{number: 8612, at: "ConsigneeTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "XI") && notInBT(f.consignee) },
		text: "A consignee in Northern Ireland must have a postcode that begins with BT."},
	{number: 8613, at: "ConsigneeTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.to, "GB") && inBT(f.consignee) },
		text: "A consignee in Great Britain must not have a postcode that begins with BT."},
	{number: 8614, at: "ConsignorTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "XI") && notInBT(f.consignor) },
		text: "A consignor in Northern Ireland must have a postcode that begins with BT."},
	{number: 8615, at: "ConsignorTrader/Postcode", broken: func(f *facts, _ *emcs.Element) bool { return begins(f.from, "GB") && inBT(f.consignor) },
		text: "A consignor in Great Britain must not have a postcode that begins with BT."},
}

func submitter(e *emcs.Element) string { return get(e, "Attributes/SubmitterType") }
