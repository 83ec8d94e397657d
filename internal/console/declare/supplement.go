package declare

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// supplementaryTypes are the additional declaration types of supplementary declarations by those of simplified ones (DE 1/2).
var supplementaryTypes = map[string]string{"C": "Y", "F": "Y", "B": "X", "E": "X"}

// supplement creates a worksheet for the supplementary declaration of a simplified one, with the same client, shipment and
// goods. Its data set follows from the procedure of the first item.
func (d *Declare) supplement(c *page.Context) error {
	var s worksheet.Worksheet
	err := c.Update(func(tx page.Tx) (err error) {
		if s, err = d.fromStored(tx, c.ID()); err != nil {
			return err
		}
		kind := supplementaryTypes[s.General.Get("additionalType")]
		if kind == "" {
			return apierr.New(apierr.InvalidState, "This declaration is not simplified: its additional type is none of B, C, E and F.")
		}
		requested := s.Items[0].Get("procedureCode")
		if len(requested) > requestedDigits {
			requested = requested[:requestedDigits]
		}
		for name, value := range map[string]string{"dataSet": string(dataset.OfProcedure(requested, !s.Imports())), "additionalType": kind, "supplements": c.ID()} {
			s.General.Set(name, value)
		}
		s.ID, s.BaseVersion = c.IDs.UUID(), 0
		return tx.SaveWorksheet(c.Session.UserID, &s)
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path(s.ID, worksheet.StepBasics), "supplement-started")
}

// requestedDigits is the length of the requested procedure in a procedure code.
const requestedDigits = 2
