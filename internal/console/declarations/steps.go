package declarations

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

func (d *Declarations) confirmCancel(c *page.Context) error {
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(customs.DeclarationKind, c.ID()); return err }); err != nil {
		return err
	}
	path := "/declarations/" + f.ID
	q := page.Confirmation{Action: path + "/cancel", Back: path}
	switch f.Status {
	case lifecycle.Draft:
		q.Title, q.Button = "Cancel this draft?", "Cancel draft"
		q.Text = []string{"The draft was not sent to customs, so it is cancelled immediately. It stays in the list, and you can copy it."}
	case lifecycle.Submitted, lifecycle.Accepted:
		q.Title, q.Button = "Request the cancellation of this declaration?", "Request cancellation"
		q.Text = []string{
			"Customs gets a cancellation request with the reason “no longer required”. The declaration is cancelled when customs agrees.",
			"If the declaration only contains an error, do not cancel it. Customs may expect an amendment instead.",
		}
	default:
		return apierr.New(apierr.InvalidState, "This declaration cannot be cancelled. Only draft, submitted and accepted declarations can.")
	}
	return c.Confirm(q)
}

func (d *Declarations) cancel(c *page.Context) error {
	f, err := d.Customs.Cancel(c.R.Context(), customs.Request{Call: c.Call()}, c.ID(), nil)
	if err != nil {
		return err
	}
	notice := "cancellation-asked"
	if f.Status == lifecycle.Cancelled {
		notice = "declaration-cancelled"
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, notice)
}

// copy creates a draft with the goods of this declaration, for the same shipment.
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

// stream sends changes of the declaration to an open page.
func (d *Declarations) stream(c *page.Context) error {
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
