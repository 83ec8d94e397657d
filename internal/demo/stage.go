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

// stage is the state of an organisation while its demo data is created.
type stage struct {
	*Company
	organisation
	org   tenant.ID
	key   string
	cast  map[string]tenant.Principal // users by short name
	signs []Sign
	ids   map[string]string // record IDs by name of the filing
	sent  []storyFiling     // submitted to CDS
}

// stage creates an organisation with its Hubs, users, keys and webhooks.
func (c *Company) stage(ctx context.Context, o organisation, founder access.User, password string) (*stage, error) {
	s := &stage{Company: c, organisation: o, org: tenant.ID(c.IDs.UUID()), cast: map[string]tenant.Principal{}, ids: map[string]string{}}
	s.cast[owner.short] = tenant.Principal{Org: s.org, UserID: founder.ID, Role: tenant.Owner, Type: tenant.ByUser}
	by := s.call(owner.short)
	err := c.Store.UpdateDemo(ctx, s.org, func(tx Tx) error {
		founded, err := c.Access.CreateOrganisation(tx, by, founder.ID, o.name, o.profile)
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

// play stores the organisation's filings and submits declarations to CDS.
func (s *stage) play(ctx context.Context) error {
	for _, name := range s.storyFiles {
		filings, err := readStory(name)
		if err != nil {
			return err
		}
		if err := s.Store.UpdateDemo(ctx, s.org, func(tx Tx) error { return s.perform(tx, filings) }); err != nil {
			return err
		}
	}
	for _, d := range s.sent {
		_, err := s.Customs.Submit(ctx, customs.Request{Call: s.call(d.By), Simulate: d.Simulate}, s.ids[d.Name])
		if err != nil {
			return fmt.Errorf("demo: %s: %w", d.Name, err)
		}
	}
	return nil
}

func (s *stage) perform(tx Tx, filings []storyFiling) error {
	for _, d := range filings {
		if err := s.file(tx, d); err != nil {
			return fmt.Errorf("demo: %s: %w", d.Name, err)
		}
	}
	return nil
}

// file creates a record and applies its transitions, except submission to CDS.
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

// Time limit for the answers of CDS; the demo data is complete without them.
const (
	answerTimeout = 5 * time.Second
	pollInterval  = 50 * time.Millisecond
)

// finish waits until each declaration has the intended status, and creates the statements of the period.
func (s *stage) finish(ctx context.Context) error {
	if err := s.await(ctx); err != nil {
		return err
	}
	return s.drawUp(ctx)
}

func (s *stage) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	for {
		arrived, err := s.arrived(ctx)
		if arrived || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pollInterval):
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

// drawUp creates the period's reports and returns as drafts.
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
	return fmt.Errorf("demo: unknown statement kind %q", kind)
}
