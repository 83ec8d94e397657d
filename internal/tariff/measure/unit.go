package measure

import "math/big"

// Unit is a unit of the tariff, with its qualifier if it has one.
type Unit struct {
	Code, Qualifier string
}

// String returns the unit as callers write it: TNE, or TNE/I.
func (u Unit) String() string {
	if u.Qualifier == "" {
		return u.Code
	}
	return u.Code + "/" + u.Qualifier
}

// Units that are computed from other quantities, or that stand for amounts of money.
const (
	Strength     = "ASV" // per cent of alcohol by volume; with the qualifier X, per cent times hectolitres
	PureAlcohol  = "LPA" // litres of pure alcohol
	RetailPrice  = "RET" // the retail price in pounds
	SmallRelief  = "SPQ" // the relief of small producers
	Hectolitre   = "HLT"
	Litre        = "LTR"
	Kilogram     = "KGM"
	Hundredkilo  = "DTN"
	SugarPercent = "Z" // qualifier: per cent of sucrose, for each unit
	ByVolume     = "X" // qualifier of the strength: for each hectolitre
)

// scale is how many basic units of a dimension one unit holds.
type scale struct {
	basic string
	size  *big.Rat
}

// scales of the units that are converted into one another. TARIC, in November 2026.
var scales = map[string]scale{
	"GRM": {Kilogram, big.NewRat(1, 1000)}, Kilogram: {Kilogram, big.NewRat(1, 1)},
	Hundredkilo: {Kilogram, big.NewRat(100, 1)}, "TNE": {Kilogram, big.NewRat(1000, 1)},
	Litre: {Litre, big.NewRat(1, 1)}, Hectolitre: {Litre, big.NewRat(100, 1)}, "KLT": {Litre, big.NewRat(1000, 1)},
	"NAR": {"NAR", big.NewRat(1, 1)}, "CEN": {"NAR", big.NewRat(100, 1)}, "MIL": {"NAR", big.NewRat(1000, 1)},
	"NPR": {"NPR", big.NewRat(1, 1)}, "MPR": {"NPR", big.NewRat(1000, 1)},
	"KWH": {"KWH", big.NewRat(1, 1)}, "MWH": {"KWH", big.NewRat(1000, 1)},
	"MTR": {"MTR", big.NewRat(1, 1)}, "HMT": {"MTR", big.NewRat(100, 1)}, "KMT": {"MTR", big.NewRat(1000, 1)},
}

// Convert returns how many of a unit a quantity in another one is; false if they are of different dimensions. A unit with a
// qualifier is converted only into one with the same.
func Convert(value *big.Rat, from, to Unit) (*big.Rat, bool) {
	if from == to {
		return value, true
	}
	a, ok := scales[from.Code]
	b, also := scales[to.Code]
	if !ok || !also || a.basic != b.basic || from.Qualifier != to.Qualifier {
		return nil, false
	}
	converted := new(big.Rat).Mul(value, a.size)
	return converted.Quo(converted, b.size), true
}

// IsMass reports whether a unit is a mass without a qualifier, which the net mass answers.
func (u Unit) IsMass() bool { return u.Qualifier == "" && scales[u.Code].basic == Kilogram }

// Known reports whether the tariff has the unit.
func (u Unit) Known() bool {
	if scales[u.Code].basic != "" {
		return true
	}
	_, ok := abbreviations[Unit{Code: u.Code}]
	_, qualified := abbreviations[u]
	return ok || qualified
}

// Abbreviation is the unit as duties write it, such as "100 kg".
func (u Unit) Abbreviation() string {
	if a, ok := abbreviations[u]; ok {
		return a
	}
	if a, ok := abbreviations[Unit{Code: u.Code}]; ok && u.Qualifier != "" {
		return a + "/" + u.Qualifier
	}
	return u.String()
}

// abbreviations of units in duties, as HMRC's tariff service writes them in November 2026.
var abbreviations = map[Unit]string{
	{"ASV", ""}: "% vol", {"ASV", "X"}: "% vol/hl", {"BRX", ""}: "% sucrose", {"CCT", ""}: "ct/l", {"CEN", ""}: "100 p/st",
	{"CTM", ""}: "c/k", {"DAP", ""}: "10 000 kg/polar", {"DHS", ""}: "kg DHS",
	{"DTN", ""}: "100 kg", {"DTN", "E"}: "100 kg/net eda", {"DTN", "F"}: "100 kg common wheat", {"DTN", "G"}: "100 kg/br",
	{"DTN", "L"}: "100 kg live weight", {"DTN", "M"}: "100 kg/net mas", {"DTN", "R"}: "100 kg std qual",
	{"DTN", "S"}: "100 kg raw sugar", {"DTN", "Z"}: "100 kg/net/%sacchar.",
	{"GFI", ""}: "gi F/S", {"GRM", ""}: "g", {"GRT", ""}: "GT", {"HLT", ""}: "hl", {"HMT", ""}: "100 m",
	{"KCC", ""}: "kg C₅H₁₄ClNO", {"KCL", ""}: "tonne KCl",
	{"KGM", ""}: "kg", {"KGM", "A"}: "kg/tot/alc", {"KGM", "E"}: "kg/net eda", {"KGM", "G"}: "GKG",
	{"KGM", "P"}: "kg/lactic matter", {"KGM", "S"}: "kg/raw sugar", {"KGM", "T"}: "kg/dry lactic matter",
	{"KLT", ""}: "1,000 l", {"KMA", ""}: "kg methylamines", {"KMT", ""}: "KM", {"KNI", ""}: "kg N", {"KNS", ""}: "kg H₂O₂",
	{"KPH", ""}: "kg KOH", {"KPO", ""}: "kg K₂O", {"KPP", ""}: "kg P₂O₅", {"KSD", ""}: "kg 90% sdt", {"KSH", ""}: "kg NaOH",
	{"KUR", ""}: "kg U", {"KWH", ""}: "kWh", {"LPA", ""}: "l alc. 100%", {"LTR", ""}: "l", {"LTR", "A"}: "L total alc.",
	{"MIL", ""}: "1000 p/st", {"MPR", ""}: "1000 pa", {"MTK", ""}: "m²", {"MTQ", ""}: "m³", {"MTQ", "C"}: "1000 m³",
	{"MTR", ""}: "m", {"MWH", ""}: "1000 kWh", {"NAR", ""}: "p/st", {"NAR", "B"}: "b/f", {"NCL", ""}: "ce/el", {"NPR", ""}: "pa",
	{"RET", ""}: "Retail Price", {"SPQ", ""}: "SPQ", {"TJO", ""}: "TJ",
	{"TNE", ""}: "1000 kg", {"TNE", "E"}: "1000 kg/net eda", {"TNE", "I"}: "1000 kg/biodiesel",
	{"TNE", "J"}: "1000 kg/fuel content", {"TNE", "K"}: "1000 kg/bioethanol", {"TNE", "M"}: "1000 kg/net mas",
	{"TNE", "R"}: "1000 kg std qual", {"TNE", "Z"}: "1000 kg/net/%saccha.", {"WAT", ""}: "W",
}
