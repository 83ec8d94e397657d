package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// maxGrown is the limit of a request's time with the most declarations, in multiples of that with the fewest.
const maxGrown = 1.5

// fewest is the number of declarations with which the others are compared, and perOrganisation the average number of an
// organisation, in every database.
const (
	fewest          = 10_000
	perOrganisation = 1_000
)

// sizes are the numbers of declarations, in order.
func (b *bench) sizes() []int {
	switch {
	case b.quick:
		return []int{100_000}
	case b.large:
		return []int{100_000, 1_000_000, 10_000_000}
	}
	return []int{100_000, 1_000_000}
}

// measureGrow sends the same requests to a service with few declarations and to one with more and more,
// alternately.
func measureGrow(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("The same requests to a service with %s declarations, and to one with more and more: p50 of both, and their ratio. "+
			"There is an organisation for every %s declarations; of a hundred, one has twenty times as many as most, and of a thousand, one has a hundred times as many. "+
			"PostgreSQL commits durably; one client. Lists of a random organisation read pages that are in no cache, the more so the more organisations there are: they are shown without a requirement.", grouped(fewest), grouped(perOrganisation)),
		head: []string{"declarations", "request", "few, p50, ms", "many, p50, ms", "many to few"},
	}
	e, err := openDurableServer()
	if err != nil {
		return s, err
	}
	defer e.close()
	few, err := e.tenantDatabase(ctx, b, "few")
	if err != nil {
		return s, err
	}
	defer few.Close()
	if _, err := e.grow(ctx, few, fewest); err != nil {
		return s, err
	}
	many, err := e.tenantDatabase(ctx, b, "many")
	if err != nil {
		return s, err
	}
	defer many.Close()
	for _, size := range b.sizes() {
		note, err := e.grow(ctx, many, size)
		if err != nil {
			return s, err
		}
		s.notes = append(s.notes, note)
		if err := b.compare(ctx, &s, few, many, size == slices.Max(b.sizes())); err != nil {
			return s, fmt.Errorf("%s declarations: %w", grouped(size), err)
		}
	}
	return s, nil
}

// grow fills a database up to a number of declarations, and describes the result.
func (e *durableServer) grow(ctx context.Context, t *tenantDatabase, size int) (note string, err error) {
	began := time.Now()
	err = e.withoutSync(ctx, func() error {
		return t.Grow(ctx, size/perOrganisation, func(rank int) int { return share(rank, size) })
	})
	if err != nil {
		return "", err
	}
	bytes, err := t.Size(ctx)
	return fmt.Sprintf("%s declarations of %s organisations took %s to write, and take %s GB.",
		grouped(t.Made), grouped(len(t.Organisations)), time.Since(began).Round(time.Second), short(float64(bytes)/1e9)), err
}

// share is the number of declarations of an organisation: the first of each thousand has a hundred times as many
// as most, the second of each hundred twenty times.
func share(rank, size int) int {
	switch {
	case rank%1000 == 0:
		return size / 100
	case rank%100 == 1:
		return size / 500
	}
	organisations := size / perOrganisation
	first, second := (organisations+999)/1000, (organisations+98)/100
	return (size - first*size/100 - second*size/500) / (organisations - first - second)
}

// Ranks of organisations whose requests are measured.
const (
	grownOrganisation    = 0 // grows with the database
	firstUsual, endUsual = 2, 10
)

// comparedRequest is a compared request.
type comparedRequest struct {
	what   string
	target func(ctx context.Context, v *runningDatabase) (func(n int) load.Target, error)
	free   bool // without a requirement
}

// runningDatabase is a database with a running service.
type runningDatabase struct {
	*tenantDatabase
	process *server.Process
}

func (v *runningDatabase) office(rank int) server.Office { return office(v.Organisations[rank]) }

// usual uses each of a few organisations in turn.
func (v *runningDatabase) usual(path func(server.Office) (string, error)) (func(n int) load.Target, error) {
	var targets []load.Target
	for rank := firstUsual; rank < endUsual; rank++ {
		office := v.office(rank)
		p, err := path(office)
		if err != nil {
			return nil, err
		}
		targets = append(targets, load.Get(v.process.Address, office.Secret, p))
	}
	return func(n int) load.Target { return targets[n%len(targets)] }, nil
}

