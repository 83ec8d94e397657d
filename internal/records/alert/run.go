package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// Spread starts a job for each organisation after an import, so that a large catalogue delays no other one. The first import is
// compared with nothing: the built-in table lacks most measures.
func (s *Service) Spread(ctx context.Context, j jobs.Job) error {
	p, err := official.ParsePair(j.Subject)
	if err != nil {
		return err
	}
	var orgs []tenant.ID
	if p.From > 0 {
		c, err := s.changesOf(ctx, p)
		if err != nil && !errors.Is(err, official.ErrNoEdition) {
			return err
		}
		if err == nil && len(c.codes) > 0 {
			if orgs, err = s.Store.Organisations(ctx); err != nil {
				return err
			}
		}
	}
	for _, org := range orgs {
		err := s.Store.UpdateAlerts(ctx, org, func(tx Tx) error {
			return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: Queue, Subject: j.Subject})
		})
		if err != nil {
			return err
		}
	}
	return s.Store.UpdateAlerts(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
}

// Raise alerts an organisation to an import: its events, mails and the note of it are stored in one transaction.
func (s *Service) Raise(ctx context.Context, j jobs.Job) error {
	p, err := official.ParsePair(j.Subject)
	if err != nil {
		return err
	}
	c, err := s.changesOf(ctx, p)
	if errors.Is(err, official.ErrNoEdition) {
		return s.Store.UpdateAlerts(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	}
	if err != nil {
		return err
	}
	found, err := s.touched(ctx, j.Org, c)
	if err != nil {
		return err
	}
	return s.Store.UpdateAlerts(ctx, j.Org, func(tx Tx) error {
		raised, err := tx.TariffAlertRaised(c.fingerprint)
		if err == nil && !raised {
			err = s.raise(tx, c, found)
		}
		if err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

// touched are the products that an import touches.
type touched struct {
	number int
	first  []note // of MaxEvents
}

// note is what a product gets.
type note struct {
	id, name string
	change   difference.TariffChange
}

// touched finds the products of an organisation that changes touch, the newest first.
func (s *Service) touched(ctx context.Context, org tenant.ID, c *changes) (found touched, err error) {
	compared, err := official.Compare(ctx, s.Store, c.From, c.To, official.Filter{})
	if err != nil {
		return found, err
	}
	codes := map[string]string{} // of the products that get an event, by id
	err = s.Store.ScanAlerts(ctx, org, func(tx Tx) error {
		q := filing.Query{Kind: s.Products.Kind, Status: lifecycle.Active, Limit: pageSize}
		for {
			page, err := tx.Filings(q)
			if err != nil {
				return err
			}
			for i := range page {
				if err := found.take(&page[i], c, codes); err != nil {
					return err
				}
			}
			if len(page) < pageSize {
				return nil
			}
			last := &page[len(page)-1]
			q.After = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
		}
	})
	for i := 0; i < len(found.first) && err == nil; i++ {
		err = found.first[i].explain(ctx, compared, c.touching(codes[found.first[i].id]))
	}
	return found, err
}

// take takes a product that changes touch.
func (t *touched) take(f *filing.Filing, c *changes, codes map[string]string) error {
	var p struct{ Code, CommodityCode string }
	if err := json.Unmarshal(f.Brief, &p); err != nil {
		return err
	}
	if len(c.touching(p.CommodityCode)) == 0 {
		return nil
	}
	t.number++
	if len(t.first) < MaxEvents {
		codes[f.ID] = p.CommodityCode
		t.first = append(t.first, note{id: f.ID, name: p.Code, change: difference.TariffChange{From: c.From, To: c.To, Changes: []difference.ChangeBody{}}})
	}
	return nil
}

// explain adds the changes that touch the product.
func (n *note) explain(ctx context.Context, compared *official.Comparison, codes []string) error {
	for _, code := range codes {
		all, err := compared.Of(ctx, code)
		if err != nil {
			return err
		}
		n.change.Measures += len(all)
		for i := 0; i < len(all) && len(n.change.Changes) < maxChanges; i++ {
			n.change.Changes = append(n.change.Changes, difference.Body(all[i]))
		}
	}
	return nil
}

func (s *Service) raise(tx Tx, c *changes, found touched) error {
	call := tenant.Call{Principal: tenant.System(tx.Org())}
	var names []string
	for _, n := range found.first {
		f, err := tx.Filing(s.Products.Kind, n.id)
		if err != nil {
			return err
		}
		if f.Status != lifecycle.Active {
			continue // archived since it was found
		}
		n.change.ChangedAt = audit.Instant(tx.Now())
		step := filing.TransitionData{
			Added: filing.Added{"tariffChange": n.change}, Data: filing.Added{"from": c.From, "to": c.To, "measures": n.change.Measures},
		}
		if _, err := s.Filings.Transition(tx, call, s.Products, n.id, s.Note, step); err != nil {
			return err
		}
		names = append(names, n.name)
	}
	if found.number > 0 {
		if err := s.Accounts.MailTariffChange(tx, found.number, names); err != nil {
			return fmt.Errorf("alert: mail: %w", err)
		}
	}
	return tx.AddTariffAlert(Alert{c.fingerprint, c.From, c.To, found.number, tx.Now()})
}
