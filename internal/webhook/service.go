package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// View reads the endpoints of one organisation.
type View interface {
	Endpoints() ([]Endpoint, error)          // oldest first
	Endpoint(id string) (Endpoint, error)    // apierr.NotFound when there is none here
	Deliveries(LogQuery) ([]Delivery, error) // newest first
	// LogPosition returns the position of the nth delivery of an endpoint, period and indexed status; zero if there are fewer.
	LogPosition(q LogQuery, nth int) (Position, error)
	Delivery(endpointID, id string) (Delivery, error)
	DeliveryByID(id string) (Delivery, error)
	DeliveryAttempts(endpointID, id string) ([]Attempt, error) // oldest first
	LatestDeliveries() (map[string]Delivery, error)            // the newest of each endpoint
	// LatestFailures returns, for each endpoint, the newest delivery that was given up, and of the other ones a delivery that
	// failed and is tried again.
	LatestFailures() (givenUp, retried map[string]Delivery, err error)
	DeliveryCounts(endpointID string) (DeliveryCounts, error)
	// CountDeliveries counts those of a log among the newest of its endpoint, status and period, and reports whether there are more.
	CountDeliveries(q LogQuery, among int) (n int, more bool, err error)
	Notice(id string) (Notice, error)
}

// Tx reads and writes the endpoints of one organisation.
type Tx interface {
	View
	MetricsView
	AlertTx
	audit.Recorder
	Now() time.Time
	RealNow() time.Time
	Mode() tenant.Mode
	TestClock() time.Time // at which the clock of a test organisation stands; zero for real time
	AddEndpoint(Endpoint) error
	SaveEndpoint(Endpoint) error
	RemoveEndpoint(id string) error
	AddNotice(Notice) error
	AddDelivery(Delivery) error
	CompleteDelivery(Delivery) error
	// CompleteOnce stores the result of an attempt, and reports false if the result of the attempt was stored before.
	CompleteOnce(Delivery) (bool, error)
	// RecoverDeliveries makes failed deliveries of an endpoint due, at most limit, and returns the ids of their events.
	RecoverDeliveries(endpointID string, since time.Time, limit int) (events []string, err error)
	Enqueue(jobs.Job) error
}

// Service manages endpoints.
type Service struct {
	Catalogue Catalogue
	Examples  Examples
	Guard     *ssrf.Guard
	Sealer    Sealer
	IDs       *ident.Source
	Destinations
}

// ClearQueue is the queue of the jobs that remove the log of a deleted endpoint.
const ClearQueue = "webhook.clear"

// overlap is how long the former secret still signs, next to the new one.
const overlap = 24 * time.Hour

// Create stores a new endpoint and returns its secret, which is never shown again.
func (s *Service) Create(tx Tx, call tenant.Call, in Input) (Endpoint, string, error) {
	if err := s.check(in); err != nil {
		return Endpoint{}, "", err
	}
	if all, err := tx.Endpoints(); err != nil {
		return Endpoint{}, "", err
	} else if len(all) >= MaxEndpoints {
		return Endpoint{}, "", apierr.New(apierr.InvalidRequest, "An organisation has at most %d endpoints; delete one first.", MaxEndpoints)
	}
	e := Endpoint{ID: s.IDs.UUID(), Active: true, CreatedAt: tx.Now(), Version: 1}
	e.apply(Change{in, true}, tx.Now())
	secret, err := s.renew(call.Org, &e)
	if err == nil {
		err = sealCredentials(s.Sealer, call.Org, &e, in.Credentials)
	}
	if err != nil {
		return Endpoint{}, "", err
	}
	if err := tx.AddEndpoint(e); err != nil {
		return Endpoint{}, "", err
	}
	return e, secret, tx.Record(s.event(call, &e, created, recorded(Change{in, true})))
}

// Merge applies a patch from the API to the current settings of the endpoint.
type Merge func(stored json.RawMessage) (Change, error)

// Update changes, pauses or resumes an endpoint.
func (s *Service) Update(tx Tx, call tenant.Call, id string, merge Merge) (Endpoint, error) {
	e, err := tx.Endpoint(id)
	if err != nil {
		return Endpoint{}, err
	}
	c, err := s.merged(call.Org, &e, merge)
	if err != nil {
		return Endpoint{}, err
	}
	if err := s.checkChange(&e, c); err != nil {
		return Endpoint{}, err
	}
	verb := updated
	if e.Active != c.Active {
		verb = map[bool]string{true: resumed, false: pausedEvent}[c.Active]
	}
	e.apply(c, tx.Now())
	if err := sealCredentials(s.Sealer, call.Org, &e, c.Credentials); err != nil {
		return Endpoint{}, err
	}
	if err := tx.SaveEndpoint(e); err != nil {
		return Endpoint{}, err
	}
	e.Version++
	event := s.event(call, &e, verb, recorded(c))
	if verb == pausedEvent {
		return e, notifyOthers(tx, s.IDs, event, Alert{EndpointID: e.ID})
	}
	return e, tx.Record(event)
}

// merged returns the settings of an endpoint after a patch, which keeps credentials that it does not name.
func (s *Service) merged(org tenant.ID, e *Endpoint, merge Merge) (Change, error) {
	c, err := openCredentials(s.Sealer, org, e)
	if err != nil {
		return Change{}, err
	}
	stored, err := json.Marshal(e.input(c))
	if err != nil {
		return Change{}, err
	}
	return merge(stored)
}

// recordedChange is a change as the audit trail shows it: without credentials and the values of headers.
type recordedChange struct {
	Change
	Headers []string `json:"headers,omitempty"` // names
	MTLS    bool     `json:"mtls,omitempty"`    // whether there is one
	OAuth   bool     `json:"oauth,omitempty"`
	Broker  bool     `json:"credentials,omitempty"`
}

