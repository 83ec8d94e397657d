package declarations

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// maxShipmentsFound is the number of shipments whose declarations a search finds.
const maxShipmentsFound = 5

// FindRecords finds records of all kinds by their texts.
type FindRecords func(context.Context, tenant.ID, search.Query) (search.FoundPage, error)

// find returns a page of declarations by the search over declarations or, if that finds none and byDetails is set, by the text in any
// member of them or of their shipments: a container, a vessel, an exporter, an EORI, a DUCR or an MUCR. Both searches run side by
// side, as each may read its whole index for a word that is nowhere. incomplete says how far an index is that is still being made.
func (d *Declarations) find(c *page.Context, q search.Query, byDetails bool) (of found, incomplete string, err error) {
	var all search.FoundPage
	var allErr error
	beside, stop := context.WithCancel(c.R.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	if byDetails {
		kinds := []string{customs.DeclarationKind, customs.Shipments.Kind}
		running.Go(func() {
			all, allErr = d.FindRecords(beside, c.Session.Org, search.Query{Text: q.Text, Directions: kinds, Limit: pageSize})
		})
	}
	first, err := d.Search.Find(c.R.Context(), c.Session.Org, q)
	if err != nil || len(first.IDs) > 0 || !byDetails {
		return found{ids: first.IDs, more: first.More}, first.Incomplete(), err
	}
	running.Wait()
	if allErr != nil {
		return found{}, "", allErr
	}
	of.ids, err = declarationsOf(c, all.Records)
	return of, cmp.Or(first.Incomplete(), all.Incomplete()), err
}

// declarationsOf returns the declarations among some records, and the latest ones of the shipments among them: one page, newest first.
func declarationsOf(c *page.Context, records []search.FoundRecord) (ids []string, err error) {
	var shipments []string
	for i := range records {
		switch f := &records[i]; {
		case f.Kind == customs.DeclarationKind:
			ids = append(ids, f.ID)
		case len(shipments) < maxShipmentsFound:
			shipments = append(shipments, f.ID)
		}
	}
	err = c.View(func(tx page.Tx) error {
		for _, shipment := range shipments {
			of, err := tx.Select(filing.Selection{Kind: customs.DeclarationKind, ShipmentID: shipment, Limit: pageSize})
			if err != nil {
				return err
			}
			for i := range of {
				ids = append(ids, of[i].ID)
			}
		}
		return nil
	})
	slices.Sort(ids)
	slices.Reverse(ids) // IDs rise with time
	ids = slices.Compact(ids)
	return ids[:min(len(ids), pageSize)], err
}
