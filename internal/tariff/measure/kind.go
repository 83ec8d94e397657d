package measure

// Kind is what a type of measure does to goods, as far as charges are concerned.
type Kind int

// Kinds of measure types.
const (
	Control Kind = iota // documents and prohibitions
	ThirdCountry
	Preference
	Suspension
	QuotaDuty
	Remedy
	Excise
	VAT
	Meursing
	EntryPrice // reference prices
	UnitOnly   // the supplementary unit to declare
)

// kinds of the types that are no controls; of HMRC's tariff service in November 2026.
var kinds = map[string]Kind{
	"103": ThirdCountry, "105": ThirdCountry,
	"106": Preference, "142": Preference, "145": Preference,
	"112": Suspension, "115": Suspension, "117": Suspension, "119": Suspension, "141": Suspension,
	"122": QuotaDuty, "123": QuotaDuty, "143": QuotaDuty, "146": QuotaDuty, "147": QuotaDuty,
	"551": Remedy, "552": Remedy, "553": Remedy, "554": Remedy, "695": Remedy, "696": Remedy,
	"305": VAT, "VTS": VAT, "VTZ": VAT, "VTA": VAT, "VTE": VAT, "306": Excise,
	"672": Meursing, "673": Meursing, "674": Meursing,
	"489": EntryPrice, "490": EntryPrice, "651": EntryPrice, "652": EntryPrice,
	"109": UnitOnly, "110": UnitOnly, "111": UnitOnly,
}

// KindOf returns the kind of a measure type.
func KindOf(typ string) Kind { return kinds[typ] }

// IsMeursing reports whether a type gives amounts of agricultural components.
func IsMeursing(typ string) bool { return kinds[typ] == Meursing }

// SafeguardType is the type of additional duties that are not charged within a quota.
const SafeguardType = "696"
