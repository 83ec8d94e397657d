package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// latest is how many records of a kind a Hub's front page shows.
const latest = 5

// shelf is a kind on the front page of its Hub.
type shelf struct {
	*kind
	Rows []row
}

// hubView is what the front page of a Hub shows.
type hubView struct {
	Hub
	Shelves  []shelf
	Handmade []Handmade
}

func (a *Filings) hubPage(c *page.Context) error {
	h, ok := a.hubs[c.R.PathValue("hub")]
	if !ok || h.ID == access.FoundationalHub {
		return apierr.Missing()
	}
	if !c.Session.Hubs.Has(h.ID) {
		return a.shut(c, h.ID)
	}
	shown := hubView{Hub: h}
	for _, made := range a.Handmade {
		if made.Hub == h.ID {
			shown.Handmade = append(shown.Handmade, made)
		}
	}
	err := c.View(func(tx page.Tx) error {
		for _, t := range a.Types {
			if t.Hub != h.ID {
				continue
			}
			k := a.kinds["/hubs/"+t.Hub+"/"+t.Many]
			all, err := tx.Filings(filing.Query{Kind: t.Kind, Limit: latest})
			if err != nil {
				return err
			}
			shown.Shelves = append(shown.Shelves, shelf{k, k.rows(all)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.Show("filings-hub", h.Name, shown)
}
