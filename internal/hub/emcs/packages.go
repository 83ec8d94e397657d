package emcs

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

var packageRules = ruleSet{
	{Code: "EMCS-036", Severity: rules.Warning, Field: "packageType", Judge: unknownPackage, Source: "EMCS reference table BC17 (packaging codes); UN/ECE Recommendation 21",
		Title: "The kind of packages is not a code of EMCS"},
	{Code: "EMCS-037", Severity: rules.Warning, Field: "numberOfPackages", Judge: packageCount, Source: ernGuidance + ": 8505 and 8506; EMCS reference table BC17 (countable packages)",
		Title: "Kind and number of packages do not go together"},
	{Code: "EMCS-038", Severity: rules.Warning, Field: "numberOfPackages", Judge: packageSize, Source: "House rule: size of a package",
		Title: "The packages hold more, or less, than such packages do"},
}

// packageKinds are the second characters of the codes of EMCS reference table BC17 as
// at November 2026, by the first.
var packageKinds = map[byte]string{
	'1': "ABDFGW", '2': "C", '3': "AH", '4': "34ABCDFGH", '5': "HLM", '6': "HP", '7': "AB", '8': "ABC",
	'A': "ABCDEFGHIJLMPTV", 'B': "4ABCDEFGHIJKLMNOPQRSTUVWXYZ", 'C': "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 'D': "ABCGHIJKLMNPRSTUVWXY",
	'E': "CDEFGHIN", 'F': "BCDEILOPRTWX", 'G': "BILRUYZ", 'H': "ABCGNR", 'I': "ABCDEFGHKLNZ", 'J': "BCGRTY", 'K': "GI",
	'L': "EGTUVZ", 'M': "ABCERSTWX", 'N': "AEFGSTUV", 'O': "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ", 'P': "1234ABCDEFGHIJKLNOPRTUVXYZ",
	'Q': "ABCDFGHJKLMNPQRS", 'R': "DGJKLOTZ", 'S': "ABCDEHIKLMOPSTUVWXYZ", 'T': "1BCDEGIKLNORSTUVWYZ", 'U': "CN",
	'V': "AGIKLNOPQRSY", 'W': "ABCDFGHJKLMNPQRSTUVWXYZ", 'X': "ABCDFGHJK", 'Y': "ABCDFGHJKLMNPQRSTVWXYZ", 'Z': "ABCDFGHJKLMNPQRSTUVWXYZ",
}

// uncounted are the kinds that have no number.
var uncounted = strings.Fields("NE VG VL VO VQ VR VY")

// packageWords are what people write for a kind.
var packageWords = map[string]string{
	"barrel": "BA", "bottle": "BO", "box": "BX", "boxes": "BX", "bulk": "VL", "carton": "CT", "case": "CS", "cask": "CK", "crate": "CR",
	"drum": "DR", "flexitank": "FE", "hogshead": "HG", "hogsheads": "HG", "ibc": "WA", "keg": "KG", "package": "PK", "packet": "PA", "pallet": "PX",
	"tank": "TK", "tanker": "VL",
}

// kind is the code of the packages, read from a word where one is given; empty for
// a word that says nothing.
func (m *Movement) kind() (code string, worded bool) {
	code = strings.ToUpper(squeezed(m.PackageType))
	if len(code) == 2 {
		return code, false
	}
	for _, w := range goods.Words(strings.ToLower(m.PackageType)) {
		if code, known := packageWords[strings.TrimSuffix(w, "s")]; known {
			return code, true
		}
		if code, known := packageWords[w]; known {
			return code, true
		}
	}
	return "", true
}

func isKind(code string) bool {
	return len(code) == 2 && strings.IndexByte(packageKinds[code[0]], code[1]) >= 0
}

