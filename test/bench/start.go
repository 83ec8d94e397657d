package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Demands on starting and idling.
const (
	mostStarting = 300 * time.Millisecond
	mostIdle     = 60 // MB
)

// How often and how long.
const (
	starts   = 10
	idlers   = 3
	idleTime = 5 * time.Second
)

// measureStart starts the service on empty folders, and leaves the last few idle.
func measureStart(ctx context.Context, b *bench) (section, error) {
	var took []time.Duration
	var idle []*server.Process
	defer func() {
		for _, p := range idle {
			p.Stop()
		}
	}()
	for i := range starts {
		p, err := server.Start(ctx, []string{b.program, "serve"}, filepath.Join(b.folder, fmt.Sprint("start-", i)))
		if err != nil {
			return section{}, err
		}
		took = append(took, p.Ready)
		if i < starts-idlers {
			p.Stop()
		} else {
			idle = append(idle, p)
		}
	}
	select {
	case <-time.After(idleTime):
	case <-ctx.Done():
		return section{}, ctx.Err()
	}
	var resident []int64
	for _, p := range idle {
		bytes, err := p.Resident()
		if err != nil {
			return section{}, err
		}
		resident = append(resident, bytes)
	}
	ready, held := load.Median(took), float64(load.Median(resident))/1e6
	return section{
		text: fmt.Sprintf("The service on an empty folder: the schema is made and the customs simulator started. Median of %d starts and of %d idle servers.", starts, idlers),
		head: []string{"", "figure"},
		rows: [][]string{
			{"start of the process to the first answer", short(ready.Seconds()*1e3) + " ms"},
			{fmt.Sprintf("resident memory after %s without a request", idleTime), short(held) + " MB"},
		},
		verdicts: []verdict{
			below("start", ready.Seconds()*1e3, float64(mostStarting.Milliseconds()), "ms"),
			below("idle memory", held, mostIdle, "MB"),
		},
	}, nil
}
