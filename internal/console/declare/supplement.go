package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// supplement makes the draft that completes a simplified declaration, and opens it in the form.
func (d *Declare) supplement(c *page.Context) error {
	var f filing.Filing
	err := c.Update(func(tx page.Tx) (err error) {
		f, err = d.Customs.CreateSupplementary(tx, c.Call(), c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path(f.ID, worksheet.StepBasics), "supplement-made")
}
