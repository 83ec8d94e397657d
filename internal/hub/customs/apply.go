package customs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// InboxQueue is the queue of the jobs that apply messages from customs.
const InboxQueue = "customs.inbox"

// InboxBackoff holds the delays before a message without a known submission is tried again: it may have overtaken the
// record of its own submission.
var InboxBackoff = []time.Duration{
	200 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// MaxInbound is the size limit of a message in bytes; CDS sends none that is larger.
const MaxInbound = 20 << 20

// Receive stores a message from CDS as it is, with the job that applies it. Once it returns nil, the message cannot be
// lost, whatever its contents.
func (s *Service) Receive(ctx context.Context, m Inbound) error {
	sum := sha256.Sum256(m.Body)
	m.ID, m.Digest = s.IDs.UUID(), hex.EncodeToString(sum[:])
	return s.Store.Receive(ctx, m, jobs.Job{ID: s.IDs.UUID(), Queue: InboxQueue, Subject: m.ID})
}

var (
	errUnmatched = errors.New("customs: the message belongs to no known submission")
	errRemoved   = errors.New("customs: the test organisation deleted the declaration before this message came")
)

// LateMessages is how long the simulator may send messages about a record after a test organisation has deleted it.
const LateMessages = 7 * 24 * time.Hour

// Apply is the job that decodes and applies one message. An unreadable message is kept for the operator. A message
// without a known submission is tried again.
func (s *Service) Apply(ctx context.Context, j jobs.Job) error {
	in, err := s.Store.Inbound(ctx, j.Subject)
	if err != nil {
		return err
	}
	notifications, err := notification.Decode(in.Body)
	if uploaded, ok := cds.ReadUpload(in.Body, err); ok {
		return s.applyUpload(ctx, j, in, uploaded)
	}
	if errors.Is(err, notification.ErrUnknownDocument) {
		if answer, wrong := inventory.Decode(in.Body); wrong == nil {
			return s.applyMovement(ctx, j, in, answer)
		}
	}
	if err != nil {
		s.Log.WarnContext(ctx, "a message from customs cannot be read", "inbox", in.ID, "conversationId", in.ConversationID, "error", err)
		return s.Store.FinishInbound(ctx, j, Unreadable, err.Error())
	}
	if replayed, err := s.setAsideReplay(ctx, j, in); err != nil || replayed {
		return err
	}
	problem := ""
	for i, n := range notifications {
		if n.MessageID == "" {
			n.MessageID = fmt.Sprintf("%s-%d", in.Digest, i)
		}
		switch err := s.applyOne(ctx, in, n); {
		case errors.Is(err, errRemoved):
			problem = err.Error()
		case errors.Is(err, errOtherSource):
			return s.keepUnapplied(ctx, j, in, err)
		case errors.Is(err, errUnmatched):
			_ = s.Store.SetInboundState(ctx, in.ID, Unmatched, err.Error())
			return err
		case err != nil:
			return err
		}
	}
	return s.Store.FinishInbound(ctx, j, Applied, problem)
}

// unmatched returns the error of a message without a submission: errRemoved if a test organisation has deleted it.
func (s *Service) unmatched(ctx context.Context, in Inbound, n notification.Notification) error {
	if in.Source != FromSimulator {
		return errUnmatched
	}
	removed, err := s.Store.WasRemoved(ctx, in.ConversationID, n.LRN)
	if err == nil && !removed {
		err = errUnmatched
	} else if err == nil {
		err = errRemoved
	}
	return err
}

// setAsideUnmatched stores that a message without a submission, in another format, has none. Its job is tried again, unless a
// test organisation has deleted the record. reference may be empty.
func (s *Service) setAsideUnmatched(ctx context.Context, j jobs.Job, in Inbound, reference string) error {
	err := s.unmatched(ctx, in, notification.Notification{LRN: reference})
	if errors.Is(err, errRemoved) {
		return s.Store.FinishInbound(ctx, j, Applied, err.Error())
	}
	if errors.Is(err, errUnmatched) {
		_ = s.Store.SetInboundState(ctx, in.ID, Unmatched, err.Error())
	}
	return err
}

// setAsideReplay reports whether a message was received before under another conversation ID, and stores that. It is
// not applied: CDS sent it about the declaration of the first conversation.
func (s *Service) setAsideReplay(ctx context.Context, j jobs.Job, in Inbound) (bool, error) {
	first, found, err := s.Store.ReplayOf(ctx, in)
	if err != nil || !found {
		return false, err
	}
	s.Log.WarnContext(ctx, "a message from customs was received again under another conversation ID and is not applied",
		"inbox", in.ID, "conversationId", in.ConversationID, "first", first.ID, "firstConversationId", first.ConversationID)
	problem := fmt.Sprintf("The same body was received at %s under the conversation %s. This message was not applied.", audit.Instant(first.ReceivedAt), first.ConversationID)
	return true, s.Store.FinishReplay(ctx, j, first.ID, problem)
}

func (s *Service) applyOne(ctx context.Context, in Inbound, n notification.Notification) error {
	org, t, found, err := s.Store.FindTransmission(ctx, in.ConversationID, n.LRN)
	if err != nil {
		return err
	}
	if !found {
		return s.unmatched(ctx, in, n)
	}
	defer s.waiters.Notify(t.ID)
	return s.Store.UpdateCustoms(ctx, org, func(tx Tx) error {
		if err := s.checkSource(tx, in.Source); err != nil {
			return err
		}
		t, err := tx.Transmission(t.ID)
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
		}
		m := Message{
			ID: s.IDs.UUID(), FilingID: t.FilingID, ConversationID: in.ConversationID, MessageID: n.MessageID,
			Purpose: t.Purpose, LRN: t.LRN, ReceivedAt: in.ReceivedAt, InboxID: in.ID, Notification: n,
		}
		added, err := tx.AddMessage(m)
		if err != nil || !added {
			return err
		}
		if err := s.applyDecision(tx, tenant.System(org), m, in.Digest); err != nil {
			return err
		}
		return s.failConsent(tx, m)
	})
}

