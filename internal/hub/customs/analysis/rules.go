package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
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

// maxRemarks is the maximum number of different remarks of one rule; the others are counted. What several items have in common is
// one remark.
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

// shorten keeps the most severe remarks, each for all items that have it, and counts the others.
func shorten(found remarks) remarks {
	if len(found) <= maxRemarks {
		return found
	}
	sorting.Stable(found, func(a, b remark) int { return cmp.Compare(severityOrder[a.Severity], severityOrder[b.Severity]) })
	listed := map[rules.Said]bool{}
	kept, left := make(remarks, 0, len(found)), remarks{}
	for _, m := range found {
		said := m.Said()
		switch {
		case listed[said]:
		case len(listed) == maxRemarks:
			left = append(left, m)
			continue
		}
		listed[said] = true
		kept = append(kept, m)
	}
	if len(left) == 0 {
		return kept
	}
	rest := left[0]
	rest.Message = fmt.Sprintf("%d more findings of this kind are not listed; the first of them is: %s", len(left), rest.Message)
	return append(kept, rest)
}

func remarkOf(message, suggestion string) remarks { return rules.Remarks(message, suggestion) }

func note(severity rules.Severity, message, suggestion string) remarks {
	return remarks{{Severity: severity, Message: message, Suggestion: suggestion}}
}

func about(field, message, suggestion string) remark {
	return remark{Field: field, Message: message, Suggestion: suggestion}
}

func firstOf(texts ...string) string { return cmp.Or(texts...) }

// hasPrefixOf reports whether a code has one of several prefixes, separated by spaces. It compares letter by letter, because each
// review asks it some ten thousand times.
func hasPrefixOf(code, beginnings string) bool {
	for at := 0; at < len(beginnings); at++ {
		from := at
		for at < len(beginnings) && at-from < len(code) && beginnings[at] == code[at-from] {
			at++
		}
		if at > from && (at == len(beginnings) || beginnings[at] <= ' ') {
			return true
		}
		for at < len(beginnings) && beginnings[at] > ' ' {
			at++
		}
	}
	return false
}

// isOneOf reports whether a word is one of several, separated by spaces.
func isOneOf(word, list string) bool {
	if !strings.Contains(list, word) {
		return false // for most words
	}
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
