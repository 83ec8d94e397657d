package exportcontrol

import (
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Rating is an entry of the UK Strategic Export Control Lists as given by the exporter.
type Rating struct {
	Entry  string // without sub-items, such as 2B001
	Regime Regime
	Known  bool // whether the entry is in the lists
}

var (
	militaryRating = lazyregexp.New(`^ML(\d{1,2})([A-Z][A-Z0-9]*)?$`)
	nationalRating = lazyregexp.New(`^PL(\d{4})([A-Z][A-Z0-9]*)?$`)
	dualUseRating  = lazyregexp.New(`^([0-9])([A-E])(\d{3})([A-Z][A-Z0-9]*)?$`)
	endUseRating   = lazyregexp.New(`^(END|MEND\d?)$`)
)

// maxRating is longer than any entry with sub-items.
const maxRating = 32

// ParseRating parses an entry such as ML1a, ML 10.b or 5A002.a.1. It returns false for a text of another form.
func ParseRating(text string) (Rating, bool) {
	if len(text) > maxRating {
		return Rating{}, false
	}
	squeezed := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" .-()/", r) {
			return -1
		}
		return r
	}, strings.ToUpper(text))
	if m := militaryRating.FindStringSubmatch(squeezed); m != nil {
		entry := "ML" + strings.TrimLeft(m[1], "0")
		return Rating{Entry: entry, Regime: Military, Known: titles[entry] != ""}, true
	}
	if m := nationalRating.FindStringSubmatch(squeezed); m != nil {
		regime := DualUse
		if m[1][0] == '5' {
			regime = Military
		}
		return Rating{Entry: "PL" + m[1], Regime: regime, Known: titles["PL"+m[1]] != ""}, true
	}
	if m := dualUseRating.FindStringSubmatch(squeezed); m != nil {
		return Rating{Entry: m[1] + m[2] + m[3], Regime: DualUse, Known: isDualUse(m[1]+m[2], m[3])}, true
	}
	if endUseRating.MatchString(squeezed) {
		return Rating{Entry: squeezed, Regime: DualUse, Known: true}, true
	}
	return Rating{}, false
}

// isDualUse reports whether a list has a number. For software and technology any number of a known hundred is accepted,
// because they follow the goods.
func isDualUse(list, number string) bool {
	known, listed := dualUseNumbers[list]
	switch {
	case list[1] == 'D' || list[1] == 'E':
		return number[0] <= '4'
	case !listed:
		return false
	}
	for _, span := range strings.Fields(known) {
		from, to, _ := strings.Cut(span, "-")
		if to == "" {
			to = from
		}
		if from <= number && number <= to {
			return true
		}
	}
	return false
}

// dualUseNumbers lists the entries for goods in the UK Dual-Use List, by the consolidated list of 2026.
var dualUseNumbers = map[string]string{
	"0A": "001", "0B": "001-009", "0C": "001-006",
	"1A": "001-008 101-102 202 225-227", "1B": "001-003 101-102 115-119 201 225-235",
	"1C": "001-012 101-102 107 111 116-118 202 210 216 225-241 298 350-354 450",
	"2A": "001 101 225-226", "2B": "001-010 104-105 109 116-117 119-122 201 204 206-207 209-210 219 225-233 350-352",
	"3A": "001-003 101-102 201 225-234", "3B": "001-002 003-004", "3C": "001-006",
	"4A": "001 003-005 101-102", "5A": "001-004 101", "5B": "001-002",
	"6A": "001-008 102 107-108 202-203 205 225-226", "6B": "002 004 007-008 107-108", "6C": "002 004-005",
	"7A": "001-008 101-106 115-117", "7B": "001-003 102-103", "8A": "001-002", "8B": "001", "8C": "001",
	"9A": "001-012 101-121 350", "9B": "001-010 105-107 115-117", "9C": "108 110",
}

// regimeOf returns the list of an entry.
func regimeOf(entry string) Regime {
	switch entry {
	case "Annex II", "Annex III", "Annex IV":
		return Torture
	case "Annex A", "Annex B":
		return CITES
	case "Controlled drug", "Drug precursor":
		return Drugs
	case "Archaeological object", "Object of cultural interest":
		return Cultural
	}
	if strings.ContainsFunc(entry, unicode.IsLower) {
		return EHC // parsing is slow, and a rating has capital letters only
	}
	if r, ok := ParseRating(entry); ok {
		return r.Regime
	}
	return EHC
}

// titleOf returns the title of an entry.
func titleOf(entry string) string {
	if title := titles[entry]; title != "" {
		return title
	}
	if _, ok := ParseRating(entry); ok && len(entry) > 2 {
		if title := categories[entry[:1]]; title != "" {
			return title + ", " + itemTypes[entry[1]]
		}
	}
	switch regimeOf(entry) {
	case CITES:
		return "Endangered species: " + entry + " of Regulation (EC) No 338/97 as retained"
	case EHC:
		return "Products of animal origin: " + entry
	}
	return entry
}

