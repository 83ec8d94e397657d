package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// queue is the number of delivered events.
const queue = 10_000

// Requirements for deliveries per second.
const (
	minDraining = 6000
	minRunning  = 4300
)

// writers write events while others are delivered.
const writers = 8

// deliveryLimit is how long a queue may take to drain.
const deliveryLimit = 2 * time.Minute

const endpointsPath = "/api/webhooks/endpoints"

// allowLoopback lets webhooks go to the receivers of the bench.
const allowLoopback = "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true"

// measureDeliver delivers events to one receiver, from a full queue and while they are being written, on each
// database.
func measureDeliver(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("A queue of %s events to one receiver that answers at once, from the moment when its endpoint is resumed; then the same while %d clients continue to write events to it. Median of %d rounds.",
			grouped(queue), writers, b.rounds),
		head: []string{"", "full queue, deliveries/s", "while written, deliveries/s"},
	}
	for _, database := range []string{"sqlite", "postgres"} {
		settings := []string{allowLoopback}
		if database == "postgres" {
			setting, found, err := server.Database(ctx, "tidewaiter_bench")
			if err != nil {
				return s, err
			}
			if !found {
				s.notes = append(s.notes, "Not measured on PostgreSQL: "+server.PostgresVariable+" was not set.")
				continue
			}
			settings = append(settings, setting)
		}
		draining, running, err := b.deliver(ctx, database, settings)
		if err != nil {
			return s, err
		}
		s.rows = append(s.rows, []string{database, grouped(int(draining)), grouped(int(running))})
		s.verdicts = append(s.verdicts,
			atLeast("deliveries/s from a full queue, "+database, draining, minDraining),
			atLeast("deliveries/s while events are written, "+database, running, minRunning))
	}
	return s, nil
}

func (b *bench) deliver(ctx context.Context, database string, settings []string) (draining, running float64, err error) {
	data := filepath.Join(b.folder, "deliver-"+database)
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return 0, 0, err
	}
	p, err := server.Start(ctx, b.serve("deliver-"+database), data, settings...)
	if err != nil {
		return 0, 0, err
	}
	defer p.Stop()
	var full, written []float64
	for range b.rounds {
		r, err := newTarget(p.Address, office)
		if err != nil {
			return 0, 0, err
		}
		f, w, err := r.round(ctx)
		r.Close()
		if err != nil {
			return 0, 0, err
		}
		full, written = append(full, f), append(written, w)
	}
	return load.Median(full), load.Median(written), nil
}

// target is an endpoint with its receiver.
type target struct {
	*load.Receiver
	address, id string
	office      server.Office
}

func newTarget(address string, o server.Office) (*target, error) {
	r, err := load.Receive(false)
	if err != nil {
		return nil, err
	}
	return targetAt(r, address, o)
}

// targetAt is an endpoint with a receiver that others may share.
func targetAt(r *load.Receiver, address string, o server.Office) (*target, error) {
	var made struct{ Endpoint struct{ ID string } }
	err := o.Call(address, http.MethodPost, endpointsPath, `{"url":"`+r.URL()+`"}`, &made)
	return &target{r, address, made.Endpoint.ID, o}, err
}

// round drains a full queue, then another while events are being written, and removes the endpoint.
func (d *target) round(ctx context.Context) (draining, running float64, err error) {
	if draining, err = d.drain(ctx, nil); err != nil {
		return 0, 0, err
	}
	if running, err = d.drain(ctx, d.keepWriting); err != nil {
		return 0, 0, err
	}
	return draining, running, d.remove()
}

func (d *target) remove() error {
	return d.office.Call(d.address, http.MethodDelete, endpointsPath+"/"+d.id, "", new(any))
}

// drain fills the queue of the paused endpoint, resumes it, and returns the deliveries per second until the
// queue's number of events has arrived. Meanwhile runs until then.
func (d *target) drain(ctx context.Context, meanwhile func(stop *atomic.Bool) error) (float64, error) {
	if err := d.activate(false); err != nil {
		return 0, err
	}
	if err := d.write(clients, queue); err != nil {
		return 0, err
	}
	before, _ := d.Got()
	began := time.Now()
	if err := d.activate(true); err != nil {
		return 0, err
	}
	var stop atomic.Bool
	beside := make(chan error, 1)
	go func() {
		if meanwhile == nil {
			beside <- nil
			return
		}
		beside <- meanwhile(&stop)
	}()
	rate, err := d.await(ctx, before+queue, began)
	stop.Store(true)
	return rate, errors.Join(err, <-beside)
}

func (d *target) keepWriting(stop *atomic.Bool) error {
	for !stop.Load() {
		if err := d.write(writers, 100*writers); err != nil {
			return err
		}
	}
	return nil
}

func (d *target) activate(active bool) error {
	return d.office.Call(d.address, http.MethodPatch, endpointsPath+"/"+d.id, fmt.Sprintf(`{"active":%t}`, active), new(any))
}

func (d *target) write(clients, count int) error {
	return load.Send(d.event(), clients, count)
}

// event is a request that causes one event.
func (d *target) event() load.Target {
	return load.Post(d.address, d.office.Secret, "/api/clients", []byte(`{"name":"Harbour Textiles Ltd","eori":"GB123456789000"}`))
}

// await waits until a total number of deliveries has arrived, and returns the rate of the queue since it began.
func (d *target) await(ctx context.Context, total int, began time.Time) (float64, error) {
	for {
		n, last := d.Got()
		if n >= total {
			return queue / last.Sub(began).Seconds(), nil
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if time.Since(began) > deliveryLimit {
			return 0, fmt.Errorf("%d of %d deliveries arrived within %s", n, total, deliveryLimit)
		}
		time.Sleep(time.Millisecond)
	}
}
