package declarations

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// cancelView is the data of the form with the reason of a cancellation.
type cancelView struct {
	ID, LRN, Code, Reason string
	Cleared               bool
}

func cancelViewOf(c *page.Context, f *filing.Filing) cancelView {
	return cancelView{ID: f.ID, LRN: f.Name(), Code: c.Value("reasonCode"), Reason: c.Value("reason"), Cleared: f.Status == customs.Cleared}
}

// cancelReason returns the reason in the form; nil for the usual one.
func cancelReason(c *page.Context) *customs.CancellationBody {
	code, reason := c.Value("reasonCode"), c.Value("reason")
	if code == "" || code == "1" && reason == "" {
		return nil
	}
	return &customs.CancellationBody{ReasonCode: code, Reason: reason}
}

// present tells customs that the goods of a pre-lodged declaration have arrived.
func (d *Declarations) present(c *page.Context) error {
	if _, err := d.Customs.RequestPresentation(c.R.Context(), customs.Request{Call: c.Call()}, c.ID(), customs.PresentationBody{}); err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "goods-presented")
}

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
	case lifecycle.Submitted, lifecycle.Accepted, customs.Cleared:
		return c.Show("declaration-cancel", q.Title, cancelViewOf(c, &f))
	default:
		return apierr.New(apierr.InvalidState, "This declaration cannot be cancelled. Only draft, submitted, accepted and cleared declarations can.")
	}
	return c.Confirm(q)
}

func (d *Declarations) cancel(c *page.Context) error {
	f, err := d.Customs.Cancel(c.R.Context(), customs.Request{Call: c.Call()}, c.ID(), cancelReason(c), nil)
	if apierr.Is(err, apierr.InvalidRequest) {
		return c.Redisplay(err, func() error { return d.confirmCancel(c) })
	}
	if err != nil {
		return err
	}
	notice := "cancellation-asked"
	if f.Status == lifecycle.Cancelled {
		notice = "declaration-cancelled"
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, notice)
}

// closeDemand closes a query that was answered, or a correction that was seen.
func (d *Declarations) closeDemand(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error {
		_, err := d.Customs.CloseDemand(tx, c.Call(), nil, c.ID(), c.R.PathValue("demand"), "")
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "demand-closed")
}

// copy creates a draft with the goods of this declaration, for the same shipment.
func (d *Declarations) copy(c *page.Context) error {
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(customs.DeclarationKind, c.ID()); return err }); err != nil {
		return err
	}
	body, err := customs.CopyOf(f.Body)
	if err != nil {
		return err
	}
	err = c.Update(func(tx page.Tx) (err error) { f, err = d.create(c, tx, body, c.ID()); return err })
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
