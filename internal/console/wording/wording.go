// Package wording describes audit events in sentences: who did what to which record,
// and what changed. Sentences about filings are made from filing.Type, so a new kind
// needs no code here; only a new verb in its event types needs an entry in verbs.
package wording

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// Vocabulary makes sentences of audit events.
type Vocabulary struct {
	types map[string]*filing.Type
	order []*filing.Type
	hubs  map[string]string
}

// NewVocabulary returns the vocabulary for these types of filing. hubs are the names of the Hubs by id.
func NewVocabulary(types []*filing.Type, hubs map[string]string) *Vocabulary {
	b := &Vocabulary{types: map[string]*filing.Type{}, order: types, hubs: hubs}
	for _, t := range types {
		b.types[t.Kind] = t
	}
	return b
}

// Names are display names by id.
type Names struct {
	Users   map[string]string
	Keys    map[string]string
	Records map[string]string // of every kind, and the URLs of webhooks
	Current string            // id of the record that is called "it"
}

// Sentence describes an event. Its record is in Subject, so that pages can make it a link;
// Subject is empty if the sentence does not name the record.
type Sentence struct{ Before, Subject, After string }

// String is the whole sentence.
func (s Sentence) String() string { return s.Before + s.Subject + s.After }

// IsFiling reports whether a kind of record is a filing.
func (b *Vocabulary) IsFiling(kind string) bool { return b.types[kind] != nil }

// HasPhrase reports whether an event type has a phrase. Other events are described by
// their type.
func (b *Vocabulary) HasPhrase(eventType string) bool {
	_, known := b.phrase(&audit.Event{Type: eventType, ResourceType: b.resource(eventType)})
	return known
}

// resource returns the kind of record of an event type.
func (b *Vocabulary) resource(eventType string) string {
	at := strings.LastIndex(eventType, ".")
	return eventType[:max(at, 0)]
}

// Describe describes an event.
func (b *Vocabulary) Describe(e *audit.Event, n Names) Sentence {
	phrase, _ := b.phrase(e)
	data := eventData(e)
	before, after, found := strings.Cut(phrase, it)
	fill := func(text string) string { return b.fill(text, e, data, n) }
	s := Sentence{Before: fill(before), After: fill(after) + b.details(e, data)}
	if found {
		s.Subject = b.subject(e, data, n)
	}
	s.Before = upperFirst(s.Before)
	if s.Before == "" {
		s.Subject = upperFirst(s.Subject)
	}
	return s
}

// it is the placeholder of the record in a phrase.
const it = "{it}"

// phrase returns the phrase of an event, and whether its type has one.
func (b *Vocabulary) phrase(e *audit.Event) (string, bool) {
	if own := ownPhrases[e.Type]; own != "" && e.ActorUserID == e.ResourceID {
		return own, true
	}
	if whole := eventPhrases[e.Type]; whole != "" {
		return whole, true
	}
	if strings.HasSuffix(e.Type, access.RefusedSuffix) {
		return "{who} was refused: {action} {it}", true
	}
	if strings.HasPrefix(e.Type, exportPrefix) {
		return "{who} exported {count} {many}", true
	}
	past := e.Type[strings.LastIndex(e.Type, ".")+1:]
	if b.markedByOwner(e.ResourceType, past) && (e.FromStatus == "" || e.FromStatus != e.ToStatus) && e.ActorType != tenant.BySystem {
		return "{who} marked {it} as " + spaced(past), true
	}
	if own := systemPhrases[past]; own != "" && e.ActorType == tenant.BySystem {
		return own, true
	}
	if verb := verbs[past]; verb != "" {
		return verb, true
	}
	return "{who} " + spaced(past) + " {it}", false
}

// markedByOwner reports whether the OWNER records a step of a kind, because the authority
// sends no message about it.
func (b *Vocabulary) markedByOwner(kind, past string) bool {
	t := b.types[kind]
	if t == nil {
		return false
	}
	for _, edge := range t.Lifecycle.Edges {
		if edge.Event == past && edge.Guard == "owner" {
			return true
		}
	}
	return false
}

