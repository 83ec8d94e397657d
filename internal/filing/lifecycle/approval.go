package lifecycle

import "slices"

// WithApproval returns the table with the approval of what would be sent, from each state in which records are submitted or sent
// to be amended. A table without submission stays as it is.
func (t Table) WithApproval() Table {
	from := t.From(Submit)
	for _, e := range t.Edges {
		if e.Has(NeedsApproval) {
			from = append(from, e.From...)
		}
	}
	if len(from) == 0 {
		return t
	}
	slices.Sort(from)
	from = slices.Compact(from)
	keep := []Effect{KeepRecord}
	return t.With(
		Edge{From: from, Action: AskApproval, Guard: Member, Event: "approval_requested", Effects: keep},
		Edge{From: from, Action: Approve, Guard: SecondPerson, Event: "approved", Effects: keep},
	)
}
