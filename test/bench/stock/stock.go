// Package stock fills a PostgreSQL with very many organisations and declarations. Each is
// a copy of one that the service made, with identifiers, references and times of its own,
// in every table that the service wrote to, and sealed into its organisation's trail.
// Left out are the messages of customs, and of what happened to a declaration all but
// its creation.
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
	Houses []*House
	Made   int // declarations

	address string
	conns   [copiers]*pgx.Conn
	pattern *pattern
	maker   *maker
	began   time.Time
}

// copiers are connections that rows are copied in by.
const copiers = 2

// House is an organisation.
type House struct {
	Org      tenant.ID
	Secret   string // of its API key
	Shipment string
	Declared int

	words []string
	trail trail
}

// Age is how long ago the first declaration was made, and step the time to the next: no
// delivery is so old that it would be removed.
const (
	Age  = 80 * 24 * time.Hour
	step = 650 * time.Millisecond
)

// Open takes an organisation as the pattern. The address is that of a superuser.
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

// Close ends the connections.
func (s *Stock) Close() {
	for _, c := range s.conns {
		_ = c.Close(context.Background())
	}
}

// Grow adds organisations until there are so many, and declarations until each has what
// the plan gives it. Then the database is looked after as autovacuum would in time.
func (s *Stock) Grow(ctx context.Context, houses int, plan func(rank int) int) error {
	if err := s.found(ctx, houses); err != nil {
		return err
	}
	if err := s.declare(ctx, plan); err != nil {
		return err
	}
	return s.settle(ctx)
}

func (s *Stock) found(ctx context.Context, houses int) error {
	b := batch{}
	for len(s.Houses) < houses {
		s.maker.at = s.began.Add(-24 * time.Hour)
		secret, hash := s.maker.key()
		h := &House{Org: tenant.ID(s.maker.ids.UUID()), Secret: secret}
		h.trail.org = h.Org
		newest := s.pattern.house.events[len(s.pattern.house.events)-1].OccurredAt
		c := s.pattern.house.copy(s.maker, []string{string(h.Org), hash}, newest.Sub(s.maker.at), &h.trail)
		h.words, h.Shipment = c.words, c.words[shipmentWord]
		s.Houses = append(s.Houses, h)
		b.add(c)
	}
	return s.write(ctx, b)
}

// portion is how many declarations are made in turn, so that those of an organisation
// lie between those of others as they come in day by day.
const portion = 50_000

func (s *Stock) declare(ctx context.Context, plan func(rank int) int) error {
	begun, total := make([]int, len(s.Houses)), 0
	for rank, h := range s.Houses {
		begun[rank] = h.Declared
		total += max(0, plan(rank)-h.Declared)
	}
	batches, failed := make(chan batch), make(chan error, 1)
	go func() { failed <- s.writeAll(ctx, batches) }()
	portions := (total + portion - 1) / portion
	for n := 1; n <= portions; n++ {
		b := batch{}
		for rank, h := range s.Houses {
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

func (s *Stock) declaration(h *House) copied {
	r := &s.pattern.declarations[s.Made%len(s.pattern.declarations)]
	s.maker.at = s.began.Add(time.Duration(s.Made) * step)
	s.Made++
	h.Declared++
	return r.copy(s.maker, h.words, r.at.Sub(s.maker.at), &h.trail)
}
