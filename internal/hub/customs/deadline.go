package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Days that customs gives the goods before it drops a declaration.
const (
	daysToArrive = 30
	daysToDepart = 150
)

// due is what is due of a declaration: the goods of one that was lodged before they
// were there must be presented, and those of an accepted export must leave. What is
// still a draft, rejected, cleared or cancelled has nothing due. There is no
// supplementary declaration, since none is lodged in simplified form.
func due(d *Declaration, m filing.Moment) []filing.Deadline {
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

// after is a deadline some days after an instant; none where the instant is not known.
func after(at time.Time, days int, d filing.Deadline) []filing.Deadline {
	if at.IsZero() {
		return nil
	}
	d.DueAt = calendar.AddDays(at, days)
	return []filing.Deadline{d}
}
