package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// fromShipment creates a worksheet for a stored shipment and its client, and opens it in the form.
func (d *Declare) fromShipment(c *page.Context) error {
	s := worksheet.NewImport(c.IDs.UUID())
	err := c.Update(func(tx page.Tx) error {
		f, err := tx.Filing(d.Shipments.Kind, c.ID())
		if err != nil {
			return err
		}
		client, err := clientOf(&f)
		if err != nil {
			return err
		}
		if err := d.selectClient(c, tx, s, client); err != nil {
			return err
		}
		if _, err := d.selectShipment(tx, s, f.ID); err != nil {
			return err
		}
		return d.store(c, tx, s)
	})
	if err != nil {
		return err
	}
	return c.Redirect(path(s.ID, worksheet.StepBasics))
}
