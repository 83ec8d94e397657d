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

// Organisations in the database of the instances, and declarations of each.
const (
	fleetOrganisations = 16
	fleetOf            = 1_000
)

// maxInstances are started; one, two or all of them get requests.
const maxInstances = 4

// minOfDatabase is the required share of the bare database's rate.
const minOfDatabase = 0.35

// measureFleet sends requests to one, two and four instances on one database, to the bare database and to bare
// net/http.
func measureFleet(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("One, two or four of %d instances on one PostgreSQL that commits durably, with requests of %d clients for %d organisations with %s declarations each. "+
			"For the reads, the bare database is asked by as many psql processes: each sends the statement of the service as text, for the same rows and columns with the same plan under the same row-level security, and prints the rows. "+
			"Two more rows show how fast the database is without a part of that work: with a statement that psql has prepared, so that the database does not plan it again, as the service's; "+
			"and with clients that receive the same rows in the binary format and do not look at them. "+
			"For creates it gets only the statements, prepared, from as many connections; bare net/http decodes the same body or answers as many bytes. "+
			"Clients, instances and database share the machine's cores: further instances use what one cannot use, and add no cores. "+
			"Compared with the bare database, a request also needs: a statement that looks its key up, so that a revoked key ends at once; "+
			"setting the organisation of each message, while a connection of the bare database has only one; for deadlines, the organisation's own terms and the clients with monthly declarations; for an export, its audit event, which is committed durably; "+
			"and HTTP, checks, JSON or CSV, a log line and metrics. Changes of one organisation share their commits; those of the bare database do not.", maxInstances, clients, fleetOrganisations, grouped(fleetOf)),
	}
	e, err := openDurableServer()
	if err != nil {
		return s, err
	}
	defer e.close()
	t, err := e.tenantDatabase(ctx, b, "fleet")
	if err != nil {
		return s, err
	}
	defer t.Close()
	if err := e.withoutSync(ctx, func() error { return t.Grow(ctx, fleetOrganisations, func(int) int { return fleetOf }) }); err != nil {
		return s, err
	}
	if err := b.requests(ctx, &s, t); err != nil {
		return s, err
	}
	for _, n := range []int{1, 2, maxInstances} {
		note, err := b.fleetDelivers(ctx, t, n)
		if err != nil {
			return s, err
		}
		s.notes = append(s.notes, note)
	}
	return s, nil
}

// fleetRequest is a request to the instances, the bare database and bare net/http.
type fleetRequest struct {
	what          string
	organisations int // that are requested
	target        func(address string, h *stock.Organisation) load.Target
	bare          func(*limit) ([]*contender, error) // the bare database; the first one is compared with
	answer        int                                // bytes of bare net/http's answer
}

func getting(path string) func(string, *stock.Organisation) load.Target {
	return func(address string, h *stock.Organisation) load.Target { return load.Get(address, h.Secret, path) }
}

func posting(address string, h *stock.Organisation) load.Target {
	return load.Post(address, h.Secret, "/api/declarations", office(h).DeclarationNumbered(0))
}

func reads(query string) func(*limit) ([]*contender, error) {
	return func(l *limit) ([]*contender, error) {
		text, err := l.throughPsql("psql", query, false)
		if err != nil {
			return nil, err
		}
		prepared, err := l.throughPsql("psql, prepared", query, true)
		return []*contender{text, prepared, l.contender("rows that are not read", l.reading(query))}, err
	}
}

func creates(l *limit) ([]*contender, error) {
	return []*contender{l.contender("bare database", l.creating)}, nil
}

var fleetRequests = []fleetRequest{
	{"list of 50", fleetOrganisations, getting(listPath), reads(pageOfList), 17_000},
	{"export of 1,000", fleetOrganisations, getting("/api/export/declarations"), reads(allOfList), 250_000},
	{"deadlines", fleetOrganisations, getting("/api/deadlines"), reads(whatIsDue), 1_500},
	{"create", fleetOrganisations, posting, creates, 0}, // after the reads, which would otherwise find more
	{"create, one organisation", 1, posting, creates, 0},
}

func office(h *stock.Organisation) server.Office {
	return server.Office{Org: string(h.Org), Secret: h.Secret, ShipmentID: h.Shipment}
}

func (b *bench) requests(ctx context.Context, s *section, t *tenantDatabase) error {
	instances, err := t.fleet(ctx, b, maxInstances)
	if err != nil {
		return err
	}
	defer stopAll(instances)
	address, err := serviceAddress(t.address)
	if err != nil {
		return err
	}
	for _, r := range fleetRequests {
		organisations := t.Organisations[:r.organisations]
		bare, err := r.bare(&limit{ctx, address, organisations})
		if err != nil {
			return err
		}
		echo, err := server.Start(ctx, []string{b.bare}, t.data, fmt.Sprintf("BARE_ECHO=%d", r.answer))
		if err != nil {
			return err
		}
		web := fleetContender("bare net/http", []*server.Process{echo}, organisations, r.target)
		one := fleetContender("1 instance", instances[:1], organisations, r.target)
		all := append(append([]*contender{web}, bare...), one,
			fleetContender("2 instances", instances[:2], organisations, r.target),
			fleetContender(fmt.Sprint(maxInstances, " instances"), instances, organisations, r.target))
		err = b.contest(ctx, clients, all...)
		echo.Stop()
		for _, c := range bare {
			if c.end != nil {
				c.end()
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.what, err)
		}
		s.verdicts = append(s.verdicts, atLeast("requests/s, 1 instance to "+bare[0].name+", "+r.what, one.ratio(bare[0], perSecond), minOfDatabase))
		for _, c := range all {
			c.name = r.what + ": " + c.name
		}
		s.rows = append(s.rows, loadRows(all...)...)
	}
	return nil
}

// fleet starts n instances.
func (t *tenantDatabase) fleet(ctx context.Context, b *bench, n int) (all []*server.Process, err error) {
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

// fleetContender lets clients use instances and organisations in turn.
func fleetContender(name string, instances []*server.Process, organisations []*stock.Organisation, target func(string, *stock.Organisation) load.Target) *contender {
	targets := make([][]load.Target, len(instances))
	for i, p := range instances {
		for _, h := range organisations {
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

// fleetDelivers drains a queue of every organisation with n instances.
func (b *bench) fleetDelivers(ctx context.Context, t *tenantDatabase, n int) (note string, err error) {
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
	var all targets
	for i, h := range t.Organisations {
		d, err := targetAt(receiver, instances[i%n].Address, office(h))
		if err != nil {
			return "", err
		}
		all = append(all, d)
	}
	var rates []float64
	for range b.rounds {
		rate, err := all.drain(ctx)
		if err != nil {
			return "", err
		}
		rates = append(rates, rate)
	}
	err = all.remove()
	return fmt.Sprintf("%d instances delivered %s events a second of the full queues of %d organisations, %s events in all.",
		n, grouped(int(load.Median(rates))), len(all), grouped(queue)), err
}

// targets are endpoints of several organisations with one receiver.
type targets []*target

func (all targets) drain(ctx context.Context) (float64, error) {
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

func (all targets) remove() error {
	for _, d := range all {
		if err := d.remove(); err != nil {
			return err
		}
	}
	return nil
}
