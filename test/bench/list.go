package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// few is the number of declarations of a small organisation.
const few = 1000

// Requirements for lists.
const (
	minList   = 0.7
	maxGrowth = 1.3
)

const listPath = "/api/declarations?limit=50"

// stock creates an organisation with a number of declarations in a folder of its own.
func (b *bench) stock(ctx context.Context, folder string, count int) (data string, o server.Office, err error) {
	data = filepath.Join(b.folder, folder)
	if o, err = server.Found(ctx, b.program, data); err != nil {
		return "", o, err
	}
	return data, o, o.Fill(ctx, data, count)
}

// lister starts a server that lists the stock.
func lister(ctx context.Context, name string, command []string, data string, o server.Office) (*contender, error) {
	p, err := server.Start(ctx, command, data)
	if err != nil {
		return nil, err
	}
	return &contender{name: name, process: p, target: load.Get(p.Address, o.Secret, listPath)}, nil
}

// measureList compares the service with the bare server, each on a copy of one database.
func measureList(ctx context.Context, b *bench) (section, error) {
	data, office, err := b.stock(ctx, "list", few)
	if err != nil {
		return section{}, err
	}
	copied := filepath.Join(b.folder, "list-bare")
	if err := os.CopyFS(copied, os.DirFS(data)); err != nil {
		return section{}, err
	}
	service, err := lister(ctx, "service", b.serve("list"), data, office)
	if err != nil {
		return section{}, err
	}
	defer service.process.Stop()
	bare, err := lister(ctx, "bare server", []string{b.bare}, copied, office)
	if err != nil {
		return section{}, err
	}
	defer bare.process.Stop()
	if err := load.Alike(service.target, bare.target); err != nil {
		return section{}, err
	}
	pocketbase, err := b.listInPocketBase(ctx, few)
	if err != nil {
		return section{}, err
	}
	defer pocketbase.process.Stop()
	if err := b.contest(ctx, clients, service, bare, pocketbase); err != nil {
		return section{}, err
	}
	return section{
		text:     fmt.Sprintf("`GET %s` of %s declarations, %d clients. The service and the bare server answer the same bytes.", listPath, grouped(few), clients),
		rows:     loadRows(service, bare, pocketbase),
		verdicts: []verdict{atLeast("requests/s, service to bare server", service.ratio(bare, perSecond), minList)},
	}, nil
}

// measureGrowth compares a small organisation's list with a large one's, each in a database of its own.
func measureGrowth(ctx context.Context, b *bench) (section, error) {
	var listers []*contender
	for _, count := range []int{few, b.many} {
		data, office, err := b.stock(ctx, fmt.Sprint("list-", count), count)
		if err != nil {
			return section{}, err
		}
		l, err := lister(ctx, grouped(count), []string{b.program, "serve"}, data, office)
		if err != nil {
			return section{}, err
		}
		defer l.process.Stop()
		listers = append(listers, l)
	}
	s := section{text: fmt.Sprintf("`GET %s` of an organisation with %s declarations, and of one with %s.", listPath, grouped(few), grouped(b.many))}
	for _, n := range []int{1, clients} {
		if err := b.growth(ctx, &s, n, *listers[0], *listers[1]); err != nil {
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
		below("p50, many to few"+who, large.ratio(&small, p50), maxGrowth, ""),
		below("requests/s, few to many"+who, small.ratio(&large, perSecond), maxGrowth, ""))
	return nil
}
