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
	{Code: "EMCS-036", Severity: rules.Warning, Field: "packageType", Check: unknownPackage, Source: "EMCS reference table BC17 (packaging codes); UN/ECE Recommendation 21",
		Title: "The packaging code does not exist in EMCS"},
	{Code: "EMCS-037", Severity: rules.Warning, Field: "numberOfPackages", Check: packageCount, Source: ernGuidance + ": 8505 and 8506; EMCS reference table BC17 (countable packages)",
		Title: "Packaging code and number of packages do not fit together"},
	{Code: "EMCS-038", Severity: rules.Warning, Field: "numberOfPackages", Check: packageSize, Source: "Plausibility check: size of a package",
		Title: "The quantity in each package is too large or too small"},
}

// packageKinds holds the codes of EMCS reference table BC17 as at November 2026: by the first character, the second ones.
var packageKinds = map[byte]string{
	'1': "ABDFGW", '2': "C", '3': "AH", '4': "34ABCDFGH", '5': "HLM", '6': "HP", '7': "AB", '8': "ABC",
	'A': "ABCDEFGHIJLMPTV", 'B': "4ABCDEFGHIJKLMNOPQRSTUVWXYZ", 'C': "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 'D': "ABCGHIJKLMNPRSTUVWXY",
	'E': "CDEFGHIN", 'F': "BCDEILOPRTWX", 'G': "BILRUYZ", 'H': "ABCGNR", 'I': "ABCDEFGHKLNZ", 'J': "BCGRTY", 'K': "GI",
	'L': "EGTUVZ", 'M': "ABCERSTWX", 'N': "AEFGSTUV", 'O': "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ", 'P': "1234ABCDEFGHIJKLNOPRTUVXYZ",
	'Q': "ABCDFGHJKLMNPQRS", 'R': "DGJKLOTZ", 'S': "ABCDEHIKLMOPSTUVWXYZ", 'T': "1BCDEGIKLNORSTUVWYZ", 'U': "CN",
	'V': "AGIKLNOPQRSY", 'W': "ABCDFGHJKLMNPQRSTUVWXYZ", 'X': "ABCDFGHJK", 'Y': "ABCDFGHJKLMNPQRSTVWXYZ", 'Z': "ABCDFGHJKLMNPQRSTUVWXYZ",
}

// uncounted lists the codes of packages that are not counted.
var uncounted = strings.Fields("NE VG VL VO VQ VR VY")

// packageWords maps words to packaging codes.
var packageWords = map[string]string{
	"barrel": "BA", "bottle": "BO", "box": "BX", "boxes": "BX", "bulk": "VL", "carton": "CT", "case": "CS", "cask": "CK", "crate": "CR",
	"drum": "DR", "flexitank": "FE", "hogshead": "HG", "hogsheads": "HG", "ibc": "WA", "keg": "KG", "package": "PK", "packet": "PA", "pallet": "PX",
	"tank": "TK", "tanker": "VL",
}

