package exportcontrol

import (
	"cmp"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

// Use is the evidence of an end use for weapons and armed forces.
type Use struct {
	MassDestruction string // words for weapons of mass destruction, or ""
	ArmedForces     string // words for armed forces or the production of weapons, or ""
}

// UseOf classifies an end use and the name of the end user, which may be empty. Negated words, as in “not for any military
// use”, do not count.
func UseOf(endUse, endUser string) Use {
	return useOf(known().phrases.find(read(endUse))).or(useOf(known().phrases.find(read(endUser))))
}

func useOf(f matches) (u Use) {
	u.MassDestruction, _ = f.any(known().words[massDestruction])
	u.ArmedForces, _ = f.any(known().words[armedForces])
	if u.ArmedForces == "" {
		u.ArmedForces, _ = f.any(known().words[weaponry])
	}
	return u
}

func (u Use) or(other Use) Use {
	return Use{MassDestruction: cmp.Or(u.MassDestruction, other.MassDestruction), ArmedForces: cmp.Or(u.ArmedForces, other.ArmedForces)}
}

// MilitaryEmbargo reports whether all goods for a military end use in a country need a licence because of an arms embargo.
func MilitaryEmbargo(country string) bool { return sanction.Against(country).Level >= sanction.Embargo }

// covered lists the destinations of the general authorisations for most dual-use goods: those of the retained EU001, and the
// EU member states.
var covered = []string{
	"AU", "CA", "CH", "IS", "JP", "LI", "NO", "NZ", "US",
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// sensitive lists entries that the general authorisations exclude at least in part: nuclear goods, pathogens, complete
// missile systems and goods to defeat information security.
var sensitive = []string{
	"0A001", "0B001", "0B004", "0B006", "0C001", "0C002", "0C003", "0C004", "1A007", "1B226", "1C001", "1C012", "1C235", "1C239", "1C351", "1C353", "1C354", "1C450",
	"3A229", "3A232", "4D004", "5A004", "6A203", "7E104", "9A004", "9A005", "9A007", "9A009", "9A116", "9A117", "PL9014",
}

// General reports whether an open general licence may cover an entry to a country.
func General(entry, country string) bool {
	return slices.Contains(covered, country) && !slices.Contains(sensitive, entry)
}
