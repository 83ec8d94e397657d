package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
	"github.com/tidewaiter/tidewaiter/test/bench/stock"
)

// Organisations of the fleet's database, and how many declarations each has.
const (
	fleetHouses = 16
	fleetOf     = 1_000
)

// mostInstances are started; one, two or all of them are asked.
const mostInstances = 4

// leastOfDatabase is the part of what the bare database does that a request must reach.
const leastOfDatabase = 0.35

// measureFleet asks one, two and four instances on one database, beside the bare
// database and bare net/http.
func measureFleet(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("One, two or four of %d instances on one PostgreSQL that commits durably, asked by %d clients for %d organisations with %s declarations each. "+
			"The bare database gets the statements alone from as many connections, under the same row-level security; bare net/http decodes the same body or answers as many bytes. "+
			"Clients, instances and database share the machine's cores: instances add what one cannot get of them, and no cores. "+
			"What a request costs more than the bare database is the statement that finds whose its key is, so that a revoked one ends at once; the organisation that each transaction is told anew, "+
			"where the bare database's connections each know but one; the begin and the commit of what reads more than once; and HTTP, checks, JSON or CSV, the request's line in the log and its figures. "+
			"With so small an answer as deadlines that is nearly all there is. Changes of one organisation share their commits, which the bare database's do not.", mostInstances, clients, fleetHouses, grouped(fleetOf)),
	}
	e, err := openEstate()
	if err != nil {
		return s, err
	}
	defer e.close()
	t, err := e.town(ctx, b, "fleet")
	if err != nil {
		return s, err
	}
	defer t.Close()
	if err := e.careless(ctx, func() error { return t.Grow(ctx, fleetHouses, func(int) int { return fleetOf }) }); err != nil {
		return s, err
	}
	if err := b.requests(ctx, &s, t); err != nil {
		return s, err
	}
	for _, n := range []int{1, 2, mostInstances} {
		note, err := b.fleetDelivers(ctx, t, n)
		if err != nil {
			return s, err
		}
		s.notes = append(s.notes, note)
	}
	return s, nil
}

// fleetRequest is what the fleet, the bare database and bare net/http are asked for.
type fleetRequest struct {
	what   string
	houses int // that are asked for
	target func(address string, h *stock.House) load.Target
	bare   func(*limit) *contender
	answer int // bytes of bare net/http's answer
}

func getting(path string) func(string, *stock.House) load.Target {
	return func(address string, h *stock.House) load.Target { return load.Get(address, h.Secret, path) }
}

func posting(address string, h *stock.House) load.Target {
	return load.Post(address, h.Secret, "/api/declarations", office(h).DeclarationNumbered(0))
}

func reads(query string) func(*limit) *contender {
	return func(l *limit) *contender { return l.contender(l.reading(query)) }
}

func creates(l *limit) *contender { return l.contender(l.creating) }

var fleetRequests = []fleetRequest{
	{"list of 50", fleetHouses, getting(listPath), reads(pageOfList), 17_000},
	{"export of 1,000", fleetHouses, getting("/api/export/declarations"), reads(allOfList), 250_000},
	{"deadlines", fleetHouses, getting("/api/deadlines"), reads(whatIsDue), 1_500},
	{"create", fleetHouses, posting, creates, 0}, // behind those that read, who would find more otherwise
	{"create, one organisation", 1, posting, creates, 0},
}

func office(h *stock.House) server.Office {
	return server.Office{Org: string(h.Org), Secret: h.Secret, ShipmentID: h.Shipment}
}

