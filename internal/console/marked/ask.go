package marked

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// waits returns why the approval of a record is not asked for: it waits already. It is empty for any other record.
func waits(tx page.Tx, id string) (string, error) {
	a, found, err := tx.Approval(id)
	if err != nil || !found || a.Given() {
		return "", err
	}
	return "It waits for approval already.", nil
}

// ask asks for the approval of records in the versions that were shown, and lists what waits. A record that has changed or was deleted is left
// out. A form that is sent again changes nothing.
func (m *Marked) ask(c *page.Context, t *filing.Type, ids, versions []string) error {
	asked := 0
	err := c.Update(func(tx page.Tx) error {
		asked = 0
		for i, id := range ids {
			version, err := strconv.ParseInt(versions[i], 10, 64)
			if err != nil {
				return apierr.Missing()
			}
			switch err := m.Filings.AskApproval(tx, c.Call(), t, id, "", filing.IfVersion{version}); {
			case err == nil:
				asked++
			case !leavesOut(err):
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	notice := "marked-asked"
	if asked < len(ids) {
		notice = "marked-asked-some"
	}
	return c.Redirect(c.ListPath(t.Kind) + "?" + page.WaitingQuery + "&done=" + notice)
}

// leavesOut reports whether an error is that of a single record that is no longer as it was shown.
func leavesOut(err error) bool {
	return apierr.Is(err, apierr.PreconditionFailed) || apierr.Is(err, apierr.InvalidState) || apierr.Is(err, apierr.NotFound)
}
