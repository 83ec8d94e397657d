package consent

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Stored is the stored token of a consent.
type Stored struct {
	ID              string // changes with every consent
	Token           Sealed // empty once the consent has ended
	Holder          string // process that refreshes it; empty for none
	HeldUntil       time.Time
	AccessExpiresAt time.Time // zero if HMRC did not say
	RefreshedAt     time.Time // of the last refresh; zero for none
	Problem         string    // error of the last refresh, or why the consent has ended; empty if there is none
}

// Tx is the part of an organisation's transaction that consents need.
type Tx interface {
	filing.Tx
	RequestTx
	Organisation() (access.Organisation, error)
	Mode() tenant.Mode

	HasConsentRequest(authority string) (bool, error) // one that has not expired
	ConsentToken(authority, identifier string) (s Stored, found bool, err error)
	PutConsentToken(authority, identifier string, s Stored) error // replaces the present one
	// EndConsentToken deletes a token and keeps the problem; it does nothing if the consent was given again.
	EndConsentToken(authority, identifier, id, problem string) error
	SwapConsentToken(authority, identifier string, old Sealed, s Stored) (bool, error) // false if the token is not the old one any more
	AcquireConsentToken(authority, identifier, holder string, until time.Time) (bool, error)
	ReleaseConsentToken(authority, identifier, holder string) error
	// RunQueueNow makes all jobs of a queue due that wait for their time, each a gap after the one before.
	RunQueueNow(queue string, gap time.Duration) error
}

