package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Ledgers of the VAT and duty of import declarations, in pence, at the time of clearance.
const (
	ImportVAT  = "import_vat"
	ImportDuty = "import_duty"
)

func importTaxes(d *Declaration, m filing.Metadata) []filing.Posting {
	if d.DeclarationType != Import || m.Status != Cleared {
		return nil
	}
	cleared := m.Instant("clearedAt")
	if cleared.IsZero() {
		return nil
	}
	var duty, vat quantity.Money
	m.Read(totalDuty, &duty)
	m.Read(totalVAT, &vat)
	return []filing.Posting{{Ledger: ImportVAT, At: cleared, Amount: vat.Pence()}, {Ledger: ImportDuty, At: cleared, Amount: duty.Pence()}}
}
