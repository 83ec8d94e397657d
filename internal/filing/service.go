package filing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Service is the engine.
type Service struct {
	IDs   *ident.Source
	Types map[string]*Type   // by kind, of those that other kinds move
	Facts func() rules.Facts // what rules may know besides the record and the instant; nil where that is nothing

	Notify Notify // builds the webhook notifications of changes; nil if there are no webhooks
}

// TransitionData is what an action brings along.
type TransitionData struct {
	Input  *Input // the corrected input, for an edge that replaces the body
	Reason string // why, for an edge that keeps it
	Added  Added  // what the service learnt
	Data   Added  // what the audit event tells besides
	Keys   []Key
	Jobs   []jobs.Job

	Reference *Reference // what the authority itself called it, for an edge that assigns a reference; nil draws one

	names, removedNames []Key // what the record goes by, and no longer goes by
	deleted             bool
}

// Create stores a new record.
func (s *Service) Create(tx Tx, call tenant.Call, t *Type, in Input) (Filing, error) {
	if err := checkNeeds(tx, in.needs); err != nil {
		return Filing{}, err
	}
	now := tx.Now()
	f := Filing{ID: s.IDs.UUID(), Kind: t.Kind, Status: t.Lifecycle.Initial, CreatedAt: now}
	added := Added{}
	var keys []Key
	if t.assign != nil {
		added, keys = t.assign(s.IDs, now)
	}
	if err := f.setInput(in, added, now); err != nil {
		return Filing{}, err
	}
	if in.period != "" {
		keys = append(keys, t.periodKey(in.period))
	}
	event := s.event(call, t, &f, "", t.Lifecycle.Created, Added{"sha256": digest(f.Body)})
	return f, s.write(tx, t, &f, event, TransitionData{Input: &in, Keys: keys, names: in.names})
}

// Transition takes one step with a record: the only way that a state ever changes.
func (s *Service) Transition(tx Tx, call tenant.Call, t *Type, id string, by lifecycle.Action, step TransitionData) (Filing, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return Filing{}, err
	}
	edge, ok := t.Lifecycle.Find(f.Status, by)
	if !ok {
		return Filing{}, invalidTransition(t, by, f.Status)
	}
	if err := Allowed(edge.Guard, call.Principal); err != nil {
		return Filing{}, err
	}
	from := f.Status
	f.Status = edge.StateAfter(from)
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
	if err := s.write(tx, t, &f, s.event(call, t, &f, from, edge.Event, step.Data), step); err != nil {
		return Filing{}, err
	}
	return f, s.cascade(tx, call, t, &f, by)
}

// OfPeriod finds the record of a kind that covers a period.
func (s *Service) OfPeriod(tx View, t *Type, period string) (f Filing, found bool, err error) {
	key := t.periodKey(period)
	f, err = tx.FilingByKey(key.Name, key.Value)
	if apierr.Is(err, apierr.NotFound) {
		return f, false, nil
	}
	return f, err == nil, err
}

// periodKey holds a period for the one record of a kind that covers it.
func (t *Type) periodKey(period string) Key { return Key{Name: t.Kind + ".period", Value: period} }

// Review judges a record and leaves an event in the trail; it changes nothing else.
// What has been submitted is judged as of its submission: that its dates have passed
// since is no fault in it.
func (s *Service) Review(tx Tx, call tenant.Call, t *Type, id string) (rules.Review, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return rules.Review{}, err
	}
	r, err := s.ReviewAt(t, &f, tx.Now())
	if err != nil {
		return rules.Review{}, err
	}
	return r, s.RecordReview(tx, call, t, &f, r)
}

// ReviewAt is the review of a record at an instant, or as of its submission, and leaves
// no trace.
func (s *Service) ReviewAt(t *Type, f *Filing, now time.Time) (rules.Review, error) {
	at := f.moment().Instant("submittedAt")
	if at.IsZero() {
		at = now
	}
	return t.review(f.Body, s.facts(at))
}

