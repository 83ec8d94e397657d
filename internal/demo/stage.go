package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// stage is an organisation while its story is played.
type stage struct {
	*Company
	organisation
	org   tenant.ID
	key   string
	cast  map[string]tenant.Principal // by their short names
	signs []Sign
	ids   map[string]string // of what was filed, by the deeds' names
	sent  []storyFiling     // to customs
}

// stage founds an organisation with its Hubs, people, keys and webhooks.
func (c *Company) stage(ctx context.Context, o organisation, founder access.User, password string) (*stage, error) {
	s := &stage{Company: c, organisation: o, org: tenant.ID(c.IDs.UUID()), cast: map[string]tenant.Principal{}, ids: map[string]string{}}
	s.cast[owner.short] = tenant.Principal{Org: s.org, UserID: founder.ID, Role: tenant.Owner, Type: tenant.ByUser}
	by := s.call(owner.short)
	err := c.Store.UpdateDemo(ctx, s.org, func(tx Tx) error {
		founded, err := c.Access.Found(tx, by, founder.ID, o.name, o.profile)
		if err != nil {
			return err
		}
		s.key = founded.Secret
		for _, hub := range o.hubs {
			if _, err := c.Access.EnableHub(tx, by, hub); err != nil {
				return err
			}
		}
		if o.invited != "" {
			if _, _, err := c.Access.Invite(tx, by, o.invited, tenant.Member, access.DefaultInvitationDays); err != nil {
				return err
			}
		}
		if err := c.issue(tx, by, o.keys); err != nil {
			return err
		}
		return c.subscribe(tx, by, o.endpoints)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range o.people {
		sign, in, err := c.join(ctx, by, p, password)
		if err != nil {
			return nil, err
		}
		s.cast[p.short], s.signs = in, append(s.signs, sign)
	}
	return s, nil
}

func (c *Company) subscribe(tx Tx, by tenant.Call, endpoints []endpoint) error {
	for _, in := range endpoints {
		e, _, err := c.Webhooks.Create(tx, by, in.Input)
		if err == nil && in.paused {
			_, err = c.Webhooks.Update(tx, by, e.ID, func(json.RawMessage) (webhook.Change, error) { return webhook.Change{Input: in.Input}, nil })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) call(short string) tenant.Call {
	return tenant.Call{Principal: s.cast[short], RequestID: requestID}
}

// play files what the organisation files, and declares to customs.
func (s *stage) play(ctx context.Context) error {
	for _, name := range s.acts {
		deeds, err := act(name)
		if err != nil {
			return err
		}
		if err := s.Store.UpdateDemo(ctx, s.org, func(tx Tx) error { return s.perform(tx, deeds) }); err != nil {
			return err
		}
	}
	for _, d := range s.sent {
		_, err := s.Customs.Submit(ctx, customs.Request{Call: s.call(d.By)}, s.ids[d.Name])
		if err != nil {
			return fmt.Errorf("demo: %s: %w", d.Name, err)
		}
	}
	return nil
}

func (s *stage) perform(tx Tx, deeds []storyFiling) error {
	for _, d := range deeds {
		if err := s.file(tx, d); err != nil {
			return fmt.Errorf("demo: %s: %w", d.Name, err)
		}
	}
	return nil
}

// file makes a record and takes its steps, but for those that lead to customs.
func (s *stage) file(tx Tx, d storyFiling) error {
	t, by := s.Filings.Types[d.Kind], s.call(d.By)
	body, err := d.at(tx.Now(), s.ids)
	if err != nil {
		return err
	}
	in, err := t.Parse(body, tx.Now())
	if err != nil {
		return err
	}
	f, err := s.Filings.Create(tx, by, t, in)
	if err != nil {
		return err
	}
	s.ids[d.Name] = f.ID
	if d.Until != "" {
		s.sent = append(s.sent, d)
		return nil
	}
	for _, step := range d.Then {
		if _, err := s.Filings.Transition(tx, by, t, f.ID, step, filing.TransitionData{Reason: d.Reason}); err != nil {
			return err
		}
	}
	return nil
}

// Customs is given this long to answer; the story goes on without it.
const (
	patience = 5 * time.Second
	glance   = 50 * time.Millisecond
)

// finish waits until customs has brought each declaration as far as the story has it,
// and draws up the statements of the period.
func (s *stage) finish(ctx context.Context) error {
	if err := s.await(ctx); err != nil {
		return err
	}
	return s.drawUp(ctx)
}

func (s *stage) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		arrived, err := s.arrived(ctx)
		if arrived || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(glance):
		}
	}
}

func (s *stage) arrived(ctx context.Context) (all bool, err error) {
	all = true
	err = s.Store.UpdateDemo(ctx, s.org, func(tx Tx) error {
		for _, d := range s.sent {
			f, err := tx.Filing(d.Kind, s.ids[d.Name])
			if err != nil {
				return err
			}
			all = all && f.Status == d.Until
		}
		return nil
	})
	return all, err
}

// drawUp prepares the reports and returns of the period as drafts.
func (s *stage) drawUp(ctx context.Context) error {
	if s.carbon {
		if err := s.draw(ctx, "cbam.report", json.RawMessage(`{}`)); err != nil {
			return err
		}
	}
	if s.vat == "" {
		return nil
	}
	var period string
	err := s.Store.UpdateDemo(ctx, s.org, func(tx Tx) error {
		for _, st := range s.Statements.CalendarRecords {
			if err := s.Statements.CreateMissing(tx, s.call(owner.short), st); err != nil {
				return err
			}
		}
		open, err := tx.Filings(filing.Query{Kind: "tax.period", Limit: 1})
		if err == nil && len(open) > 0 {
			period = open[0].ID
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.draw(ctx, "tax.return", json.RawMessage(`{"periodId":"`+period+`",`+s.vat+`}`))
}

func (s *stage) draw(ctx context.Context, kind string, ask json.RawMessage) error {
	for _, k := range s.Statements.Kinds {
		if k.Kind != kind {
			continue
		}
		drawn, err := s.Statements.Compute(ctx, s.org, k, ask)
		if err != nil {
			return fmt.Errorf("demo: %s: %w", kind, err)
		}
		return s.Store.UpdateDemo(ctx, s.org, func(tx Tx) error {
			_, err := s.Statements.Save(tx, s.call(owner.short), k, drawn)
			return err
		})
	}
	return fmt.Errorf("demo: there is no kind of statement %q", kind)
}
