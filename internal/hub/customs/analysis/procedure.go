package analysis

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var procedureRules = ruleSet{
	{Code: "DEC-091", Severity: rules.Blocker, Field: "items[].procedureCode", Check: each("procedureCode", wrongProcedure), Source: procedureList,
		Title: "The procedure does not exist, or is for the other direction"},
	{Code: "DEC-092", Severity: rules.Warning, Field: "items[].procedureCode", Check: each("procedureCode", otherDataSet), Source: procedureList + "; " + bothGuides,
		Title: "The procedure has a data set of its own, and the declaration names none"},
	{Code: "DEC-093", Severity: rules.Warning, Field: "items[].procedureCode", Check: each("procedureCode", unauthorised), Source: "GOV.UK: Pay less or no duty on goods you store, repair, process or temporarily use; " + documentGuide,
		Title: "A special procedure is declared without its authorisation"},
	{Code: "DEC-094", Severity: rules.Warning, Field: "items[].procedureCode", Check: mixedProcedures, Source: bothGuides + ": DE 1/10",
		Title: "Items have procedures that cannot be combined in one declaration"},
	{Code: "DEC-095", Severity: rules.Warning, Field: "items[].additionalProcedureCodes", Check: each("additionalProcedureCodes", unknownAdditional), Source: additional,
		Title: "An additional procedure code is unknown for the direction"},
	{Code: "DEC-096", Severity: rules.Blocker, Field: "items[].additionalProcedureCodes", Check: each("additionalProcedureCodes", contradictory), Source: additional,
		Title: "Additional procedure codes contradict each other, or are listed twice"},
	{Code: "DEC-097", Severity: rules.Blocker, Field: "items[].additionalProcedureCodes", Check: lowValue, Source: additional + "; GOV.UK: Tax and customs for goods sent from abroad",
		Title: "A relief or simplification for low values is claimed above its limit, or for excluded goods"},
	{Code: "DEC-098", Severity: rules.Warning, Field: "items[].additionalProcedureCodes", Check: each("additionalProcedureCodes", misplaced), Source: additional,
		Title: "An additional procedure code does not fit the goods, the country or the procedure"},
}

// Requested procedures by direction. The previous procedures are the same for both.
const (
	importRequested = "00 01 07 40 42 44 45 46 48 51 53 61 63 68 71"
	exportRequested = "10 11 21 22 23 31"
	previous        = "00 07 10 11 21 22 23 31 40 41 42 44 45 46 51 53 54 71 76 77 78 90 91"
)

func wrongProcedure(c *Case, i *item) remarks {
	code := i.procedure(c)
	ours, theirs := importRequested, exportRequested
	if !c.imports() {
		ours, theirs = theirs, ours
	}
	requested, before := code[:2], code[2:]
	switch {
	case isOneOf(requested, theirs) && !isOneOf(requested, ours):
		return remarkOf(fmt.Sprintf("Procedure %s is not for an %s.", code, c.Declaration.DeclarationType), "Use 4000 to release an import, 1040 to export goods of free circulation; or correct the direction.")
	case !isOneOf(requested, ours) || !isOneOf(before, previous):
		return remarkOf(fmt.Sprintf("There is no procedure %s.", code), "Give the requested and the previous procedure, such as 4000, 4071, 6123 or 1040.")
	}
	return nil
}

func otherDataSet(c *Case, i *item) remarks {
	requested := i.procedure(c)[:2]
	set, known := map[string]string{"71": "H2", "53": "H3", "51": "H4", "21": "B2", "22": "B2"}[requested]
	if c.Declaration.DataSet != "" || !known || c.imports() != isOneOf(requested, importRequested) {
		return nil
	}
	return remarkOf(fmt.Sprintf("Procedure %s belongs to the data set %s, and the declaration names none, so that usual values of a plain declaration are added.", i.procedure(c), set),
		fmt.Sprintf("Set dataSet to %s; then submission names what is missing, and nothing is added that is not known.", set))
}

// authorisations of special procedures, by requested or previous procedure.
var authorisations = []struct{ requested, before, documents, name string }{
	{"44", "", "N990 C990 C516", "authorised use (N990)"},
	{"51", "51", "C601 C516 C710", "inward processing (C601)"},
	{"53", "53", "C516 N955", "temporary admission (C516)"},
	{"71", "71", "C517 C518 C519", "customs warehousing (C517)"},
	{"21 22", "21 22", "C019 C516", "outward processing (C019)"},
}

func unauthorised(c *Case, i *item) remarks {
	code := i.procedure(c)
	for _, a := range authorisations {
		if (isOneOf(code[:2], a.requested) || isOneOf(code[2:], a.before)) && !c.has(a.documents) {
			return remarkOf(fmt.Sprintf("Procedure %s needs an authorisation for %s, and no document names it.", code, a.name), "Name the authorisation in documents, or the document of the previous procedure.")
		}
	}
	return nil
}

func mixedProcedures(c *Case, _ rules.Facts) remarks {
	for n := range c.items {
		first, code := c.items[0].procedure(c), c.items[n].procedure(c)
		if code[:2] != first[:2] {
			return remarks{about(fmt.Sprintf("items[%d].procedureCode", n), fmt.Sprintf("items[0] is under procedure %s and items[%d] under %s.", first, n, code),
				"Declare goods under different requested procedures in declarations of their own.")}
		}
	}
	return nil
}

