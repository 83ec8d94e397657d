package filings

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// recentShown is the number of records of each kind on a Hub's page.
const recentShown = 5

// hubKind is a kind on its Hub's page.
type hubKind struct {
	*kind
	Rows  []row
	Shown []page.Column
}

// hubView is the data of a Hub's page.
type hubView struct {
	Hub
	Kinds []hubKind
	Links []HubLink
}

func (a *Filings) hubPage(c *page.Context) error {
	h, ok := a.hubs[c.R.PathValue("hub")]
	if !ok || h.ID == access.FoundationalHub {
		return apierr.Missing()
	}
	if !c.Session.Hubs.Has(h.ID) {
		return a.showDisabled(c, h.ID)
	}
	shown := hubView{Hub: h}
	for _, link := range a.Links {
		if link.Hub == h.ID {
			shown.Links = append(shown.Links, link)
		}
	}
	err := c.View(func(tx page.Tx) error {
		for _, t := range a.Types {
			if t.Hub != h.ID {
				continue
			}
			k := a.kinds["/hubs/"+t.Hub+"/"+t.Plural]
			all, err := tx.Filings(filing.Query{Kind: t.Kind, Limit: recentShown})
			if err != nil {
				return err
			}
			columns := slices.DeleteFunc(k.narrowed(k.columns().Named(nil)), func(c page.Column) bool { return c.ID == assigneeColumn.ID || c.ID == updatedColumn.ID })
			shown.Kinds = append(shown.Kinds, hubKind{k, k.rows(all, columns), columns})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.Show("filings-hub", h.Name, shown)
}
