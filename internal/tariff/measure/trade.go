package measure

// exports are the types of measures on goods that leave; those of all others are on goods that arrive. HMRC's list of measure
// types, in November 2026.
var exports = map[string]bool{
	"278": true, "353": true, "354": true, "357": true, "361": true, "445": true, "467": true, "473": true, "476": true, "478": true, "479": true,
	"485": true, "680": true, "706": true, "708": true, "709": true, "715": true, "716": true, "717": true, "718": true, "725": true, "735": true,
	"740": true, "749": true, "751": true, "766": true, "EQC": true,
}

// IsExport reports whether measures of a type are on goods that leave only.
func IsExport(typ string) bool { return exports[typ] }

// Prohibitions is the series of measure types that forbid.
const Prohibitions = "A"

// prohibitions are the types of that series in the same list.
var prohibitions = map[string]bool{"277": true, "278": true, "481": true, "485": true}

// IsProhibition reports whether a type is of the series that forbids, for tables that do not say the series.
func IsProhibition(typ string) bool { return prohibitions[typ] }