func unknownPackage(m *Movement, _ rules.Facts) remarks {
	if m.PackageType == "" {
		return nil
	}
	const advice = "Give the two characters of the packaging code, such as CT for cartons, PX for pallets or VL for liquid in bulk."
	switch code, worded := m.kind(); {
	case !worded && !isKind(code):
		return rules.Say(fmt.Sprintf("%q is no packaging code of EMCS.", m.PackageType), advice)
	case worded && code == "":
		return remarks{{Severity: rules.Info, Message: fmt.Sprintf("%q is not a packaging code, which has two characters.", m.PackageType), Suggestion: advice}}
	case worded:
		return remarks{{Severity: rules.Info, Message: fmt.Sprintf("%q is written out; EMCS takes the code %s.", m.PackageType, code), Suggestion: fmt.Sprintf("Give %s in packageType.", code)}}
	}
	return nil
}

func packageCount(m *Movement, _ rules.Facts) remarks {
	code, worded := m.kind()
	inBulk := slices.Contains(uncounted, code)
	switch {
	case m.PackageType == "" && m.Packages == nil:
		return noPackages(m)
	case m.PackageType == "":
		return remarks{{
			Field:      "packageType",
			Message:    fmt.Sprintf("There are %d packages, and of what kind is not given.", *m.Packages),
			Suggestion: "Give the packaging code in packageType.",
		}}
	case m.Packages == nil && !inBulk && isKind(code) && !worded:
		return rules.Say(fmt.Sprintf("The packages are %s, which are counted, and their number is not given.", code),
			"Give the number in numberOfPackages.")
	case m.Packages != nil && *m.Packages == 0 && !inBulk:
		return rules.Say(fmt.Sprintf("The number of packages %q is 0, which EMCS takes only for goods packed with others under one shipping mark.", m.PackageType),
			"Give the number of packages.")
	case m.Packages != nil && *m.Packages > 1 && inBulk:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("There are %d packages of %q, which is not counted.", *m.Packages, m.PackageType),
			Suggestion: "Leave numberOfPackages out for goods in bulk.",
		}}
	}
	return nil
}

// noPackages lets oils be, which mostly go in bulk.
func noPackages(m *Movement) remarks {
	if m.Category == EnergyOils {
		return nil
	}
	return remarks{{
		Severity: rules.Info, Field: "packageType",
		Message:    fmt.Sprintf("Neither kind nor number of the packages of %s is given, and the e-AD needs them.", m.code()),
		Suggestion: "Give packageType and numberOfPackages; VL stands for liquid in bulk.",
	}}
}

// holds are the most litres, or kilograms, that one package of a kind holds.
var holds = map[string]int64{
	"BO": 30, "BQ": 30, "BS": 30, "BV": 30, "CX": 30, "CA": 30, "PA": 30,
	"BX": 120, "CS": 120, "CT": 120, "CB": 120, "CR": 120, "BC": 120, "4G": 120, "4C": 120,
	"KG": 170, "BA": 700, "CK": 700, "HG": 700, "DR": 300, "1A": 300, "IH": 300,
	"WA": 3000, "AA": 3000, "PX": 2000,
}

// least is less than any package of goods holds: a miniature is 0.05 litres, ten
// cigarettes weigh 0.007 kilograms.
var least = big.NewRat(1, 200)

func packageSize(m *Movement, _ rules.Facts) remarks {
	of := m.litres()
	if !of.some() {
		of = m.kilograms()
	}
	if m.Packages == nil || *m.Packages == 0 || !of.some() {
		return nil
	}
	code, _ := m.kind()
	each := new(big.Rat).Quo(of.n, big.NewRat(*m.Packages, 1))
	most, known := holds[code]
	tooMuch := known && each.Cmp(big.NewRat(most, 1)) > 0
	if !tooMuch && (each.Cmp(least) >= 0 || slices.Contains(uncounted, code)) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s %s in %d packages %q is %s each.", of.text, of.unit, *m.Packages, m.PackageType, strings.TrimRight(strings.TrimRight(each.FloatString(4), "0"), ".")),
		"Check quantity, number and kind of packages.")
}
