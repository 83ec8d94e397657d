package customs

import (
	"strings"
	"time"

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

// ClearanceTime is the ledger of the seconds from the submission of a declaration to its clearance, at the time of clearance. If it
// was submitted before the goods arrived, they count from its acceptance.
const ClearanceTime = "clearance_time"

// ClearanceBand is a range of the time to clearance, in seconds; Below is zero for no limit.
type ClearanceBand struct {
	ID, Name     string
	Least, Below int64
}

const hour = 60 * 60 // seconds

// ClearanceBands are the ranges by which declarations are counted and listed, the shortest first.
var ClearanceBands = []ClearanceBand{
	{"hour", "Under an hour", 0, hour}, {"hours", "1 to 4 hours", hour, 4 * hour}, {"day", "4 to 24 hours", 4 * hour, 24 * hour}, {"longer", "A day or longer", 24 * hour, 0},
}

// rejectedFor begins the ledgers of rejections, each of one error code, at the time of the latest rejection for it.
const rejectedFor = "rejected."

// RejectionLedger is the ledger of the declarations that customs rejected for an error code.
func RejectionLedger(code string) string { return rejectedFor + code }

// RejectionLedgers are the first and the last name of all ledgers of rejections.
func RejectionLedgers() (first, last string) { return rejectedFor, rejectedFor + "~" }

// RejectionCode returns the error code of a ledger of rejections.
func RejectionCode(ledger string) string { return strings.TrimPrefix(ledger, rejectedFor) }

func postings(d *Declaration, m filing.Metadata) (all []filing.Posting) {
	var rejections []Rejected
	m.Read(rejectionsMember, &rejections)
	for _, r := range rejections {
		if at, err := time.Parse(time.RFC3339, r.RejectedAt); err == nil {
			all = append(all, filing.Posting{Ledger: RejectionLedger(r.Code), At: at, Amount: 1})
		}
	}
	if cleared := m.Instant("clearedAt"); m.Status == Cleared && !cleared.IsZero() {
		all = append(all, clearedPostings(d, m, cleared)...)
	}
	return all
}

func clearedPostings(d *Declaration, m filing.Metadata, cleared time.Time) []filing.Posting {
	var v *Valuation
	m.Read(filing.ValuationMember, &v)
	all := []filing.Posting{{Ledger: DeclaredValue, At: cleared, Amount: d.WithValues(v).Value().Pence()}}
	if begun := begunAt(m); !begun.IsZero() {
		all = append(all, filing.Posting{Ledger: ClearanceTime, At: cleared, Amount: max(0, int64(cleared.Sub(begun)/time.Second))})
	}
	if d.DeclarationType != Import {
		return all
	}
	var duty, vat quantity.Money
	m.Read(totalDuty, &duty)
	m.Read(totalVAT, &vat)
	return append(all, filing.Posting{Ledger: ImportVAT, At: cleared, Amount: vat.Pence()}, filing.Posting{Ledger: ImportDuty, At: cleared, Amount: duty.Pence()})
}

// begunAt is the instant from which the time to clearance counts.
func begunAt(m filing.Metadata) time.Time {
	if accepted := m.Instant("acceptedAt"); m.Flag("prelodged") && !accepted.IsZero() {
		return accepted
	}
	return m.Instant("submittedAt")
}