// RecordReview leaves in the trail that a record was judged, and what was found.
func (s *Service) RecordReview(tx audit.Recorder, call tenant.Call, t *Type, f *Filing, r rules.Review) error {
	codes := []string{}
	for _, finding := range r.Findings {
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

// Allowed says whether a principal may take a guarded step.
func Allowed(g lifecycle.Guard, p tenant.Principal) error {
	switch {
	case g == lifecycle.System && p.Type != tenant.BySystem:
		return apierr.New(apierr.InvalidState, "Only the authority can take this step.")
	case !p.Role.Covers(tenant.Member):
		return apierr.New(apierr.ReadOnlyKey, "This key can read but not change anything.")
	case g == lifecycle.Owner && !p.Role.Covers(tenant.Owner):
		return apierr.New(apierr.OwnerRoleRequired, "This step needs the OWNER role.")
	}
	return nil
}

func (s *Service) apply(tx Tx, t *Type, edge lifecycle.Edge, f *Filing, step *TransitionData) (err error) {
	added := Added{}
	for name, value := range step.Added {
		added[name] = value
	}
	if edge.Has(lifecycle.AssignReference) {
		if err := s.assignReference(tx, t, f.Body, added, step); err != nil {
			return err
		}
	}
	if edge.Has(lifecycle.StampSubmitted) {
		added["submittedAt"] = audit.Instant(tx.Now())
	}
	if edge.Has(lifecycle.KeepReason) {
		added["reason"] = step.Reason
		step.addData(Added{"reason": step.Reason})
	}
	if edge.Has(lifecycle.ReplaceBody) {
		if step.Input == nil {
			return fmt.Errorf("filing: %s of a %s needs the corrected input", edge.By, t.Kind)
		}
		if err := checkNeeds(tx, step.Input.needs); err != nil {
			return err
		}
		if step.removedNames, err = t.names(f.Body); err != nil {
			return err
		}
		step.names = step.Input.names
		step.addData(changes(f.Body, step.Input.Raw))
		step.addData(Added{"sha256": digest(step.Input.Raw)})
		return f.setInput(*step.Input, added, tx.Now())
	}
	return f.addMembers(added, nil, tx.Now())
}

// assignReference gives a record its reference: the authority's own, of which the value may
// have been lost on the way, or else one that is drawn.
func (s *Service) assignReference(tx Tx, t *Type, body json.RawMessage, added Added, step *TransitionData) error {
	if step.Reference == nil {
		ref, key, err := s.drawReference(tx, t, body)
		added[ref.Field], step.Keys = ref.Value, append(step.Keys, key)
		return err
	}
	if ref := *step.Reference; ref.Value != "" {
		added[ref.Field] = ref.Value
		key, taken, err := t.referenceKey(tx, ref)
		if err != nil || taken {
			return err
		}
		step.Keys = append(step.Keys, key)
	}
	return nil
}

// referenceKey is the key that a reference is found by, and whether a record has it.
func (t *Type) referenceKey(tx Tx, ref Reference) (key Key, taken bool, err error) {
	key = Key{Name: t.Kind + "." + ref.Field, Value: ref.Value}
	_, err = tx.FilingByKey(key.Name, key.Value)
	if apierr.Is(err, apierr.NotFound) {
		return key, false, nil
	}
	return key, true, err
}

// draws is how often a reference is drawn before the engine gives up: of a million
// references a tenth may be taken, and one submission in a hundred million fails.
const draws = 8

// drawReference draws a reference that no record of the organisation has; the short ones,
// such as that of a licence, do meet.
func (s *Service) drawReference(tx Tx, t *Type, body json.RawMessage) (Reference, Key, error) {
	for range draws {
		ref, err := t.reference(s.IDs, tx.Now(), body)
		if err != nil {
			return Reference{}, Key{}, err
		}
		key, taken, err := t.referenceKey(tx, ref)
		if err != nil {
			return Reference{}, Key{}, err
		}
		if !taken {
			return ref, key, nil
		}
	}
	return Reference{}, Key{}, fmt.Errorf("filing: %d references in a row of a %s are taken", draws, t.Kind)
}

// addData adds to what the audit event tells.
func (s *TransitionData) addData(more Added) {
	all := Added{}
	maps.Copy(all, s.Data)
	maps.Copy(all, more)
	s.Data = all
}

// setInput sets the input and all that follows from it.
func (f *Filing) setInput(in Input, added Added, now time.Time) error {
	f.Body, f.Brief, f.BodyVersion = in.Raw, in.brief, bodyVersion
	follows, err := in.derivedAt(now)
	if err != nil {
		return err
	}
	return f.addMembers(added, follows, now)
}

// addMembers lays over what was added before what a step adds, and over that what follows
// from the input.
func (f *Filing) addMembers(added Added, follows members, now time.Time) error {
	f.UpdatedAt = now
	f.Version++
	all, err := added.encoded()
	if err != nil {
		return err
	}
	maps.Copy(all, follows)
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
		Filing: *f, Event: e, Keys: step.Keys, Names: step.names, RemovedNames: step.removedNames, Jobs: step.Jobs,
		HasDeadlines: t.deadlines != nil, Deadlines: due, HasTimer: t.timer != nil, Timer: timer,
		HasPostings: t.postings != nil, Postings: postings, Deleted: step.deleted,
	}
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

// checkNeeds checks that every record that the input names is this organisation's.
func checkNeeds(tx Tx, needs []Need) error {
	var details []apierr.Detail
	for _, n := range needs {
		found, err := tx.HasFiling(n.Kind, strings.ToLower(n.ID))
		if err != nil {
			return err
		}
		if !found {
			details = append(details, apierr.Detail{Field: n.Field, Message: fmt.Sprintf("there is no %s with this id", n.Kind)})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

func invalidTransition(t *Type, by lifecycle.Action, in lifecycle.State) error {
	from := t.Lifecycle.From(by)
	slices.Sort(from)
	names := make([]string, len(from))
	for i, s := range from {
		names[i] = string(s)
	}
	return apierr.New(apierr.InvalidState, "Cannot %s this %s while it is %s; it must be %s.",
		strings.ReplaceAll(string(by), "-", " "), t.One, in, strings.Join(names, " or "))
}

// checkNotHeld refuses to take away what a legal hold keeps.
func checkNotHeld(tx Tx, t *Type, id string) error {
	held, err := tx.Held(id)
	if err == nil && held {
		err = apierr.New(apierr.InvalidState, "A legal hold keeps this %s: it can be deleted when that is lifted.", t.One)
	}
	return err
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
