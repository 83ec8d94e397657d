package filing

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Definition is everything that a Hub defines for one kind of filing. B is the body: API schema, stored JSON and the
// rules' input at once.
type Definition[B any] struct {
	Kind             string // such as tss.declaration; the prefix of its event types
	Hub              string
	Path             string            // such as /api/tss/declarations
	Singular, Plural string            // such as declaration, declarations
	Tag              string            // heading in the API document
	Area             string            // what the console puts before the name of a record, such as VAT; the Tag if empty
	HubOptional      bool              // the console lists the kind also if the Hub is not enabled
	Quarterly        bool              // lists can be filtered by the quarter of creation (UTC)
	Plain            bool              // creating returns 201 with the record itself, not 200 with the record as a member
	Tabular          bool              // the API imports records from tables whose columns are named like the fields, and exports such tables
	LargeFields      []string          // input fields that lists leave out
	ListColumns      []string          // input lists that tables have as a column, as JSON
	Description      string            // purpose of such a record, in two sentences
	MainFields       []string          // the most important members, for a list; the first identifies the record
	Layout           *layout.Form      // sections, labels and lists of the form; nil for the order and the names of the input
	ChoiceTexts      map[string]string // texts for enum values that are not plain words, such as NOT_AT_RISK
	Adds             any               // a zero struct of the members that the service adds; pointers without omitempty are null until then
	Lifecycle        lifecycle.Table
	Check            func(*B) []apierr.Detail                       // of the input; any detail means 400, and nothing is stored
	CheckInvalid     func(json.RawMessage) []apierr.Detail          // Check as InvalidBodies makes it, so that a 400 names its faults beside those of the schema; nil if it cannot read bodies that break the schema
	Needs            func(*B) []Need                                // records that must exist
	Names            func(*B) []Key                                 // names by which the record can be found; the first identifies it best
	NameTaken        apierr.Detail                                  // what is wrong if another record has the first name; empty if names need not be unique
	Assign           func(*ident.Source, time.Time) (Added, []Key)  // members and keys that a new record gets once
	Complete         func(View, *B, Completion) (Completion, error) // fills in what the input takes over from other records; nil for nothing
	Derive           func(*B, time.Time) Added                      // members computed from the input and the day (UTC); the hour must not matter
	Rules            rules.Set[B]                                   // produce findings, never an error
	Reference        func(*ident.Source, time.Time, *B) Reference   // a reference in the form of the authority's
	ReferenceMember  string                                         // the added member with the authority's reference, for kinds whose Adds embed Sourced; empty for none
	KnownBy          string                                         // the added member with a text of the caller's own by which the authority knows an accepted record besides, such as ducr; empty for none
	NamesRecords     string                                         // the list of the input that names records of other kinds as their authority knows them; empty for none
	MixedReferences  bool                                           // versions without SourceMember stored the authority's own references too
	ReadReference    func(*B, string) (string, error)               // reads the authority's own reference that a user enters with a mark; nil for none. Adds embed Decided
	Deadlines        func(*B, Metadata) []Deadline                  // deadlines of a record in its present state; nil for none
	Timer            func(*B, Metadata) Timer                       // the transition that follows after a time; nil for none
	Postings         func(*B, Metadata) []Posting                   // entries of a record in ledgers; nil for none
	Secrets          *secret.Member                                 // the member of the input that is stored encrypted and never shown; nil for none
	Trait            *Trait                                         // a filter of the list by the state of its records; nil for none
	Period           func(*B) string                                // the period of a record, such as 2026-Q4; one record of the kind for each; nil for none
	Shown            func(View, *Filing) (Added, error)             // members that are not stored and that only one record by itself shows; nil for none
	Cascades         func(*B, lifecycle.Action) []Cascade           // transitions of other records that a transition of this one causes
	Checklist        *checklist.List                                // what a person types into the site of the authority; nil for none
	Driver           *checklist.List                                // what the driver of a vehicle shows with the reference; nil for none
	Classify         *Classifier                                    // classifies the goods; nil for kinds that do not
	Operations       []Operation                                    // further messages to the authority, with bodies of their own
	Message          *MessageForm[B]                                // the form as a message of the authority; nil for none
	Note             string                                         // explains the reference and what to do next, in the answer to a submission

	// Advise calls external advisers about a new record, outside of any transaction. Derive's members have precedence over
	// theirs. Nil for none.
	Advise func(context.Context, tenant.ID, *B) (Added, error)
}

// Need is a record that a field of the input refers to.
type Need struct {
	Field, Kind, ID string
	SameClient      bool // the record belongs to the client of the one that it refers to
}

// Archival is embedded in Adds by kinds with the lifecycle [lifecycle.Archivable].
type Archival struct {
	ArchivedAt *string `json:"archivedAt" format:"date-time" doc:"When it was archived; null if it is not" example:"2026-11-24T06:00:00.000Z"`
}

