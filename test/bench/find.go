package main

import (
	"context"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// maxFilter is how much longer than the list without filters a list with one filter may take.
const maxFilter = 1.5

// measureFind compares the list of a large organisation with each filter to the list without.
func measureFind(ctx context.Context, b *bench) (section, error) {
	data, office, err := b.stock(ctx, "find", b.many)
	if err != nil {
		return section{}, err
	}
	one, err := office.FillTerms(ctx, data)
	if err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("find"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	if err := awaitIndex(ctx, data); err != nil {
		return section{}, err
	}
	list := func(name, filter string) *contender {
		return &contender{name: name, process: p, target: load.Get(p.Address, office.Secret, listPath+filter)}
	}
	all := []*contender{
		list("no filter", ""),
		list("status", "&status=CLEARED"), list("two statuses", "&status=CLEARED,REJECTED"), list("rare status", "&status=CANCELLED"),
		list("LRN", "&lrn="+one.LRN), list("reference", "&reference="+one.Reference), list("metadata", "&metadata%5Bbranch%5D=Dover"),
		list("shipment", "&shipmentId="+office.ShipmentID), list("client", "&clientId="+one.ClientID),
		list("created after", "&createdAfter="+one.CreatedAt), list("created before", "&createdBefore="+one.CreatedAt),
		list("updated after", "&updatedAfter="+one.CreatedAt), list("updated before", "&updatedBefore="+one.CreatedAt),
		list("sorted by change", "&sort=-updatedAt"), list("oldest first", "&sort=createdAt"),
	}
	if err := b.contest(ctx, 1, all...); err != nil {
		return section{}, err
	}
	s := section{text: "`GET " + listPath + "` of " + grouped(b.many) + " declarations on SQLite, one client, with each filter alone.", rows: loadRows(all...)}
	for _, c := range all[1:] {
		s.verdicts = append(s.verdicts, below("p50, "+c.name+" to no filter", c.ratio(all[0], p50), maxFilter, ""))
	}
	return s, nil
}
