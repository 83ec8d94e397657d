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

// DeclaredValue is the ledger of the customs values of cleared declarations, in pence. Declarations that were cleared before
// November 2026 are not in it.
const DeclaredValue = "declared_value"

func postings(d *Declaration, m filing.Metadata) []filing.Posting {
	cleared := m.Instant("clearedAt")
	if m.Status != Cleared || cleared.IsZero() {
		return nil
	}
	var v *Valuation
	m.Read(filing.ValuationMember, &v)
	value := filing.Posting{Ledger: DeclaredValue, At: cleared, Amount: d.WithValues(v).Value().Pence()}
	if d.DeclarationType != Import {
		return []filing.Posting{value}
	}
	var duty, vat quantity.Money
	m.Read(totalDuty, &duty)
	m.Read(totalVAT, &vat)
	return []filing.Posting{value, {Ledger: ImportVAT, At: cleared, Amount: vat.Pence()}, {Ledger: ImportDuty, At: cleared, Amount: duty.Pence()}}
}
