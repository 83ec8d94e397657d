package worksheet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// goods returns a worksheet with items of some net masses.
func goods(masses ...string) *worksheet.Worksheet {
	s := &worksheet.Worksheet{}
	for _, m := range masses {
		var p worksheet.Part
		p.Set("netMassKg", m)
		s.Items = append(s.Items, p)
	}
	return s
}

// Costs by value are additions of the whole; by mass each item has its share, and the shares add up to the amount: what remains goes
// to the largest remainders, of equal ones to the first item. The form reads both as they were typed.
func TestCosts(t *testing.T) {
	freight := func(amount string) worksheet.Costs {
		return worksheet.Costs{Freight: worksheet.Cost{Amount: amount, Currency: "USD"}}
	}
	byMass := func(c worksheet.Costs) worksheet.Costs { c.ByMass = true; return c }
	for _, c := range []struct {
		name   string
		s      *worksheet.Worksheet
		costs  worksheet.Costs
		spread bool
		want   string // amounts in the body, in order
	}{
		{"by value", goods("1", "2"), freight("100"), true, "100"},
		{"by mass", goods("1", "1", "1"), byMass(freight("100")), true, "33.34 33.33 33.33"},
		{"largest remainder", goods("1", "2", "3"), byMass(freight("0.1")), true, "0.02 0.03 0.05"},
		{"three places", goods("1", "2"), byMass(freight("1.001")), true, "0.334 0.667"},
		{"a small mass takes nothing", goods("1000", "0.001"), byMass(freight("1")), true, "1 0"},
		{"freight and insurance", goods("1", "3"), worksheet.Costs{Freight: worksheet.Cost{Amount: "4", Currency: "USD"}, Insurance: worksheet.Cost{Amount: "8", Currency: "EUR"}, ByMass: true}, true, "1 2 3 6"},
		{"insurance alone", goods("1"), worksheet.Costs{Insurance: worksheet.Cost{Amount: "8", Currency: "EUR"}}, true, "8"},
		{"a mass is missing", goods("1", ""), byMass(freight("100")), false, "100"},
		{"no mass at all", goods("0"), byMass(freight("100")), false, "100"},
		{"not a number", goods("1"), byMass(freight("dear")), false, `"dear"`},
		{"none", goods("1"), byMass(worksheet.Costs{}), true, ""},
	} {
		if spread := c.s.SetCosts(c.costs); spread != c.spread {
			t.Errorf("%s: spread %t", c.name, spread)
		}
		body := string(c.s.DeclarationBody("s"))
		var amounts []string
		for _, part := range strings.Split(body, `"amount":{"amount":`)[1:] {
			amount, _, _ := strings.Cut(part, ",")
			amounts = append(amounts, amount)
		}
		if got := strings.Join(amounts, " "); got != c.want || strings.Count(body, `"code":"AK"`) != len(amounts) {
			t.Errorf("%s: %s", c.name, body)
		}
		if got := c.s.Costs(); got != c.costs {
			t.Errorf("%s: read as %+v", c.name, got)
		}
		before := string(c.s.DeclarationBody("s"))
		if c.s.SetCosts(c.s.Costs()); string(c.s.DeclarationBody("s")) != before {
			t.Errorf("%s: setting the same costs changes them: %s", c.name, c.s.DeclarationBody("s"))
		}
	}
}

// Other additions and deductions stay, and additions that the form cannot show are left as they are.
func TestCostsOfOthers(t *testing.T) {
	s := goods("1", "1")
	s.General.Kept = []byte(`{"valuationAdjustments":[{"code":"AB","amount":{"amount":1,"currency":"GBP"}}]}`)
	s.SetCosts(worksheet.Costs{Freight: worksheet.Cost{Amount: "5", Currency: "GBP"}})
	s.SetCosts(worksheet.Costs{})
	if got := string(s.General.Kept); got != `{"valuationAdjustments":[{"code":"AB","amount":{"amount":1,"currency":"GBP"}}]}` {
		t.Errorf("kept %s", got)
	}
	s.Items[0].Kept = []byte(`{"valuationAdjustments":[{"code":"AK","amount":{"amount":7,"currency":"GBP"}}]}`)
	before := string(s.DeclarationBody("s"))
	costs := s.Costs()
	if !costs.Other || !s.SetCosts(costs) || string(s.DeclarationBody("s")) != before {
		t.Errorf("own additions of an item: %+v, %s", costs, s.DeclarationBody("s"))
	}
}