// packagingCode returns the packaging code, and whether it was given as a word; "" for an unknown word.
func (m *Movement) packagingCode() (code string, worded bool) {
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

// inBulk reports whether the goods have no packages, so that their mass is that of the liquid alone.
func (m *Movement) inBulk() bool {
	code, _ := m.packagingCode()
	return slices.Contains(uncounted, code) && code != "NE" || slices.Contains(tanks, code)
}

// tanks lists the codes of packages that are tanks, with more than a bottle's volume for its mass.
var tanks = strings.Fields("FE TK TY TD WA AA")

func isPackagingCode(code string) bool {
	return len(code) == 2 && strings.IndexByte(packageKinds[code[0]], code[1]) >= 0
}

func unknownPackage(m *Movement, _ rules.Facts) remarks {
	if m.PackageType == "" {
		return nil
	}
	const advice = "Give the two characters of the packaging code, such as CT for cartons, PX for pallets or VL for liquid in bulk."
	switch code, worded := m.packagingCode(); {
	case !worded && !isPackagingCode(code):
		return rules.Remarks(fmt.Sprintf("%q is not an EMCS packaging code.", m.PackageType), advice)
	case worded && code == "":
		return remarks{{Severity: rules.Info, Message: fmt.Sprintf("%q is not a packaging code, which has two characters.", m.PackageType), Suggestion: advice}}
	case worded:
		return remarks{{Severity: rules.Info, Message: fmt.Sprintf("%q is a word; EMCS needs the code %s.", m.PackageType, code), Suggestion: fmt.Sprintf("Give %s in packageType.", code)}}
	}
	return nil
}

func packageCount(m *Movement, _ rules.Facts) remarks {
	code, worded := m.packagingCode()
	inBulk := slices.Contains(uncounted, code)
	switch {
	case m.PackageType == "" && m.Packages == nil:
		return noPackages(m)
	case m.PackageType == "":
		return remarks{{
			Field:      "packageType",
			Message:    fmt.Sprintf("There are %d packages, but no packaging code.", *m.Packages),
			Suggestion: "Give the packaging code in packageType.",
		}}
	case m.Packages == nil && !inBulk && isPackagingCode(code) && !worded:
		return rules.Remarks(fmt.Sprintf("Packages %s are counted, but their number is not given.", code),
			"Give the number in numberOfPackages.")
	case m.Packages != nil && *m.Packages == 0 && !inBulk:
		return rules.Remarks(fmt.Sprintf("The number of packages %q is 0, which EMCS accepts only for goods packed with others under one shipping mark.", m.PackageType),
			"Give the number of packages.")
	case m.Packages != nil && *m.Packages > 1 && inBulk:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("There are %d packages of %q, which is not counted.", *m.Packages, m.PackageType),
			Suggestion: "Remove numberOfPackages for goods in bulk.",
		}}
	}
	return nil
}

// noPackages does not apply to oils, which usually move in bulk.
func noPackages(m *Movement) remarks {
	if m.Category == EnergyOils {
		return nil
	}
	return remarks{{
		Severity: rules.Info, Field: "packageType",
		Message:    fmt.Sprintf("Packaging code and number of packages of %s are missing, but the e-AD needs them.", m.code()),
		Suggestion: "Give packageType and numberOfPackages. VL means liquid in bulk.",
	}}
}

// maxContent is the maximum content of one package by code, in litres or kilograms.
var maxContent = map[string]int64{
	"BO": 30, "BQ": 30, "BS": 30, "BV": 30, "CX": 30, "CA": 30, "PA": 30,
	"BX": 120, "CS": 120, "CT": 120, "CB": 120, "CR": 120, "BC": 120, "4G": 120, "4C": 120,
	"KG": 170, "BA": 700, "CK": 700, "HG": 700, "DR": 300, "1A": 300, "IH": 300,
	"WA": 3000, "AA": 3000, "PX": 2000,
}

// leastContent is the least content of one package by code: a pallet, cask or tank is not used for less.
var leastContent = map[string]int64{"PX": 10, "WA": 50, "AA": 50, "FE": 1000, "TK": 200, "BA": 10, "CK": 10, "HG": 50, "DR": 5}

// minContent is below the content of any package: a miniature has 0.05 litres, ten cigarettes weigh 0.007 kilograms.
var minContent = big.NewRat(1, 200)

func packageSize(m *Movement, _ rules.Facts) remarks {
	of := m.litres()
	if !of.positive() {
		of = m.kilograms()
	}
	if m.Packages == nil || *m.Packages == 0 || !of.positive() {
		return nil
	}
	code, _ := m.packagingCode()
	each := new(big.Rat).Quo(of.n, big.NewRat(*m.Packages, 1))
	most, known := maxContent[code]
	tooMuch := known && each.Cmp(big.NewRat(most, 1)) > 0
	least := minContent
	if n, large := leastContent[code]; large {
		least = big.NewRat(n, 1)
	}
	if !tooMuch && (each.Cmp(least) >= 0 || slices.Contains(uncounted, code)) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s %s in %d packages %q is %s each.", of.text, of.unit, *m.Packages, m.PackageType, strings.TrimRight(strings.TrimRight(each.FloatString(4), "0"), ".")),
		"Check quantity, number of packages and packaging code.")
}