// keepUnapplied ends the job of a message that must not change a record, and keeps the message.
func (s *Service) keepUnapplied(ctx context.Context, j jobs.Job, in Inbound, reason error) error {
	s.Log.WarnContext(ctx, "a message from customs is kept and not applied", "inbox", in.ID, "conversationId", in.ConversationID, "error", reason)
	return s.Store.FinishInbound(ctx, j, Unmatched, reason.Error())
}

var errOtherSource = errors.New("customs: the message came with credentials that are not those of the organisation's connection")

// checkSource returns an error if messages to this organisation come from elsewhere. A simulator must never change the
// records of an organisation that is connected to HMRC, nor HMRC those of a test organisation.
func (s *Service) checkSource(tx Tx, from Source) error {
	expected := s.Source
	if tx.Mode() == tenant.Test {
		expected = FromSimulator
	}
	if from := cmp.Or(from, s.Source); from != expected {
		return fmt.Errorf("%w: it is from %s, and the organisation is connected to %s", errOtherSource, from, expected)
	}
	return nil
}

// markRepeated marks a transmission whose outcome is not stored yet if its job is in a second or later attempt: the
// message may be about any of them.
func markRepeated(tx Tx, t Transmission) (Transmission, error) {
	attempts, err := tx.Attempts(SendQueue, t.ID)
	t.Repeated = t.Repeated || attempts > 1
	return t, err
}