// mergeable returns a worksheet with items of one kind, with changes.
func mergeable(change ...func(*worksheet.Part)) *worksheet.Worksheet {
	s := &worksheet.Worksheet{}
	for n := range 3 {
		var p worksheet.Part
		for k, text := range []string{"", fmt.Sprint("Shirts ", n), "6109100010", "BD", "10", "", "1,000.50", "", "2", "CT", "100.10", "USD", ""} {
			p.SetCell(worksheet.Columns[k], text)
		}
		p.SetMember("documents", []byte(`[{"type":"N935"}]`))
		s.Items = append(s.Items, p)
	}
	for _, c := range change {
		c(&s.Items[1])
	}
	return s
}

// Items that differ in nothing but their description and in what is added up are merged; the sums are exact.
func TestMerges(t *testing.T) {
	s := mergeable()
	merges := s.Merges()
	if len(merges) != 1 || fmt.Sprint(merges[0]) != "{[0 1 2] [{quantity 30} {netMassKg 3001.50} {packageCount 6} {itemPrice.amount 300.30}]}" {
		t.Fatalf("merges %v", merges)
	}
	s.SetCosts(worksheet.Costs{Freight: worksheet.Cost{Amount: "10", Currency: "USD"}, ByMass: true})
	if n := s.MergeItems(); n != 2 || len(s.Items) != 1 {
		t.Fatalf("merged %d, left %d", n, len(s.Items))
	}
	if got := fmt.Sprint(s.Items[0].Cells()); got != "[ Shirts 0 6109100010 BD 30  3001.50  6 CT 300.30 USD ]" {
		t.Errorf("the merged line is %s", got)
	}
	if c := s.Costs(); c.Freight.Amount != "10" || !c.ByMass {
		t.Errorf("the costs are %+v", c)
	}
	for name, change := range map[string]func(*worksheet.Part){
		"origin":          func(p *worksheet.Part) { p.Set("countryOfOrigin", "CN") },
		"preference":      func(p *worksheet.Part) { p.Set("preferenceCode", "300") },
		"procedure":       func(p *worksheet.Part) { p.Set("procedureCode", "5100") },
		"currency":        func(p *worksheet.Part) { p.SetPrice("1", "EUR") },
		"documents":       func(p *worksheet.Part) { p.SetMember("documents", nil) },
		"no gross mass":   func(p *worksheet.Part) { p.Set("grossMassKg", "5") },
		"not a number":    func(p *worksheet.Part) { p.Set("netMassKg", "heavy") },
		"without a code":  func(p *worksheet.Part) { p.Set("commodityCode", "") },
		"another product": func(p *worksheet.Part) { p.Set("productCode", "A") },
	} {
		if merges := mergeable(change).Merges(); len(merges) != 1 || fmt.Sprint(merges[0].Items) != "[0 2]" {
			t.Errorf("%s: %v", name, merges)
		}
	}
}

// Lines keep what a grid does not show, also when they are moved, copied or removed, and unchanged texts stay as they are.
func TestLines(t *testing.T) {
	s := mergeable(func(p *worksheet.Part) {
		p.SetMember("documents", []byte(`[{"type":"Y929"}]`))
		p.Set("preferenceCode", "300")
	})
	before := string(s.DeclarationBody("s"))
	lines := s.Lines()
	if s.SetLines(lines); string(s.DeclarationBody("s")) != before {
		t.Errorf("the same lines change the body to %s", s.DeclarationBody("s"))
	}
	moved := append([]worksheet.Line{{Was: 1, Cells: lines[1].Cells}, {Was: 1, Cells: lines[1].Cells}}, worksheet.Line{Was: -1, Cells: []string{"", "Socks"}}, worksheet.Line{Was: 77})
	digest := s.Digest()
	s.SetLines(moved)
	if len(s.Items) != 4 || string(s.Items[1].Member("documents")) != `[{"type":"Y929"}]` || s.Items[1].Get("preferenceCode") != "300" || s.Items[2].Get("description") != "Socks" || s.Items[2].Kept != nil {
		t.Errorf("the items are %+v", s.Items)
	}
	if s.Digest() == digest {
		t.Error("the digest of other items is the same")
	}
	if s.SetLines(nil); len(s.Items) != 1 {
		t.Errorf("no lines leave %d items", len(s.Items))
	}
}
