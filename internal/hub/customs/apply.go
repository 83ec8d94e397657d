package customs

import (
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
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// InboxQueue is the queue of the jobs that apply messages from customs.
const InboxQueue = "customs.inbox"

// InboxBackoff is how often a message that belongs to nothing yet is looked at
// again: it may have overtaken our own record of the submission.
var InboxBackoff = []time.Duration{
	200 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// MaxInbound is the largest message that is taken, as large as customs sends.
const MaxInbound = 20 << 20

// Receive keeps a message from customs, raw, with the job that applies it. When it
// returns nil the message is safe, whatever is in it.
func (s *Service) Receive(ctx context.Context, m Inbound) error {
	sum := sha256.Sum256(m.Body)
	m.ID, m.Digest = s.IDs.UUID(), hex.EncodeToString(sum[:])
	return s.Store.Receive(ctx, m, jobs.Job{ID: s.IDs.UUID(), Queue: InboxQueue, Subject: m.ID})
}

// errUnmatched says that nothing was found that a message belongs to.
var errUnmatched = errors.New("customs: the message belongs to no submission that is known here")

// Apply is the job that reads one message and applies it. What cannot be read is
// kept for the operator; what cannot be matched is tried again.
func (s *Service) Apply(ctx context.Context, j jobs.Job) error {
	in, err := s.Store.Inbound(ctx, j.Subject)
	if err != nil {
		return err
	}
	said, err := notification.Decode(in.Body)
	if err != nil {
		s.Log.WarnContext(ctx, "a message from customs cannot be read", "inbox", in.ID, "conversationId", in.ConversationID, "error", err)
		return s.Store.FinishInbound(ctx, j, Unreadable, err.Error())
	}
	if replayed, err := s.setAsideReplay(ctx, j, in); err != nil || replayed {
		return err
	}
	for i, n := range said {
		if n.MessageID == "" {
			n.MessageID = fmt.Sprintf("%s-%d", in.Digest, i)
		}
		if err := s.applyOne(ctx, in, n); err != nil {
			if errors.Is(err, errUnmatched) {
				_ = s.Store.SettleInbound(ctx, in.ID, Unmatched, err.Error())
			}
			return err
		}
	}
	return s.Store.FinishInbound(ctx, j, Applied, "")
}

// setAsideReplay keeps a message that came before under another conversation id, and does
// not apply it: it would change the declaration of that conversation by a message that CDS
// sent about another one.
func (s *Service) setAsideReplay(ctx context.Context, j jobs.Job, in Inbound) (bool, error) {
	first, found, err := s.Store.ReplayOf(ctx, in)
	if err != nil || !found {
		return false, err
	}
	s.Log.WarnContext(ctx, "a message from customs came again under another conversation id and is not applied",
		"inbox", in.ID, "conversationId", in.ConversationID, "first", first.ID, "firstConversationId", first.ConversationID)
	problem := fmt.Sprintf("The same body came at %s under the conversation %s. This message was not applied.", audit.Instant(first.ReceivedAt), first.ConversationID)
	return true, s.Store.FinishReplay(ctx, j, first.ID, problem)
}

func (s *Service) applyOne(ctx context.Context, in Inbound, n notification.Notification) error {
	org, t, found, err := s.Store.FindTransmission(ctx, in.ConversationID, n.LRN)
	if err != nil {
		return err
	}
	if !found {
		return errUnmatched
	}
	defer s.waiting.settled(t.ID)
	return s.Store.UpdateCustoms(ctx, org, func(tx Tx) error {
		t, err := tx.Transmission(t.ID)
		if err != nil {
			return err
		}
		if t.State != sent {
			if t, err = asRepeated(tx, t); err != nil {
				return err
			}
			if err := s.taken(tx, t, in.ConversationID); err != nil {
				return err
			}
		}
		m := Message{
			ID: s.IDs.UUID(), FilingID: t.FilingID, ConversationID: in.ConversationID, MessageID: n.MessageID,
			Purpose: t.Purpose, LRN: t.LRN, ReceivedAt: in.ReceivedAt, InboxID: in.ID, Said: n,
		}
		added, err := tx.AddMessage(m)
		if err != nil || !added {
			return err
		}
		return s.hear(tx, tenant.System(org), m, in.Digest)
	})
}

// asRepeated marks a transmission that customs answers before we have noted what became
// of sending it, when its job is at a further attempt: customs may speak of either.
func asRepeated(tx Tx, t Transmission) (Transmission, error) {
	attempts, err := tx.Attempts(SendQueue, t.ID)
	if attempts > 1 {
		t.Problem = repeatedMark
	}
	return t, err
}

// hear takes the step that a new message leads to, given all that was said before.
func (s *Service) hear(tx Tx, p tenant.Principal, m Message, digest string) error {
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
	now := fold(ofRound(all, a.LRN), repeated(ts, a.LRN))
	step := filing.Step{Added: filing.Added{}, Data: tell(m, digest)}
	by := aside(m)
	if m.LRN == a.LRN {
		if by, err = s.learn(tx, &f, a, now, m, &step); err != nil {
			return err
		}
	}
	call := tenant.Call{Principal: p, RequestID: m.ConversationID}
	_, err = s.Filings.Act(tx, call, s.Type, f.ID, by, step)
	return err
}

// learn collects what the declaration now knows, and the step to where it stands.
func (s *Service) learn(tx Tx, f *filing.Filing, a added, now standing, m Message, step *filing.Step) (lifecycle.Action, error) {
	if now.MRN != "" && (a.MRN == nil || *a.MRN != now.MRN) {
		step.Added["mrn"] = now.MRN
		if _, err := tx.FilingByKey(MRNKey, now.MRN); apierr.Is(err, apierr.NotFound) {
			step.Keys = []filing.Key{{Name: MRNKey, Value: now.MRN}}
		} else if err != nil {
			return "", err
		}
	}
	set(step.Added, "acceptedAt", now.Accepted)
	set(step.Added, "clearedAt", now.ClearedAt)
	if now.Taxes != nil {
		step.Added["totalDutyGbp"], step.Added["totalVatGbp"] = now.totals()
		step.Added["dutyBasis"] = basis[now.TaxKind]
	}
	if a.Cancellation != nil {
		a.Cancellation.Status = cancelling(now, a.Cancellation.Status)
		step.Added["cancellation"] = a.Cancellation
	}
	if now.State != "" && now.State != f.Status {
		if _, ok := s.Type.Lifecycle.Find(f.Status, steps[now.State]); ok {
			return steps[now.State], nil
		}
	}
	return aside(m), nil
}

func set(added filing.Added, name string, at notification.Instant) {
	if !at.Time.IsZero() {
		added[name] = audit.Instant(at.Time)
	}
}

func cancelling(now standing, before string) string {
	switch {
	case now.State == lifecycle.Cancelled || now.Cancelling == granted:
		return "GRANTED"
	case now.Cancelling == denied:
		return "DENIED"
	}
	return before
}

func aside(m Message) lifecycle.Action {
	if by, ok := asides[m.Said.FunctionCode]; ok && m.Purpose == toSubmit {
		return by
	}
	return note
}

// ofRound keeps the messages about one LRN.
func ofRound(all []Message, lrn string) []Message {
	return slices.DeleteFunc(slices.Clone(all), func(m Message) bool { return m.LRN != lrn })
}

// tell is what the audit trail keeps of a message that came in bytes with a digest.
func tell(m Message, digest string) filing.Added {
	data := filing.Added{
		"functionCode": m.Said.FunctionCode, "name": m.Said.Name, "messageId": m.MessageID,
		"conversationId": m.ConversationID, "inboxId": m.InboxID, "receivedSha256": digest,
	}
	if m.Said.MRN != "" {
		data["mrn"] = m.Said.MRN
	}
	var codes []string
	for _, e := range m.Said.Errors {
		codes = append(codes, e.Code)
	}
	if codes != nil {
		data["errors"] = codes
	}
	return data
}
