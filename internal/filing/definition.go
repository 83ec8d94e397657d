package filing

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Definition is all that a Hub's author writes of one kind of filing. B is the
// body: API schema, stored JSON and the rules' input at once.
type Definition[B any] struct {
	Kind        string // such as tss.declaration; the prefix of its event types
	Hub         string
	Path        string            // such as /api/tss/declarations
	One, Many   string            // such as declaration, declarations
	Tag         string            // heading in the API's document
	HubOptional bool              // listing and creating ask for no Hub
	Quarterly   bool              // lists take a quarter: that in which a record was created, UTC
	Plain       bool              // creating answers 201 with the record itself, not 200 with it under its name
	LargeFields []string          // input fields that lists leave out
	About       string            // what such a record is for, in two sentences
	MainFields  []string          // the members that say most of a record, for a list: the first is what it is called
	ChoiceTexts map[string]string // answers of its choices in words, where these are not the answer's own, as those of NOT_AT_RISK are
	Adds        any               // a zero struct that describes what the service adds, for the API's document
	Lifecycle   lifecycle.Table
	Check       func(*B) []apierr.Detail                      // refuses nonsense: 400, nothing stored
	Needs       func(*B) []Need                               // records that must exist
	Names       func(*B) []Key                                // what it goes by: findable, not unique; the first tells it from others
	Assign      func(*ident.Source, time.Time) (Added, []Key) // what a new record is given once
	Derive      func(*B, time.Time) Added                     // what follows from the input on a day (UTC); the hour must not matter
	Rules       rules.Set[B]                                  // judge: findings, never an error
	Reference   func(*ident.Source, time.Time, *B) Reference  // what its authority would call it
	Deadlines   func(*B, Moment) []Deadline                   // what is due of a record as it stands; nil for kinds that know no deadline
	Timer       func(*B, Moment) Timer                        // the step that time takes with a record as it stands; nil for kinds that time does not move
	Postings    func(*B, Moment) []Posting                    // what a record as it stands adds to ledgers; nil for kinds that add nothing
	Period      func(*B) string                               // the period that a record covers, such as 2026-Q4: one record of a kind for each; nil for kinds without
	Cascades    func(*B, lifecycle.Action) []Cascade          // steps of other records that a step of this one brings with it
	Classify    *Classifier                                   // says under which rules the goods fall; nil for kinds that do not
	Note        string                                        // what the reference is and what to do next

	// Advise is what others say of a new record. They are asked outside of any
	// transaction, and what they say is laid over what Derive does; nil for kinds that ask nobody.
	Advise func(context.Context, tenant.ID, *B) (Added, error)
}

// Need is a record that a field of the input names.
type Need struct{ Field, Kind, ID string }

// Reference is the name that an authority gives a filing, in its own field.
type Reference struct{ Field, Value string }

// bodyVersion is the version of every body's shape so far.
const bodyVersion = 1

// Type is a Definition with its body type closed over: what the engine runs.
type Type struct {
	Kind, Hub, Path, One, Many, Tag string
	Plain, HubOptional, Quarterly   bool
	Lifecycle                       lifecycle.Table
	Rules                           []rules.Entry
	Note                            string
	Body                            reflect.Type
	Adds                            reflect.Type // nil where the service adds nothing
	LargeFields                     []string
	About                           string
	MainFields                      []string
	ChoiceTexts                     map[string]string
	Links                           []Need      // the fields that name a record of a kind, without an id
	Classifier                      *Classifier // nil where the kind does not classify

	parse     func(json.RawMessage, time.Time) (Input, error)
	names     func(json.RawMessage) ([]Key, error)
	assign    func(*ident.Source, time.Time) (Added, []Key)
	review    func(json.RawMessage, rules.Facts) (rules.Review, error)
	reference func(*ident.Source, time.Time, json.RawMessage) (Reference, error)
	deadlines func(json.RawMessage, Moment) ([]Deadline, error) // nil where the kind knows none
	timer     func(json.RawMessage, Moment) (Timer, error)      // nil where time does not move the kind
	postings  func(json.RawMessage, Moment) ([]Posting, error)  // nil where the kind adds nothing to ledgers
	cascades  func(json.RawMessage, lifecycle.Action) ([]Cascade, error)
}

// Input is a body that has passed its checks.
type Input struct {
	Raw       json.RawMessage
	brief     json.RawMessage
	needs     []Need
	derived   members // what follows from it on the day of at
	at        time.Time
	derive    func(time.Time) (members, error)
	advise    func(context.Context, tenant.ID) (Added, error) // nil where nobody is asked
	advice    members                                         // what they said
	deadlines func(Moment) []Deadline
	names     []Key
	timer     func(Moment) Timer
	postings  func(Moment) []Posting
	period    string
}

// Period is the period that the record will cover; empty where it covers none.
func (in Input) Period() string { return in.period }

// Names are what the record will go by, the first before the others.
func (in Input) Names() []Key { return in.names }