// fill replaces the placeholders of a phrase.
func (b *Vocabulary) fill(phrase string, e *audit.Event, data map[string]json.RawMessage, n Names) string {
	for {
		before, rest, found := strings.Cut(phrase, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return phrase
		}
		phrase = before + b.word(name, e, data, n) + after
	}
}

func (b *Vocabulary) word(name string, e *audit.Event, data map[string]json.RawMessage, n Names) string {
	switch name {
	case "who":
		return b.Actor(e, n)
	case "action":
		action := strings.TrimSuffix(strings.TrimPrefix(e.Type, e.ResourceType+"."), access.RefusedSuffix)
		return spaced(action)
	case "many":
		return strings.TrimPrefix(e.Type, exportPrefix)
	case roleMember:
		return lowerFirst(scalar(data[name]))
	}
	return scalar(data[name])
}

// Actor returns who caused an event: the name of a user, the authority of the Hub, or the service.
func (b *Vocabulary) Actor(e *audit.Event, n Names) string {
	if e.ActorType != tenant.BySystem {
		if portal.LinkOf(e) != "" {
			return "The holder of a portal link from " + n.User(e.ActorUserID)
		}
		return n.User(e.ActorUserID)
	}
	if b.IsFiling(e.ResourceType) || e.Hub == "tax" {
		return cmp.Or(authorities[e.Hub], service)
	}
	return service
}

// User returns the name of a user, or "a former user" if the id is unknown.
func (n Names) User(id string) string { return cmp.Or(n.Users[id], "a former user") }

// Noun returns the name of a kind of record, such as TSS declaration.
func (b *Vocabulary) Noun(kind string) string {
	t := b.types[kind]
	switch {
	case t == nil:
		return cmp.Or(nouns[kind], spaced(kind))
	case !strings.Contains(t.Kind, "."):
		return t.Singular
	case t.Area == strings.ToUpper(t.Area):
		return t.Area + " " + t.Singular
	}
	return strings.ToLower(t.Area) + " " + t.Singular
}

// subject returns the name of an event's record.
func (b *Vocabulary) subject(e *audit.Event, data map[string]json.RawMessage, n Names) string {
	if n.Current != "" && e.ResourceID == n.Current {
		return "it"
	}
	switch e.ResourceType {
	case "user":
		return n.User(e.ResourceID)
	case "key":
		return "API key “" + cmp.Or(n.Keys[e.ResourceID], scalar(data["name"]), shortID(e.ResourceID)) + "”"
	case "hub":
		return "the Hub " + cmp.Or(b.hubs[e.ResourceID], e.ResourceID)
	case "webhook.endpoint":
		return "webhook " + cmp.Or(n.Records[e.ResourceID], scalar(data["url"]), shortID(e.ResourceID))
	}
	if noun := nouns[e.ResourceType]; noun != "" {
		return noun
	}
	if e.ResourceID == "" {
		return "a " + b.Noun(e.ResourceType)
	}
	return b.recordName(e.ResourceType, n.Records[e.ResourceID], e.ResourceID)
}

// RecordName returns the kind and the name of a record, or the end of its id if it has no name.
func (b *Vocabulary) RecordName(f *filing.Filing) string { return b.recordName(f.Kind, f.Name(), f.ID) }

func (b *Vocabulary) recordName(kind, name, id string) string {
	return b.Noun(kind) + " " + cmp.Or(name, shortID(id))
}

// shortID returns the end of an id. Ids begin with a timestamp, so the end differs more.
func shortID(id string) string { return "…" + id[max(0, len(id)-6):] }

func spaced(name string) string {
	return strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(name)
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	first := []rune(text)[0]
	return strings.ToUpper(string(first)) + text[len(string(first)):]
}

// roleMember is the member of an event's data that has a role.
const roleMember = "role"

// eventData returns the members of an event's data; roles are written as Owner for OWNER.
func eventData(e *audit.Event) map[string]json.RawMessage {
	data, roles := objectMembers(e.Data), []string{roleMember}
	if e.Type == access.RoleChanged {
		roles = []string{"before", "after"}
	}
	for _, name := range roles {
		if role := scalar(data[name]); role != "" {
			data[name], _ = json.Marshal(form.Words(role))
		}
	}
	return data
}

func objectMembers(object json.RawMessage) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &all)
	return all
}
