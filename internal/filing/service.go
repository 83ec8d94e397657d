package filing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Service creates, reviews and changes filings.
type Service struct {
	IDs    *ident.Source
	Types  map[string]*Type                               // by kind; at least the targets of cascades
	Facts  func() rules.Facts                             // for the rules, apart from the instant and Routes; nil for none
	Routes func(kind string, m tenant.Mode) rules.Listing // the routes of an authority, for the rules; nil for none

	Encoders map[string]Encoder // by kind, of those that are sent in the form of an authority

	Connections map[string]Connection // by kind, of those that are connected with an authority

	Sealer secret.Sealer // encrypts secrets of records; nil if there are none

	Notify Notify // builds the webhook notifications of changes; nil if there are no webhooks
}

// TransitionData holds the arguments of a transition.
type TransitionData struct {
	If     IfVersion // versions of the record that may be changed
	Input  *Input    // corrected input, for an edge with ReplaceBody
	Reason string    // for an edge with KeepReason
	Added  Added     // members that the service adds
	Fixed  Added     // members that replace those derived from the corrected input
	Data   Added     // additional data of the audit event
	Keys   []Key
	Jobs   []jobs.Job

	ItemAbout  ItemAbout // what the inbox item of the transition is about; zero for the record
	OtherNames []Key     // names of the record that do not follow from its input; it may have them already

	Clearance Clearance // of a submission that was sent before the transition

	Reference *Reference // the authority's reference; nil: generate one, for an edge with AssignReference
	Accepted  bool       // the record's authority has accepted the action

	OwnReference string // the authority's own reference, as a user enters it with a mark; empty for none

	former              *Filing
	names, removedNames []Key // new and former names of the record
	terms, removedTerms []Key // new and former metadata of the record
	links               *Links
	secrets             *string // the new sealed secrets of the record
	deleted             bool
	approved            bool // what was approved has been sent
}

// Create stores a new record.
func (s *Service) Create(tx Tx, call tenant.Call, t *Type, in Input) (Filing, error) {
	in, filled, err := t.completed(tx, in, nil)
	if err != nil {
		return Filing{}, err
	}
	links, err := t.check(tx, &in, "", nil)
	if err != nil {
		return Filing{}, err
	}
	now, id := tx.Now(), s.IDs.UUID()
	sealed, err := s.sealed(tx, call.Org, t, id, in.secretsFrom, in.secrets, nil)
	if err != nil {
		return Filing{}, err
	}
	f := Filing{ID: id, Kind: t.Kind, Status: t.Lifecycle.Initial, CreatedAt: now}
	sent, err := s.takes(tx, t, in.Raw)
	if err != nil {
		return Filing{}, err
	}
	added := Added{}
	var keys []Key
	switch {
	case sent:
		f.Status = t.Lifecycle.Sent
		added[SourceMember] = OfAuthority.stored()
	case t.assign != nil:
		added, keys = t.assign(s.IDs, now)
	}
	maps.Copy(added, filled)
	maps.Copy(added, in.extra)
	if err := t.showReference(&in, nil, added); err != nil {
		return Filing{}, err
	}
	if err := f.setInput(in, added, nil, now); err != nil {
		return Filing{}, err
	}
	if in.period != "" {
		keys = append(keys, t.periodKey(in.period))
	}
	event := s.event(call, t, &f, "", t.Lifecycle.Created, Added{"sha256": digest(f.Body)})
	err = s.write(tx, t, &f, event, TransitionData{Input: &in, Keys: keys, names: in.names, terms: in.label.terms(), links: &links, secrets: sealed})
	if err == nil && sent {
		err = s.Connections[t.Kind].Created(tx, call, t, &f)
	}
	return f, err
}

