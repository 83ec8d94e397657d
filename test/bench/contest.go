package main

import (
	"context"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// contender is one of the compared programs, with its figures of every round.
type contender struct {
	name    string
	process *server.Process
	target  load.Target
	rounds  []round

	others []*server.Process                                             // further processes that answer
	drive  func(clients int, length time.Duration) (load.Figures, error) // replaces loading the single target
	end    func()                                                        // stops what drive needs; nil for nothing
}

// round is one measurement of a contender.
type round struct {
	load.Figures
	processor time.Duration // that the server used for one request
	clients   time.Duration // that the clients used for one request
}

// warmUpDivisor is the divisor of the time for which each contender runs before the first round.
const warmUpDivisor = 2

// contest loads all contenders alternately.
func (b *bench) contest(ctx context.Context, clients int, all ...*contender) error {
	for _, c := range all {
		if _, err := c.run(clients, b.roundTime/warmUpDivisor); err != nil {
			return err
		}
	}
	for range b.rounds {
		for _, c := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.measure(clients, b.roundTime); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *contender) run(clients int, length time.Duration) (load.Figures, error) {
	if c.drive != nil {
		return c.drive(clients, length)
	}
	return load.Run(c.target, clients, length)
}

func (c *contender) measure(clients int, length time.Duration) error {
	server, own, err := c.used()
	if err != nil {
		return err
	}
	f, err := c.run(clients, length)
	if err != nil {
		return err
	}
	serverAfter, ownAfter, err := c.used()
	if err != nil {
		return err
	}
	n := time.Duration(max(1, f.Requests))
	c.rounds = append(c.rounds, round{f, (serverAfter - server) / n, (ownAfter - own) / n})
	return nil
}

// used is the processor time of the server and of this process so far.
func (c *contender) used() (service, own time.Duration, err error) {
	for _, p := range append(c.others, c.process) {
		if p == nil {
			continue
		}
		used, err := p.Processor()
		if err != nil {
			return 0, 0, err
		}
		service += used
	}
	var u syscall.Rusage
	err = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return service, time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// perSecond and the following functions select a figure of a round.
func perSecond(r round) float64 { return r.PerSecond }
func p50(r round) float64       { return r.P50.Seconds() }
func p95(r round) float64       { return r.P95.Seconds() }
func p99(r round) float64       { return r.P99.Seconds() }
func processor(r round) float64 { return r.processor.Seconds() }
func generator(r round) float64 { return r.clients.Seconds() }

func (c *contender) median(of func(round) float64) float64 {
	values := make([]float64, len(c.rounds))
	for i, r := range c.rounds {
		values[i] = of(r)
	}
	return load.Median(values)
}

// ratio is the median, over the rounds, of this contender's figure divided by the other's.
func (c *contender) ratio(other *contender, of func(round) float64) float64 {
	values := make([]float64, len(c.rounds))
	for i := range c.rounds {
		values[i] = of(c.rounds[i]) / of(other.rounds[i])
	}
	return load.Median(values)
}
