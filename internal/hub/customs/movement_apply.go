package customs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// acceptMovement stores that HMRC received a movement.
func (s *Service) acceptMovement(tx Tx, t Transmission) error {
	data := filing.Added{"conversationId": t.ConversationID, "sentSha256": digest(t.Body)}
	shown, err := s.noteMovement(tx, t.Request.Call, &t, requestMovement, data)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]MovementShown{"movement": shown})
	if err != nil {
		return err
	}
	return t.Request.StoreAnswer(tx, body, 0)
}

// endMovement stores that HMRC did not accept a movement, or may have.
func (s *Service) endMovement(tx Tx, t Transmission) error {
	data, action := filing.Added{"outcome": t.State}, note
	if t.State == outbox.Refused {
		data["reason"], action = t.Problem.Message, refuseMovement
	}
	_, err := s.noteMovement(tx, systemCall(tx), &t, action, data)
	return err
}

// noteMovement brings the record up to date with its movements, in a transition, and returns the movement.
func (s *Service) noteMovement(tx Tx, call tenant.Call, t *Transmission, action lifecycle.Action, data filing.Added) (shown MovementShown, err error) {
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return shown, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return shown, err
	}
	ts, err := tx.Transmissions(t.FilingID)
	if err != nil {
		return shown, err
	}
	messages, err := tx.Messages(t.FilingID)
	if err != nil {
		return shown, err
	}
	all := movementsOf(ts, messages)
	at := slices.IndexFunc(all, func(m MovementShown) bool { return m.ID == t.ID })
	if at >= 0 {
		shown = all[at]
	}
	data["movementId"], data["movementKind"], data["movementStatus"] = t.ID, t.Detail.Movement.Kind, shown.Status
	step := filing.TransitionData{Added: filing.Added{"movements": withoutEntries(all)}, Data: data}
	if a.Stage == WaitingConsent && !a.waits(&f) {
		now := s.progressOf(ofLRN(messages, a.LRN), ts, a)
		now.addTo(step.Added)
	}
	_, err = s.Filings.Transition(tx, call, s.Type, t.FilingID, action, step)
	return shown, ignoreInvalidState(err)
}

// applyMovement applies an answer of inventory linking. Unlike other messages, equal ones in two conversations are no replays:
// they have no identifier, and two requests can be answered with the same words.
func (s *Service) applyMovement(ctx context.Context, j jobs.Job, in Inbound, r inventory.Response) error {
	org, t, found, err := s.Store.FindTransmission(ctx, in.ConversationID, r.Reference)
	if err != nil {
		return err
	}
	if !found || t.Purpose != toMove {
		return s.setAsideUnmatched(ctx, j, in, r.Reference)
	}
	defer s.waiters.Notify(t.ID)
	err = s.Store.UpdateCustoms(ctx, org, func(tx Tx) error {
		if err := s.checkSource(tx, in.Source); err != nil {
			return err
		}
		return s.applyMovementTo(tx, t.ID, in, r)
	})
	if errors.Is(err, errOtherSource) {
		return s.keepUnapplied(ctx, j, in, err)
	}
	if err != nil {
		return err
	}
	return s.Store.FinishInbound(ctx, j, Applied, "")
}

// applyMovementTo stores the message and its effect. A message in a conversation that is not known proves that HMRC received the
// movement whose reference it repeats.
func (s *Service) applyMovementTo(tx Tx, id string, in Inbound, r inventory.Response) error {
	t, err := tx.Transmission(id)
	if err != nil {
		return err
	}
	if t.State != outbox.Sent {
		if t, err = markRepeated(tx, t); err != nil {
			return err
		}
		if err := s.accept(tx, t, in.ConversationID); err != nil {
			return err
		}
		if t, err = tx.Transmission(id); err != nil {
			return err
		}
	}
	before, err := s.Movements(tx, t.FilingID)
	if err != nil {
		return err
	}
	m := Message{
		ID: s.IDs.UUID(), FilingID: t.FilingID, ConversationID: t.ConversationID, MessageID: in.Digest, Purpose: toMove, ReceivedAt: in.ReceivedAt, InboxID: in.ID,
		Notification: notification.Notification{Name: r.Kind, MessageID: in.Digest}, Movement: &r,
	}
	added, err := tx.AddMessage(m)
	if err != nil || !added {
		return err
	}
	now, err := s.Movements(tx, t.FilingID)
	if err != nil {
		return err
	}
	data := auditData(m, in.Digest)
	if r.Errors != nil {
		data["errors"] = r.Errors
	}
	_, err = s.noteMovement(tx, systemCall(tx), lastAttempt(&t, now), movementAction(before, now), data)
	return err
}

// lastAttempt returns the transmission as the list of movements has it: the last one with its reference.
func lastAttempt(t *Transmission, all []MovementShown) *Transmission {
	shown := *t
	if at := slices.IndexFunc(all, func(m MovementShown) bool { return m.Reference != "" && m.Reference == t.Reference }); at >= 0 {
		shown.ID = all[at].ID
	}
	return &shown
}

// movementAction returns the action of a message by the movement whose status it has changed.
func movementAction(before, now []MovementShown) lifecycle.Action {
	for i, m := range now {
		if i < len(before) && before[i].Status == m.Status {
			continue
		}
		switch m.Status {
		case MovementAccepted, MovementPartly:
			return acceptMovement
		case MovementRefused:
			return refuseMovement
		}
	}
	return updateMovement
}
