// Package stock fills a PostgreSQL with very many organisations and declarations. Each is a copy of one that the
// service wrote, with its own identifiers, references and times, in every table that the service wrote to, and in
// its organisation's hash chain. Messages from CDS are left out, and of a declaration's history all but its
// creation.
package stock

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Stock is a database that is being filled.
type Stock struct {
	Organisations []*Organisation
	Made          int // declarations

	address string
	conns   [copiers]*pgx.Conn
	pattern *pattern
	maker   *maker
	began   time.Time
}

// copiers is the number of connections that copy rows in.
const copiers = 2

// Organisation is one of the organisations in the stock.
type Organisation struct {
	Org      tenant.ID
	Secret   string // of its API key
	Shipment string
	Declared int

	words []string
	trail chain
}

// Age is the age of the first declaration, and step the time to the next: no delivery is old enough to be removed.
const (
	Age  = 80 * 24 * time.Hour
	step = 650 * time.Millisecond
)

// Open uses an organisation as the pattern. The address is that of a superuser.
func Open(ctx context.Context, address string, org tenant.ID) (*Stock, error) {
	s := &Stock{address: address, maker: newMaker(), began: time.Now().Add(-Age).UTC().Truncate(time.Millisecond)}
	for i := range s.conns {
		conn, err := pgx.Connect(ctx, address)
		if err != nil {
			return nil, fmt.Errorf("stock: %w", err)
		}
		s.conns[i] = conn
		if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil {
			return nil, fmt.Errorf("stock: %w", err)
		}
	}
	var err error
	s.pattern, err = readPattern(ctx, s.conns[0], s.maker, org)
	return s, err
}

// Close closes the connections.
func (s *Stock) Close() {
	for _, c := range s.conns {
		_ = c.Close(context.Background())
	}
}

// Grow adds organisations up to a number, and declarations until each has the number of the plan. Then it
// maintains the database as autovacuum would in time.
func (s *Stock) Grow(ctx context.Context, organisations int, plan func(rank int) int) error {
	if err := s.found(ctx, organisations); err != nil {
		return err
	}
	if err := s.declare(ctx, plan); err != nil {
		return err
	}
	return s.finish(ctx)
}

func (s *Stock) found(ctx context.Context, organisations int) error {
	b := batch{}
	for len(s.Organisations) < organisations {
		s.maker.at = s.began.Add(-24 * time.Hour)
		secret, hash := s.maker.key()
		h := &Organisation{Org: tenant.ID(s.maker.ids.UUID()), Secret: secret}
		h.trail.org = h.Org
		newest := s.pattern.organisation.events[len(s.pattern.organisation.events)-1].OccurredAt
		c := s.pattern.organisation.copy(s.maker, []string{string(h.Org), hash}, newest.Sub(s.maker.at), &h.trail)
		h.words, h.Shipment = c.words, c.words[shipmentWord]
		s.Organisations = append(s.Organisations, h)
		b.add(c)
	}
	return s.write(ctx, b)
}

// portion is how many declarations are written at a time, so that those of an organisation lie between those of
// others, as they would in daily use.
const portion = 50_000

func (s *Stock) declare(ctx context.Context, plan func(rank int) int) error {
	begun, total := make([]int, len(s.Organisations)), 0
	for rank, h := range s.Organisations {
		begun[rank] = h.Declared
		total += max(0, plan(rank)-h.Declared)
	}
	batches, failed := make(chan batch), make(chan error, 1)
	go func() { failed <- s.writeAll(ctx, batches) }()
	portions := (total + portion - 1) / portion
	for n := 1; n <= portions; n++ {
		b := batch{}
		for rank, h := range s.Organisations {
			due := begun[rank] + max(0, plan(rank)-begun[rank])*n/portions
			for h.Declared < due {
				b.add(s.declaration(h))
			}
		}
		select {
		case batches <- b:
		case err := <-failed:
			return err
		}
	}
	close(batches)
	return <-failed
}

func (s *Stock) declaration(h *Organisation) copied {
	r := &s.pattern.declarations[s.Made%len(s.pattern.declarations)]
	s.maker.at = s.began.Add(time.Duration(s.Made) * step)
	s.Made++
	h.Declared++
	return r.copy(s.maker, h.words, r.at.Sub(s.maker.at), &h.trail)
}
