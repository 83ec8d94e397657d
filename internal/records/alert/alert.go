// Package alert tells organisations which of their products an imported tariff touches: an event for each product, a mail to the
// owners, and a line on the front page.
package alert

import (
	"context"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// Queue is the queue of the jobs that tell one organisation of an import; a job's subject is an official.Pair.
const Queue = "tariff-alerts"

// Limits of an organisation's alerts about one import. The mail and the front page count all products.
const (
	MaxEvents  = 100 // products that get an event, the newest first
	maxChanges = 5   // changes in the event of a product; its count has all
	pageSize   = 200 // products that are read at once
)

// Alert is what an organisation was told of a change of the tariff.
type Alert struct {
	Pair     string // official.Pair.Fingerprint
	From, To int64
	Products int // that the change touches
	RaisedAt time.Time
}

// Tx is a transaction of one organisation.
type Tx interface {
	filing.Tx
	access.Tx
	TariffAlertRaised(pair string) (bool, error)
	AddTariffAlert(Alert) error
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
}

// Store stores alerts.
type Store interface {
	official.Store
	Organisations(ctx context.Context) ([]tenant.ID, error)
	UpdateAlerts(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	ScanAlerts(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Service raises alerts.
type Service struct {
	Store    Store
	Filings  *filing.Service
	Products *filing.Type
	Note     lifecycle.Action // of a product, with its event
	Accounts *access.Accounts
	IDs      *ident.Source

	mu   sync.Mutex
	last *changes // of the last import, which the jobs of all organisations share
}

// changes are the changes of an import.
type changes struct {
	official.Pair
	fingerprint string
	codes       map[string]int // number of changes by commodity code
}

// changesOf returns the changes between two editions.
func (s *Service) changesOf(ctx context.Context, p official.Pair) (*changes, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && s.last.Pair == p {
		return s.last, nil
	}
	c := &changes{Pair: p}
	var err error
	if c.fingerprint, err = p.Fingerprint(ctx, s.Store); err != nil {
		return nil, err
	}
	compared, err := official.Compare(ctx, s.Store, p.From, p.To, official.Filter{})
	if err != nil {
		return nil, err
	}
	if c.codes, err = compared.ChangedCodes(ctx); err != nil {
		return nil, err
	}
	s.last = c
	return c, nil
}

// touching returns the changed codes whose measures hold for a code.
func (c *changes) touching(code string) (all []string) {
	if len(code) < len("610910") {
		return nil
	}
	for _, above := range official.Above(code) {
		if c.codes[above] > 0 {
			all = append(all, above)
		}
	}
	return all
}