// same is a path for every organisation.
func same(path string) func(context.Context, *runningDatabase) (func(int) load.Target, error) {
	return func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) {
		return v.usual(func(server.Office) (string, error) { return path, nil })
	}
}

var grownRequests = []comparedRequest{
	{what: "list, first page", target: same(listPath)},
	{what: "list, last page", target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) { return v.usual(v.lastPage) }},
	{what: "list of one state", target: same(listPath + "&status=CLEARED")},
	{what: "list of a state without declarations", target: same(listPath + "&status=SUBMITTED")},
	{what: "list of the organisation that grows", target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) {
		t := load.Get(v.process.Address, v.office(grownOrganisation).Secret, listPath)
		return func(int) load.Target { return t }, nil
	}},
	{what: "list of a random organisation", free: true, target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) {
		random := rand.New(rand.NewPCG(1, 2))
		return func(int) load.Target {
			return load.Get(v.process.Address, v.Organisations[random.IntN(len(v.Organisations))].Secret, listPath)
		}, nil
	}},
	{what: "one declaration", target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) { return v.usual(v.newest) }},
	{what: "its trail", target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) {
		return v.usual(func(o server.Office) (string, error) { p, err := v.newest(o); return p + "/timeline", err })
	}},
	{what: "deadlines", target: same("/api/deadlines")},
	{what: "export of all of one organisation", target: same("/api/export/declarations")},
	{what: "create", target: func(_ context.Context, v *runningDatabase) (func(int) load.Target, error) {
		return func(n int) load.Target {
			office := v.office(firstUsual + n%(endUsual-firstUsual))
			return load.Post(v.process.Address, office.Secret, "/api/declarations", office.DeclarationNumbered(n))
		}, nil
	}},
}

// page is the part of a list that the bench reads.
type page struct {
	Declarations []stored
	NextCursor   *string
}

func (v *runningDatabase) newest(o server.Office) (string, error) {
	var p page
	err := o.Call(v.process.Address, http.MethodGet, listPath, "", &p)
	if err == nil && len(p.Declarations) == 0 {
		err = fmt.Errorf("%s has no declarations", o.Org)
	}
	if err != nil {
		return "", err
	}
	return "/api/declarations/" + p.Declarations[len(p.Declarations)-1].ID, nil
}

// lastPage reads the pages of an organisation up to the last.
func (v *runningDatabase) lastPage(o server.Office) (path string, err error) {
	for path = listPath; ; {
		var p page
		if err := o.Call(v.process.Address, http.MethodGet, path, "", &p); err != nil || p.NextCursor == nil {
			return path, err
		}
		path = listPath + "&cursor=" + *p.NextCursor
	}
}

// compare sends the same requests to both databases.
func (b *bench) compare(ctx context.Context, s *section, few, many *tenantDatabase, demanded bool) error {
	var visits []*runningDatabase
	for _, t := range []*tenantDatabase{few, many} {
		p, err := t.serve(ctx, b)
		if err != nil {
			return err
		}
		defer p.Stop()
		visits = append(visits, &runningDatabase{t, p})
	}
	for _, request := range grownRequests {
		var both []*contender
		for _, v := range visits {
			target, err := request.target(ctx, v)
			if err != nil {
				return fmt.Errorf("%s: %w", request.what, err)
			}
			both = append(both, &contender{process: v.process, drive: func(clients int, length time.Duration) (load.Figures, error) {
				return load.RunEach(func(_, n int) load.Target { return target(n) }, clients, length)
			}})
		}
		if err := b.contest(ctx, 1, both...); err != nil {
			return fmt.Errorf("%s: %w", request.what, err)
		}
		grown := both[1].ratio(both[0], p50)
		s.rows = append(s.rows, []string{
			grouped(many.Made), request.what, short(both[0].median(p50) * 1e3), short(both[1].median(p50) * 1e3), short(grown),
		})
		if demanded && !request.free {
			s.verdicts = append(s.verdicts, below("p50, "+grouped(many.Made)+" to few, "+request.what, grown, maxGrown, ""))
		}
	}
	return nil
}
