package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/quantity"
)

// ImportVAT is the ledger of the VAT of import declarations, in pence, at the
// instants when customs cleared them.
const ImportVAT = "import_vat"

func importVAT(d *Declaration, m filing.Moment) []filing.Posting {
	if d.DeclarationType != Import || m.Status != Cleared {
		return nil
	}
	cleared := m.Instant("clearedAt")
	if cleared.IsZero() {
		return nil
	}
	var vat quantity.Money
	m.Read("totalVatGbp", &vat)
	return []filing.Posting{{Ledger: ImportVAT, At: cleared, Amount: vat.Pence()}}
}