// Transition applies an action to a record. No other function changes a state.
func (s *Service) Transition(tx Tx, call tenant.Call, t *Type, id string, by lifecycle.Action, step TransitionData) (Filing, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return Filing{}, err
	}
	if err := step.If.Check(f.Version); err != nil {
		return Filing{}, err
	}
	edge, ok := t.Lifecycle.Find(f.Status, by)
	if !ok {
		return Filing{}, invalidTransition(t, by, f.Status)
	}
	if err := Allowed(edge.Guard, call.Principal); err != nil {
		return Filing{}, err
	}
	connection := s.connectionFor(t, edge, &step)
	if connection != nil {
		if err := connection.Allows(tx, t, &f, by); err != nil {
			return Filing{}, err
		}
	}
	if edge.Has(lifecycle.ByAuthority) && !step.Accepted {
		return Filing{}, invalidTransition(t, by, f.Status)
	}
	if by == lifecycle.Submit {
		if err := s.clear(tx, call, t, &f, &step); err != nil {
			return Filing{}, err
		}
	}
	former, from := f, f.Status
	step.approved = edge.Has(lifecycle.NeedsApproval)
	step.former, f.Status = &former, edge.StateAfter(from)
	if edge.Has(lifecycle.ReplaceBody) && step.Input != nil {
		if step.secrets, err = s.sealed(tx, call.Org, t, id, id, step.Input.secrets, former.Body); err != nil {
			return Filing{}, err
		}
	}
	if err := s.apply(tx, t, edge, &f, &step); err != nil {
		return Filing{}, err
	}
	if !edge.Has(lifecycle.ReplaceBody) {
		step.Input = nil
	}
	if step.deleted = edge.Has(lifecycle.Delete); step.deleted {
		if err := checkNotHeld(tx, t, id); err != nil {
			return Filing{}, err
		}
	}
	event := s.event(call, t, &f, from, edge.Event, step.Data)
	event.Type = edge.EventType(t.Kind)
	if err := s.write(tx, t, &f, event, step); err != nil {
		return Filing{}, err
	}
	if connection != nil {
		if err := connection.Changed(tx, call, t, &f, by); err != nil {
			return Filing{}, err
		}
	}
	return f, s.cascade(tx, call, t, &f, by)
}

// FindByPeriod finds the record of a kind that covers a period.
func (s *Service) FindByPeriod(tx View, t *Type, period string) (f Filing, found bool, err error) {
	key := t.periodKey(period)
	f, err = tx.FilingByKey(key.Name, key.Value)
	if apierr.Is(err, apierr.NotFound) {
		return f, false, nil
	}
	return f, err == nil, err
}

// periodKey returns the unique key of the record of a period.
func (t *Type) periodKey(period string) Key { return Key{Name: t.Kind + ".period", Value: period} }

// Review reviews a record and stores an audit event. A submitted record is reviewed as of its submission, because dates
// that have passed since then are no error.
func (s *Service) Review(tx Tx, call tenant.Call, t *Type, id string) (rules.Review, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return rules.Review{}, err
	}
	r, err := s.ReviewIn(tx.Mode(), t, &f, tx.Now())
	if err != nil {
		return rules.Review{}, err
	}
	return r, s.RecordReview(tx, call, t, &f, r)
}

// ReviewAt reviews a record as of its submission or, if it was not submitted, at an instant. It stores no event, and does not look at what an authority offers
// at present, so that it finds the same at any time.
func (s *Service) ReviewAt(t *Type, f *Filing, now time.Time) (rules.Review, error) {
	return t.review(f.Body, s.facts(reviewedAt(f, now)))
}

// ReviewIn is ReviewAt for an organisation in a mode: with the routes that its authority offers.
func (s *Service) ReviewIn(m tenant.Mode, t *Type, f *Filing, now time.Time) (rules.Review, error) {
	known := s.facts(reviewedAt(f, now))
	if s.Routes != nil {
		known.Routes = s.Routes(t.Kind, m)
	}
	return t.review(f.Body, known)
}

// reviewedAt returns the instant as of which a record is reviewed.
func reviewedAt(f *Filing, now time.Time) time.Time {
	if at := f.metadata().Instant("submittedAt"); !at.IsZero() {
		return at
	}
	return now
}

// RecordReview stores the audit event of a review. It has one code for each finding, as an answer has, not for each item.
func (s *Service) RecordReview(tx audit.Recorder, call tenant.Call, t *Type, f *Filing, r rules.Review) error {
	codes := []string{}
	for _, finding := range rules.Merge(r.Findings) {
		codes = append(codes, finding.Code)
	}
	return tx.Record(s.event(call, t, f, f.Status, "reviewed", Added{"riskScore": r.RiskScore, "codes": codes}))
}

func (s *Service) facts(now time.Time) (f rules.Facts) {
	if s.Facts != nil {
		f = s.Facts()
	}
	f.Now = now
	return f
}

