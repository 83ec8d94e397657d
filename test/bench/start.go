package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements for starting and idling.
const (
	maxStarting = 120 * time.Millisecond
	maxIdle     = 40 // MB
)

// Number of measurements, and their length.
const (
	starts      = 10
	idleServers = 3
	idleTime    = 5 * time.Second
)

// startFigures are the medians of one program's starts.
type startFigures struct {
	empty, again time.Duration // to the first answer: on an empty folder, and on one with data
	idle         float64       // resident memory of an idle server, in MB
}

// measureStart starts the service and PocketBase on empty folders and again on the folders that they left.
func measureStart(ctx context.Context, b *bench) (section, error) {
	service, err := b.startOf(ctx, "start", []string{b.program, "serve"})
	if err != nil {
		return section{}, err
	}
	pocketbase, err := b.startOf(ctx, "start-pocketbase", []string{b.pocketbase})
	if err != nil {
		return section{}, err
	}
	row := func(name string, f startFigures) []string {
		return []string{name, short(f.empty.Seconds() * 1e3), short(f.again.Seconds() * 1e3), short(f.idle)}
	}
	return section{
		text: fmt.Sprintf("From the start of the process to its first answer, and the resident memory %s later. Medians of %d starts and of %d idle servers; idle servers have data.", idleTime, starts, idleServers),
		head: []string{"", "empty folder, ms", "folder with data, ms", "idle, MB"},
		rows: [][]string{row("service", service), row("PocketBase", pocketbase)},
		verdicts: []verdict{
			below("start on a folder with data", service.again.Seconds()*1e3, float64(maxStarting.Milliseconds()), "ms"),
			below("idle memory", service.idle, maxIdle, "MB"),
		},
	}, nil
}

// startOf starts one program twice on each of its folders, and leaves the last few idle for a while.
func (b *bench) startOf(ctx context.Context, name string, command []string) (f startFigures, err error) {
	var empty, again []time.Duration
	var idle []*server.Process
	defer func() {
		for _, p := range idle {
			p.Stop()
		}
	}()
	for i := range starts {
		folder := filepath.Join(b.folder, fmt.Sprint(name, "-", i))
		first, err := server.Start(ctx, command, folder)
		if err != nil {
			return f, err
		}
		first.Stop()
		second, err := server.Start(ctx, command, folder)
		if err != nil {
			return f, err
		}
		empty, again = append(empty, first.Ready), append(again, second.Ready)
		if i < starts-idleServers {
			second.Stop()
		} else {
			idle = append(idle, second)
		}
	}
	select {
	case <-time.After(idleTime):
	case <-ctx.Done():
		return f, ctx.Err()
	}
	var resident []int64
	for _, p := range idle {
		bytes, err := p.Resident()
		if err != nil {
			return f, err
		}
		resident = append(resident, bytes)
	}
	return startFigures{load.Median(empty), load.Median(again), float64(load.Median(resident)) / 1e6}, nil
}
