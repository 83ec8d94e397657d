package analysis

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// Number of digits of the commodity code of an export and of an import.
const (
	exportDigits = 8
	importDigits = 10
)

var codeRules = ruleSet{
	{Code: "DEC-019", Severity: rules.Blocker, Field: "items[].commodityCode", Check: each("commodityCode", codeLength), Source: bothGuides + ": DE 6/14 and 6/15",
		Title: "The commodity code has the wrong number of digits for the procedure"},
	{Code: "DEC-020", Severity: rules.Blocker, Field: "items[].commodityCode", Check: each("commodityCode", unknownHeading), Source: "World Customs Organization: Harmonized System 2022",
		Title: "The chapter or heading of the commodity code does not exist"},
	{Code: "DEC-021", Severity: rules.Blocker, Field: "items[].commodityCode", Check: undeclarable, Source: tariffGuide,
		Title: "Goods cannot be declared under the commodity code (where the nomenclature is imported)"},
	{Code: "DEC-022", Severity: rules.Info, Field: "items[].commodityCode", Check: each("commodityCode", noMeasure), Source: tariffGuide,
		Title: "The tariff has no measure for the code, or the item lacks the quantity that its duty depends on, so nothing is estimated"},
	{Code: "DEC-023", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", leadsElsewhere), Source: tariffGuide + "; GOV.UK: Finding commodity codes for imports into or exports out of the UK",
		Title: "The description suggests a different heading"},
	{Code: "DEC-024", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", contraryWords), Source: tariffGuide,
		Title: "A word of the description contradicts the heading of the code"},
	{Code: "DEC-025", Severity: rules.Warning, Field: "items[].commodityCode", Check: sameWordsOtherCode, Source: "GOV.UK: Finding commodity codes for imports into or exports out of the UK",
		Title: "Goods with the same description have codes of different headings"},
}

func codeLength(c *Case, i *item) remarks {
	n := len(i.CommodityCode)
	switch {
	case c.imports() && n != importDigits:
		return remarkOf(fmt.Sprintf("%s has %d digits; an import is declared with %d.", i.CommodityCode, n, importDigits), "Look the goods up in the Trade Tariff and give all ten digits.")
	case !c.imports() && n == importDigits:
		return note(rules.Info, fmt.Sprintf("%s has %d digits; an export is declared with the first %d.", i.CommodityCode, n, exportDigits), "No action needed: the last two digits are left out.")
	case !c.imports() && n != exportDigits:
		return remarkOf(fmt.Sprintf("%s has %d digits; an export is declared with %d.", i.CommodityCode, n, exportDigits), "Look the goods up in the Trade Tariff and give the first eight digits.")
	}
	return nil
}

func unknownHeading(_ *Case, i *item) remarks {
	switch chapter := i.chapter(); {
	case chapter == "98" || chapter == "99":
		return note(rules.Warning, fmt.Sprintf("%s is of chapter %s, which is reserved for reliefs and simplifications.", i.CommodityCode, chapter),
			"Give the code of the goods themselves, unless you are authorised to use this one.")
	case i.CommodityCode != "" && !goods.HeadingExists(i.heading()):
		return remarkOf(fmt.Sprintf("%s begins with %s, and the Harmonized System has no such heading.", i.CommodityCode, i.heading()), "Check the first four digits of the code.")
	}
	return nil
}

func undeclarable(c *Case, f rules.Facts) remarks {
	if c.CodeStatus == nil {
		return nil
	}
	return each("commodityCode", func(c *Case, i *item) remarks {
		code, digits := i.CommodityCode, importDigits
		if !c.imports() {
			code, digits = code[:min(len(code), exportDigits)], exportDigits
		}
		if len(code) != digits || !goods.HeadingExists(i.heading()) { // else DEC-019, DEC-020
			return nil
		}
		switch c.CodeStatus(code, f.Now) {
		case Grouping:
			return remarkOf(fmt.Sprintf("%s only groups the codes below it.", code), "Choose the code below it that fits the goods.")
		case OutOfForce:
			return remarkOf(fmt.Sprintf("%s is not in force on %s.", code, f.Now.Format(time.DateOnly)), "Look up the code that replaces it.")
		case NotFound:
			return remarkOf(fmt.Sprintf("The tariff has no code %s.", code), "Look the goods up in the Trade Tariff; codes change on 1 January and in between.")
		}
		return nil
	})(c, f)
}

func noMeasure(c *Case, i *item) remarks {
	if !c.imports() || c.Tariff == nil || len(i.CommodityCode) != importDigits || i.charged != nil { // else DEC-136
		return nil
	}
	if !i.known {
		return remarkOf(fmt.Sprintf("The loaded tariff has no duty for %s, so the totals do not include it.", i.CommodityCode),
			"Look the duty up in the Trade Tariff; the operator can import the full tariff.")
	}
	charge := c.Tariff.Estimate(i.Goods(c.At))
	if charge.Known || charge.Missing == "" || i.units == nil && i.line.Unit != "" { // else DEC-037
		return nil
	}
	return remarkOf(fmt.Sprintf("The duty of %s, %s, depends on its %s, which the item lacks; the totals do not include it.", i.CommodityCode, charge.Expression, charge.Missing),
		"Expect more duty than the estimate.")
}

