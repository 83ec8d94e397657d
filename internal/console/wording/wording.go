// Package wording says in words what the trail tells: who did what to which record,
// and what changed. What can be filed is known by its Type alone, so a new kind has
// its words as soon as it has a lifecycle; see verbs for the one thing that a new past
// tense needs.
package wording

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Book has the words of everything that the trail tells.
type Vocabulary struct {
	types map[string]*filing.Type
	order []*filing.Type
	hubs  map[string]string
}

// NewBook makes the book of what can be filed. Hubs are the names of the Hubs by their
// ids.
func NewVocabulary(types []*filing.Type, hubs map[string]string) *Vocabulary {
	b := &Vocabulary{types: map[string]*filing.Type{}, order: types, hubs: hubs}
	for _, t := range types {
		b.types[t.Kind] = t
	}
	return b
}

// Names are what those are called whom events name by their ids.
type Names struct {
	Users   map[string]string
	Keys    map[string]string
	Records map[string]string // of every kind, and the addresses of webhooks
	Own     string            // the record that is spoken of anyway, and called it
}

// Sentence is an event in words. Its subject stands apart so that it can be a link; it
// is empty where the sentence has none.
type Sentence struct{ Before, Subject, After string }

// String is the whole sentence.
func (s Sentence) String() string { return s.Before + s.Subject + s.After }

// Filed tells whether a kind of record is one that can be filed.
func (b *Vocabulary) Filed(kind string) bool { return b.types[kind] != nil }

// Knows tells whether a type of event has words of its own. Any other is said by its
// name.
func (b *Vocabulary) Knows(eventType string) bool {
	_, known := b.phrase(&audit.Event{Type: eventType, ResourceType: b.resource(eventType)})
	return known
}

// resource is the kind of record that a type of event is about.
func (b *Vocabulary) resource(eventType string) string {
	at := strings.LastIndex(eventType, ".")
	return eventType[:max(at, 0)]
}

// Say puts an event into words.
func (b *Vocabulary) Describe(e *audit.Event, n Names) Sentence {
	phrase, _ := b.phrase(e)
	data := told(e)
	before, after, found := strings.Cut(phrase, it)
	fill := func(text string) string { return b.fill(text, e, data, n) }
	s := Sentence{Before: fill(before), After: fill(after) + b.tail(e, data)}
	if found {
		s.Subject = b.subject(e, data, n)
	}
	s.Before = capital(s.Before)
	if s.Before == "" {
		s.Subject = capital(s.Subject)
	}
	return s
}

// it stands for the record in a phrase.
const it = "{it}"

// phrase is what is said of an event, and whether it has words of its own.
func (b *Vocabulary) phrase(e *audit.Event) (string, bool) {
	if own := selves[e.Type]; own != "" && e.ActorUserID == e.ResourceID {
		return own, true
	}
	if whole := wholes[e.Type]; whole != "" {
		return whole, true
	}
	if strings.HasSuffix(e.Type, access.RefusedSuffix) {
		return "{who} was refused: {action} {it}", true
	}
	if strings.HasPrefix(e.Type, exportPrefix) {
		return "{who} exported {count} {many}", true
	}
	past := e.Type[strings.LastIndex(e.Type, ".")+1:]
	if b.marked(e.ResourceType, past) && e.ActorType != tenant.BySystem {
		return "{who} marked {it} as " + spaced(past), true
	}
	if own := itself[past]; own != "" && e.ActorType == tenant.BySystem {
		return own, true
	}
	if verb := verbs[past]; verb != "" {
		return verb, true
	}
	return "{who} " + spaced(past) + " {it}", false
}

// marked tells whether a step of a kind is a mark: the OWNER writes down what the
// authority has done.
func (b *Vocabulary) marked(kind, past string) bool {
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

// fill puts the names and figures of an event into a phrase.
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
		return small(plain(data[name]))
	}
	return plain(data[name])
}

// Actor is who caused an event: a user by name, or the authority of the Hub.
func (b *Vocabulary) Actor(e *audit.Event, n Names) string {
	if e.ActorType != tenant.BySystem {
		return n.User(e.ActorUserID)
	}
	if b.Filed(e.ResourceType) || e.Hub == "tax" {
		return or(authorities[e.Hub], service)
	}
	return service
}

// User is what somebody is called, once the names are found: a former user where nobody
// is known by the id.
func (n Names) User(id string) string { return or(n.Users[id], "a former user") }

// Noun is what a kind of record is called, such as TSS declaration.
func (b *Vocabulary) Noun(kind string) string {
	t := b.types[kind]
	switch {
	case t == nil:
		return or(nouns[kind], spaced(kind))
	case !strings.Contains(t.Kind, "."):
		return t.One
	case t.Tag == strings.ToUpper(t.Tag):
		return t.Tag + " " + t.One
	}
	return strings.ToLower(t.Tag) + " " + t.One
}

// subject names the record of an event.
func (b *Vocabulary) subject(e *audit.Event, data map[string]json.RawMessage, n Names) string {
	if n.Own != "" && e.ResourceID == n.Own {
		return "it"
	}
	switch e.ResourceType {
	case "user":
		return n.User(e.ResourceID)
	case "key":
		return "API key “" + or(n.Keys[e.ResourceID], plain(data["name"]), ending(e.ResourceID)) + "”"
	case "hub":
		return "the Hub " + or(b.hubs[e.ResourceID], e.ResourceID)
	case "webhook.endpoint":
		return "webhook " + or(n.Records[e.ResourceID], plain(data["url"]), ending(e.ResourceID))
	}
	if noun := nouns[e.ResourceType]; noun != "" {
		return noun
	}
	if e.ResourceID == "" {
		return "a " + b.Noun(e.ResourceType)
	}
	return b.called(e.ResourceType, n.Records[e.ResourceID], e.ResourceID)
}

// Called is a record with its kind, and with the end of its id where it has no name.
func (b *Vocabulary) Called(f *filing.Filing) string { return b.called(f.Kind, f.Name(), f.ID) }

func (b *Vocabulary) called(kind, name, id string) string {
	return b.Noun(kind) + " " + or(name, ending(id))
}

// ending is the end of an id, which tells it from others more than its beginning.
func ending(id string) string { return "…" + id[max(0, len(id)-6):] }

func or(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func spaced(name string) string {
	return strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(name)
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	first := []rune(text)[0]
	return strings.ToUpper(string(first)) + text[len(string(first)):]
}

// roleMember is the member of events that tells of a role.
const roleMember = "role"

// told are the members of an event, roles in words: OWNER is Owner.
func told(e *audit.Event) map[string]json.RawMessage {
	data, roles := members(e.Data), []string{roleMember}
	if e.Type == access.RoleChanged {
		roles = []string{"before", "after"}
	}
	for _, name := range roles {
		if role := plain(data[name]); role != "" {
			data[name], _ = json.Marshal(form.Words(role))
		}
	}
	return data
}

func members(object json.RawMessage) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &all)
	return all
}