// Type closes over the body and checks the definition; a wrong one panics when
// the program starts.
func (d Definition[B]) Type() *Type {
	if err := d.Lifecycle.Check(); err != nil {
		panic(fmt.Sprintf("%s: %v", d.Kind, err))
	}
	t := &Type{
		Kind: d.Kind, Hub: d.Hub, Path: d.Path, One: d.One, Many: d.Many, Tag: d.Tag, Plain: d.Plain, HubOptional: d.HubOptional, Quarterly: d.Quarterly,
		Lifecycle: d.Lifecycle, Rules: d.Rules.Catalogue(), Note: d.Note,
		Body: reflect.TypeFor[B](), Adds: reflect.TypeOf(d.Adds), LargeFields: d.LargeFields, About: d.About, MainFields: d.MainFields, ChoiceTexts: d.ChoiceTexts, Classifier: d.Classify,
		parse: d.parse, names: d.namesOf, assign: d.Assign, review: d.review, reference: d.referenceOf,
	}
	if d.Needs != nil {
		t.Links = d.Needs(new(B))
	}
	if d.Deadlines != nil {
		t.deadlines = d.deadlinesOf
	}
	if d.Timer != nil {
		t.timer = d.timerOf
	}
	if d.Postings != nil {
		t.postings = d.postingsOf
	}
	if d.Cascades != nil {
		t.cascades = d.cascadesOf
	}
	return t
}

// Parse decodes a compact JSON body, refuses nonsense, and works out what follows
// from it, so that a transaction need not.
func (t *Type) Parse(raw json.RawMessage, at time.Time) (Input, error) { return t.parse(raw, at) }

// Prepare parses the body of a new record, and asks whoever has a word in it. That
// can take its time, so no transaction may be open.
func (t *Type) Prepare(ctx context.Context, org tenant.ID, raw json.RawMessage, at time.Time) (Input, error) {
	in, err := t.parse(raw, at)
	if err != nil || in.advise == nil {
		return in, err
	}
	advice, err := in.advise(ctx, org)
	if err != nil {
		return Input{}, err
	}
	in.advice, err = advice.encoded()
	return in, err
}

// Review reviews a stored body.
func (t *Type) Review(body json.RawMessage, f rules.Facts) (rules.Review, error) {
	return t.review(body, f)
}

func decode[B any](raw json.RawMessage) (*B, error) {
	b := new(B)
	if err := json.Unmarshal(raw, b); err != nil {
		return nil, fmt.Errorf("filing: body: %w", err)
	}
	return b, nil
}

func (d Definition[B]) parse(raw json.RawMessage, at time.Time) (Input, error) {
	b, err := decode[B](raw)
	if err != nil {
		return Input{}, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).Because(err)
	}
	if d.Check != nil {
		if details := d.Check(b); len(details) > 0 {
			return Input{}, apierr.Invalid(details...)
		}
	}
	in := Input{Raw: raw, at: at, derive: func(now time.Time) (members, error) { return d.derivedMembers(b, now) }}
	if in.derived, err = in.derive(at); err != nil {
		return Input{}, err
	}
	if d.Advise != nil {
		in.advise = func(ctx context.Context, org tenant.ID) (Added, error) { return d.Advise(ctx, org, b) }
	}
	if len(d.LargeFields) > 0 {
		if in.brief, err = without(raw, d.LargeFields); err != nil {
			return Input{}, err
		}
	}
	if d.Needs != nil {
		in.needs = d.Needs(b)
	}
	if d.Names != nil {
		in.names = d.Names(b)
	}
	if d.Deadlines != nil {
		in.deadlines = func(m Moment) []Deadline { return d.Deadlines(b, m) }
	}
	if d.Timer != nil {
		in.timer = func(m Moment) Timer { return d.Timer(b, m) }
	}
	if d.Postings != nil {
		in.postings = func(m Moment) []Posting { return d.Postings(b, m) }
	}
	if d.Period != nil {
		in.period = d.Period(b)
	}
	return in, nil
}

func (d Definition[B]) derivedMembers(b *B, now time.Time) (members, error) {
	if d.Derive == nil {
		return nil, nil
	}
	return d.Derive(b, now).encoded()
}

// derivedAt is what follows from the input at an instant, and what others said of it.
func (in Input) derivedAt(now time.Time) (members, error) {
	derived := in.derived
	if day(now) != day(in.at) {
		var err error
		if derived, err = in.derive(now); err != nil {
			return nil, err
		}
	}
	if len(in.advice) == 0 {
		return derived, nil
	}
	all := maps.Clone(in.advice)
	for name, value := range derived {
		if _, said := all[name]; !said {
			all[name] = value
		}
	}
	return all, nil
}

// day is the days since 1970, UTC.
func day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

func (d Definition[B]) namesOf(raw json.RawMessage) ([]Key, error) {
	if d.Names == nil {
		return nil, nil
	}
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Names(b), nil
}

func (d Definition[B]) review(raw json.RawMessage, f rules.Facts) (rules.Review, error) {
	b, err := decode[B](raw)
	if err != nil {
		return rules.Review{}, err
	}
	return d.Rules.Review(b, f), nil
}

func (d Definition[B]) referenceOf(ids *ident.Source, now time.Time, raw json.RawMessage) (Reference, error) {
	b, err := decode[B](raw)
	if err != nil || d.Reference == nil {
		return Reference{}, err
	}
	return d.Reference(ids, now, b), nil
}
