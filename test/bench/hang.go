package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Number of endpoints, of those that never answer, of events, and their interval.
const (
	endpoints        = 100
	hangingEndpoints = 20
	eventCount       = 200
	eventInterval    = 50 * time.Millisecond
)

// maxDelay is the limit of a delivery's time while others hang, in multiples of that without.
const maxDelay = 2.0

// measureHang compares the time of deliveries if all endpoints answer, and if some accept every request and never
// answer.
func measureHang(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("One event every %s to %d endpoints of one organisation: the time from the change to the arrival at those that answer, on SQLite. %d rounds.",
			eventInterval, endpoints, b.rounds),
		head: []string{"", "p50, ms", "p99, ms"},
	}
	well, err := newManyEndpoints(ctx, b, "hang-none", 0)
	if err != nil {
		return s, err
	}
	defer well.stop()
	ill, err := newManyEndpoints(ctx, b, "hang-some", hangingEndpoints)
	if err != nil {
		return s, err
	}
	defer ill.stop()
	var ratios []float64
	for range b.rounds {
		for _, c := range []*manyEndpoints{well, ill} {
			if err := c.round(ctx); err != nil {
				return s, err
			}
		}
		ratios = append(ratios, float64(ill.p50[len(ill.p50)-1])/float64(well.p50[len(well.p50)-1]))
	}
	for _, c := range []*manyEndpoints{well, ill} {
		s.rows = append(s.rows, []string{c.name, short(load.Median(c.p50).Seconds() * 1e3), short(load.Median(c.p99).Seconds() * 1e3)})
	}
	idle, delivered, err := b.holdEndpoints(ctx)
	if err != nil {
		return s, err
	}
	s.notes = append(s.notes, fmt.Sprintf("%s endpoints in %d organisations use %s MB more than none while they wait, and %s MB more after each has got an event, when the garbage collector has the room that the deliveries needed.",
		grouped(idleEndpoints), idleOrganisations, short(idle), short(delivered)))
	s.verdicts = []verdict{
		below("p50, some hang to none", load.Median(ratios), maxDelay, ""),
		below("memory of "+grouped(idleEndpoints)+" idle endpoints", idle, maxForEndpoints, "MB"),
	}
	return s, nil
}

// manyEndpoints is an organisation with many endpoints.
type manyEndpoints struct {
	name      string
	p         *server.Process
	office    server.Office
	answers   *load.Receiver
	silent    *load.Receiver
	answering int
	p50, p99  []time.Duration
}

func newManyEndpoints(ctx context.Context, b *bench, folder string, hanging int) (c *manyEndpoints, err error) {
	c = &manyEndpoints{name: fmt.Sprintf("%d of %d hang", hanging, endpoints), answering: endpoints - hanging}
	data := filepath.Join(b.folder, folder)
	if c.office, err = server.Found(ctx, b.program, data); err != nil {
		return nil, err
	}
	if c.p, err = server.Start(ctx, b.serve(folder), data, allowLoopback); err != nil {
		return nil, err
	}
	if c.answers, err = load.Receive(false); err != nil {
		return nil, err
	}
	if c.silent, err = load.Receive(true); err != nil {
		return nil, err
	}
	for i := range endpoints {
		url := c.answers.URL()
		if i >= c.answering {
			url = c.silent.URL()
		}
		body := fmt.Sprintf(`{"url":"%s%d"}`, url, i)
		if err := c.office.Call(c.p.Address, http.MethodPost, endpointsPath, body, new(any)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *manyEndpoints) stop() {
	c.p.Stop()
	c.answers.Close()
	c.silent.Close()
}

// round creates events and waits until all answering endpoints have them.
func (c *manyEndpoints) round(ctx context.Context) error {
	before, _ := c.answers.Got()
	c.answers.Delays()
	for range eventCount {
		if err := c.office.Call(c.p.Address, http.MethodPost, "/api/clients", `{"name":"Harbour Textiles Ltd"}`, new(any)); err != nil {
			return err
		}
		time.Sleep(eventInterval)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if n, _ := c.answers.Got(); n >= before+eventCount*c.answering {
			break
		}
		if time.Since(began) > deliveryLimit || ctx.Err() != nil {
			return fmt.Errorf("not all deliveries arrived within %s", deliveryLimit)
		}
	}
	p50, p99 := c.answers.Delays()
	c.p50, c.p99 = append(c.p50, p50), append(c.p99, p99)
	return nil
}
