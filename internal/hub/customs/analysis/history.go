package analysis

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

var historyRules = ruleSet{
	{Code: "DEC-116", Severity: rules.Warning, Field: "items", Check: repeatedItem, Source: "House rule: one line for one thing",
		Title: "An item is declared twice"},
	{Code: "DEC-117", Severity: rules.Warning, Field: "documents", Check: declaredInvoice, Source: "House rule: what the organisation declared in the last 90 days",
		Title: "The invoice was declared before"},
	{Code: "DEC-118", Severity: rules.Warning, Field: "items", Check: declaredGoods, Source: "House rule: what the organisation declared in the last 14 days",
		Title: "The same goods were declared a few days ago, and there is no invoice to distinguish them"},
}

func repeatedItem(c *Case, _ rules.Facts) (found remarks) {
	type line struct{ code, description, origin, mass, value string }
	first := map[line]int{}
	for n := range c.items {
		i := &c.items[n]
		key := line{i.CommodityCode, i.Description, i.CountryOfOrigin, i.NetMass().String(), i.Value().Fixed()}
		if m, twice := first[key]; twice {
			found = append(found, about(fmt.Sprintf("items[%d]", n), fmt.Sprintf("items[%d] is the same as items[%d]: %q, %s kg, %s.", n, m, excerpt(i.Description), i.NetMass(), pounds(i.Value())),
				"Take it out, or put both into one item with the sum."))
			continue
		}
		first[key] = n
	}
	return shorten(found)
}

// Age up to which a similar declaration is reported.
const (
	invoicesRemembered = 90 * 24 * time.Hour
	goodsRemembered    = 14 * 24 * time.Hour
)

// earlierState returns the latest similar declaration that was not cancelled or rejected.
func (c *Case) earlierState(invoice bool, since time.Time) (customs.EarlierDeclaration, bool) {
	var latest customs.EarlierDeclaration
	for _, e := range c.Earlier {
		if e.Invoice == invoice && e.Status != lifecycle.Cancelled && e.Status != lifecycle.Rejected && e.CreatedAt.After(since) && e.CreatedAt.After(latest.CreatedAt) {
			latest = e
		}
	}
	return latest, latest.ID != ""
}

func declaredInvoice(c *Case, _ rules.Facts) remarks {
	e, found := c.earlierState(true, c.Filing.CreatedAt.Add(-invoicesRemembered))
	if !found {
		return nil
	}
	return remarkOf(fmt.Sprintf("An invoice of this declaration is in the one with LRN %s of %s too, which is %s.", e.LRN, day(e.CreatedAt), e.Status),
		"Cancel one of them, unless each declares another part of the invoice.")
}

func declaredGoods(c *Case, _ rules.Facts) remarks {
	e, found := c.earlierState(false, c.Filing.CreatedAt.Add(-goodsRemembered))
	if !found {
		return nil
	}
	return remarkOf(fmt.Sprintf("The declaration with LRN %s of %s, which is %s, has the same goods with the same masses and values.", e.LRN, day(e.CreatedAt), e.Status),
		"Cancel one of them, unless the same was sent again; name the invoices, by which they can be told apart.")
}
