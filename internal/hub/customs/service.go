package customs

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Tx is what declarations need of one organisation's data.
type Tx interface {
	filing.Tx
	idempotency.Tx
	Organisation() (access.Organisation, error)
	Enqueue(jobs.Job) error
	ReviveJob(queue, subject string) error
	Attempts(queue, subject string) (int64, error) // at the job about something; 0 where there is none
	FinishJob(jobs.Job) error
	AddTransmission(Transmission) error
	Transmission(id string) (Transmission, error)
	Transmissions(filingID string) ([]Transmission, error) // oldest first
	SettleTransmission(Transmission) error
	AddMessage(Message) (added bool, err error)
	Messages(filingID string) ([]Message, error) // oldest first
	// Namesakes are the latest few records that go by each of some names, but for one.
	Namesakes(names []filing.Key, but string) ([]filing.Namesake, error)
}

// Store opens transactions, and keeps what has not found its organisation yet.
type Store interface {
	ViewCustoms(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateCustoms(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// Receive keeps a message from customs with the job that will apply it.
	Receive(ctx context.Context, m Inbound, j jobs.Job) error
	Inbound(ctx context.Context, id string) (Inbound, error)
	SettleInbound(ctx context.Context, id, state, problem string) error
	FinishInbound(ctx context.Context, j jobs.Job, state, problem string) error
	ReplayOf(ctx context.Context, m Inbound) (first Inbound, found bool, err error)
	FinishReplay(ctx context.Context, j jobs.Job, of, problem string) error
	// FindTransmission finds what a conversation or, failing that, an LRN belongs to.
	FindTransmission(ctx context.Context, conversationID, reference string) (tenant.ID, Transmission, bool, error)
}

// Sender sends documents to customs.
type Sender interface {
	Submit(ctx context.Context, org tenant.ID, document []byte) client.Outcome
	Cancel(ctx context.Context, org tenant.ID, document []byte) client.Outcome
}

// Service does with declarations what the engine does not: it sends them to
// customs and applies what customs answers.
type Service struct {
	Store   Store
	Filings *filing.Service
	Type    *filing.Type // of declarations
	Sender  Sender
	IDs     *ident.Source
	Log     *slog.Logger
	waiting waiters
}

// waiters are told when a transmission is settled in this process.
type waiters struct {
	mu       sync.Mutex
	channels map[string][]chan struct{}
}

func (w *waiters) wait(id string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.channels == nil {
		w.channels = map[string][]chan struct{}{}
	}
	c := make(chan struct{})
	w.channels[id] = append(w.channels[id], c)
	return c
}

func (w *waiters) settled(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.channels[id] {
		close(c)
	}
	delete(w.channels, id)
}

// forget drops the channel of a waiter that has given up.
func (w *waiters) forget(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.channels, id)
}

// added are the members of a declaration that the service works with.
type added struct {
	LRN            string        `json:"lrn"`
	MRN            *string       `json:"mrn"`
	DUCR           string        `json:"ducr"`
	ConversationID string        `json:"conversationId"`
	Cancellation   *Cancellation `json:"cancellation"`
}

func addedOf(f *filing.Filing) (a added, err error) {
	return a, json.Unmarshal(f.Added, &a)
}

// Amend corrects a declaration, unless customs may have it in the form it had.
func (s *Service) Amend(tx Tx, call tenant.Call, id string, in filing.Input) (filing.Filing, error) {
	if err := s.settled(tx, id); err != nil {
		return filing.Filing{}, err
	}
	return s.Filings.Act(tx, call, s.Type, id, lifecycle.Amend, filing.Step{Input: &in})
}

// settled refuses a change while customs may have the declaration as it stands.
func (s *Service) settled(tx Tx, id string) error {
	if _, err := tx.Filing(s.Type.Kind, id); err != nil {
		return err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return err
	}
	if t, ok := latest(ts, toSubmit); ok && (t.State == pending || t.State == unknown) {
		return apierr.New(apierr.InvalidState, "Customs may already have this declaration (LRN %s). Submit it again, unchanged, to learn what became of it.", t.Reference)
	}
	return nil
}

func latest(ts []Transmission, purpose string) (Transmission, bool) {
	for i := len(ts) - 1; i >= 0; i-- {
		if ts[i].Purpose == purpose {
			return ts[i], true
		}
	}
	return Transmission{}, false
}
