package analysis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

const ratesGuide = "GOV.UK: Exchange rates for customs and VAT; " + completion + ": DE 4/15"

var valuationRules = ruleSet{
	{Code: "DEC-123", Severity: rules.Info, Field: "items[].itemPrice", Check: each("itemPrice", noRate), Source: ratesGuide,
		Title: "A currency has no exchange rate, so that the estimate leaves the item out"},
	{Code: "DEC-124", Severity: rules.Info, Field: "items[].statisticalValue", Check: each("statisticalValue", computedValue), Source: completion + ": DE 8/6",
		Title: "The statistical value is computed from price, rate and adjustments"},
	{Code: "DEC-125", Severity: rules.Warning, Field: "valuationAdjustments", Check: freightNotAdded, Source: valueGuide + ": delivery costs; " + completion + ": DE 4/1 and 4/9",
		Title: "By the delivery terms freight is not in the price, and no addition AK declares it"},
	{Code: "DEC-126", Severity: rules.Warning, Field: "valuationAdjustments", Check: freightAddedTwice, Source: valueGuide + ": delivery costs; " + completion + ": DE 4/1 and 4/9",
		Title: "By the delivery terms freight is in the price, and an addition AK declares it again"},
	{Code: "DEC-127", Severity: rules.Info, Field: "valuationAdjustments", Check: uncountedCharges, Source: completion + ": DE 4/9",
		Title: "A code of DE 4/9 is neither an addition nor a deduction, so that the estimate leaves its amount out"},
}

func noRate(c *Case, i *item) remarks {
	if c.Values == nil || c.Values[i.n].Missing == nil {
		return nil
	}
	return remarkOf(fmt.Sprintf("There is no exchange rate of %s for the day, so the estimate of this item is 0.", strings.Join(c.Values[i.n].Missing, " and ")),
		"The declaration can be submitted as it is: customs converts the price. For an estimate, state the rate in exchangeRates, or ask the operator to import HMRC's rates of the month.")
}

func computedValue(c *Case, i *item) remarks {
	d := &c.Declaration
	if c.Values == nil || !c.imports() || d.Filling() != datamodel.FillKnown || i.StatisticalValue != nil {
		return nil
	}
	v := c.Values[i.n]
	if v.Customs == nil || v.Given || d.DataSet != "" && !dependsOn(dataset.Set(d.DataSet).Required("8/6", c.At.Format(time.DateOnly))) {
		return nil
	}
	rate := "in pounds"
	if v.Rate != nil {
		rate = fmt.Sprintf("at %s %s for one pound", v.Rate.Units, i.ItemPrice.Currency)
	}
	return remarkOf(fmt.Sprintf("The statistical value %s is computed: the price %s, %s, and adjustments of %s.", pounds(*v.Customs), pounds(*v.Price), rate, pounds(*v.Adjustments)),
		"State statisticalValue if it is another one.")
}

// dependsOn reports whether a data set has an element that the service fills in.
func dependsOn(r dataset.Letter) bool {
	return slices.Contains([]dataset.Letter{dataset.Mandatory, dataset.OwnMandatory, dataset.Dependent, dataset.OwnDependent, dataset.Advised}, r)
}

// incoterm returns the terms of delivery that would be declared, as far as they are stated.
func (c *Case) incoterm() string {
	if t := c.Declaration.DeliveryTerms; t != nil && t.Incoterm != "" {
		return t.Incoterm
	}
	if t := c.Shipment.DeliveryTerms; t != nil && t.Incoterm != "" {
		return t.Incoterm
	}
	return c.Shipment.Incoterm
}

// freightAdditions returns the members that declare an addition AK.
func (c *Case) freightAdditions() (fields []string) {
	if hasCharge(c.Declaration.ValuationAdjustments, duty.Freight) {
		fields = append(fields, "valuationAdjustments")
	}
	for n := range c.items {
		if hasCharge(c.items[n].ValuationAdjustments, duty.Freight) {
			fields = append(fields, fmt.Sprintf("items[%d].valuationAdjustments", n))
		}
	}
	return fields
}

func hasCharge(all []datamodel.Charge, code string) bool {
	return slices.ContainsFunc(all, func(c datamodel.Charge) bool { return c.Code == code })
}

func freightNotAdded(c *Case, _ rules.Facts) remarks {
	included, known := duty.IncludesFreight(c.incoterm())
	if !c.imports() || c.Values == nil || !known || included || c.Declaration.FreightCharge != nil || c.freightAdditions() != nil {
		return nil
	}
	return remarkOf(fmt.Sprintf("The terms are %s, so the price has no freight and insurance to the border in it, and nothing adds them.", c.incoterm()),
		"Declare them in valuationAdjustments with code AK, here or at the items.")
}

func freightAddedTwice(c *Case, _ rules.Facts) (found remarks) {
	if included, _ := duty.IncludesFreight(c.incoterm()); !c.imports() || !included {
		return nil
	}
	for _, field := range c.freightAdditions() {
		found = append(found, about(field, fmt.Sprintf("The terms are %s, so the price has the freight in it, and AK adds freight again.", c.incoterm()),
			"Remove AK, unless it declares costs that the seller does not pay; or correct the terms."))
	}
	return shorten(found)
}

func uncountedCharges(c *Case, _ rules.Facts) (found remarks) {
	see := func(field string, all []datamodel.Charge) {
		for k, charge := range all {
			if charge.Code != "" && duty.Sign(charge.Code) == 0 {
				found = append(found, about(fmt.Sprintf("%s[%d].code", field, k), fmt.Sprintf("%s is not a code of additions or deductions that the estimate knows.", charge.Code),
					"Use AB or AD to AN for additions, and BA to BG for deductions."))
			}
		}
	}
	if !c.imports() {
		return nil
	}
	see("valuationAdjustments", c.Declaration.ValuationAdjustments)
	for n := range c.items {
		see(fmt.Sprintf("items[%d].valuationAdjustments", n), c.items[n].ValuationAdjustments)
	}
	return shorten(found)
}
