package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// PostponedUnder is the VAT number under which the import VAT of a client is accounted
// for on its return instead of being paid at the border (DE 3/40, role FR1). Only the
// importer may postpone: it is the client's number, or the organisation's where the
// organisation itself is the client. Empty where VAT is paid: the organisation does
// not postpone, or the importer has no number of the right form.
func PostponedUnder(trader access.Profile, c *Client) string {
	if !trader.PostponedVAT {
		return ""
	}
	number := c.VATNumber
	if number == "" && c.EORI != "" && normal(c.EORI) == normal(trader.EORI) {
		number = trader.VATNumber
	}
	vrn, err := ident.ParseVRN(number)
	if err != nil {
		return ""
	}
	return home + string(vrn)
}