// applyDecision makes the transition that follows from a new message and all earlier ones.
func (s *Service) applyDecision(tx Tx, p tenant.Principal, m Message, digest string) error {
	f, err := tx.Filing(s.Type.Kind, m.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil {
		return err
	}
	all, err := tx.Messages(m.FilingID)
	if err != nil {
		return err
	}
	ts, err := tx.Transmissions(m.FilingID)
	if err != nil {
		return err
	}
	messages, repeated := ofLRN(all, a.LRN), isRepeated(ts, a.LRN)
	step := filing.TransitionData{Added: filing.Added{}, Data: auditData(m, digest)}
	action, call := recordAction(m), tenant.Call{Principal: p, RequestID: m.ConversationID}
	var closed []Demand
	if m.LRN == a.LRN {
		d := reduceMessages(messages, repeated)
		if action, err = s.fillStep(tx, &f, a, ts, d, m, &step); err != nil {
			return err
		}
		now := s.progressOf(messages, ts, a)
		now.addTo(step.Added)
		if requests := requestsOf(ts, all, d); requests != nil {
			step.Added["requests"] = requests
			if action, err = s.decideAmendment(tx, ts, a.Requests, requests, m, action, &step); err != nil {
				return err
			}
		}
		if err := nameFinal(&f, d.Accepted.Time, &step); err != nil {
			return err
		}
		if err := noteProducts(tx, &f, a, ts, messages, m, &step); err != nil {
			return err
		}
		closed = closedSince(a.Demands, now.Demands)
	}
	changed, err := s.Filings.Transition(tx, call, s.Type, f.ID, action, step)
	if err != nil {
		return err
	}
	if err := s.endDemands(tx, call, f.ID, closed); err != nil {
		return err
	}
	return s.noteSupplement(tx, &changed)
}

// endDemands records that demands were closed.
func (s *Service) endDemands(tx Tx, call tenant.Call, id string, closed []Demand) error {
	for i := range closed {
		if _, err := s.Filings.Transition(tx, call, s.Type, id, endDemand, filing.TransitionData{Data: closed[i].auditData()}); err != nil {
			return err
		}
	}
	return nil
}

// fillStep adds the decision's values to the step, and returns the action that leads to the decided state.
func (s *Service) fillStep(tx Tx, f *filing.Filing, a added, ts []Transmission, d decision, m Message, step *filing.TransitionData) (lifecycle.Action, error) {
	if d.MRN != "" && (a.MRN == nil || *a.MRN != d.MRN) {
		step.Added["mrn"] = d.MRN
		if err := s.addSource(tx, step); err != nil {
			return "", err
		}
		if _, err := tx.FilingByKey(MRNKey, d.MRN); apierr.Is(err, apierr.NotFound) {
			step.Keys = []filing.Key{{Name: MRNKey, Value: d.MRN}}
		} else if err != nil {
			return "", err
		}
	}
	set(step.Added, "acceptedAt", d.Accepted)
	set(step.Added, "clearedAt", d.ClearedAt)
	if m.Notification.FunctionCode == notification.DMSEOG {
		step.Added[exitedAt] = audit.Instant(m.at())
	}
	if d.hasTaxes(ts) {
		step.Added[totalDuty], step.Added[totalVAT] = d.totals()
		step.Added[totalOther] = d.otherTaxes()
		step.Added[dutyBasis] = dutyBases[d.TaxKind]
	}
	if a.Cancellation != nil {
		a.Cancellation.Status = cancellationStatus(d, a.Cancellation.Status)
		step.Added["cancellation"] = a.Cancellation
	}
	if n := m.Notification; d.Rejection != nil && n.FunctionCode == notification.DMSREJ {
		step.Added[rejectionsMember] = addRejection(a.RejectedFor, d.Rejection, m.at())
	}
	if d.State != "" && d.State != f.Status {
		if _, ok := s.Type.Lifecycle.Find(f.Status, transitions[d.State]); ok {
			return transitions[d.State], nil
		}
	}
	if ownChangesOf(ts, []Message{m}).confirms(&m) {
		return note, nil
	}
	return recordAction(m), nil
}

func set(added filing.Added, name string, at notification.Instant) {
	if !at.Time.IsZero() {
		added[name] = audit.Instant(at.Time)
	}
}

func cancellationStatus(d decision, before string) string {
	switch {
	case d.State == lifecycle.Cancelled || d.Cancelling == cancellationGranted:
		return "GRANTED"
	case d.Cancelling == cancellationDenied:
		return "DENIED"
	}
	return before
}

// recordAction returns the action that records a message without a change of state.
func recordAction(m Message) lifecycle.Action {
	if action, ok := recorded[m.Notification.FunctionCode]; ok && m.Purpose == toSubmit {
		return action
	}
	return note
}

// ofLRN returns the messages about one LRN.
func ofLRN(all []Message, lrn string) []Message {
	return slices.DeleteFunc(slices.Clone(all), func(m Message) bool { return m.LRN != lrn })
}

// auditData returns the data of the audit event about a message; digest is the SHA-256 of the inbound body.
func auditData(m Message, digest string) filing.Added {
	data := filing.Added{
		"functionCode": m.Notification.FunctionCode, "name": m.Notification.Name, "messageId": m.MessageID,
		"conversationId": m.ConversationID, "inboxId": m.InboxID, "receivedSha256": digest,
	}
	if m.Notification.MRN != "" {
		data["mrn"] = m.Notification.MRN
	}
	var codes []string
	for _, e := range m.Notification.Errors {
		codes = append(codes, e.Code)
	}
	if codes != nil {
		data["errors"] = codes
	}
	return data
}
