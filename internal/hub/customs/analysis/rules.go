package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Rules check a case: parties, transport, goods and codes, quantities, values, origin, procedures, documents, and
// earlier declarations.
var Rules = slices.Concat(partyRules, journeyRules, codeRules, descriptionRules, massRules, quantityRules, valueRules,
	originRules, preferenceRules, sanctionRules, controlRules, licenceRules, procedureRules, dutyRules, documentRules, historyRules, settlementRules,
	valuationRules, dischargeRules, chargeRules, usualRules, refusalRules, mockedRules)

type (
	ruleSet   = rules.Set[Case]
	remark    = rules.Remark
	remarks   = []rules.Remark
	checkFunc = func(*Case, rules.Facts) remarks
)

// Sources of several rules.
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

// maxRemarks is the maximum number of remarks of one rule; the others are counted.
const maxRemarks = 20

// each applies a check to every item. The field of a remark is a member of the item; by default, that of the rule.
func each(member string, checkItem func(*Case, *item) remarks) checkFunc {
	return func(c *Case, _ rules.Facts) (found remarks) {
		for n := range c.items {
			for _, m := range checkItem(c, &c.items[n]) {
				m.Field = fmt.Sprintf("items[%d].%s", n, cmp.Or(m.Field, member))
				found = append(found, m)
			}
		}
		return shorten(found)
	}
}

// severityOrder orders severities. A remark without one has the severity of the rule, which a remark may only exceed as a
// blocker.
var severityOrder = map[rules.Severity]int{rules.Blocker: 0, "": 1, rules.Warning: 2, rules.Info: 3}

// shorten keeps the most severe remarks and counts the others.
func shorten(found remarks) remarks {
	if len(found) <= maxRemarks {
		return found
	}
	slices.SortStableFunc(found, func(a, b remark) int { return cmp.Compare(severityOrder[a.Severity], severityOrder[b.Severity]) })
	rest := found[maxRemarks]
	rest.Message = fmt.Sprintf("%d more items have a finding of this kind; the next is: %s", len(found)-maxRemarks, rest.Message)
	return append(found[:maxRemarks:maxRemarks], rest)
}

func remarkOf(message, suggestion string) remarks { return rules.Remarks(message, suggestion) }

func note(severity rules.Severity, message, suggestion string) remarks {
	return remarks{{Severity: severity, Message: message, Suggestion: suggestion}}
}

func about(field, message, suggestion string) remark {
	return remark{Field: field, Message: message, Suggestion: suggestion}
}

func firstOf(texts ...string) string { return cmp.Or(texts...) }

// hasPrefixOf reports whether a code has one of several prefixes, separated by spaces.
func hasPrefixOf(code, beginnings string) bool {
	for beginnings != "" {
		prefix, rest := nextWord(beginnings)
		if prefix != "" && strings.HasPrefix(code, prefix) {
			return true
		}
		beginnings = rest
	}
	return false
}

// isOneOf reports whether a word is one of several, separated by spaces.
func isOneOf(word, list string) bool {
	for list != "" {
		candidate, rest := nextWord(list)
		if candidate != "" && candidate == word {
			return true
		}
		list = rest
	}
	return false
}

// nextWord returns the first word of a list and the rest; the word is empty between two separators. It is faster than
// strings.FieldsSeq.
func nextWord(list string) (word, rest string) {
	for n := range len(list) {
		if list[n] <= ' ' {
			return list[:n], list[n+1:]
		}
	}
	return list, ""
}

// has reports whether the declaration or an item has a document with one of several codes or prefixes of codes.
func (c *Case) has(codes string) bool {
	return slices.ContainsFunc(c.allCodes(), func(code string) bool { return hasPrefixOf(code, codes) })
}

// documentCodes returns the codes of the documents that go with every item, in their order.
func (c *Case) documentCodes() []string {
	all := make([]string, len(c.Declaration.Documents))
	for n, d := range c.Declaration.Documents {
		all[n] = strings.ToUpper(strings.TrimSpace(d.Type))
	}
	return all
}

// allCodes returns the codes of all documents, also of those of single items, each once.
func (c *Case) allCodes() []string {
	if c.codes != nil {
		return c.codes
	}
	seen := map[string]bool{}
	c.codes = []string{}
	add := func(code string) {
		if !seen[code] {
			seen[code] = true
			c.codes = append(c.codes, code)
		}
	}
	for _, code := range c.documentCodes() {
		add(code)
	}
	for n := range c.Declaration.Items {
		for _, d := range c.Declaration.Items[n].Documents {
			add(d.Category + d.Type)
		}
	}
	return c.codes
}

// value returns the value of all items.
func (c *Case) value() (sum quantity.Money) {
	for n := range c.Declaration.Items {
		sum = sum.Add(c.Declaration.Items[n].Value())
	}
	return sum
}
