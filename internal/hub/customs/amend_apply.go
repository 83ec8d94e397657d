package customs

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// decideAmendment completes the step of a message that decides an amendment, and returns its action. A granted amendment makes
// its body that of the record. Another message keeps its action.
func (s *Service) decideAmendment(tx Tx, ts []Transmission, before, now []RequestShown, m Message, action lifecycle.Action, step *filing.TransitionData) (lifecycle.Action, error) {
	if m.Purpose != toAmend || action != note {
		return action, nil
	}
	var t *Transmission
	for i := range ts {
		if ts[i].Purpose == toAmend && m.answers(&ts[i]) && ts[i].Detail.Amendment != nil && !isSuperseded(ts, i) {
			t = &ts[i]
		}
	}
	if t == nil {
		return action, nil
	}
	status := func(all []RequestShown) string {
		i := slices.IndexFunc(all, func(r RequestShown) bool { return r.ID == t.ID })
		if i < 0 {
			return ""
		}
		return all[i].Status
	}
	was, is := status(before), status(now)
	if was == is || is != requestGranted && is != requestDenied {
		return action, nil
	}
	step.Data["requestId"], step.Data["reasonCode"] = t.ID, t.Detail.ReasonCode
	if is == requestDenied {
		return denyAmendment, nil
	}
	return grantAmendment, s.grant(tx, t, step)
}

// grant adds the amended body to the step, with what follows from it. Assessed taxes replace the estimate of the new body.
func (s *Service) grant(tx Tx, t *Transmission, step *filing.TransitionData) error {
	d := t.Detail.Amendment
	input, err := s.Type.Parse(d.Body, tx.Now())
	if err != nil {
		return err
	}
	codes, err := s.Filings.Vault(tx.Org()).Open(t.FilingID, d.Secrets)
	if err != nil {
		return err
	}
	input = input.Settled().WithSecrets(codes)
	step.Input = &input
	step.Added["ducr"], step.Added[filing.DerivedMember] = nil, nil
	if d.DUCR != "" {
		step.Added["ducr"] = d.DUCR
	}
	if len(d.Derived) > 0 {
		step.Added[filing.DerivedMember] = d.Derived
	}
	step.Fixed = filing.Added{}
	for _, name := range totalMembers {
		if value, assessed := step.Added[name]; assessed {
			step.Fixed[name] = value
		}
	}
	return nil
}

// answerQueries notes that the questions of customs are answered: an amendment is an answer.
func (a *added) answerQueries(now time.Time) {
	at := audit.Instant(now)
	for i := range a.Demands {
		if d := &a.Demands[i]; d.Kind == DemandQuery && d.Status == DemandOpen {
			d.Status, d.AnsweredAt = DemandAnswered, &at
		}
	}
}
