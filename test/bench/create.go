package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// clients is the number of concurrent clients.
const clients = 32

// Requirements for creating.
const (
	minGrouping   = 4.0
	minCreate     = 0.5
	minPocketBase = 4.0
	maxWaiting    = 25 * time.Millisecond
)

// measureCreate compares the service with itself without group commit, and with the bare server.
func measureCreate(ctx context.Context, b *bench) (section, error) {
	create := func(name string, command []string, settings ...string) (*contender, error) {
		data := filepath.Join(b.folder, "create", filepath.Base(name))
		office, err := server.Found(ctx, b.program, data)
		if err != nil {
			return nil, err
		}
		p, err := server.Start(ctx, command, data, settings...)
		if err != nil {
			return nil, err
		}
		return &contender{name: name, process: p, target: load.Post(p.Address, office.Secret, "/api/declarations", office.Declaration())}, nil
	}
	service, err := create("service", b.serve("create"))
	if err != nil {
		return section{}, err
	}
	defer service.process.Stop()
	if err := awaitIndex(ctx, filepath.Join(b.folder, "create", "service")); err != nil {
		return section{}, err
	}
	bare, err := create("bare server", []string{b.bare})
	if err != nil {
		return section{}, err
	}
	defer bare.process.Stop()
	pocketbase, err := b.createInPocketBase(ctx)
	if err != nil {
		return section{}, err
	}
	defer pocketbase.process.Stop()
	if err := b.contest(ctx, clients, service, bare, pocketbase); err != nil {
		return section{}, err
	}
	peak, err := service.process.Peak()
	if err != nil {
		return section{}, err
	}
	return section{
		text: fmt.Sprintf("`POST /api/declarations` with one item, SQLite with `synchronous=FULL`, %d clients, without rate limits.", clients),
		rows: loadRows(service, bare, pocketbase),
		verdicts: []verdict{
			atLeast("requests/s, service to bare server", service.ratio(bare, perSecond), minCreate),
			atLeast("requests/s, service to PocketBase", service.ratio(pocketbase, perSecond), minPocketBase),
			below("p99 of the service", service.median(p99)*1e3, float64(maxWaiting.Milliseconds()), "ms"),
		},
		notes: []string{
			"PocketBase 0.36.8 has one collection with the fields of a declaration, and its database has `synchronous=FULL` too.",
			fmt.Sprintf("The service used %d MB at most.", peak>>20),
		},
	}, nil
}

// mostPreparing is longer than the service needs to make the classifier's index.
const mostPreparing = 2 * time.Minute

// makeIndex starts the service until it has made the classifier's index, whose memory is no part of what is measured.
func (b *bench) makeIndex(ctx context.Context, name, data string) error {
	p, err := server.Start(ctx, b.serve(name), data)
	if err != nil {
		return err
	}
	defer p.Stop()
	return awaitIndex(ctx, data)
}

// awaitIndex returns when the service has made the classifier's index, which it does once for a data folder, in the
// background.
func awaitIndex(ctx context.Context, data string) error {
	until := time.Now().Add(mostPreparing)
	for time.Now().Before(until) {
		if _, err := os.Stat(filepath.Join(data, "classifier.index")); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return fmt.Errorf("%s: the classifier's index was not made within %s", data, mostPreparing)
}
