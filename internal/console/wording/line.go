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

// Parts have the part "timeline", which shows moments.
func Parts() fs.FS {
	below, _ := fs.Sub(parts, "parts")
	return below
}

// Clerk finds out what those are called whom events name.
type Describer struct {
	*Vocabulary
	Register access.Register
}

// Tx reads what records, keys and webhooks are called.
type Tx interface {
	Briefs(ids []string) (map[string]filing.Filing, error)
	Keys() ([]access.Key, error)
	Endpoints() ([]webhook.Endpoint, error)
	ErasedMembers(userIDs []string) (map[string]bool, error)
}

// Line is an event, and what it says.
type Line struct {
	audit.Event
	Sentence
	Who   string
	Key   string // name of the API key that was used
	There bool   // whether the record is there, and no longer only its events
}

// Page is events with what their records are called.
type Page struct {
	events []audit.Event
	names  Names
	there  map[string]bool
	erased map[string]bool // users whose names the organisation no longer has
}

// Gather reads what the records of events are called. Own is the record that is
// spoken of anyway; empty for none.
func (c *Describer) Gather(tx Tx, events []audit.Event, own string) (*Page, error) {
	shown := make([]audit.Event, len(events))
	for i := range events {
		shown[i] = events[i].Shown()
	}
	p := &Page{events: shown, names: Names{Users: map[string]string{}, Keys: map[string]string{}, Records: map[string]string{}, Own: own}, there: map[string]bool{}}
	for _, read := range []func(Tx, *Page) error{c.records, c.keys, c.webhooks, c.erased} {
		if err := read(tx, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (c *Describer) records(tx Tx, p *Page) error {
	ids := map[string]bool{}
	for _, e := range p.events {
		if c.types[e.ResourceType] != nil && e.ResourceID != "" {
			ids[e.ResourceID] = true
		}
	}
	found, err := tx.Briefs(slices.Sorted(maps.Keys(ids)))
	for id, f := range found {
		p.names.Records[id], p.there[id] = f.Name(), true
	}
	return err
}

func (c *Describer) keys(tx Tx, p *Page) error {
	if !slices.ContainsFunc(p.events, func(e audit.Event) bool { return e.KeyID != "" || e.ResourceType == "key" }) {
		return nil
	}
	keys, err := tx.Keys()
	for _, k := range keys {
		p.names.Keys[k.ID] = k.Name
	}
	return err
}

func (c *Describer) webhooks(tx Tx, p *Page) error {
	if !slices.ContainsFunc(p.events, func(e audit.Event) bool { return e.ResourceType == "webhook.endpoint" }) {
		return nil
	}
	all, err := tx.Endpoints()
	for _, e := range all {
		p.names.Records[e.ID], p.there[e.ID] = e.URL, true
	}
	return err
}

// erased finds users whose personal data the organisation has erased.
func (c *Describer) erased(tx Tx, p *Page) error {
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

// User is what somebody is called who had one of the events happen, once there are Lines
// of them; it begins a sentence.
func (p *Page) User(id string) string { return capital(p.names.User(id)) }

// Lines put the events into words. It reads the names of users in a transaction of
// its own, so it is called when that of Gather is over.
func (c *Describer) Lines(ctx context.Context, org tenant.ID, p *Page) ([]Line, error) {
	if err := c.users(ctx, org, p); err != nil {
		return nil, err
	}
	lines := make([]Line, len(p.events))
	for i := range p.events {
		e := &p.events[i]
		lines[i] = Line{Event: *e, Sentence: c.Describe(e, p.names), Who: capital(c.Actor(e, p.names)), Key: p.names.Keys[e.KeyID], There: p.there[e.ResourceID]}
	}
	return lines, nil
}

// users finds the names of the organisation's users, and of those who have left it
// and are spoken of.
func (c *Describer) users(ctx context.Context, org tenant.ID, p *Page) error {
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
	return c.Register.ViewDesk(ctx, func(d access.Desk) error {
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
