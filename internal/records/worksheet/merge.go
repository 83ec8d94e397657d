package worksheet

import (
	"encoding/json"
	"math/big"
	"strings"
)

// Merge is a group of items that differ in nothing but their description and what can be added up.
type Merge struct {
	Items []int // indices, in order; the first one stays
	Sums  []Sum
}

// Sum is a member of an item that is added up.
type Sum struct{ Name, Text string }

// summed are the fields that are added up.
var summed = []string{"quantity", "supplementaryUnits", "netMassKg", "grossMassKg", "packageCount", "customsValueGbp"}

// priceSum is the name of the sum of prices.
const priceSum = "itemPrice.amount"

// Merges returns the groups of items that can be merged: of the same product, code, origin, preference and procedure, with the
// same documents, currency and all other members. A member is added up if each item of the group has it as a number; if only
// some of them have it, they are not merged, because an empty field can mean another value than 0.
func (s *Worksheet) Merges() (all []Merge) {
	groups := map[string]int{}
	var found []Merge
	for n := range s.Items {
		key, ok := s.Items[n].mergeKey()
		if !ok {
			continue
		}
		if at, known := groups[key]; known {
			found[at].Items = append(found[at].Items, n)
			continue
		}
		groups[key] = len(found)
		found = append(found, Merge{Items: []int{n}})
	}
	for _, m := range found {
		if len(m.Items) > 1 {
			m.Sums = s.sums(m.Items)
			all = append(all, m)
		}
	}
	return all
}

// mergeKey is equal for items that can be merged. False if an item cannot be merged at all.
func (p *Part) mergeKey() (key string, ok bool) {
	if p.Get("commodityCode") == "" && p.Get("productCode") == "" {
		return "", false
	}
	same := map[string]string{}
	for _, f := range ItemFields {
		if f.Name != "description" {
			same[f.Name] = p.Get(f.Name)
		}
	}
	amount, currency := p.Price()
	for name, text := range map[string]string{priceSum: amount} {
		same[name] = text
	}
	for _, name := range append([]string{priceSum}, summed...) {
		text := plainNumber(same[name])
		if text != "" && !number.MatchString(text) {
			return "", false
		}
		if same[name] = ""; text != "" {
			same[name] = "some"
		}
	}
	rest := Part{Kept: p.Kept}
	rest.SetMember("itemPrice", nil)
	if costs, _ := costsOf(&rest); costs != nil {
		setCosts(&rest, nil) // spread again after the merge
	}
	raw, _ := json.Marshal([]any{same, currency, rest.Kept}) // texts and valid JSON
	return string(raw), true
}

// sums adds up the members of some items.
func (s *Worksheet) sums(items []int) (all []Sum) {
	for _, name := range append(summed[:len(summed):len(summed)], priceSum) {
		sum, text := new(big.Rat), ""
		places := 0
		for _, n := range items {
			one := s.Items[n].Get(name)
			if name == priceSum {
				one, _ = s.Items[n].Price()
			}
			if text = plainNumber(one); text == "" {
				break
			}
			_, fraction, _ := strings.Cut(text, ".")
			places = max(places, len(fraction))
			value, _ := new(big.Rat).SetString(text) // checked by mergeKey
			sum.Add(sum, value)
		}
		if text != "" {
			all = append(all, Sum{name, sum.FloatString(places)})
		}
	}
	return all
}

// MergeItems merges the items that can be merged, and spreads freight and insurance again. It returns the number of items that
// went into others.
func (s *Worksheet) MergeItems() (merged int) {
	costs := s.Costs()
	gone := map[int]bool{}
	for _, m := range s.Merges() {
		first := &s.Items[m.Items[0]]
		for _, sum := range m.Sums {
			if name := sum.Name; name != priceSum {
				first.Set(name, sum.Text)
			} else {
				_, currency := first.Price()
				first.SetPrice(sum.Text, currency)
			}
		}
		for _, n := range m.Items[1:] {
			gone[n] = true
		}
	}
	if len(gone) == 0 {
		return 0
	}
	if costs.ByMass && !costs.Other {
		for n := range s.Items {
			setCosts(&s.Items[n], nil)
		}
	}
	var left []Part
	for n := range s.Items {
		if !gone[n] {
			left = append(left, s.Items[n])
		}
	}
	s.Items = left
	if costs.ByMass {
		s.SetCosts(costs)
	}
	return len(gone)
}