func leadsElsewhere(_ *Case, i *item) remarks {
	if !i.contra.Heading || goods.Vague(i.Description) || strings.HasPrefix(i.contra.Likely, i.heading()) { // else DEC-026
		return nil
	}
	severity := rules.Info
	if i.contra.Chapter {
		severity = rules.Warning
	}
	return note(severity, fmt.Sprintf("%q suggests %s rather than %s.", excerpt(i.Description), i.contra.Likely, i.CommodityCode),
		"Compare both headings in the Trade Tariff, and describe the goods so that the heading is clear.")
}

// excerpt returns the beginning of a description.
func excerpt(description string) string {
	const enough = 80
	if r := []rune(description); len(r) > enough {
		return string(r[:enough]) + "…"
	}
	return description
}

// contradictions are words that contradict a heading, unless certain other words are present.
var contradictions = []struct{ words, without, codes, but string }{
	{"men men's mens boys boy's gentlemen's", "women women's womens girls girl's ladies unisex",
		"6102 6104 6106 6108 6202 6204 6206 6208", "women's or girls' clothing"},
	{"women women's womens ladies girls girl's", "men men's mens boys boy's unisex",
		"6101 6103 6105 6107 6201 6203 6205 6207", "men's or boys' clothing"},
	{"knitted crocheted jersey", "not other otherwise woven", "6201 6202 6203 6204 6205 6206 6207 6208", "clothing that is not knitted"},
	{"woven", "not non other label labels knitted", "6101 6102 6103 6104 6105 6106 6107 6108 6109 6110", "knitted clothing"},
	{"frozen", "not non", "0201 0203110 0203120 0203190 0302 030431 030432 030433 030441 030442 030443 07020", "fresh or chilled goods"},
	{"fresh chilled", "frozen not", "0202 0303 0710 0811", "frozen goods"},
	{"wooden wood oak pine bamboo", "plastic metal steel aluminium", "940310 940320 940370 392410 732393", "goods of metal or plastics"},
	{"diesel", "petrol hybrid electric", "870321 870322 870323 870324", "cars with a petrol engine"},
	{"petrol", "diesel hybrid electric", "870331 870332 870333", "cars with a diesel engine"},
	{"used second-hand secondhand", "new never", "8703111 87032110 87032210 87032319 87032410 87033110 87033219 87033319", "new cars"},
	{"parts part spare", "complete machine", "847130 851713 851714 852872 8703 871200 8802", "whole goods, and not their parts"},
	{"printer printers", "parts part toner cartridge", "8471", "computers and their units"},
	{"leather", "synthetic artificial imitation faux vegan pu upper uppers lining trim", "420212 420222 420232 6402", "goods of plastics or textiles"},
	{"laptop laptops notebook", "bag bags case sleeve stand battery charger paper", "4202 8504 8507 4820", "bags, chargers, batteries or paper"},
	{"wine", "glass glasses rack cooler vinegar opener bottle bottles cabinet stopper", "2203 2208 2209", "beer, spirits or vinegar"},
}

func contraryWords(_ *Case, i *item) remarks {
	for _, x := range contradictions {
		if !hasPrefixOf(i.CommodityCode, x.codes) || anyOf(i.words, x.without) != "" {
			continue
		}
		if word := anyOf(i.words, x.words); word != "" {
			return remarkOf(fmt.Sprintf("The description says “%s”, and %s is for %s.", word, i.CommodityCode, x.but), "Correct the code or the description, whichever is wrong.")
		}
	}
	return nil
}

// wordsOf returns the words of a description in lower case, including apostrophes and hyphens inside words.
func wordsOf(description string) []string {
	plain := strings.ReplaceAll(strings.ToLower(description), "’", "'")
	words := strings.FieldsFunc(plain, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > unicode.MaxASCII || r == '\'' || r == '-')
	})
	for n := range words {
		words[n] = strings.Trim(words[n], "'-")
	}
	return words
}

// anyOf returns the first word that is in a list.
func anyOf(words []string, list string) string {
	for _, w := range words {
		if isOneOf(w, list) {
			return w
		}
	}
	return ""
}

func sameWordsOtherCode(c *Case, _ rules.Facts) (found remarks) {
	first := map[string]int{}
	for n := range c.items {
		words := strings.Join(c.items[n].words, " ")
		m, seen := first[words]
		if !seen {
			first[words] = n
			continue
		}
		if c.items[m].heading() != c.items[n].heading() {
			found = append(found, about(fmt.Sprintf("items[%d].commodityCode", n),
				fmt.Sprintf("%q is %s here and %s in items[%d].", excerpt(c.items[n].Description), c.items[n].CommodityCode, c.items[m].CommodityCode, m),
				"Give the same goods the same code, or say in the descriptions what makes them different."))
		}
	}
	return shorten(found)
}
