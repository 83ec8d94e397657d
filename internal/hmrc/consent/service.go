package consent

import (
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"slices"
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

	HasConsentRequest(authority, identifier string) (bool, error)     // one that has not expired
	ConsentIdentifiers(authority string, limit int) ([]string, error) // with a consent that was begun or given, also one that has ended
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

// Service keeps the consents at one authority, one for each identifier: the organisation's EORI, or those that [Service.For]
// names. Without an Endpoint there is no connection to the authority.
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
	// Given runs in the transaction that stores a consent for an identifier; nil for nothing.
	Given func(tx Tx, identifier string) error
	// Ended runs in the transaction that ends a consent, but for one whose time is over. It reports whether the authority has to be told
	// about the end with the token of the consent; see [Service.Removed]. Nil for nothing.
	Ended func(tx Tx, identifier string) (tokenNeeded bool, err error)
	// Single reports whether a token of the configuration serves the installation's only organisation; nil for none.
	Single func(context.Context) (bool, error)

	identifier string // of For; empty for the organisation's EORI
	removed    bool   // of Removed
}

// MaxIdentifiers is the number of identifiers at one authority whose consents are listed.
const MaxIdentifiers = 100

// For returns the service for one identifier of an organisation. At an authority with consents by EORI it has to be the
// organisation's.
func (s *Service) For(identifier string) *Service {
	one := *s
	one.identifier = identifier
	return &one
}

// Identified returns what the authority has consents by, if it is not the organisation's EORI; nil otherwise.
func (s *Service) Identified() *Identifier {
	if s.Other == nil {
		return nil
	}
	return s.Other.Identifier
}

// subject returns the identifier whose consent is meant; empty if the organisation has no EORI.
func (s *Service) subject(tx Tx) (string, error) {
	if s.Identified() != nil {
		return s.identifier, nil
	}
	org, err := tx.Organisation()
	return org.Profile.EORI, err
}

// Other is what texts about an authority other than customs say.
type Other struct {
	Name     string // such as Goods Vehicle Movement Service
	Settings string // that the operator has to set, in words
	// Identifier is what the authority has consents by; nil for the organisation's EORI.
	Identifier *Identifier
	// NotEnrolled is in the text of a refusal of a token whose Government Gateway account has no enrolment for the authority.
	NotEnrolled string
}

// Identifier is a kind of identifiers of which one organisation can have several.
type Identifier struct {
	Name  string         // inside of a sentence, such as excise number
	Shape *regexp.Regexp // of every identifier
	Form  string         // Shape in words, after “must be”
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

// Current returns the consent for the identifier.
func (s *Service) Current(tx Tx) (v View, err error) {
	v.Status = None
	f, record, found, err := s.record(tx)
	if err != nil {
		return v, err
	}
	if found {
		v.Status, v.Record = s.statusAt(tx, &f, &record), record
		stored, _, err := tx.ConsentToken(s.Authority, record.Subject())
		if err != nil {
			return v, err
		}
		v.AccessExpiresAt, v.LastRefreshAt, v.LastError = stored.AccessExpiresAt, stored.RefreshedAt, stored.Problem
		if v.Status == None {
			v.AccessExpiresAt = time.Time{} // of a token that is left until the authority knows
		}
	}
	if v.Status != None {
		return v, nil
	}
	subject, err := s.subject(tx)
	if err != nil {
		return v, err
	}
	begun, err := tx.HasConsentRequest(s.Authority, subject)
	if begun {
		v.Status = Pending
	}
	return v, err
}

// All returns the consents for all identifiers that have one or had one, and for those that are named besides, in their order.
func (s *Service) All(tx Tx, named ...string) (all []Identified, err error) {
	known, err := tx.ConsentIdentifiers(s.Authority, MaxIdentifiers)
	if err != nil {
		return nil, err
	}
	known = append(known, named...)
	slices.Sort(known)
	for _, identifier := range slices.Compact(known) {
		v, err := s.For(identifier).Current(tx)
		if err != nil {
			return nil, err
		}
		all = append(all, Identified{identifier, v})
	}
	return all, nil
}

// Identified is the consent for one of an organisation's identifiers.
type Identified struct {
	Identifier string
	View
}

// record finds the consent for the identifier.
func (s *Service) record(tx Tx) (f filing.Filing, r Record, found bool, err error) {
	subject, err := s.subject(tx)
	if err != nil || subject == "" {
		return f, r, false, err
	}
	f, found, err = s.Filings.FindByPeriod(tx, s.Kind, periodOf(s.named(), subject))
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
	about := ""
	if by := s.Identified(); by != nil {
		about = " for the " + by.Name + " " + s.identifier
	}
	why := map[Status]string{
		None: "The organisation has not connected to HMRC" + about + ".", Pending: "The organisation's connection to HMRC" + about + " has begun and is not completed.",
		Expired: "The organisation's consent at HMRC" + about + " has ended.", Revoked: "HMRC no longer accepts the organisation's consent" + about + ".",
		Failed: "The organisation's consent at HMRC" + about + " cannot be used any more.",
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
	subject, err := s.given(tx)
	if err != nil {
		return "", time.Time{}, err
	}
	return s.Requests.Begin(tx, call, Request{Authority: s.Authority, Identifier: subject, SessionID: session, Context: json.RawMessage("{}")})
}

// given returns the identifier that a caller means, or what is wrong with it.
func (s *Service) given(tx Tx) (string, error) {
	subject, err := s.subject(tx)
	by := s.Identified()
	switch {
	case err != nil:
		return "", err
	case by != nil && !by.Shape.MatchString(subject):
		return "", apierr.Invalid(apierr.Detail{Field: "identifier", Message: "must be " + by.Form})
	case by == nil && subject == "":
		return "", apierr.New(apierr.InvalidState, "The organisation has no EORI number. Set eori with PATCH /api/organisation.")
	case by == nil && s.identifier != "" && s.identifier != subject:
		return "", apierr.Invalid(apierr.Detail{Field: "identifier", Message: "must be the organisation's EORI number, or be left out"})
	}
	return subject, nil
}

// Remove ends a consent and deletes its tokens, or leaves them to [Service.Removed].
func (s *Service) Remove(tx Tx, call tenant.Call) error {
	if s.Identified() != nil || s.identifier != "" {
		if _, err := s.given(tx); err != nil {
			return err
		}
	}
	f, r, found, err := s.record(tx)
	if err != nil {
		return err
	}
	if !found || f.Status == None {
		return apierr.Missing()
	}
	needed := false
	if s.Ended != nil {
		if needed, err = s.Ended(tx, r.Subject()); err != nil {
			return err
		}
	}
	needed = needed && isUsable(s.statusAt(tx, &f, &r))
	if _, err := s.Filings.Transition(tx, call, s.Kind, f.ID, disconnect, filing.TransitionData{Added: filing.Added{"reason": nil}}); err != nil || needed {
		return err
	}
	return s.endToken(tx, r.Subject(), "")
}

// endToken deletes the token of a consent.
func (s *Service) endToken(tx Tx, subject, problem string) error {
	stored, found, err := tx.ConsentToken(s.Authority, subject)
	if err != nil || !found {
		return err
	}
	return tx.EndConsentToken(s.Authority, subject, stored.ID, problem)
}
