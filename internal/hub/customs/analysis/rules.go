package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Rules judge a case: who, how it travels, which goods under which code, how much of
// them, worth what, from where, under which procedure, with which documents, and what
// was declared before.
var Rules = slices.Concat(partyRules, journeyRules, codeRules, descriptionRules, massRules, quantityRules, valueRules,
	originRules, preferenceRules, sanctionRules, controlRules, licenceRules, procedureRules, dutyRules, documentRules, historyRules, settlementRules)

type (
	ruleSet = rules.Set[Case]
	remark  = rules.Remark
	remarks = []rules.Remark
	judge   = func(*Case, rules.Facts) remarks
)

// Sources that several rules rest on.
const (
	completion    = "GOV.UK: CDS Declaration Completion Instructions for Imports"
	exportGuide   = "GOV.UK: CDS Declaration Completion Instructions for Exports"
	bothGuides    = "GOV.UK: CDS Declaration Completion Instructions for Imports, and for Exports"
	valueLaw      = "Taxation (Cross-border Trade) Act 2018, section 16; Customs (Import Duty) (EU Exit) Regulations 2018 (valuation)"
	valueGuide    = "GOV.UK: Work out the customs value of your imported goods"
	tariffGuide   = "GOV.UK: Trade Tariff"
	originGuide   = "GOV.UK: Check your goods meet the rules of origin"
	sanctionsLaw  = "Sanctions and Anti-Money Laundering Act 2018 and the regulations for the country"
	controlGuide  = "UK Strategic Export Control Lists (consolidated list); Export Control Order 2008"
	documentGuide = "GOV.UK: Data Element 2/3: Documents and Other Reference Codes (Union, and National) of the Customs Declaration Service"
	procedureList = "GOV.UK: Appendix 1: DE 1/10: Requested and Previous Procedure Codes of the Customs Declaration Service"
	additional    = "GOV.UK: Appendix 2: DE 1/11: Additional Procedure Codes of the Customs Declaration Service"
	credibility   = "House rule: what is usual of such goods"
)

// shown is how many remarks of one rule an answer has room for; what is left out is counted.
const shown = 20

// each judges every item by itself. A remark is about the member that it names, or
// else about the rule's own.
func each(member string, judgeItem func(*Case, *item) remarks) judge {
	return func(c *Case, _ rules.Facts) (found remarks) {
		for n := range c.items {
			for _, m := range judgeItem(c, &c.items[n]) {
				m.Field = fmt.Sprintf("items[%d].%s", n, cmp.Or(m.Field, member))
				found = append(found, m)
			}
		}
		return shorten(found)
	}
}

// gravity orders severities, the gravest first. A remark without one has the rule's
// own, which no remark exceeds but as a blocker.
var gravity = map[rules.Severity]int{rules.Blocker: 0, "": 1, rules.Warning: 2, rules.Info: 3}

// shorten keeps the gravest remarks and counts the others.
func shorten(found remarks) remarks {
	if len(found) <= shown {
		return found
	}
	slices.SortStableFunc(found, func(a, b remark) int { return cmp.Compare(gravity[a.Severity], gravity[b.Severity]) })
	rest := found[shown]
	rest.Message = fmt.Sprintf("%d more items have a finding of this kind; the next is: %s", len(found)-shown, rest.Message)
	return append(found[:shown:shown], rest)
}

func say(message, suggestion string) remarks { return rules.Say(message, suggestion) }

func note(severity rules.Severity, message, suggestion string) remarks {
	return remarks{{Severity: severity, Message: message, Suggestion: suggestion}}
}

func about(field, message, suggestion string) remark {
	return remark{Field: field, Message: message, Suggestion: suggestion}
}

func firstOf(texts ...string) string { return cmp.Or(texts...) }

// hasPrefixOf tells whether a code has one of several beginnings, listed with spaces between.
func hasPrefixOf(code, beginnings string) bool {
	for b := range strings.FieldsSeq(beginnings) {
		if strings.HasPrefix(code, b) {
			return true
		}
	}
	return false
}

// isOneOf tells whether a word is one of several, listed with spaces between.
func isOneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// has tells whether the declaration names a document of one of several codes, or of
// codes with one of several beginnings.
func (c *Case) has(codes string) bool {
	return slices.ContainsFunc(c.documentCodes(), func(code string) bool { return hasPrefixOf(code, codes) })
}

func (c *Case) documentCodes() []string {
	all := make([]string, len(c.Declaration.Documents))
	for n, d := range c.Declaration.Documents {
		all[n] = strings.ToUpper(strings.TrimSpace(d.Type))
	}
	return all
}

// value is the value of all items.
func (c *Case) value() (sum quantity.Money) {
	for n := range c.Declaration.Items {
		sum = sum.Add(c.Declaration.Items[n].CustomsValueGBP)
	}
	return sum
}
