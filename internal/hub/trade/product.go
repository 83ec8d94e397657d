package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var productRules = ruleSet{
	{Code: "TRD-020", Severity: rules.Blocker, Field: "productCode", Check: malformedCode, Source: consolidated + "; GOV.UK: Trade Tariff",
		Title: "The product code is neither a control entry nor a commodity code"},
	{Code: "TRD-021", Severity: rules.Warning, Field: "productCode", Check: unknownEntry, Source: consolidated,
		Title: "The entry does not exist in the control lists"},
	{Code: "TRD-022", Severity: rules.Warning, Field: "productCode", Check: unknownHeading, Source: "Harmonised System 2022",
		Title: "The heading of the commodity code does not exist"},
	{Code: "TRD-023", Severity: rules.Info, Field: "productCode", Check: onlyFor(unrated, SIEL, Strategic), Source: consolidated + "; GOV.UK: Find out if your goods need an export licence (goods checker)",
		Title: "The goods have a commodity code but no control entry"},
	{Code: "TRD-024", Severity: rules.Blocker, Field: "licenceType", Check: entryOfAnother, Source: lawOfExport + ", Schedules 2 and 3; " + consolidated,
		Title: "The control entry belongs to another type of licence"},
	{Code: "TRD-025", Severity: rules.Warning, Field: "productCode", Check: chapterOfAnother, Source: ehcGuidance + "; " + citesLaw,
		Title: "Certificates for animal products and permits for species do not cover goods of this chapter"},
	{Code: "TRD-026", Severity: rules.Warning, Field: "productDescription", Check: vagueDescription, Source: licenceGuidance,
		Title: "The description does not say what the goods are"},
	{Code: "TRD-027", Severity: rules.Blocker, Field: "productDescription", Check: prohibited, Source: "Regulation (EU) 2019/125 as retained, Annex II; Landmines Act 1998; Cluster Munitions (Prohibitions) Act 2010; Ivory Act 2018",
		Title: "Dealing in the goods is prohibited"},
	{Code: "TRD-028", Severity: rules.Warning, Field: "licenceType", Check: wrongLicenceType, Source: consolidated + "; " + citesLaw + "; " + ehcGuidance,
		Title: "The description suggests that the goods need another type of licence"},
	{Code: "TRD-029", Severity: rules.Info, Field: "productDescription", Check: cryptography, Source: "UK Dual-Use List, Category 5 Part 2, and its Note 3 (Cryptography Note)",
		Title: "The description of goods with cryptography lacks data that decides whether they are controlled"},
	{Code: "TRD-030", Severity: rules.Info, Field: "productDescription", Check: transfer, Source: "Export Control Order 2008, articles 6 and 18: transfer by electronic means",
		Title: "Technology and software are also exported by electronic means"},
}

// ehcForm matches the number of a certificate form, such as 8360EHC, which may replace a code; species matches a Latin
// name.
var (
	ehcForm = lazyregexp.New(`^(?i:EHC ?)?[0-9]{3,5} ?(?i:EHC)?$`)
	species = lazyregexp.New(`^[A-Z][a-z]+ (spp\.?|[a-z]+)( [a-z]+)?$|^(?i:annex|appendix|app\.?) ?(?i:[A-D]|I{1,3})(/[A-D])?$`)
)

func malformedCode(l *Licence, _ rules.Facts) remarks {
	code := strings.TrimSpace(l.ProductCode)
	_, rated := exportcontrol.ParseRating(code)
	_, err := ident.ParseCommodityCode(strings.ReplaceAll(code, ".", ""))
	switch {
	case rated || err == nil:
		return nil
	case l.LicenceType == EHC && (ehcForm.MatchString(code) || isHeading(code)), l.LicenceType == CITES && (species.MatchString(code) || isHeading(code)):
		return nil
	case !l.LicenceType.strategic():
		return remarkOn("", rules.Warning, fmt.Sprintf("%q is not a commodity code: it must be 6 to 10 digits.", l.ProductCode), "Look the goods up in the tariff.")
	}
	return rules.Remarks(fmt.Sprintf("%q is neither an entry of the control lists (such as 5A002.a or ML10) nor a commodity code.", l.ProductCode),
		"Rate the goods with the consolidated list, and give the entry.")
}

