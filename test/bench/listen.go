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
		head: []string{"", "stored, events/s", "written, events/s", "forwarded meanwhile, events/s"},
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
		r, err := b.listen(ctx, database, settings)
		if err != nil {
			return s, err
		}
		s.rows = append(s.rows, []string{database, grouped(int(r.stored)), grouped(int(r.written)), grouped(int(r.alongside))})
		s.verdicts = append(s.verdicts,
			atLeast("stored events/s that listen forwards, "+database, r.stored, minListened),
			atLeast("events/s that listen forwards while they are written, "+database, r.alongside, minListened))
	}
	return s, nil
}

// listened are events per second.
type listened struct {
	stored    float64 // that are forwarded of those stored before
	written   float64 // that are written
	alongside float64 // that are forwarded from the beginning of the writing
}

func (b *bench) listen(ctx context.Context, database string, settings []string) (r listened, err error) {
	data := filepath.Join(b.folder, "listen-"+database)
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return r, err
	}
	p, err := server.Start(ctx, b.serve("listen-"+database), data, settings...)
	if err != nil {
		return r, err
	}
	defer p.Stop()
	receiver, err := load.Receive(false)
	if err != nil {
		return r, err
	}
	defer receiver.Close()
	d := &target{Receiver: receiver, address: p.Address, office: office}
	if err := d.write(clients, queue); err != nil {
		return r, err
	}
	began := time.Now()
	listener := exec.CommandContext(ctx, b.program, "listen", "--url", "http://"+p.Address, "--forward", receiver.URL(), "--cursor", "oldest")
	listener.Env = append(os.Environ(), "TIDEWAITER_API_KEY="+office.Secret)
	if err := listener.Start(); err != nil {
		return r, err
	}
	defer func() { _ = listener.Process.Signal(syscall.SIGTERM); _ = listener.Wait() }()
	if r.stored, err = d.await(ctx, queue, began); err != nil {
		return r, err
	}
	before, _ := receiver.Got()
	began = time.Now()
	if err := d.write(writers, queue); err != nil {
		return r, err
	}
	r.written = queue / time.Since(began).Seconds()
	r.alongside, err = d.await(ctx, before+queue, began)
	return r, err
}
