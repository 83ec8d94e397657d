package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Days until a declaration expires if the goods do not arrive or depart.
const (
	daysToArrive = 30
	daysToDepart = 150
)

// due returns the deadlines of a declaration: the goods of a pre-lodged declaration must be presented, and those of an
// accepted export must leave. Drafts and rejected, cleared or cancelled declarations have none. Supplementary declarations
// do not exist here, because none is lodged in simplified form.
func due(d *Declaration, m filing.Metadata) []filing.Deadline {
	switch {
	case m.Status == lifecycle.Submitted && m.Flag("prelodged"):
		return after(m.Instant("submittedAt"), daysToArrive, filing.Deadline{
			Name: "arrival", Title: "Present the goods of the pre-lodged declaration to customs",
			Source: "CDS error CDS12046: a pre-lodged declaration expires unless the goods arrive within 30 days",
		})
	case m.Status == lifecycle.Accepted && d.DeclarationType == Export:
		return after(m.Instant("acceptedAt"), daysToDepart, filing.Deadline{
			Name: "departure", Title: "Let the goods of the accepted export leave the United Kingdom",
			Source: "HMRC, customs declarations for export: one whose goods have not departed within 150 days expires",
		})
	}
	return nil
}

// after returns a deadline some days after an instant; none if the instant is zero.
func after(at time.Time, days int, d filing.Deadline) []filing.Deadline {
	if at.IsZero() {
		return nil
	}
	d.DueAt = calendar.AddDays(at, days)
	return []filing.Deadline{d}
}
