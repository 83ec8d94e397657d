package customs

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CloseDemand closes a demand that a user ends: a query that was answered, or a correction that was seen. note, which may
// be empty, goes into the audit event. Closing a closed demand changes nothing.
func (s *Service) CloseDemand(tx Tx, call tenant.Call, version filing.IfVersion, id, demandID, note string) (Demand, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return Demand{}, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return Demand{}, err
	}
	at := slices.IndexFunc(a.Demands, func(d Demand) bool { return d.ID == demandID })
	if at < 0 {
		return Demand{}, apierr.Missing()
	}
	d := &a.Demands[at]
	switch {
	case d.Status == DemandClosed:
		return *d, nil
	case !d.UserMayClose():
		return Demand{}, apierr.New(apierr.InvalidState, "Customs closes a demand of kind %s. You can close QUERY and CORRECTION only.", d.Kind)
	}
	d.closeAt(tx.Now(), call.UserID)
	all, err := tx.Messages(id)
	if err != nil {
		return Demand{}, err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return Demand{}, err
	}
	now := s.progressOf(ofLRN(all, a.LRN), ts, a)
	step := filing.TransitionData{If: version, Added: filing.Added{}, Data: d.auditData()}
	if note != "" {
		step.Data["note"] = note
	}
	now.addTo(step.Added)
	_, err = s.Filings.Transition(tx, call, s.Type, id, closeDemand, step)
	return *d, err
}