func unknownAdditional(c *Case, i *item) remarks {
	for n, code := range i.AdditionalProcedureCodes {
		known := codelist.ExportAdditional().Has(code)
		if c.imports() {
			known = code == noOther || code[0] >= 'A' && code[0] <= 'F' && code[1] <= '7' || code[0] >= '0' && code[0] <= '9' && code != "3LV"
		}
		if !known {
			return remarks{about(fmt.Sprintf("additionalProcedureCodes[%d]", n), fmt.Sprintf("%s is not known as an additional procedure code of an %s.", code, c.Declaration.DeclarationType),
				"Look it up in Appendix 2; 000 stands for none.")}
		}
	}
	return nil
}

const noOther = "000"

// exclusive are pairs of reliefs that exclude each other.
var exclusive = [][2]string{{"C07", "C08"}, {"E01", "E02"}, {"B02", "B03"}}

func contradictory(_ *Case, i *item) (found remarks) {
	codes := i.AdditionalProcedureCodes
	at := map[string]int{}
	for n, code := range codes {
		if _, twice := at[code]; twice {
			found = append(found, remark{Field: fmt.Sprintf("additionalProcedureCodes[%d]", n), Severity: rules.Warning, Message: fmt.Sprintf("%s stands twice.", code), Suggestion: "Take one out."})
			continue
		}
		at[code] = n
	}
	if n, none := at[noOther]; none && len(at) > 1 {
		found = append(found, about(fmt.Sprintf("additionalProcedureCodes[%d]", n), fmt.Sprintf("000 says that no other code applies, and it stands with others: %s.", strings.Join(codes, ", ")), "Take 000 out."))
	}
	for _, pair := range exclusive {
		_, one := at[pair[0]]
		if n, other := at[pair[1]]; one && other {
			found = append(found, about(fmt.Sprintf("additionalProcedureCodes[%d]", n), fmt.Sprintf("%s and %s shut each other out.", pair[0], pair[1]), "Keep the one that applies."))
		}
	}
	return found
}

// ceilings are the value limits of reliefs.
var ceilings = []struct {
	code    string
	imports bool
	most    quantity.Money
	what    string
	but     string // goods that are left out
}{
	{"C07", true, quantity.MustMoney("135"), "relief for consignments of negligible value", "2203 2204 2205 2206 2208 24 3303"},
	{"C08", true, quantity.MustMoney("39"), "relief for gifts between private persons", ""},
	{"3LV", false, quantity.MustMoney("873"), "the low value export", "93"},
}

func lowValue(c *Case, f rules.Facts) remarks {
	total := c.value()
	return each("additionalProcedureCodes", func(c *Case, i *item) (found remarks) {
		for n, code := range i.AdditionalProcedureCodes {
			field := fmt.Sprintf("additionalProcedureCodes[%d]", n)
			for _, limit := range ceilings {
				if limit.code != code || limit.imports != c.imports() {
					continue
				}
				if total.Cmp(limit.most) > 0 {
					found = append(found, about(field, fmt.Sprintf("%s is %s, up to %s; the items are worth %s.", code, limit.what, pounds(limit.most), pounds(total)), "Take it out, and declare with duty and VAT."))
				}
				if hasPrefixOf(i.CommodityCode, limit.but) {
					found = append(found, about(field, fmt.Sprintf("%s, %s, leaves goods of %s out.", code, limit.what, i.CommodityCode), "Take it out."))
				}
			}
		}
		return found
	})(c, f)
}

func misplaced(c *Case, i *item) (found remarks) {
	country, requested := firstOf(i.CountryOfOrigin, c.dispatch()), i.procedure(c)[:2]
	for n, code := range i.AdditionalProcedureCodes {
		complaint := ""
		switch {
		case isOneOf(code, "E01 E02") && c.imports() && !hasPrefixOf(i.CommodityCode, "07 08"):
			complaint = "it is for the unit prices of fresh fruit and vegetables"
		case code == "F75" && !c.imports() && !isOneOf(c.destination(), "JE GG"):
			complaint = "it is for goods that go to Jersey or Guernsey, and these go to " + c.destination()
		case code == "F15" && c.imports() && !isOneOf(c.dispatch(), "JE GG") && !isOneOf(country, "JE GG"):
			complaint = "it is for trade with special fiscal territories, such as Jersey and Guernsey"
		case isOneOf(code, "F01 F02 F03 F04") && c.imports() && requested != "61" && requested != "40":
			complaint = "it is relief for returned goods, under a procedure that begins with 61 or 40"
		case code[0] == 'D' && c.imports() && requested != "53":
			complaint = "it is of temporary admission, under a procedure that begins with 53"
		case code[0] == 'D' && !c.imports() && i.procedure(c) != "3153":
			complaint = "it ends temporary admission, under procedure 3153"
		}
		if complaint != "" {
			found = append(found, about(fmt.Sprintf("additionalProcedureCodes[%d]", n), fmt.Sprintf("%s does not fit %s under procedure %s: %s.", code, i.CommodityCode, i.procedure(c), complaint), "Take it out, or correct the procedure."))
		}
	}
	return found
}
