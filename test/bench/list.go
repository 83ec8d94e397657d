package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// few is the number of declarations of a small organisation.
const few = 1000

// Demands on lists.
const (
	leastList  = 0.7
	mostGrowth = 1.3
)

const listPath = "/api/declarations?limit=50"

// lister starts a server on a new organisation with so many declarations.
func (b *bench) lister(ctx context.Context, name, folder string, count int, command []string) (*contender, error) {
	data := filepath.Join(b.folder, folder)
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return nil, err
	}
	if err := office.Fill(ctx, data, count); err != nil {
		return nil, err
	}
	p, err := server.Start(ctx, command, data)
	if err != nil {
		return nil, err
	}
	return &contender{name: name, process: p, target: load.Get(p.Address, office.Secret, listPath)}, nil
}

// measureList compares the service with the bare server.
func measureList(ctx context.Context, b *bench) (section, error) {
	service, err := b.lister(ctx, "service", "list", few, b.serve("list"))
	if err != nil {
		return section{}, err
	}
	defer service.process.Stop()
	bare, err := b.lister(ctx, "bare server", "list-bare", few, []string{b.bare})
	if err != nil {
		return section{}, err
	}
	defer bare.process.Stop()
	if err := b.contest(ctx, clients, service, bare); err != nil {
		return section{}, err
	}
	return section{
		text:     fmt.Sprintf("`GET %s` of %s declarations, %d clients.", listPath, grouped(few), clients),
		rows:     loadRows(service, bare),
		verdicts: []verdict{atLeast("requests/s, service to bare server", service.ratio(bare, perSecond), leastList)},
	}, nil
}

// measureGrowth compares a small organisation's list with a large one's, each in a
// database of its own.
func measureGrowth(ctx context.Context, b *bench) (section, error) {
	small, err := b.lister(ctx, grouped(few), "few", few, []string{b.program, "serve"})
	if err != nil {
		return section{}, err
	}
	defer small.process.Stop()
	large, err := b.lister(ctx, grouped(b.many), "many", b.many, []string{b.program, "serve"})
	if err != nil {
		return section{}, err
	}
	defer large.process.Stop()
	s := section{text: fmt.Sprintf("`GET %s` of an organisation with %s declarations, and of one with %s.", listPath, grouped(few), grouped(b.many))}
	for _, n := range []int{1, clients} {
		if err := b.growth(ctx, &s, n, *small, *large); err != nil {
			return section{}, err
		}
	}
	return s, nil
}

func (b *bench) growth(ctx context.Context, s *section, clients int, small, large contender) error {
	if err := b.contest(ctx, clients, &small, &large); err != nil {
		return err
	}
	who := fmt.Sprintf(", %d clients", clients)
	if clients == 1 {
		who = ", 1 client"
	}
	small.name, large.name = small.name+who, large.name+who
	s.rows = append(s.rows, loadRows(&small, &large)...)
	s.verdicts = append(s.verdicts,
		below("p50, many to few"+who, large.ratio(&small, p50), mostGrowth, ""),
		below("requests/s, few to many"+who, small.ratio(&large, perSecond), mostGrowth, ""))
	return nil
}