// Reference is the reference that an authority gives to a filing, and the member that holds it.
type Reference struct {
	Field, Value string
	Source       ReferenceSource
}

// bodyVersion is the schema version of every kind's body.
const bodyVersion = 1

// Type is a Definition without its type parameter, as the engine uses it.
type Type struct {
	Kind, Hub, Path, Singular, Plural, Tag string
	Area                                   string
	Plain, HubOptional, Quarterly, Tabular bool
	Lifecycle                              lifecycle.Table
	Rules                                  []rules.Entry
	Note                                   string
	Body                                   reflect.Type
	Adds                                   reflect.Type // nil if the service adds nothing
	LargeFields                            []string
	ListColumns                            []string
	Description                            string
	MainFields                             []string
	Layout                                 *layout.Form // nil for none
	ChoiceTexts                            map[string]string
	Links                                  []Need // the fields that refer to records, without IDs
	Checklist, Driver                      *checklist.List
	Classifier                             *Classifier    // nil if the kind does not classify
	Trait                                  *Trait         // nil for none
	Secrets                                *secret.Member // nil for none
	Operations                             []Operation
	Messages                               *Messages       // nil if the kind has none
	ReferenceMember                        string          // the added member with the authority's reference; empty for none
	KnownBy, NamesRecords                  string          // as in the Definition
	ReferenceField                         string          // the input member with the caller's own reference; empty if there is none
	contents                               []string        // members of the input that are Contents
	generatesReference                     bool            // the service generates a reference unless the caller sends one
	added                                  map[string]bool // names of the members of Adds
	nameTaken                              apierr.Detail
	shown                                  func(View, *Filing) (Added, error) // nil for none

	readReference func(json.RawMessage, string) (string, error) // nil if users cannot enter the authority's reference

	// Ready loads what a new record needs of the authority that it is sent to. It may block. Nil for nothing.
	Ready func(context.Context, tenant.ID) error

	parse     func(json.RawMessage, time.Time) (Input, error)
	faults    func(json.RawMessage) []apierr.Detail // of a body that breaks the schema; nil if the check cannot read such bodies
	needs     func(json.RawMessage) ([]Need, error) // nil if the kind refers to no record
	names     func(json.RawMessage) (names, terms []Key, err error)
	assign    func(*ident.Source, time.Time) (Added, []Key)
	review    func(json.RawMessage, rules.Facts) (rules.Review, error)
	reference func(*ident.Source, time.Time, json.RawMessage) (Reference, error)
	deadlines func(json.RawMessage, Metadata) ([]Deadline, error) // nil if the kind has none
	timer     func(json.RawMessage, Metadata) (Timer, error)      // nil if the kind has none
	postings  func(json.RawMessage, Metadata) ([]Posting, error)  // nil if the kind has none
	cascades  func(json.RawMessage, lifecycle.Action) ([]Cascade, error)
}

// Input is a body that has passed the checks.
type Input struct {
	Raw       json.RawMessage
	brief     json.RawMessage
	needs     []Need
	complete  func(View, Completion) (Completion, error) // nil if the kind takes over nothing
	derived   members                                    // members derived on the day of at
	at        time.Time
	derive    func(time.Time) (members, error)
	advise    func(context.Context, tenant.ID) (Added, error) // nil if there are no advisers
	advice    members                                         // of the advisers
	deadlines func(Metadata) []Deadline
	names     []Key
	timer     func(Metadata) Timer
	postings  func(Metadata) []Posting
	period    string
	label     Label
	extra     Added
	settled   bool // it was completed and checked before

	secrets     []secret.Given // of the body, in which they are masked
	secretsFrom string         // the record whose secrets are kept by a new one for those that are only masked; empty for none
}

// With returns the input of a new record with further members that the service adds to it.
func (in Input) With(extra Added) Input {
	in.extra = extra
	return in
}

// Period returns the period of the record; empty if the kind has none.
func (in Input) Period() string { return in.period }

// Names returns the names of the record, the best one first.
func (in Input) Names() []Key { return in.names }

