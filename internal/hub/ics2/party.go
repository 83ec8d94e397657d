package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
)

var partyRules = ruleSet{
	{Code: "ICS2-016", Severity: rules.Warning, Field: "consigneeName", Check: sentToItself, Source: gbGuidance,
		Title: "Consignor and consignee are the same"},
	{Code: "ICS2-017", Severity: rules.Warning, Field: "consigneeEori", Check: sharedEORI, Source: eoriGuidance,
		Title: "Parties with different names have the same EORI"},
	{Code: "ICS2-018", Severity: rules.Warning, Field: "consigneeName", Check: placeholderNames, Source: dataQuality,
		Title: "A party's name is a placeholder"},
	{Code: "ICS2-019", Severity: rules.Warning, Field: "consigneeName", Check: orderBill, Source: gbDesign + ": special mention 10600 (negotiable bill of lading)",
		Title: "The goods are consigned to order"},
	{Code: "ICS2-020", Severity: rules.Info, Field: "consigneeName", Check: carrierReceives, Source: gbGuidance,
		Title: "The carrier is also the consignee"},
	{Code: "ICS2-021", Severity: rules.Info, Field: "consignorName", Check: longNames, Source: gbDesign + "; " + dataLaw,
		Title: "A party's name is too long"},
}

// sentToItself is only a note if both parties have the same EORI: a trader moves its own stock.
func sentToItself(f *Filing, _ rules.Facts) remarks {
	parties := f.parties()
	from, to := parties[1], parties[2]
	if !sameName(from.name, to.name) || toOrder(to.name) || party.Placeholder(to.name) {
		return nil
	}
	if a, b := from.parsed(), to.parsed(); a != "" && b != "" && (a == b || a.IsUK() && b.IsUK() && a.Digits() == b.Digits()) {
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%s sends the goods to itself, under %s and %s.", quoted(to.name), a, b),
			Suggestion: "Keep the record of the stock transfer instead of an invoice.",
		}}
	}
	return rules.Remarks(fmt.Sprintf("Consignor and consignee are both %s.", quoted(to.name)),
		"Give the sender and the receiver. If a trader moves its own goods, give its EORI for both.")
}

func sharedEORI(f *Filing, _ rules.Facts) (found remarks) {
	parties := f.parties()
	for i, a := range parties {
		for _, b := range parties[i+1:] {
			one, other := a.parsed(), b.parsed()
			if one == "" || one != other || sameName(a.name, b.name) {
				continue
			}
			found = append(found, rules.Remark{
				Field:      b.eoriField,
				Message:    fmt.Sprintf("The %s %s and the %s %s have the same EORI, %s.", a.role, quoted(a.name), b.role, quoted(b.name), one),
				Suggestion: "Give each party its own EORI, or the same name if they are one trader.",
			})
		}
	}
	return found
}

func placeholderNames(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		if !party.Placeholder(p.name) || p.role == "consignee" && toOrder(p.name) { // else ICS2-019
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.nameField,
			Message:    fmt.Sprintf("%s is not the name of a %s.", quoted(p.name), p.role),
			Suggestion: "Give the registered name of the business, or the full name of the person.",
		})
	}
	return found
}

// orderBill covers negotiable bills of lading, whose holder may claim the goods.
func orderBill(f *Filing, _ rules.Facts) remarks {
	if !toOrder(f.ConsigneeName) {
		return nil
	}
	if c := f.carriage(); c != bySea && c != byWaterway && !isFerry(c) {
		return rules.Remarks(fmt.Sprintf("%s is not the name of a consignee. Only a bill of lading can be made out to order, but the goods come by %s.", quoted(f.ConsigneeName), carriageNames[c]),
			"Give the consignee.")
	}
	return rules.Remarks(fmt.Sprintf("%s is not the name of a consignee.", quoted(f.ConsigneeName)),
		"Give the party to notify of the arrival, and declare special mention 10600 if the bill of lading is blank endorsed.")
}

// carrierReceives does not apply to lorries, whose owners may carry their own goods.
func carrierReceives(f *Filing, _ rules.Facts) remarks {
	if c := f.carriage(); c != bySea && c != byAir || !sameName(f.CarrierName, f.ConsigneeName) || party.Placeholder(f.CarrierName) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The carrier and the consignee are both %s.", quoted(f.ConsigneeName)),
		"Give the recipient of the goods, unless it is the carrier itself.")
}

// Maximum lengths of a name.
const (
	longestNameGB    = 35
	longestNameUnion = 70
)

// longNames does not apply to names that Great Britain does not need, because there is a GB EORI.
func longNames(f *Filing, _ rules.Facts) (found remarks) {
	limit := longestNameUnion
	if f.regime() == greatBritain {
		limit = longestNameGB
	}
	for _, p := range f.parties() {
		n := len([]rune(strings.TrimSpace(p.name)))
		if n <= limit || limit == longestNameGB && strings.HasPrefix(string(p.parsed()), "GB") {
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.nameField,
			Message:    fmt.Sprintf("The name of the %s has %d characters; customs accepts at most %d.", p.role, n, limit),
			Suggestion: "Shorten it so that the party is still recognisable.",
		})
	}
	return found
}

func sameName(a, b string) bool {
	one, other := nameWords(a), nameWords(b)
	return len(one) > 0 && slices.Equal(one, other)
}

func nameWords(name string) []string {
	return goods.Words(strings.ReplaceAll(strings.ToLower(name), ".", ""))
}

// toOrder reports whether the consignee is the holder of the bill of lading.
func toOrder(name string) bool {
	words := nameWords(name)
	return len(words) >= 2 && words[0] == "to" && slices.Contains(words[1:min(len(words), 3)], "order") || slices.Equal(words, []string{"order"})
}

// Legal forms of companies: those anywhere in a name, and those that count only at its end, because elsewhere they may be
// part of a person's name.
var (
	companyWords = strings.Fields(`ltd limited plc llp llc inc corp corporation gmbh sarl sasu sas srl spa sprl bv bvba nv ag kg ohg aps oyj kft zrt doo sro spzoo
		pty pte pvt dac sdn bhd jsc ooo company group holdings university nhs council`)
	companyEnds = strings.Fields("sa ab as oy co se sp uab oü ltda eood ead")
)

func isCompany(name string) bool {
	words := nameWords(name)
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(companyWords, w) }) ||
		len(words) > 1 && slices.Contains(companyEnds, words[len(words)-1])
}