// itemTypes maps the letter of a dual-use entry to its meaning.
var itemTypes = map[byte]string{
	'A': "systems, equipment and components", 'B': "test, inspection and production equipment", 'C': "materials", 'D': "software", 'E': "technology",
}

// categories maps the digit of a dual-use entry to its category.
var categories = map[string]string{
	"0": "Nuclear materials, facilities and equipment", "1": "Special materials and related equipment", "2": "Materials processing", "3": "Electronics",
	"4": "Computers", "5": "Telecommunications and information security", "6": "Sensors and lasers", "7": "Navigation and avionics", "8": "Marine",
	"9": "Aerospace and propulsion",
}

var titles = map[string]string{
	"ML1": "Small arms below 20 mm, their accessories and components", "ML2": "Weapons of 20 mm and more, launchers and projectors", "ML3": "Ammunition and fuze setting devices",
	"ML4": "Bombs, torpedoes, rockets, missiles, grenades and mines", "ML5": "Fire control, sighting, surveillance and warning equipment", "ML6": "Ground vehicles and components",
	"ML7": "Chemical and biological agents, riot control agents and protection", "ML8": "Explosives, propellants and related substances", "ML9": "Vessels of war and naval equipment",
	"ML10": "Military aircraft, unmanned aircraft, parachutes and aero-engines", "ML11": "Military electronics", "ML12": "High velocity kinetic energy weapons",
	"ML13": "Armour, helmets and body armour", "ML14": "Military training equipment and simulators", "ML15": "Military imaging and countermeasure equipment",
	"ML16": "Forgings, castings and other unfinished military goods", "ML17": "Miscellaneous military equipment and materials", "ML18": "Production equipment for military goods",
	"ML19": "Directed energy weapons", "ML20": "Cryogenic and superconductive military equipment", "ML21": "Military software", "ML22": "Military technology",
	"PL5001": "Security and paramilitary police goods", "PL5006": "Equipment against improvised explosive devices", "PL5017": "Equipment and test models for military goods",
	"PL5030": "Non-military stun grenades", "PL5035": "Ballistic protection for civil vehicles",
	"PL8001": "Explosive-related goods and technology", "PL9002": "Energetic materials", "PL9003": "Vaccines against controlled agents", "PL9004": "Human and animal pathogens and toxins",
	"PL9005": "Electronic equipment to detect explosives", "PL9006": "Troposcatter communication equipment", "PL9008": "Vessels, software and technology",
	"PL9009": "Aircraft and technology", "PL9010": "Smooth-bore firearms for sport and hunting", "PL9011": "Their ammunition and components", "PL9012": "Submersible vessels",
	"PL9013": "Semiconductor technologies under national control", "PL9014": "Quantum technologies under national control", "PL9015": "Additive manufacturing under national control",
	"END": "Goods for weapons of mass destruction", "MEND": "Goods for a military end use", "MEND1": "Goods for a military end use", "MEND2": "Goods for a military end use", "MEND3": "Goods for a military end use",

	"0A001": "Nuclear reactors and their components", "0B001": "Plant for the separation of isotopes", "0C001": "Natural and depleted uranium, and thorium",
	"1A004": "Protective and detection equipment", "1C010": "Fibrous materials for composites", "1C216": "Maraging steel", "1C350": "Chemicals that may be precursors of toxic agents",
	"1C351": "Human and animal pathogens, and toxins", "1C450": "Toxic chemicals and precursors", "2B001": "Machine tools", "2B006": "Dimensional inspection equipment",
	"2B350": "Chemical manufacturing equipment", "2B352": "Equipment for handling biological materials", "3A001": "Electronic components", "3A225": "Frequency changers and generators",
	"3B001": "Equipment to manufacture semiconductors", "4A003": "Digital computers", "4D004": "Intrusion software", "5A001": "Telecommunications systems",
	"5A002": "Information security systems and equipment", "5A004": "Equipment to defeat information security", "5D002": "Information security software",
	"6A001": "Acoustic systems", "6A002": "Optical sensors", "6A003": "Cameras", "6A005": "Lasers", "6A008": "Radar systems", "7A002": "Gyros and angular rate sensors",
	"7A003": "Inertial measurement equipment", "8A001": "Submersible vehicles", "9A004": "Spacecraft and launch vehicles", "9A012": "Unmanned aerial vehicles",

	"Annex II": "Goods for execution and torture, whose export is prohibited", "Annex III": "Goods for restraint and incapacitation", "Annex IV": "Substances for lethal injection",
	"Controlled drug": "Misuse of Drugs Regulations 2001, Schedules 1 to 5", "Drug precursor": "Scheduled substances of the drug precursor regulations",
	"Archaeological object":       "Export of Objects of Cultural Interest (Control) Order 2003: archaeological material of any value",
	"Object of cultural interest": "Export of Objects of Cultural Interest (Control) Order 2003: objects over 50 years old",
}