func recorded(c Change) recordedChange {
	return recordedChange{c, slices.Sorted(maps.Keys(c.Headers)), c.MTLS != nil, c.OAuth != nil, c.Broker != nil}
}

// Delete removes an endpoint at once, and its log by a job.
func (s *Service) Delete(tx Tx, call tenant.Call, id string) error {
	e, err := tx.Endpoint(id)
	if err != nil {
		return err
	}
	if err := tx.RemoveEndpoint(id); err != nil {
		return err
	}
	if err := tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: ClearQueue, Subject: id}); err != nil {
		return err
	}
	return tx.Record(s.event(call, &e, deleted, nil))
}

// PauseAll pauses every active endpoint of an organisation for a reason, and returns how many.
func PauseAll(tx Tx, ids *ident.Source, call tenant.Call, reason string) (paused int64, err error) {
	all, err := tx.Endpoints()
	if err != nil {
		return 0, err
	}
	for _, e := range all {
		if !e.Active {
			continue
		}
		e.Active, e.PausedReason, e.UpdatedAt = false, reason, tx.Now()
		if err := tx.SaveEndpoint(e); err != nil {
			return 0, err
		}
		if err := tx.Record(endpointEvent(ids, call, e.ID, pausedEvent, map[string]string{"reason": reason})); err != nil {
			return 0, err
		}
		paused++
	}
	return paused, nil
}

// Rotate gives the endpoint a new secret; the former one signs next to it for a day.
func (s *Service) Rotate(tx Tx, call tenant.Call, id string) (Endpoint, string, error) {
	e, err := tx.Endpoint(id)
	if err != nil {
		return Endpoint{}, "", err
	}
	e.FormerSecret, e.FormerUntil, e.UpdatedAt = e.Secret, tx.RealNow().Add(overlap), tx.Now()
	secret, err := s.renew(call.Org, &e)
	if err != nil {
		return Endpoint{}, "", err
	}
	if err := tx.SaveEndpoint(e); err != nil {
		return Endpoint{}, "", err
	}
	e.Version++
	return e, secret, tx.Record(s.event(call, &e, secretRotated, nil))
}

func (s *Service) renew(org tenant.ID, e *Endpoint) (secret string, err error) {
	secret = newSecret(s.IDs)
	e.SecretHint = hint(secret)
	e.Secret, err = seal(s.Sealer, org, e.ID, secret)
	return secret, err
}

// check returns every problem of an endpoint's settings.
func (s *Service) check(in Input) error {
	details := append(s.Catalogue.unknown(in.Events), in.Filter.check(s.Catalogue)...)
	details = append(append(details, s.checkDestination(in)...), in.Options.check()...)
	if in.kind() == Webhook {
		details = append(details, in.Credentials.check(in.Options, s.checkURL)...)
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

func (s *Service) checkURL(text string) error {
	_, err := s.Guard.Check(text)
	return err
}

// secrets returns the secrets that sign now, newest first.
func secrets(s Sealer, org tenant.ID, e *Endpoint, now time.Time) ([]string, error) {
	current, err := open(s, org, e.ID, e.Secret)
	if err != nil || !now.Before(e.FormerUntil) {
		return []string{current}, err
	}
	former, err := open(s, org, e.ID, e.FormerSecret)
	return []string{current, former}, err
}

const (
	hub  = "webhooks"
	kind = "webhook.endpoint"
)

// Audit events of endpoints.
const (
	created       = "created"
	updated       = "updated"
	pausedEvent   = "paused"
	resumed       = "resumed"
	deleted       = "deleted"
	secretRotated = "secret_rotated"
	failing       = "failing"
	tested        = "tested"
	resent        = "resent"
	recovered     = "recovered"
)

// EventTypes are the types of all audit events of endpoints.
func EventTypes() (all []string) {
	for _, verb := range []string{created, updated, pausedEvent, resumed, deleted, secretRotated, failing, tested, resent, recovered} {
		all = append(all, kind+"."+verb)
	}
	return append(all, AlertGivenUp)
}

// ChangesEndpoint reports whether events of a type record a change of an endpoint. A test, or
// deliveries that are sent again, do not change it.
func ChangesEndpoint(eventType string) bool {
	verb, ok := strings.CutPrefix(eventType, kind+".")
	return ok && slices.Contains([]string{created, updated, pausedEvent, resumed, deleted, secretRotated}, verb)
}

func (s *Service) event(call tenant.Call, e *Endpoint, verb string, data any) audit.Event {
	return endpointEvent(s.IDs, call, e.ID, verb, data)
}

func endpointEvent(ids *ident.Source, call tenant.Call, id, verb string, data any) audit.Event {
	event := audit.Event{ID: ids.UUID(), Hub: hub, Type: kind + "." + verb, ResourceType: kind, ResourceID: id}
	if data != nil {
		event.Data, _ = json.Marshal(data)
	}
	return audit.By(call, event)
}

// ClearStore removes the log of a deleted endpoint in small steps.
type ClearStore interface {
	// ClearLog removes some deliveries of an endpoint and reports whether there are more.
	ClearLog(ctx context.Context, org tenant.ID, endpointID string) (more bool, err error)
	Finish(ctx context.Context, j jobs.Job) error
}

// Clear is the job that removes the log of a deleted endpoint.
func Clear(store ClearStore) func(context.Context, jobs.Job) error {
	return func(ctx context.Context, j jobs.Job) error {
		for more := true; more; {
			var err error
			if more, err = store.ClearLog(ctx, j.Org, j.Subject); err != nil {
				return fmt.Errorf("webhook: clear log: %w", err)
			}
		}
		return store.Finish(ctx, j)
	}
}