func isHeading(code string) bool { return goods.HeadingExists(code) }

func unknownEntry(l *Licence, _ rules.Facts) remarks {
	rating, ok := exportcontrol.ParseRating(l.ProductCode)
	if !ok || rating.Known {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s has the form of an entry, but is not in the lists.", l.ProductCode), "Look the goods up in the consolidated list. Numbers from 900 belong to the list of the United States.")
}

func (l *Licence) commodity() (ident.CommodityCode, bool) {
	code, err := ident.ParseCommodityCode(strings.ReplaceAll(l.ProductCode, ".", ""))
	if err != nil {
		return "", false
	}
	return code, true
}

func unknownHeading(l *Licence, _ rules.Facts) remarks {
	code, ok := l.commodity()
	if !ok || l.LicenceType == EHC && ehcForm.MatchString(l.ProductCode) || goods.HeadingExists(code.Heading()) || code.Chapter() >= "98" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s begins with %s, and the Harmonised System has no such heading.", code, code.Heading()), "Check the first four digits of the code.")
}

func unrated(l *Licence, _ rules.Facts) remarks {
	code, ok := l.commodity()
	if !ok {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is a commodity code, but a licence is granted for an entry of the control lists.", code), "Rate the goods with the consolidated list, and add the entry.")
}

func entryOfAnother(l *Licence, _ rules.Facts) remarks {
	rating, ok := exportcontrol.ParseRating(l.ProductCode)
	switch {
	case !ok || !rating.Known:
		return nil
	case rating.Regime == exportcontrol.Military && (l.LicenceType == SIEL || l.LicenceType == OIEL):
		return rules.Remarks(fmt.Sprintf("%s is an entry of the UK Military List, but %s is for dual-use goods.", l.ProductCode, l.LicenceType.withArticle()),
			"Apply for STRATEGIC_CONTROL, or correct the entry.")
	case !l.LicenceType.strategic():
		return rules.Remarks(fmt.Sprintf("%s is an entry of the strategic control lists, but %s does not cover such goods.", l.ProductCode, l.LicenceType.withArticle()),
			"Apply for the licence that the entry needs, or correct the code.")
	case rating.Regime == exportcontrol.DualUse && l.LicenceType == Strategic:
		return remarkOn("", rules.Warning, fmt.Sprintf("%s is an entry of the UK Dual-Use List, but the licence is for military goods.", l.ProductCode), "Apply for DUAL_USE_SIEL, or correct the entry.")
	}
	return nil
}

// Chapters without animal products, and without products of animals or plants.
var (
	withoutAnimals = strings.Fields("25 26 27 68 69 70 72 73 74 75 76 78 79 80 81 84 85 86 87 88 89 93")
	withoutSpecies = strings.Fields("25 26 27 28 31 68 69 70 72 73 74 75 76 78 79 80 81 84 85 86 88")
)

func chapterOfAnother(l *Licence, _ rules.Facts) remarks {
	code, ok := l.commodity()
	if !ok {
		return nil
	}
	outside := withoutAnimals
	switch l.LicenceType {
	case CITES:
		outside = withoutSpecies
	case EHC:
		if ehcForm.MatchString(l.ProductCode) {
			return nil
		}
	default:
		return nil
	}
	if !slices.Contains(outside, code.Chapter()) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is in chapter %s, whose goods do not need %s.", code, code.Chapter(), l.LicenceType.withArticle()), "Check the code and the licenceType.")
}

// longestVague is the maximum length of a vague description, in bytes.
const longestVague = 300

func vagueDescription(l *Licence, _ rules.Facts) remarks {
	switch hedge := goods.Hedge(l.ProductDescription); {
	case len(l.ProductDescription) <= longestVague && goods.Vague(l.ProductDescription):
		return rules.Remarks(fmt.Sprintf("%q does not identify the goods.", l.ProductDescription), "Describe the goods and their performance: model, material and the technical data that decides whether they are controlled.")
	case hedge != "":
		return rules.Remarks(fmt.Sprintf("%q is incomplete: %q leaves other goods undescribed.", l.ProductDescription, hedge), "List all goods.")
	}
	return nil
}
