package rulebook

import "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"

// Paths of the guarantee in a change of destination.
const (
	newGuarantee  = "DestinationChanged/MovementGuarantee"
	guarantorType = newGuarantee + "/GuarantorTypeCode"
	newGuarantors = newGuarantee + "/GuarantorTrader"
)

var changeGuaranteeRules = []rule{
	{number: 8200, at: newGuarantee, lacks: "GuarantorTrader", broken: func(f *facts, _ *emcs.Element) bool {
		return guarantorsNeeded(f) > 0 && !has(f.guarantee, "GuarantorTrader")
	},
		text: "The guarantor is missing: it is the transporter or the owner of the goods."},
	{number: 8201, at: newGuarantee, broken: func(f *facts, _ *emcs.Element) bool { return tooManyGuarantors(f) }, text: "There are more guarantors than the type of the guarantor has."},
	{number: 8202, at: guarantorType, broken: func(f *facts, _ *emcs.Element) bool {
		return f.guarantor == noGuarantorInUK && isNot(f.destination, taxWarehouse)
	},
		text: "A movement without a guarantor must go to a tax warehouse."},
	{number: 8204, at: guarantorType, broken: func(f *facts, _ *emcs.Element) bool { return f.guarantor == noGuarantorInUK && foreign(f.to) },
		text: "Without a guarantor the consignee must be in the UK."},
	{number: 8205, at: guarantorType, broken: func(f *facts, _ *emcs.Element) bool { return f.guarantor == noGuarantorInUK && foreign(f.placeID) },
		text: "Without a guarantor the place of delivery must be in the UK."},
	{number: 8206, at: guarantorType, broken: func(f *facts, _ *emcs.Element) bool { return f.guarantor == noGuarantorToEU && isNot(f.mode, "1 7") },
		text: "A movement to the EU without a guarantor must go by sea or by a fixed transport installation."},
	{number: 8207, list: newGuarantors, lacks: "TraderName", broken: func(_ *facts, e *emcs.Element) bool { return unidentified(e, "TraderName") }, text: "The guarantor needs a name or an excise number."},
	{number: 8208, list: newGuarantors, lacks: "StreetName", broken: func(_ *facts, e *emcs.Element) bool { return unidentified(e, "StreetName") }, text: "The guarantor needs a street or an excise number."},
	{number: 8209, list: newGuarantors, lacks: "City", broken: func(_ *facts, e *emcs.Element) bool { return unidentified(e, "City") }, text: "The guarantor needs a city or an excise number."},
	{number: 8210, list: newGuarantors, lacks: "Postcode", broken: func(_ *facts, e *emcs.Element) bool { return unidentified(e, "Postcode") }, text: "The guarantor needs a postcode or an excise number."},
	{number: 8211, list: newGuarantors, broken: func(_ *facts, e *emcs.Element) bool { return e.Language == "" && has(e, "StreetName") }, text: "The language of the guarantor's street is missing."},
	{number: 8212, list: newGuarantors, broken: func(_ *facts, e *emcs.Element) bool { return e.Language == "" && has(e, "StreetNumber") },
		text: "The language of the guarantor's street number is missing."},
	{number: 8213, list: newGuarantors, broken: func(_ *facts, e *emcs.Element) bool { return e.Language == "" && has(e, "Postcode") }, text: "The language of the guarantor's postcode is missing."},
	{number: 8214, list: newGuarantors, broken: func(_ *facts, e *emcs.Element) bool { return e.Language == "" && has(e, "City") }, text: "The language of the guarantor's city is missing."},
	{number: 8215, list: newGuarantors, broken: func(f *facts, e *emcs.Element) bool { return needlessGuarantor(f) && has(e, "TraderExciseNumber") },
		text: "The guarantor needs no excise number: it is the consignor or the consignee, or none is needed."},
}

// unidentified reports whether a guarantor has neither an excise number nor a part of the address.
func unidentified(e *emcs.Element, part string) bool {
	return missing(e, "TraderExciseNumber") && missing(e, part)
}
