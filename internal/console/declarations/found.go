package declarations

import (
	"context"
	"slices"

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

// findByDetails returns the latest declarations that have a text in any member, or whose shipment has: a container, a vessel, an
// exporter, an EORI, a DUCR or an MUCR. It has one page, and takes no filter besides the text.
func (d *Declarations) findByDetails(c *page.Context, q search.Query) (ids []string, incomplete string, err error) {
	kinds := []string{customs.DeclarationKind, customs.Shipments.Kind}
	found, err := d.FindRecords(c.R.Context(), c.Session.Org, search.Query{Text: q.Text, Directions: kinds, Limit: pageSize})
	if err != nil {
		return nil, "", err
	}
	var shipments []string
	for i := range found.Records {
		switch f := &found.Records[i]; {
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
	return ids[:min(len(ids), pageSize)], found.Incomplete(), err
}
