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
	var shipments []string
	for _, kind := range []string{customs.DeclarationKind, customs.Shipments.Kind} {
		page, err := d.FindRecords(c.R.Context(), c.Session.Org, search.Query{Text: q.Text, Direction: kind, Limit: pageSize})
		if err != nil {
			return nil, "", err
		}
		found := page.Records
		incomplete = page.Incomplete()
		for i := range found {
			switch {
			case found[i].Kind == customs.DeclarationKind:
				ids = append(ids, found[i].ID)
			case found[i].Kind == customs.Shipments.Kind && len(shipments) < maxShipmentsFound:
				shipments = append(shipments, found[i].ID)
			}
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
	return ids[:min(len(ids), pageSize)], incomplete, err
}
