package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// mostCreateUsed is the requirement for the processor time of a creation, in multiples of the former commit's.
const mostCreateUsed = 1.05

// measureFormerCreate compares the processor time of creating a plain declaration with that of the former commit, both on
// SQLite with synchronous=FULL.
func measureFormerCreate(ctx context.Context, b *bench) (s section, err error) {
	s = section{
		text: fmt.Sprintf("`POST /api/declarations` with one item, SQLite with `synchronous=FULL`, by %d clients and by one, without rate limits. In turns with the program of commit %s.",
			clients, formerCommit),
	}
	former, err := buildFormer(ctx, b)
	if err != nil {
		s.notes = append(s.notes, "Not measured: "+err.Error())
		return s, nil
	}
	then, err := startCreating(ctx, formerCommit, former, []string{former, "serve"}, filepath.Join(b.folder, "create-then"))
	if err != nil {
		return s, err
	}
	defer then.process.Stop()
	now, err := startCreating(ctx, "today", b.program, b.serve("create-beside"), filepath.Join(b.folder, "create-now"))
	if err != nil {
		return s, err
	}
	defer now.process.Stop()
	if err := awaitIndex(ctx, filepath.Join(b.folder, "create-now")); err != nil {
		return s, err
	}
	for _, clients := range []int{clients, 1} {
		then.rounds, now.rounds = nil, nil
		if err := b.contest(ctx, clients, then, now); err != nil {
			return s, err
		}
		for _, row := range loadRows(then, now) {
			row[0] = fmt.Sprintf("%s, clients: %d", row[0], clients)
			s.rows = append(s.rows, row)
		}
		s.verdicts = append(s.verdicts, below(fmt.Sprintf("processor of a creation, clients: %d, to %s", clients, formerCommit), now.ratio(then, processor), mostCreateUsed, ""))
	}
	return s, nil
}

// startCreating starts a program on an empty database, for one contender that creates declarations.
func startCreating(ctx context.Context, name, program string, command []string, data string) (*contender, error) {
	office, err := server.Found(ctx, program, data)
	if err != nil {
		return nil, err
	}
	p, err := server.Start(ctx, command, data)
	if err != nil {
		return nil, err
	}
	return &contender{name: name, process: p, target: load.Post(p.Address, office.Secret, "/api/declarations", office.Declaration())}, nil
}