func (s *Service) apply(tx Tx, t *Type, edge lifecycle.Edge, f *Filing, step *TransitionData) (err error) {
	added := Added{}
	for name, value := range step.Added {
		added[name] = value
	}
	if edge.Has(lifecycle.AssignReference) || step.Reference != nil {
		if err := s.assignReference(tx, t, f.Body, added, step); err != nil {
			return err
		}
	}
	if step.OwnReference != "" {
		if err := s.enterReference(tx, t, f, added, step); err != nil {
			return err
		}
	}
	if edge.Has(lifecycle.StampSubmitted) {
		added["submittedAt"] = audit.Instant(tx.Now())
	}
	if edge.Has(lifecycle.StampArchived) {
		if added["archivedAt"] = nil; f.Status == lifecycle.Archived {
			added["archivedAt"] = audit.Instant(tx.Now())
		}
	}
	if edge.Has(lifecycle.KeepReason) {
		added["reason"] = step.Reason
		step.addData(Added{"reason": step.Reason})
	}
	if edge.Has(lifecycle.ReplaceBody) {
		if step.Input == nil {
			return fmt.Errorf("filing: %s of a %s needs the corrected input", edge.Action, t.Kind)
		}
		if err := t.complete(tx, f, step, added); err != nil {
			return err
		}
		if step.removedNames, step.removedTerms, err = t.names(f.Body); err != nil {
			return err
		}
		if err := t.showReference(step.Input, f.Added, added); err != nil {
			return err
		}
		step.names, step.terms = step.Input.names, step.Input.label.terms()
		step.addData(changes(f.Body, step.Input.Raw))
		step.addData(Added{"sha256": digest(step.Input.Raw)})
		return f.setInput(*step.Input, added, step.Fixed, tx.Now())
	}
	return f.addMembers(added, nil, tx.Now())
}

// addData adds data to the audit event.
func (s *TransitionData) addData(more Added) {
	all := Added{}
	maps.Copy(all, s.Data)
	maps.Copy(all, more)
	s.Data = all
}

// setInput sets the input and the derived members, which the fixed ones replace.
func (f *Filing) setInput(in Input, added, fixed Added, now time.Time) error {
	f.Body, f.Brief, f.BodyVersion = in.Raw, in.brief, bodyVersion
	derived, err := in.derivedAt(now)
	if err != nil {
		return err
	}
	if len(fixed) > 0 {
		over, err := fixed.encoded()
		if err != nil {
			return err
		}
		derived = maps.Clone(derived)
		maps.Copy(derived, over)
	}
	return f.addMembers(added, derived, now)
}

// addMembers merges members into f.Added. The derived ones have precedence.
func (f *Filing) addMembers(added Added, derived members, now time.Time) error {
	f.UpdatedAt = now
	f.Version++
	all, err := added.encodedWith(derived)
	if err != nil {
		return err
	}
	f.Added, err = merge(f.Added, all)
	return err
}

func (s *Service) write(tx Tx, t *Type, f *Filing, e audit.Event, step TransitionData) error {
	due, err := t.currentDeadlines(f, step.Input)
	if err != nil {
		return err
	}
	timer, err := t.currentTimer(f, step.Input)
	if err != nil {
		return err
	}
	postings, err := t.currentPostings(f, step.Input)
	if err != nil {
		return err
	}
	c := Change{
		Filing: *f, Former: step.former, Event: e, Keys: step.Keys, Names: step.names, RemovedNames: step.removedNames, OtherNames: slices.Concat(step.OtherNames, t.newlyKnownBy(step.former, f)), Jobs: step.Jobs,
		Links: step.links, Secrets: step.secrets, Terms: step.terms, RemovedTerms: step.removedTerms,
		HasDeadlines: t.deadlines != nil, Deadlines: due, HasTimer: t.timer != nil, Timer: timer,
		HasPostings: t.postings != nil, Postings: postings, Deleted: step.deleted,
		EndsApproval: t.endsApproval(step.former, f, &step),
	}
	c.Traits, c.LostTraits = t.traitChange(step.former, f)
	if assignee := AssigneeOf(f.Added); step.former == nil && assignee != "" {
		c.Traits = append(c.Traits, AssigneeFilter(assignee))
	}
	if c.Items, err = s.items(tx, f, &e); err != nil {
		return err
	}
	step.ItemAbout.apply(c.Items)
	if s.Notify != nil {
		if c.Notification, err = s.Notify(tx, &c); err != nil {
			return err
		}
	}
	return tx.Write(c)
}

func (s *Service) event(call tenant.Call, t *Type, f *Filing, from lifecycle.State, past string, data Added) audit.Event {
	e := audit.Event{
		ID: s.IDs.UUID(), Hub: t.Hub, Type: t.Kind + "." + past, ResourceType: t.Kind, ResourceID: f.ID,
		FromStatus: string(from), ToStatus: string(f.Status),
	}
	if len(data) > 0 {
		e.Data, _ = json.Marshal(data)
	}
	return audit.By(call, e)
}

// checkNotHeld returns an error if a legal hold forbids the deletion.
func checkNotHeld(tx Tx, t *Type, id string) error {
	held, err := tx.Held(id)
	if err == nil && held {
		err = apierr.New(apierr.InvalidState, "A legal hold applies to this %s. It can be deleted after the hold is lifted.", t.Singular)
	}
	return err
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
