package customs

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/waiters"
)

// Tx is the part of an organisation's transaction that declarations need.
type Tx interface {
	filing.Tx
	idempotency.Tx
	outbox.Tx
	consent.Tx
	SealTx
	// UseTariff keeps an edition of the tariff as long as usedBy is stored.
	UseTariff(usedBy string, version int64) error
	// Attempts returns how often the job of a subject has been leased; 0 if there is no job.
	Attempts(queue, subject string) (int64, error)
	Mode() tenant.Mode
	RealNow() time.Time // also while a test clock stands
	// LastJob returns the latest time until an instant at which a job of a queue waits for its first attempt.
	LastJob(queue string, until time.Time) (time.Time, error)
	AddTransmission(Transmission) error
	Transmission(id string) (Transmission, error)
	Transmissions(filingID string) ([]Transmission, error) // oldest first
	CompleteTransmission(Transmission) error
	AddMessage(Message) (added bool, err error)
	Messages(filingID string) ([]Message, error) // oldest first
	attachment.Tx
	Attachment(recordID, id string) (attachment.Attachment, error)
	AddFile(File) error
	SaveFile(File) error
	File(id string) (File, error)
	Files(filingID string) ([]File, error) // oldest first
	// Namesakes returns the latest few records that have one of the names, except one record.
	Namesakes(names []filing.Key, but string) ([]filing.NamedRecord, error)
}

// Store opens transactions, and stores inbound messages, whose organisation is not known at first.
type Store interface {
	ViewCustoms(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateCustoms(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Receive(ctx context.Context, m Inbound, j jobs.Job) error
	Inbound(ctx context.Context, id string) (Inbound, error)
	SetInboundState(ctx context.Context, id, state, problem string) error
	FinishInbound(ctx context.Context, j jobs.Job, state, problem string) error
	// WasRemoved reports whether a test organisation deleted the record of a submission with one of these references.
	WasRemoved(ctx context.Context, conversationID, reference string) (bool, error)
	ReplayOf(ctx context.Context, m Inbound) (first Inbound, found bool, err error)
	FinishReplay(ctx context.Context, j jobs.Job, of, problem string) error
	// FindTransmission finds a transmission by its conversation ID or, if that is unknown, by its reference.
	FindTransmission(ctx context.Context, conversationID, reference string) (tenant.ID, Transmission, bool, error)
	// FindFile finds the file of an upload by customs' reference.
	FindFile(ctx context.Context, reference string) (org tenant.ID, id string, found bool, err error)
}

// Sender sends documents to CDS or, for some organisations, to a simulator, which also gets what the caller asked for. HMRC
// must never get it.
type Sender interface {
	Submit(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	Cancel(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	Amend(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	Present(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	RequestForms(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	Move(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome
	PostFile(ctx context.Context, org tenant.ID, form client.Form, file client.FormFile) client.Outcome
}

// Service submits declarations to CDS and applies its messages.
type Service struct {
	Store   Store
	Filings *filing.Service
	Type    *filing.Type // of declarations
	Sender  Sender
	Tariff  Tariff // estimates the charges of a declaration that is submitted
	Rates   Rates  // exchange rates; nil for none
	Source  Source // of messages to live organisations; test organisations get them from a simulator
	// Simulated reports whether the documents of an organisation go to a simulator.
	Simulated func(*access.Organisation) bool
	Consents  *consent.Service // of organisations that are connected to HMRC
	Gap       time.Duration    // between two documents of an organisation to HMRC: the reciprocal of HMRC's rate limit
	// DemandDays are the days after which demands without a day of customs are due, by kind.
	DemandDays  map[string]int
	Attachments *attachment.Store
	Scanner     *attachment.Scanner // of files that are sent to customs; nil for none
	IDs         *ident.Source
	Log         *slog.Logger
	waiters     waiters.List
}

// added are the added members of a declaration that the service reads.
type added struct {
	LRN            string              `json:"lrn"`
	MRN            *string             `json:"mrn"`
	AcceptedAt     string              `json:"acceptedAt"`
	DUCR           string              `json:"ducr"`
	ConversationID string              `json:"conversationId"`
	Cancellation   *Cancellation       `json:"cancellation"`
	SimulatedBy    string              `json:"simulatedBy"`
	Stage          Stage               `json:"stage"`
	Prelodged      bool                `json:"prelodged"`
	Demands        []Demand            `json:"demands"`
	Requests       []RequestShown      `json:"requests"`
	Files          []FileShown         `json:"files"`
	Sources        []attachment.Source `json:"sourceDocuments"`
	SupplementedBy string              `json:"supplementedBy"`
	DutyBasis      string              `json:"dutyBasis"`
	RejectedFor    []Rejected          `json:"rejectedFor"`
}

func addedOf(f *filing.Filing) (a added, err error) {
	return a, json.Unmarshal(f.Added, &a)
}

// Amend corrects a declaration, unless CDS may have accepted its present version.
func (s *Service) Amend(tx Tx, call tenant.Call, id string, in filing.Input) (filing.Filing, error) {
	if err := s.notInDoubt(tx, id); err != nil {
		return filing.Filing{}, err
	}
	return s.Filings.Transition(tx, call, s.Type, id, lifecycle.Amend, filing.TransitionData{Input: &in})
}

// notInDoubt returns an error while CDS may have accepted the present version of a declaration.
func (s *Service) notInDoubt(tx Tx, id string) error {
	if _, err := tx.Filing(s.Type.Kind, id); err != nil {
		return err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return err
	}
	if t, ok := latest(ts, toSubmit); ok && t.InDoubt() {
		return apierr.New(apierr.InvalidState, "Customs may already have this declaration (LRN %s). Submit it again, unchanged, to find out.", t.Reference)
	}
	return nil
}

// latest returns the last transmission with a purpose.
func latest(ts []Transmission, purpose string) (Transmission, bool) {
	for i := len(ts) - 1; i >= 0; i-- {
		if ts[i].Purpose == purpose {
			return ts[i], true
		}
	}
	return Transmission{}, false
}