func (b *bench) requests(ctx context.Context, s *section, t *town) error {
	instances, err := t.fleet(ctx, b, mostInstances)
	if err != nil {
		return err
	}
	defer stopAll(instances)
	address, err := serviceAddress(t.address)
	if err != nil {
		return err
	}
	for _, r := range fleetRequests {
		houses := t.Houses[:r.houses]
		bare := r.bare(&limit{ctx, address, houses})
		echo, err := server.Start(ctx, []string{b.bare}, t.data, fmt.Sprintf("BARE_ECHO=%d", r.answer))
		if err != nil {
			return err
		}
		web := fleetContender("bare net/http", []*server.Process{echo}, houses, r.target)
		one := fleetContender("1 instance", instances[:1], houses, r.target)
		all := []*contender{web, bare, one,
			fleetContender("2 instances", instances[:2], houses, r.target),
			fleetContender(fmt.Sprint(mostInstances, " instances"), instances, houses, r.target)}
		err = b.contest(ctx, clients, all...)
		echo.Stop()
		if err != nil {
			return fmt.Errorf("%s: %w", r.what, err)
		}
		s.verdicts = append(s.verdicts, atLeast("requests/s, 1 instance to bare database, "+r.what, one.ratio(bare, perSecond), leastOfDatabase))
		for _, c := range all {
			c.name = r.what + ": " + c.name
		}
		s.rows = append(s.rows, loadRows(all...)...)
	}
	return nil
}

// fleet starts so many instances.
func (t *town) fleet(ctx context.Context, b *bench, n int) (all []*server.Process, err error) {
	for range n {
		p, err := t.serve(ctx, b)
		if err != nil {
			stopAll(all)
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func stopAll(all []*server.Process) {
	for _, p := range all {
		p.Stop()
	}
}

// fleetContender has clients ask instances and organisations in turn.
func fleetContender(name string, instances []*server.Process, houses []*stock.House, target func(string, *stock.House) load.Target) *contender {
	targets := make([][]load.Target, len(instances))
	for i, p := range instances {
		for _, h := range houses {
			targets[i] = append(targets[i], target(p.Address, h))
		}
	}
	return &contender{name: name, process: instances[0], others: instances[1:], drive: func(clients int, length time.Duration) (load.Figures, error) {
		return load.RunEach(func(client, n int) load.Target {
			mine := targets[client%len(targets)]
			return mine[(client+n)%len(mine)]
		}, clients, length)
	}}
}

// fleetDelivers drains a queue of every organisation's, by so many instances.
func (b *bench) fleetDelivers(ctx context.Context, t *town, n int) (note string, err error) {
	instances, err := t.fleet(ctx, b, n)
	if err != nil {
		return "", err
	}
	defer stopAll(instances)
	receiver, err := load.Receive(false)
	if err != nil {
		return "", err
	}
	defer receiver.Close()
	var desks desks
	for i, h := range t.Houses {
		d, err := deskAt(receiver, instances[i%n].Address, office(h))
		if err != nil {
			return "", err
		}
		desks = append(desks, d)
	}
	var rates []float64
	for range b.rounds {
		rate, err := desks.drain(ctx)
		if err != nil {
			return "", err
		}
		rates = append(rates, rate)
	}
	err = desks.remove()
	return fmt.Sprintf("%d instances delivered %s events a second of the full queues of %d organisations, %s events in all.",
		n, grouped(int(load.Median(rates))), len(desks), grouped(queue)), err
}

// desks are endpoints of several organisations with one receiver.
type desks []*desk

func (all desks) drain(ctx context.Context) (float64, error) {
	failed := make([]error, len(all))
	var writing sync.WaitGroup
	for i, d := range all {
		if err := d.activate(false); err != nil {
			return 0, err
		}
		writing.Go(func() { failed[i] = d.write(clients/len(all), queue/len(all)) })
	}
	writing.Wait()
	if err := errors.Join(failed...); err != nil {
		return 0, err
	}
	before, _ := all[0].Got()
	began := time.Now()
	for _, d := range all {
		if err := d.activate(true); err != nil {
			return 0, err
		}
	}
	return all[0].await(ctx, before+queue, began)
}

func (all desks) remove() error {
	for _, d := range all {
		if err := d.remove(); err != nil {
			return err
		}
	}
	return nil
}
