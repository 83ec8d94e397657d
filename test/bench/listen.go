package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// minListened is the requirement for events per second that tidewaiter listen forwards.
const minListened = 1000

// measureListen forwards events with tidewaiter listen, first those that are stored and then others while they are
// being written, on each database.
func measureListen(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("`tidewaiter listen --forward` to one receiver that answers at once: %s stored events from its start, then as many while %d clients write them. There is no webhook endpoint.",
			grouped(queue), writers),
		head: []string{"", "stored, events/s", "while written, events/s"},
	}
	for _, database := range []string{"sqlite", "postgres"} {
		var settings []string
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
		stored, written, err := b.listen(ctx, database, settings)
		if err != nil {
			return s, err
		}
		s.rows = append(s.rows, []string{database, grouped(int(stored)), grouped(int(written))})
		s.verdicts = append(s.verdicts,
			atLeast("stored events/s that listen forwards, "+database, stored, minListened),
			atLeast("events/s that listen forwards while they are written, "+database, written, minListened))
	}
	return s, nil
}

func (b *bench) listen(ctx context.Context, database string, settings []string) (stored, written float64, err error) {
	data := filepath.Join(b.folder, "listen-"+database)
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return 0, 0, err
	}
	p, err := server.Start(ctx, b.serve("listen-"+database), data, settings...)
	if err != nil {
		return 0, 0, err
	}
	defer p.Stop()
	r, err := load.Receive(false)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	d := &target{Receiver: r, address: p.Address, office: office}
	if err := d.write(clients, queue); err != nil {
		return 0, 0, err
	}
	began := time.Now()
	listener := exec.CommandContext(ctx, b.program, "listen", "--url", "http://"+p.Address, "--forward", r.URL(), "--cursor", "oldest")
	listener.Env = append(os.Environ(), "TIDEWAITER_API_KEY="+office.Secret)
	if err := listener.Start(); err != nil {
		return 0, 0, err
	}
	defer func() { _ = listener.Process.Signal(syscall.SIGTERM); _ = listener.Wait() }()
	if stored, err = d.await(ctx, queue, began); err != nil {
		return 0, 0, err
	}
	before, _ := r.Got()
	began = time.Now()
	if err := d.write(writers, queue); err != nil {
		return 0, 0, err
	}
	written, err = d.await(ctx, before+queue, began)
	return stored, written, err
}
