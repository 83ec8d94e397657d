package settings

import (
	"io"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
)

// dataRoutes are for exporting the organisation's data, closing it, and its AI provider.
func (s *Settings) dataRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/data", page.ForOwner, s.dataPage).WhileClosed(),
		page.Post("/settings/data/exports", page.ForOwner, s.createExport).WithRecentProof().WhileClosed(),
		page.Get("/settings/data/exports/{id}/archive", page.ForOwner, s.downloadExport).WithRecentProof().WhileClosed(),
		page.Post("/settings/data/exports/{id}/cancel", page.ForOwner, s.cancelExport).WhileClosed(),
		page.Post("/settings/data/provider", page.ForOwner, s.switchProvider).WithRecentProof(),
	}
}

// dataView is the data of the page about the organisation's data.
type dataView struct {
	Exports     []portability.Job
	Kept        int // days for which an export can be downloaded
	ProviderOff bool
	Closing     closingView
}

func (s *Settings) dataPage(c *page.Context) error {
	all, err := s.Exports.List(c.R.Context(), c.Session.Org)
	if err != nil {
		return err
	}
	var org access.Organisation
	if err := c.View(func(tx page.Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return err
	}
	return c.Show("settings-data", "Data", dataView{
		all, int(portability.Retention.Hours() / 24), org.Policy.AIProviderOff, closingView{org.Closing, int(closure.Delay.Hours() / 24), s.RecordsKept, closure.Law},
	})
}

func (s *Settings) createExport(c *page.Context) error {
	if _, err := s.Exports.Request(c.R.Context(), c.Call()); err != nil {
		return c.Redisplay(err, func() error { return s.dataPage(c) })
	}
	return c.RedirectWithNotice("/settings/data", "export-made")
}

func (s *Settings) cancelExport(c *page.Context) error {
	if _, err := s.Exports.Cancel(c.R.Context(), c.Call(), c.ID()); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/data", "export-cancelled")
}

func (s *Settings) downloadExport(c *page.Context) error {
	begun := false
	err := s.Exports.Write(c.R.Context(), c.Call(), c.ID(), func(name string) io.Writer {
		begun = true
		_ = http.NewResponseController(c.W).SetWriteDeadline(time.Time{}) // no time limit: archives can be large
		c.W.Header().Set("Content-Type", portability.ContentType)
		c.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		return c.W
	})
	if begun && err != nil {
		c.Log.Warn("export was cut short", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // cuts the connection, so that a partial archive does not look complete
	}
	return err
}

func (s *Settings) switchProvider(c *page.Context) error {
	off := c.Value("provider") == "off"
	err := c.Update(func(tx page.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.AIProviderOff = off
		_, err = s.Access.UpdatePolicy(tx, c.Call(), policy)
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/data", "ai-saved")
}
