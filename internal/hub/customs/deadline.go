package customs

import (
	"slices"
	"strings"
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

// due returns the deadlines of a declaration: those of its open demands, of its state, and of its data set. The goods of a
// pre-lodged declaration must be presented, those of an accepted export must leave, those of a special procedure must leave it in
// time, and a simplified declaration must be completed. Drafts and rejected or cancelled declarations have none.
func due(d *Declaration, m filing.Metadata) []filing.Deadline {
	demands := demandsOf(m)
	all := append(dueByState(m, demands), dueByDemands(demands)...)
	if m.Status == lifecycle.Accepted || m.Status == Cleared {
		all = append(append(all, dueSupplementary(d, m)...), dueDischarge(d, m)...)
	}
	return append(all, dueDeparture(d, m)...)
}

// DemandTitles say what to do about each kind of demand.
var DemandTitles = map[string]string{
	DemandPresentation: "Present the goods of the pre-lodged declaration to customs",
	DemandControl:      "Make the goods available for the control by customs",
	DemandDocuments:    "Send customs the documents that it asked for",
	DemandPayment:      "Pay the duty and VAT that the account does not cover",
	DemandExitEvidence: "Send customs evidence that the goods left",
	DemandQuery:        "Answer the question of customs",
	DemandSeizure:      "Contact customs about the detained goods",
	DemandCorrection:   "Check and confirm the correction of the declaration",
	DemandCredibility:  "Check the value that customs doubts",
}

// demandSources say where the day of a demand comes from.
var demandSources = map[string]string{
	dueByMessage: "The message of customs", dueByRule: prelodgedSource, dueBySetting: "The setting demand-days of this installation; customs gave no day",
}

// dueByDemands returns the deadlines of open demands that have a day, one for each kind.
func dueByDemands(demands []Demand) (all []filing.Deadline) {
	for _, kind := range DemandKinds {
		var first *Demand
		for i := range demands {
			if d := &demands[i]; d.Kind == kind && d.Status == DemandOpen && d.DueAt != nil && (first == nil || *d.DueAt < *first.DueAt) {
				first = d
			}
		}
		if first == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, *first.DueAt)
		if err != nil {
			continue
		}
		name := strings.ToLower(kind)
		if kind == DemandPresentation {
			name = arrivalDeadline
		}
		all = append(all, filing.Deadline{Name: name, Title: DemandTitles[kind], DueAt: at, Source: demandSources[*first.DueSource]})
	}
	return all
}

const (
	arrivalDeadline = "arrival"
	prelodgedSource = "CDS error CDS12046: a pre-lodged declaration expires unless the goods arrive within 30 days"
)

// dueByState returns the deadlines that follow from the state, apart from the demands.
func dueByState(m filing.Metadata, demands []Demand) []filing.Deadline {
	switch {
	case slices.ContainsFunc(demands, func(d Demand) bool { return d.Kind == DemandPresentation && d.Status == DemandOpen }):
		return nil
	case m.Status == lifecycle.Submitted && m.Flag("prelodged"):
		return after(m.Instant("submittedAt"), daysToArrive, filing.Deadline{
			Name: arrivalDeadline, Title: DemandTitles[DemandPresentation], Source: prelodgedSource,
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
