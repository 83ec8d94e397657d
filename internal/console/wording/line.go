package wording

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

//go:embed parts
var parts embed.FS

// Partials returns the template "timeline", which shows timeline entries.
func Partials() fs.FS {
	below, _ := fs.Sub(parts, "parts")
	return below
}

// Describer describes events, and reads the display names of users, keys and records by their ids.
type Describer struct {
	*Vocabulary
	Register access.AccountStore
}

// Tx reads the names of records, keys and webhooks.
type Tx interface {
	Briefs(ids []string) (map[string]filing.Filing, error)
	Keys() ([]access.Key, error)
	Endpoints() ([]webhook.Endpoint, error)
	ErasedMembers(userIDs []string) (map[string]bool, error)
}

// Line is an event with its description.
type Line struct {
	audit.Event
	Sentence
	Who    string // the actor
	Key    string // name of the API key that was used; empty for none
	Exists bool   // whether the record still exists
}

// EventBatch is a list of events with the names of their records.
type EventBatch struct {
	events []audit.Event
	names  Names
	exists map[string]bool
	erased map[string]bool // users whose personal data was erased
}

// Load reads the names of the records of events. current is the id of the record that the
// page is about, which is called "it"; empty for none.
func (c *Describer) Load(tx Tx, events []audit.Event, current string) (*EventBatch, error) {
	shown := make([]audit.Event, len(events))
	for i := range events {
		shown[i] = events[i].Shown()
	}
	p := &EventBatch{events: shown, names: Names{Users: map[string]string{}, Keys: map[string]string{}, Records: map[string]string{}, Current: current}, exists: map[string]bool{}}
	for _, read := range []func(Tx, *EventBatch) error{c.records, c.keys, c.webhooks, c.erased} {
		if err := read(tx, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (c *Describer) records(tx Tx, p *EventBatch) error {
	ids := map[string]bool{}
	for _, e := range p.events {
		if c.types[e.ResourceType] != nil && e.ResourceID != "" {
			ids[e.ResourceID] = true
		}
	}
	found, err := tx.Briefs(slices.Sorted(maps.Keys(ids)))
	for id, f := range found {
		p.names.Records[id], p.exists[id] = f.Name(), true
	}
	return err
}

func (c *Describer) keys(tx Tx, p *EventBatch) error {
	if !slices.ContainsFunc(p.events, func(e audit.Event) bool { return e.KeyID != "" || e.ResourceType == "key" }) {
		return nil
	}
	keys, err := tx.Keys()
	for _, k := range keys {
		p.names.Keys[k.ID] = k.Name
	}
	return err
}

func (c *Describer) webhooks(tx Tx, p *EventBatch) error {
	if !slices.ContainsFunc(p.events, func(e audit.Event) bool { return e.ResourceType == "webhook.endpoint" }) {
		return nil
	}
	all, err := tx.Endpoints()
	for _, e := range all {
		p.names.Records[e.ID], p.exists[e.ID] = e.URL, true
	}
	return err
}

// erased finds users whose personal data the organisation has erased.
func (c *Describer) erased(tx Tx, p *EventBatch) error {
	ids := map[string]bool{}
	for _, e := range p.events {
		if e.ActorType == tenant.ByUser {
			ids[e.ActorUserID] = true
		}
		if e.ResourceType == "user" {
			ids[e.ResourceID] = true
		}
	}
	found, err := tx.ErasedMembers(slices.Sorted(maps.Keys(ids)))
	p.erased = found
	return err
}

// User returns the name of a user, with a capital first letter. Lines must have been called before.
func (p *EventBatch) User(id string) string { return upperFirst(p.names.User(id)) }

// Lines describes the events. It reads the names of users in a transaction of its own,
// so it must be called after the transaction of Load has ended.
func (c *Describer) Lines(ctx context.Context, org tenant.ID, p *EventBatch) ([]Line, error) {
	if err := c.users(ctx, org, p); err != nil {
		return nil, err
	}
	lines := make([]Line, len(p.events))
	for i := range p.events {
		e := &p.events[i]
		lines[i] = Line{Event: *e, Sentence: c.Describe(e, p.names), Who: upperFirst(c.Actor(e, p.names)), Key: p.names.Keys[e.KeyID], Exists: p.exists[e.ResourceID]}
	}
	return lines, nil
}

// users reads the names of the organisation's users, and of former users in the events.
func (c *Describer) users(ctx context.Context, org tenant.ID, p *EventBatch) error {
	members, err := c.Register.Members(ctx, org)
	if err != nil {
		return err
	}
	for _, m := range members {
		p.names.Users[m.ID] = m.Name
	}
	former := map[string]bool{}
	for _, e := range p.events {
		if e.ActorType == tenant.ByUser && p.names.Users[e.ActorUserID] == "" {
			former[e.ActorUserID] = true
		}
		if e.ResourceType == "user" && p.names.Users[e.ResourceID] == "" {
			former[e.ResourceID] = true
		}
	}
	if len(former) == 0 {
		return nil
	}
	return c.Register.ViewAccounts(ctx, func(d access.AccountTx) error {
		for id := range former {
			u, found, err := d.User(id)
			if err != nil {
				return err
			}
			if found && !p.erased[id] {
				p.names.Users[id] = u.Name
			}
		}
		return nil
	})
}
