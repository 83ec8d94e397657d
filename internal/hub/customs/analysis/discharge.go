package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var dischargeRules = ruleSet{
	{Code: "DEC-128", Severity: rules.Warning, Field: "items[].additionalInformation", Check: each("additionalInformation", withoutDischarge), Source: "GOV.UK: Pay less or no duty on goods you store, repair, process or temporarily use",
		Title: "A special procedure is declared without its period for discharge"},
	{Code: "DEC-129", Severity: rules.Info, Field: "client.xiEori", Check: northernEORI, Source: "GOV.UK: Apply for an EORI number that starts with XI",
		Title: "The EORI number for Northern Ireland is declared"},
}

// northernEORI reports that the goods move to or from Northern Ireland, so that EORI numbers for it are declared.
func northernEORI(c *Case, _ rules.Facts) remarks {
	numbers := c.NorthernEORIs()
	if numbers == nil {
		return nil
	}
	return remarkOf(fmt.Sprintf("The goods move to or from Northern Ireland, so %s is declared.", strings.Join(numbers, " and ")),
		"Check the port, the location of the goods and the statements if they do not.")
}

// withoutDischarge finds goods of a special procedure for which neither a statement nor the authorisation on record gives the
// period for discharge, so that the service cannot remind of its end. It only concerns declarations with a data set.
func withoutDischarge(c *Case, i *item) remarks {
	kind, stated := c.Declaration.HasDischarge(i.Item, c.At)
	if c.Declaration.DataSet == "" || kind == "" || stated || c.Declaration.IsSimplified() {
		return nil
	}
	day := c.At.Format(time.DateOnly)
	for _, t := range []*terms.Terms{&c.Client.Terms, &c.Trader.Terms} {
		if held := t.Holds(kind, day, i.procedure(c)[:2], i.CommodityCode); held != nil && held.DischargePeriod != "" {
			return nil
		}
	}
	return remarkOf(fmt.Sprintf("Nothing says until when goods under procedure %s must leave it.", i.procedure(c)),
		fmt.Sprintf("State it (GEN28 for temporary admission, such as “6 months”), or give dischargePeriod to the authorisation %s of the client or the organisation.", kind))
}
