package customs

import (
	"cmp"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// PostponedUnder returns the VAT number under which a client's import VAT is accounted for on the VAT return instead of being
// paid at the border (DE 3/40, role FR1). Only the importer may postpone: it is the client's number, or the organisation's
// if the organisation itself is the client. It is empty if VAT is paid: the organisation does not postpone, or the importer
// has no valid number.
func PostponedUnder(trader access.Profile, c *Client) string {
	if !postpones(trader, c) {
		return ""
	}
	number := c.VATNumber
	if number == "" && c.EORI != "" && trimmedUpper(c.EORI) == trimmedUpper(trader.EORI) {
		number = trader.VATNumber
	}
	vrn, err := ident.ParseVRN(number)
	if err != nil {
		return ""
	}
	return home + string(vrn)
}

// postpones reports whether import VAT is accounted for on the VAT return: as the client wants it, or else the organisation.
func postpones(trader access.Profile, c *Client) bool {
	if how := cmp.Or(c.VATAccounting, trader.VATAccounting); how != "" {
		return how == terms.Postponed
	}
	return trader.PostponedVAT
}
