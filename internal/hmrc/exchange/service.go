package exchange

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/waiters"
)

// Queues of the jobs.
const (
	SendQueue  = "authority.send"
	PollQueue  = "authority.poll"
	ApplyQueue = "authority.apply"

	SubscribeQueue = "authority.subscribe"
)

// Create is the action for which Plan is asked about a new record.
const Create lifecycle.Action = "create"

// MaxMessages is the number of messages of a record that are read.
const MaxMessages = 1000

// Tx is the part of an organisation's transaction that this package needs.
type Tx interface {
	consent.Tx
	idempotency.Tx
	outbox.Tx

	RealNow() time.Time // also while a test clock stands
	RetryJob(j jobs.Job, at time.Time, problem string) error
	RunJobBy(queue, subject string, at time.Time) (found bool, err error) // makes a job due at a time, unless it is before
	SubjectsOf(queue string, limit int) ([]string, error)                 // of jobs that wait, the first due first

	AddAuthorityMessage(Message) (added bool, err error)
	CompleteAuthorityMessage(Message) error
	AuthorityMessage(id string) (Message, error)
	AuthorityMessages(filingID string, limit int) ([]Message, error)
	AuthorityMessagesAfter(filingID string, after filing.Position, limit int) ([]Message, error)
	UnclaimedAuthorityMessages(limit int) ([]Message, error)
	ClaimAuthorityMessage(id, filingID string) (claimed bool, err error)
	WaitingAuthorityMessages(authority string, limit int) (int, error)

	AddAuthorityName(authority string, mode Mode, name, filingID string) (added bool, err error)
	RemoveAuthorityName(authority string, mode Mode, name, filingID string) error
	FilingByAuthorityName(authority string, mode Mode, name string) (filingID string, err error)

	AuthorityRecord(filingID string) (r Registration, found bool, err error)
	PutAuthorityRecord(Registration) error
	DueAuthorityRecords(p Poll, until time.Time, limit int) ([]Registration, error)
	NextAuthorityPoll(p Poll) (time.Time, error)

	AuthorityPoll(authority string, mode Mode, identifier string) (p Poll, found bool, err error)
	AuthorityPollByID(id string) (p Poll, found bool, err error)
	AuthorityPolls(limit int) ([]Poll, error)
	PutAuthorityPoll(Poll) error
}

// Registration says to which authority a record belongs, and when the authority is asked about it next; zero if nothing is
// outstanding.
type Registration struct {
	FilingID   string
	Authority  string
	Mode       Mode
	Identifier string
	Next       time.Time
}

// Poll says how far the messages of an identifier are fetched.
type Poll struct {
	ID         string
	Authority  string
	Mode       Mode
	Identifier string
	Position   Position
	Problem    string    // of the latest call; empty if it succeeded
	At         time.Time // of the latest call that succeeded
	Wanted     time.Time // real time of the last sign of new messages: a notification, or a message that was accepted; zero if they were fetched since
}

// Store opens transactions.
type Store interface {
	ViewAuthority(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateAuthority(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// ConcernedBy returns the identifiers of organisations whose messages a notification is about.
	ConcernedBy(ctx context.Context, authority string, mode Mode, n Notice) ([]Concerned, error)
	// Unsubscribed returns the identifiers with a consent about which no job asks for notifications.
	Unsubscribed(ctx context.Context, authority string) ([]Concerned, error)
}

// Service connects records with their authorities. It is the [filing.Connection] of their kinds.
type Service struct {
	Store       Store
	Filings     *filing.Service
	Authorities []*Authority
	IDs         *ident.Source
	Log         *slog.Logger
	waiters     waiters.List
}

// Of returns the authority of a kind of record; nil for none.
func (s *Service) Of(kind string) *Authority {
	at := slices.IndexFunc(s.Authorities, func(a *Authority) bool { return a.Type.Kind == kind })
	if at < 0 {
		return nil
	}
	return s.Authorities[at]
}

// byID returns an authority.
func (s *Service) byID(id string) (*Authority, error) {
	at := slices.IndexFunc(s.Authorities, func(a *Authority) bool { return a.ID == id })
	if at < 0 {
		return nil, fmt.Errorf("exchange: there is no authority %q", id)
	}
	return s.Authorities[at], nil
}

// channel returns the channel of an organisation; nil if it is not connected.
func (a *Authority) channel(m tenant.Mode) *Channel {
	if m == tenant.Test {
		return a.Simulator
	}
	return a.Channel
}

// channelOf returns the channel of a transaction's organisation for what has a mode; an error if the organisation is connected in
// another way now.
func (a *Authority) channelOf(tx Tx, m Mode) (*Channel, error) {
	ch := a.channel(tx.Mode())
	switch {
	case ch == nil:
		return nil, apierr.New(apierr.InvalidState, "The record belongs to %s, and this service is not connected to it any more.", a.nameOf(m))
	case ch.Mode != m:
		return nil, apierr.New(apierr.InvalidState, "The record belongs to %s, and the organisation is connected to %s now.", a.nameOf(m), a.nameOf(ch.Mode))
	}
	return ch, nil
}

// nameOf returns an authority's system in a mode inside of a sentence.
func (a *Authority) nameOf(m Mode) string {
	switch m {
	case Simulator:
		return "the simulator of " + a.Name
	case Sandbox:
		return "the sandbox of " + a.Name
	}
	return a.Name
}

// handles reports whether an authority gets a record.
func (a *Authority) handles(body []byte) bool { return a.Handles == nil || a.Handles(body) }

// own returns the transaction of the engine as this package needs it.
func own(tx filing.Tx) (Tx, error) {
	t, ok := tx.(Tx)
	if !ok {
		return nil, fmt.Errorf("exchange: a transaction of another kind: %T", tx)
	}
	return t, nil
}

var errNoSender = errors.New("exchange: there is no connection in this mode")
