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

// What becomes of all that the organisation has here.
func (s *Settings) dataRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/data", page.ForOwner, s.dataPage).WhileClosed(),
		page.Post("/settings/data/exports", page.ForOwner, s.makeExport).Freshly().WhileClosed(),
		page.Get("/settings/data/exports/{id}/archive", page.ForOwner, s.fetchExport).Freshly().WhileClosed(),
		page.Post("/settings/data/exports/{id}/cancel", page.ForOwner, s.cancelExport).WhileClosed(),
		page.Post("/settings/data/provider", page.ForOwner, s.switchProvider).Freshly(),
	}
}

// dataView is what the page of the data shows.
type dataView struct {
	Exports     []portability.Job
	Kept        int // days
	ProviderOff bool
	Closing     closingView
}

func (s *Settings) dataPage(v *page.Visit) error {
	all, err := s.Exports.List(v.R.Context(), v.Session.Org)
	if err != nil {
		return err
	}
	var org access.Organisation
	if err := v.View(func(tx page.Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return err
	}
	return v.Show("settings-data", "Data", dataView{
		all, int(portability.Kept.Hours() / 24), org.Policy.AIProviderOff, closingView{org.Closing, int(closure.Delay.Hours() / 24), s.RecordsKept, closure.Law},
	})
}

func (s *Settings) makeExport(v *page.Visit) error {
	if _, err := s.Exports.Request(v.R.Context(), v.Call()); err != nil {
		return v.Again(err, func() error { return s.dataPage(v) })
	}
	return v.Done("/settings/data", "export-made")
}

func (s *Settings) cancelExport(v *page.Visit) error {
	if _, err := s.Exports.Cancel(v.R.Context(), v.Call(), v.ID()); err != nil {
		return err
	}
	return v.Done("/settings/data", "export-cancelled")
}

func (s *Settings) fetchExport(v *page.Visit) error {
	begun := false
	err := s.Exports.Write(v.R.Context(), v.Call(), v.ID(), func(name string) io.Writer {
		begun = true
		_ = http.NewResponseController(v.W).SetWriteDeadline(time.Time{}) // an archive takes as long as it takes
		v.W.Header().Set("Content-Type", portability.ContentType)
		v.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		return v.W
	})
	if begun && err != nil {
		v.Log.Warn("an export was cut", "requestId", v.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // an archive that was cut must not look complete
	}
	return err
}

func (s *Settings) switchProvider(v *page.Visit) error {
	off := v.Value("provider") == "off"
	err := v.Update(func(tx page.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		policy := org.Policy
		policy.AIProviderOff = off
		_, err = s.Access.UpdatePolicy(tx, v.Call(), policy)
		return err
	})
	if err != nil {
		return err
	}
	return v.Done("/settings/data", "ai-saved")
}
