package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// formerCommit is the commit of November 2026 to whose deliveries today's are compared.
const formerCommit = "be274fa"

// Requirements for deliveries beside those of the former commit.
const (
	mostDelay    = 0.43 // p99 on SQLite while events are written, in multiples
	leastDrained = 1.0  // deliveries per second from a full queue, in multiples
	mostUsed     = 1.0  // processor time of one, in multiples
	pace         = 2000 // events per second
	mostAtPace   = 40.0 // p99 in milliseconds
)

// formerRounds is the number of rounds; delays under load differ more than other figures.
const formerRounds = 5

// measureFormer compares deliveries with those of the former commit, on each database.
func measureFormer(ctx context.Context, b *bench) (s section, err error) {
	s = section{
		text: fmt.Sprintf("One receiver that answers at once, and %d clients that write events without a pause for %s: p99 of the delay from an event to its arrival, and what has not arrived when they end. Then a full queue of %s events; then %s events a second. In turns with the program of commit %s; medians of %d rounds.",
			clients, b.roundTime, grouped(queue), grouped(pace), formerCommit, formerRounds),
		head: []string{"", "p99 while written, ms", "left", "events written/s", "full queue, deliveries/s", "processor, µs a delivery", fmt.Sprintf("p99 at %s/s, ms", grouped(pace))},
	}
	former, err := buildFormer(ctx, b)
	if err != nil {
		s.notes = append(s.notes, "Not measured: "+err.Error())
		return s, nil
	}
	onSQLite := 0.0
	for _, database := range []string{"sqlite", "postgres"} {
		then, now := &deliverer{name: formerCommit, program: former}, &deliverer{name: "today", program: b.program}
		started, err := b.startDeliverers(ctx, database, then, now)
		if err == nil && !started {
			s.notes = append(s.notes, "Not measured on PostgreSQL: "+server.PostgresVariable+" was not set.")
			continue
		}
		if err == nil {
			err = b.deliverInTurns(ctx, then, now)
		}
		then.stop()
		now.stop()
		if err != nil {
			return s, err
		}
		s.rows = append(s.rows, then.row(database), now.row(database))
		s.verdicts = append(s.verdicts, now.verdicts(then, database)...)
		if database == "sqlite" {
			onSQLite = load.Median(now.delay)
			s.verdicts = append(s.verdicts, below("p99 while events are written, sqlite, to "+formerCommit, ratioOf(now.delay, then.delay), mostDelay, ""))
			continue
		}
		s.verdicts = append(s.verdicts, below("p99 while events are written, postgres to sqlite", load.Median(now.delay)/onSQLite, 1, ""))
	}
	return s, nil
}

// buildFormer builds the program of the former commit from the history of this repository.
func buildFormer(ctx context.Context, b *bench) (program string, err error) {
	folder := filepath.Join(b.folder, "former")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	archive := filepath.Join(b.folder, "former.tar")
	if text, err := exec.CommandContext(ctx, "git", "archive", "-o", archive, formerCommit).CombinedOutput(); err != nil {
		return "", fmt.Errorf("commit %s is not in the history: %w %s", formerCommit, err, text)
	}
	if text, err := exec.CommandContext(ctx, "tar", "-x", "-C", folder, "-f", archive).CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpacking commit %s: %w %s", formerCommit, err, text)
	}
	program = filepath.Join(b.folder, "former-tidewaiter")
	if err := goCommand(ctx, "build", "-C", folder, "-trimpath", "-buildvcs=false", "-o", program, "./cmd/tidewaiter").Run(); err != nil {
		return "", fmt.Errorf("building commit %s: %w", formerCommit, err)
	}
	return program, nil
}

// deliverer is a program that delivers, with its figures of every round.
type deliverer struct {
	name, program string
	office        server.Office
	process       *server.Process

	delay, left, written, drained, used, atPace []float64
}

