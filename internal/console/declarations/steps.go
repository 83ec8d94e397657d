package declarations

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

func (d *Declarations) askToCancel(c *page.Context) error {
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(customs.DeclarationKind, c.ID()); return err }); err != nil {
		return err
	}
	path := "/declarations/" + f.ID
	q := page.Confirmation{Action: path + "/cancel", Back: path}
	switch f.Status {
	case lifecycle.Draft:
		q.Title, q.Button = "Cancel this draft?", "Cancel draft"
		q.Text = []string{"Nothing was sent to customs, so it is cancelled at once. It stays in the list, and can be copied."}
	case lifecycle.Submitted, lifecycle.Accepted:
		q.Title, q.Button = "Ask customs to cancel this declaration?", "Ask customs to cancel"
		q.Text = []string{
			"Customs gets a request that says that the declaration is no longer required. The declaration is cancelled when customs agrees, and not before.",
			"Do not ask for it where only something in it is wrong and customs has not rejected it: customs may want an amendment instead.",
		}
	default:
		return apierr.New(apierr.InvalidState, "A declaration can be cancelled while it is a draft, submitted or accepted; this one is not.")
	}
	return c.Confirm(q)
}

func (d *Declarations) cancel(c *page.Context) error {
	f, err := d.Customs.Cancel(c.R.Context(), customs.Request{Call: c.Call()}, c.ID())
	if err != nil {
		return err
	}
	notice := "cancellation-asked"
	if f.Status == lifecycle.Cancelled {
		notice = "declaration-cancelled"
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, notice)
}

// copy makes a new draft with the goods of this declaration, for the same shipment.
func (d *Declarations) copy(c *page.Context) error {
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(customs.DeclarationKind, c.ID()); return err }); err != nil {
		return err
	}
	in, err := d.Customs.Type.Parse(f.Body, c.Now())
	if err != nil {
		return err
	}
	err = c.Update(func(tx page.Tx) (err error) { f, err = d.Filings.Create(tx, c.Call(), d.Customs.Type, in); return err })
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, "declaration-copied")
}

// follow keeps an open page told of changes of its declaration.
func (d *Declarations) follow(c *page.Context) error {
	return c.StreamChanges(d.Live, c.ID(), func(tx page.Tx) (int64, error) {
		if found, err := tx.HasFiling(customs.DeclarationKind, c.ID()); err != nil || !found {
			if err == nil {
				err = apierr.Missing()
			}
			return 0, err
		}
		return lastOf(tx, c.ID())
	})
}
