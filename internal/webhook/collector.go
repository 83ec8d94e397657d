package webhook

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// Limits of the collector.
const (
	collectInterval = 10 * time.Second
	earlierInterval = time.Second // while deliveries of an earlier release are counted
	collectStep     = 200         // commits whose changes one transaction adds to the stored numbers
	earlierStep     = 500         // deliveries of an earlier release that one transaction counts
	earlierSteps    = 20          // such transactions in one run
)

// Measured is what is counted of a delivery that an earlier release has stored.
type Measured struct {
	ID, EndpointID, EventID, EventType string
	Cause                              Cause
	Status                             Status
	Attempts, HTTPStatus               int // the status of the last attempt; 0 for no answer
	Counted                            int // attempts that are counted already; -1 if the delivery is not
	CreatedAt, DeliveredAt             time.Time
	Failures                           string // lines of the failed attempts
}

// CountRest counts what is not counted yet. The status of attempts that are not listed one by one is not known.
func (m *Measured) CountRest(c *numbers.Counts) {
	if m.Counted < 0 && m.Cause != ByResend {
		c.AddEvents(1)
	}
	d := Delivery{Attempts: m.Attempts, HTTPStatus: m.HTTPStatus, Status: m.Status, CreatedAt: m.CreatedAt, DeliveredAt: m.DeliveredAt}
	statuses := map[int]int{m.Attempts: m.HTTPStatus}
	for _, a := range AttemptsOf(&d, m.Failures) {
		statuses[a.Number] = a.HTTPStatus
	}
	for n := max(0, m.Counted) + 1; n <= m.Attempts; n++ {
		d.CountAttempt(c, statuses[n], n == m.Attempts)
	}
}

// CountAttempt counts an attempt. If it is the last one, and the delivery was accepted, that is counted too.
func (d *Delivery) CountAttempt(c *numbers.Counts, status int, last bool) {
	c.AddAttempt(status)
	if last && d.Status == Delivered {
		c.AddDelivered(d.DeliveredAt.Sub(d.CreatedAt))
	}
}

// NumbersTx reads and writes the stored numbers of one organisation.
type NumbersTx interface {
	Endpoints() ([]Endpoint, error)
	DeliveryChanges(limit int) (numbers.Changes, []string, error)
	// AddNumbers adds to the stored numbers, and removes the changes that they have from then on.
	AddNumbers(rows map[numbers.Place]numbers.Slots, ids []string) error
	// CountEarlier counts some of what an earlier release has stored.
	CountEarlier(limit int) error
}

// NumbersStore is what the collector needs of all organisations.
type NumbersStore interface {
	// ChangedNumbers finds the first organisation after another one whose stored numbers do not have all changes; empty if there
	// is none.
	ChangedNumbers(ctx context.Context, after tenant.ID) (tenant.ID, error)
	// UncountedDeliveries finds an organisation with deliveries or attempts that are not counted; empty if there is none.
	UncountedDeliveries(ctx context.Context) (tenant.ID, error)
	UpdateNumbers(ctx context.Context, org tenant.ID, fn func(NumbersTx) error) error
	// Exclusive runs fn unless another instance runs something of that name.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
}

// Collector brings the stored numbers of deliveries up to date. Commits store only their own changes, so that none waits for
// another one, and the collector adds these up.
type Collector struct {
	Store NumbersStore
	Log   *slog.Logger
}

// Run collects until ctx ends.
func (c *Collector) Run(ctx context.Context) {
	for {
		more, err := c.Collect(ctx)
		if err != nil && ctx.Err() == nil {
			c.Log.Warn("cannot bring the numbers of webhooks up to date", "error", err)
		}
		wait := collectInterval
		if more {
			wait = earlierInterval
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// Collect adds all changes to the stored numbers, and counts some of what an earlier release has stored. It reports whether there
// may be more of that. It does nothing while another instance does it.
func (c *Collector) Collect(ctx context.Context) (more bool, err error) {
	changed, err := c.Store.ChangedNumbers(ctx, "")
	if err != nil {
		return false, err
	}
	earlier, err := c.Store.UncountedDeliveries(ctx)
	if err != nil || changed == "" && earlier == "" {
		return false, err
	}
	_, err = c.Store.Exclusive(ctx, "webhook numbers", func(ctx context.Context) error {
		for n := 0; n < earlierSteps && earlier != ""; n++ {
			if earlier, err = c.countEarlier(ctx, earlier); err != nil {
				return err
			}
		}
		return c.addChanges(ctx)
	})
	return earlier != "", err
}

// countEarlier counts some of what earlier releases have stored of an organisation, and returns one that has more.
func (c *Collector) countEarlier(ctx context.Context, org tenant.ID) (tenant.ID, error) {
	err := c.Store.UpdateNumbers(ctx, org, func(tx NumbersTx) error { return tx.CountEarlier(earlierStep) })
	if err != nil {
		return "", err
	}
	return c.Store.UncountedDeliveries(ctx)
}

// addChanges adds the changes of all organisations.
func (c *Collector) addChanges(ctx context.Context) error {
	for org := tenant.ID(""); ; {
		var err error
		if org, err = c.Store.ChangedNumbers(ctx, org); err != nil || org == "" {
			return err
		}
		if err := c.addChangesOf(ctx, org); err != nil {
			return err
		}
	}
}

// addChangesOf adds changes until a step finds fewer than it could take.
func (c *Collector) addChangesOf(ctx context.Context, org tenant.ID) error {
	for more := true; more; {
		err := c.Store.UpdateNumbers(ctx, org, func(tx NumbersTx) error {
			endpoints, err := tx.Endpoints()
			if err != nil {
				return err
			}
			known := map[string]bool{}
			for i := range endpoints {
				known[endpoints[i].ID] = true
			}
			changes, ids, err := tx.DeliveryChanges(collectStep)
			if err != nil {
				return err
			}
			more = len(ids) == collectStep
			return tx.AddNumbers(changes.Rows(func(id string) bool { return known[id] }), ids)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
