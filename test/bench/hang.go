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

// How many endpoints there are, how many of them never answer, and how many events
// they get, how often.
const (
	endpoints = 100
	hanging   = 20
	announced = 200
	everySoOf = 50 * time.Millisecond
)

// mostDelay is how much longer a delivery may take because others hang.
const mostDelay = 2.0

// measureHang compares how long deliveries are under way when all endpoints answer,
// and when some take every request and never do.
func measureHang(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("One event every %s to %d endpoints of one organisation: the time from the change to the arrival at those that answer, on SQLite. %d rounds.",
			everySoOf, endpoints, b.rounds),
		head: []string{"", "p50, ms", "p99, ms"},
	}
	well, err := newCrowd(ctx, b, "hang-none", 0)
	if err != nil {
		return s, err
	}
	defer well.stop()
	ill, err := newCrowd(ctx, b, "hang-some", hanging)
	if err != nil {
		return s, err
	}
	defer ill.stop()
	var ratios []float64
	for range b.rounds {
		for _, c := range []*crowd{well, ill} {
			if err := c.round(ctx); err != nil {
				return s, err
			}
		}
		ratios = append(ratios, float64(ill.p50[len(ill.p50)-1])/float64(well.p50[len(well.p50)-1]))
	}
	for _, c := range []*crowd{well, ill} {
		s.rows = append(s.rows, []string{c.name, short(load.Median(c.p50).Seconds() * 1e3), short(load.Median(c.p99).Seconds() * 1e3)})
	}
	s.verdicts = []verdict{below("p50, some to none", load.Median(ratios), mostDelay, "")}
	return s, nil
}

// crowd is an organisation with many endpoints.
type crowd struct {
	name     string
	p        *server.Process
	office   server.Office
	answers  *load.Receiver
	silent   *load.Receiver
	awake    int
	p50, p99 []time.Duration
}

func newCrowd(ctx context.Context, b *bench, folder string, hanging int) (c *crowd, err error) {
	c = &crowd{name: fmt.Sprintf("%d of %d hang", hanging, endpoints), awake: endpoints - hanging}
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
		if i >= c.awake {
			url = c.silent.URL()
		}
		body := fmt.Sprintf(`{"url":"%s%d"}`, url, i)
		if err := c.office.Call(c.p.Address, http.MethodPost, endpointsPath, body, new(any)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *crowd) stop() {
	c.p.Stop()
	c.answers.Close()
	c.silent.Close()
}

// round announces events and waits until all that answer have them.
func (c *crowd) round(ctx context.Context) error {
	before, _ := c.answers.Got()
	c.answers.Delays()
	for range announced {
		if err := c.office.Call(c.p.Address, http.MethodPost, "/api/clients", `{"name":"Harbour Textiles Ltd"}`, new(any)); err != nil {
			return err
		}
		time.Sleep(everySoOf)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if n, _ := c.answers.Got(); n >= before+announced*c.awake {
			break
		}
		if time.Since(began) > deliveryPatience || ctx.Err() != nil {
			return fmt.Errorf("not all deliveries came within %s", deliveryPatience)
		}
	}
	p50, p99 := c.answers.Delays()
	c.p50, c.p99 = append(c.p50, p50), append(c.p99, p99)
	return nil
}