// Type removes the type parameter. It panics if the lifecycle is invalid, so that the program does not start.
func (d Definition[B]) Type() *Type {
	d.Lifecycle = d.Lifecycle.WithApproval()
	if err := d.Lifecycle.Check(); err != nil {
		panic(fmt.Sprintf("%s: %v", d.Kind, err))
	}
	registerNulls(d.Kind, reflect.TypeOf(d.Adds), d.earlierSource())
	t := &Type{
		Kind: d.Kind, Hub: d.Hub, Path: d.Path, Singular: d.Singular, Plural: d.Plural, Tag: d.Tag, Area: cmp.Or(d.Area, d.Tag), Plain: d.Plain, HubOptional: d.HubOptional, Quarterly: d.Quarterly, Tabular: d.Tabular,
		Lifecycle: d.Lifecycle, Rules: d.Rules.Catalogue(), Note: d.Note,
		Body: reflect.TypeFor[B](), Adds: reflect.TypeOf(d.Adds), LargeFields: d.LargeFields, Secrets: d.Secrets, ListColumns: d.ListColumns, ReferenceMember: d.ReferenceMember, KnownBy: d.KnownBy, NamesRecords: d.NamesRecords, Description: d.Description, MainFields: d.MainFields, Layout: d.Layout, ChoiceTexts: d.ChoiceTexts, Checklist: d.Checklist, Driver: d.Driver, Classifier: d.Classify, Trait: d.Trait, Operations: d.Operations,
		parse: d.parse, names: d.namesOf, assign: d.Assign, review: d.review, reference: d.referenceOf, nameTaken: d.NameTaken, shown: d.Shown, faults: d.CheckInvalid,
		Messages: d.messages(), contents: contentMembers(reflect.TypeFor[B]()),
	}
	if d.Needs != nil {
		t.Links, t.needs = d.Needs(new(B)), d.needsOf
	}
	t.ReferenceField = referenceField(t.Body)
	t.added = memberNames(t.Adds)
	t.generatesReference = t.ReferenceField == referenceMember && t.HasAdded(referenceMember)
	if d.ReadReference != nil {
		t.readReference = d.readReferenceOf
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

// Parse decodes and checks a compact JSON body, and computes the derived members, so that the transaction is short.
func (t *Type) Parse(raw json.RawMessage, at time.Time) (Input, error) {
	in, err := t.parse(raw, at)
	if err == nil {
		err = t.shorten(&in)
	}
	return in, err
}

// Prepare parses the body of a new record and calls the external advisers. It may block, so no transaction may be open.
func (t *Type) Prepare(ctx context.Context, org tenant.ID, raw json.RawMessage, at time.Time) (Input, error) {
	in, err := t.Parse(raw, at)
	if err == nil && t.Ready != nil {
		err = t.Ready(ctx, org)
	}
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

// Review applies the rules to a stored body.
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
	raw, secrets, err := takeSecrets(d.Secrets, raw)
	if err != nil {
		return Input{}, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).WithCause(err)
	}
	b, err := decode[B](raw)
	if err != nil {
		return Input{}, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).WithCause(err)
	}
	if d.Check != nil {
		if details := d.Check(b); len(details) > 0 {
			return Input{}, apierr.Invalid(details...)
		}
	}
	in := Input{Raw: raw, at: at, secrets: secrets, derive: func(now time.Time) (members, error) { return d.derivedMembers(b, now) }}
	if in.derived, err = in.derive(at); err != nil {
		return Input{}, err
	}
	if d.Complete != nil {
		in.complete = func(tx View, c Completion) (Completion, error) { return d.Complete(tx, b, c) }
	}
	if d.Advise != nil {
		in.advise = func(ctx context.Context, org tenant.ID) (Added, error) { return d.Advise(ctx, org, b) }
	}
	if d.Needs != nil {
		in.needs = d.Needs(b)
	}
	if d.Names != nil {
		in.names = d.Names(b)
	}
	if d.Deadlines != nil {
		in.deadlines = func(m Metadata) []Deadline { return d.Deadlines(b, m) }
	}
	if d.Timer != nil {
		in.timer = func(m Metadata) Timer { return d.Timer(b, m) }
	}
	if d.Postings != nil {
		in.postings = func(m Metadata) []Posting { return d.Postings(b, m) }
	}
	if d.Period != nil {
		in.period = d.Period(b)
	}
	if l, ok := any(b).(labelled); ok {
		in.label = l.Label()
	}
	return in, nil
}

func (d Definition[B]) derivedMembers(b *B, now time.Time) (members, error) {
	if d.Derive == nil {
		return nil, nil
	}
	return d.Derive(b, now).encoded()
}

// derivedAt returns the derived members at an instant, over the advisers' ones.
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
		if _, advised := all[name]; !advised {
			all[name] = value
		}
	}
	return all, nil
}

// day returns the number of days since 1970 (UTC).
func day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

func (d Definition[B]) needsOf(raw json.RawMessage) ([]Need, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Needs(b), nil
}

// namesOf returns the names and the metadata of a stored body.
func (d Definition[B]) namesOf(raw json.RawMessage) (names, terms []Key, err error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, nil, err
	}
	if d.Names != nil {
		names = d.Names(b)
	}
	if l, ok := any(b).(labelled); ok {
		terms = l.Label().terms()
	}
	return names, terms, nil
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

func (d Definition[B]) readReferenceOf(raw json.RawMessage, text string) (string, error) {
	b, err := decode[B](raw)
	if err != nil {
		return "", err
	}
	return d.ReadReference(b, text)
}