// startDeliverers starts programs on empty databases; started is false if there is no such database.
func (b *bench) startDeliverers(ctx context.Context, database string, all ...*deliverer) (started bool, err error) {
	for i, d := range all {
		settings := []string{allowLoopback}
		if database == "postgres" {
			setting, found, err := server.Database(ctx, fmt.Sprint("tidewaiter_bench_", i))
			if err != nil || !found {
				return false, err
			}
			settings = append(settings, setting)
		}
		data := filepath.Join(b.folder, "former-"+database+"-"+d.name)
		if d.office, err = server.Found(ctx, d.program, data, settings...); err != nil {
			return false, err
		}
		if d.process, err = server.Start(ctx, []string{d.program, "serve"}, data, settings...); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (d *deliverer) stop() {
	if d.process != nil {
		d.process.Stop()
	}
}

// deliverInTurns measures all programs, each with a new endpoint in each round.
func (b *bench) deliverInTurns(ctx context.Context, all ...*deliverer) error {
	for range formerRounds {
		for _, d := range all {
			r, err := newTarget(d.process.Address, d.office)
			if err != nil {
				return err
			}
			err = errors.Join(d.whileWritten(ctx, r, b.roundTime), d.fromQueue(ctx, r), d.paced(ctx, r, b.roundTime), r.remove())
			r.Close()
			if err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
	}
	return nil
}

// whileWritten measures the delays while clients write without a pause.
func (d *deliverer) whileWritten(ctx context.Context, r *target, length time.Duration) error {
	before, _ := r.Got()
	r.Delays()
	f, err := load.Run(r.event(), clients, length)
	if err != nil {
		return err
	}
	there, _ := r.Got()
	d.left = append(d.left, float64(f.Requests-(there-before)))
	if _, err := r.await(ctx, before+f.Requests, time.Now()); err != nil {
		return err
	}
	_, p99 := r.Delays()
	d.delay, d.written = append(d.delay, p99.Seconds()*1e3), append(d.written, f.PerSecond)
	return nil
}

// fromQueue measures the rate and the processor time of deliveries from a full queue.
func (d *deliverer) fromQueue(ctx context.Context, r *target) error {
	if err := errors.Join(r.activate(false), r.write(clients, queue)); err != nil {
		return err
	}
	before, _ := r.Got()
	processor, err := d.process.Processor()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := r.activate(true); err != nil {
		return err
	}
	rate, err := r.await(ctx, before+queue, began)
	if err != nil {
		return err
	}
	after, err := d.process.Processor()
	d.drained, d.used = append(d.drained, rate), append(d.used, (after-processor).Seconds()/queue*1e6)
	return err
}

// paced measures the delays at a fixed number of events per second.
func (d *deliverer) paced(ctx context.Context, r *target, length time.Duration) error {
	before, _ := r.Got()
	r.Delays()
	f, err := load.RunPaced(r.event(), clients, pace, length)
	if err != nil {
		return err
	}
	if _, err := r.await(ctx, before+f.Requests, time.Now()); err != nil {
		return err
	}
	_, p99 := r.Delays()
	d.atPace = append(d.atPace, p99.Seconds()*1e3)
	return nil
}

func (d *deliverer) row(database string) []string {
	return []string{database + ", " + d.name, short(load.Median(d.delay)), short(load.Median(d.left)), grouped(int(load.Median(d.written))),
		grouped(int(load.Median(d.drained))), short(load.Median(d.used)), short(load.Median(d.atPace))}
}

// verdicts are those that hold on each database.
func (d *deliverer) verdicts(former *deliverer, database string) []verdict {
	return []verdict{
		atLeast("deliveries/s from a full queue, "+database+", to "+formerCommit, ratioOf(d.drained, former.drained), leastDrained),
		below("processor of a delivery, "+database+", to "+formerCommit, ratioOf(d.used, former.used), mostUsed, ""),
		below(fmt.Sprintf("p99 at %s events/s, %s", grouped(pace), database), load.Median(d.atPace), mostAtPace, "ms"),
	}
}

// ratioOf is the median of the ratios of the rounds.
func ratioOf(of, to []float64) float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = of[i] / to[i]
	}
	return load.Median(all)
}