// Store opens transactions.
type Store interface {
	ViewConsent(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateConsent(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Service keeps the consents at one authority, one for each EORI of an organisation. Without an Endpoint there is no
// connection to the authority.
type Service struct {
	Authority string // name, such as customs
	Other     *Other // of an authority other than customs; nil for customs
	Kind      *filing.Type
	Queues    []string      // jobs that continue when consent is given
	Gap       time.Duration // between two of them
	Store     Store
	Filings   *filing.Service
	Requests  *Requests
	Endpoint  *client.TokenEndpoint
	Sealer    Sealer
	IDs       *ident.Source
	Log       *slog.Logger
	// Single reports whether a token of the configuration serves the installation's only organisation; nil for none.
	Single func(context.Context) (bool, error)
}

// Other is what texts about an authority other than customs say.
type Other struct {
	Name     string // such as Goods Vehicle Movement Service
	Settings string // that the operator has to set, in words
}

// named returns the authority as records of consents have it; empty for customs.
func (s *Service) named() string {
	if s.Other == nil {
		return ""
	}
	return s.Authority
}

// View is a consent as people see it.
type View struct {
	Status          Status
	Record          Record // empty if consent was never given
	AccessExpiresAt time.Time
	LastRefreshAt   time.Time
	LastError       string
}

// IsEnabled reports whether organisations can give consent.
func (s *Service) IsEnabled() bool {
	return s.Endpoint != nil && s.Requests.Authorities[s.Authority] != nil
}

// Current returns the consent for the organisation's EORI.
func (s *Service) Current(tx Tx) (v View, err error) {
	v.Status = None
	f, record, found, err := s.record(tx)
	if err != nil {
		return v, err
	}
	if found {
		v.Status, v.Record = s.statusAt(tx, &f, &record), record
		stored, _, err := tx.ConsentToken(s.Authority, record.EORI)
		if err != nil {
			return v, err
		}
		v.AccessExpiresAt, v.LastRefreshAt, v.LastError = stored.AccessExpiresAt, stored.RefreshedAt, stored.Problem
	}
	if v.Status != None {
		return v, nil
	}
	begun, err := tx.HasConsentRequest(s.Authority)
	if begun {
		v.Status = Pending
	}
	return v, err
}

// record finds the consent for the organisation's EORI.
func (s *Service) record(tx Tx) (f filing.Filing, r Record, found bool, err error) {
	org, err := tx.Organisation()
	if err != nil || org.Profile.EORI == "" {
		return f, r, false, err
	}
	f, found, err = s.Filings.FindByPeriod(tx, s.Kind, periodOf(s.named(), org.Profile.EORI))
	if err == nil && found {
		err = json.Unmarshal(f.Body, &r)
	}
	return f, r, found, err
}

// statusAt returns the status of a consent, which ends at its time although the timer may run later.
func (s *Service) statusAt(tx Tx, f *filing.Filing, r *Record) Status {
	if isUsable(f.Status) && !tx.Now().Before(r.expires()) {
		return Expired
	}
	return f.Status
}

// Check returns an error if the organisation cannot use the authority: it needs a consent.
func (s *Service) Check(tx Tx) error {
	v, err := s.Current(tx)
	if err != nil || isUsable(v.Status) {
		return err
	}
	return s.required(v.Status)
}

// HasSingle reports whether a token of the configuration serves the installation's only organisation.
func (s *Service) HasSingle(ctx context.Context) (bool, error) {
	if s == nil || s.Single == nil {
		return false, nil
	}
	return s.Single(ctx)
}

// required is the error of an organisation without consent.
func (s *Service) required(status Status) error {
	why := map[Status]string{
		None: "The organisation has not connected to HMRC.", Pending: "The organisation's connection to HMRC has begun and is not completed.",
		Expired: "The organisation's consent at HMRC has ended.", Revoked: "HMRC no longer accepts the organisation's consent.",
		Failed: "The organisation's consent at HMRC cannot be used any more.",
	}[status]
	how := "POST /api/customs/consent, or the settings under HMRC"
	if s.Other != nil {
		how = "POST /api/authorities/" + s.Authority + "/consent, or the page of connections"
	}
	return apierr.New(apierr.CustomsConsentRequired, "%s An OWNER must connect it (%s).", why, how)
}

// Begin starts a consent for the session, or for the API key of the call if the session is empty. It returns the address
// that the person opens.
func (s *Service) Begin(tx Tx, call tenant.Call, session string) (address string, expires time.Time, err error) {
	if !s.IsEnabled() {
		settings := "TIDEWAITER_CUSTOMS_MODE=hmrc, TIDEWAITER_CUSTOMS_CLIENT_ID and TIDEWAITER_CUSTOMS_CLIENT_SECRET"
		if s.Other != nil {
			settings = s.Other.Settings
		}
		return "", time.Time{}, apierr.New(apierr.InvalidState, "Organisations cannot connect to HMRC here. The operator must set %s.", settings)
	}
	if tx.Mode() == tenant.Test {
		return "", time.Time{}, apierr.New(apierr.InvalidState, "A test organisation cannot be connected to HMRC. What it sends goes to the simulator.")
	}
	org, err := tx.Organisation()
	if err != nil {
		return "", time.Time{}, err
	}
	if org.Profile.EORI == "" {
		return "", time.Time{}, apierr.New(apierr.InvalidState, "The organisation has no EORI number. Set eori with PATCH /api/organisation.")
	}
	return s.Requests.Begin(tx, call, Request{Authority: s.Authority, Identifier: org.Profile.EORI, SessionID: session, Context: json.RawMessage("{}")})
}

// Remove deletes the tokens of the organisation's consent.
func (s *Service) Remove(tx Tx, call tenant.Call) error {
	f, r, found, err := s.record(tx)
	if err != nil {
		return err
	}
	if !found || f.Status == None {
		return apierr.Missing()
	}
	if _, err := s.Filings.Transition(tx, call, s.Kind, f.ID, disconnect, filing.TransitionData{Added: filing.Added{"reason": nil}}); err != nil {
		return err
	}
	return s.endToken(tx, r.EORI, "")
}

// endToken deletes the token of a consent.
func (s *Service) endToken(tx Tx, eori, problem string) error {
	stored, found, err := tx.ConsentToken(s.Authority, eori)
	if err != nil || !found {
		return err
	}
	return tx.EndConsentToken(s.Authority, eori, stored.ID, problem)
}
